#!/usr/bin/env bash
# Freed memory was read in every run (HDF5's file driver was unregistered under an open file): with MALLOC_PERTURB_ it crashed.
source "$(dirname "$0")/prelude.sh" "$@"

export MALLOC_PERTURB_=85
expect 0 run "$source/examples/m1.yaml" --out m1
[[ $(json m1/summary.json status) == ok ]] || fail "status in summary.json"
expect 0 run small.yaml --out small --csv --trace
expect 0 compare small small
