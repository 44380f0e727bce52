#!/bin/sh
# Keeps the decisions of the 4,601 mails in a database, reviews 20 of those that
# wait from the terminal, and has a second program, which knows nothing but the
# public key, check the ledger. `make build` builds bin/pawl first.
set -eu
cd "$(dirname "$0")/../.."
dir=${1:-bin/spam-review}
pawl=${PAWL:-bin/pawl}
rm -rf "$dir" && mkdir -p "$dir"
export PAWL_DB="$dir/mails.db" PAWL_AS=mailman


"$pawl" decide -p examples/spam/spam.pawl.yaml --without vip_sender --record "$PAWL_DB" --run mails examples/spam/spam.csv > "$dir/decisions.jsonl"
echo "$(wc -l < "$dir/decisions.jsonl" | tr -d ' ') decisions are kept"

export PAWL_AS=anna
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  item=$("$pawl" item next -o json | sed -n 's/^  "id": "\(.*\)",/\1/p')
  if [ $((n % 4)) -eq 0 ]; then
    "$pawl" item reject "$item" -m "not this label" > /dev/null
  else
    "$pawl" item approve "$item" > /dev/null
  fi
done
echo "approved: $("$pawl" item list --status approved -o json | grep -c '"id":'), rejected: $("$pawl" item list --status rejected -o json | grep -c '"id":')"

"$pawl" ledger export --db "$PAWL_DB" -o "$dir/ledger.jsonl"
go run ./examples/verifyledger "$PAWL_DB.key.pub" "$dir/ledger.jsonl"
