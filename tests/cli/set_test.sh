#!/usr/bin/env bash
# --set changes keys of the file, and is checked like the file.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 check small.yaml
prints "small.yaml is valid"
expect 0 check small.yaml --set partition.parts=5 --set "control={estimator: exMD, rtol: 1.0e-5}"
expect 0 run small.yaml --set partition.parts=5 --set simulate.end=1.0e-5 --set control.rtol=1.0e-5
[[ $(json small.out/summary.json parts) == 5 ]] || fail "--set partition.parts=5 has no effect"

expect 2 check small.yaml --set partition.parst=5
says "parst" "parts"
expect 2 check small.yaml --set model.chain.mass=-1
says "model.chain.mass" "-1"
expect 2 check small.yaml --set partition.parts=41
says "parts" "41"
expect 2 check small.yaml --set partition
expect 2 run small.yaml --set simulate.end=soon --out never
says "simulate.end" "soon"
[[ ! -e never ]] || fail "a refused run left an output folder"
