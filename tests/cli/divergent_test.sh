#!/usr/bin/env bash
# An unstable macro step: the run ends with exit code 1, says where and why, and leaves what it had.
source "$(dirname "$0")/prelude.sh" "$@"

expect 1 run "$source/examples/convergence.yaml" --set control.step=1.0e-3 --set simulate.output=1.0e-4 --out far
says "failed at t ="
[[ $(json far/summary.json status) == failed ]] || fail "status in summary.json"
expect 0 compare far far
