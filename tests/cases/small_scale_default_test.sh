#!/usr/bin/env bash
# 4000 masses that move by a nanometre lay below the default tolerances: status ok, errors of 257 %.
. "$(dirname "$0")/../cli/prelude.sh"

expect 0 run "$source/tests/cases/small_scale_default.yaml" --out small --threads 2
expect 0 run "$source/tests/cases/small_scale_default.yaml" --out reference --threads 2 --set partition=none \
  --set solve.rtol=1e-9
expect 0 compare small reference
nrmse=$(awk '$1 == "position" { print $3 }' stdout)
awk -v e="$nrmse" 'BEGIN { exit !(e != "" && e < 1e-4) }' || fail "error $nrmse"
