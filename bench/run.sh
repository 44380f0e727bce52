#!/bin/sh
# Measures pawl beside its peers and prints the medians and the bars.
# sh bench/run.sh -h lists the flags; --write puts the results in README.md.
set -eu
cd "$(dirname "$0")"
exec go run ./cmd/report "$@"
