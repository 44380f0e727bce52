#!/bin/sh
# Decides the 4,601 mails, shows the counts and explains three of them.
# `make run` builds bin/pawl first.
set -eu
cd "$(dirname "$0")/../.."
out=bin/spam-decisions.jsonl

# Every mail gets one line of JSON; exit code 0 says that all were answered.
bin/pawl decide -p examples/spam/spam.pawl.yaml examples/spam/spam.csv --without vip_sender > "$out"
echo "$(wc -l < "$out" | tr -d ' ') decisions are in $out; the first:"
head -n 1 "$out"

echo
bin/pawl decide -p examples/spam/spam.pawl.yaml examples/spam/spam.csv --without vip_sender --summary 2>/dev/null

echo
echo "three of them, explained"
echo
for mail in mail-0003 mail-0250 mail-0080; do
  bin/pawl decide -p examples/spam/spam.pawl.yaml examples/spam/spam.csv --without vip_sender --only "$mail" --explain -o text 2>/dev/null
done
