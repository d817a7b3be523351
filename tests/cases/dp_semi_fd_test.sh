#!/usr/bin/env bash
# 30 000 of 32 613 macro steps were spent on the first millisecond, where the force is next to nothing.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

expect 0 run "$source/tests/cases/dp_semi_fd.yaml" --out semi
steps=$(json semi/summary.json macro_steps)
((steps < 4000)) || fail "$steps macro steps"
(($(json semi/summary.json rejected_steps) < 100)) || fail "many rejected steps"
