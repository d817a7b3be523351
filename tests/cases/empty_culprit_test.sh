#!/usr/bin/env bash
# "The largest weighted error is at ;": the corrector had failed, and nothing had been estimated.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

expect 1 run "$source/tests/cases/empty_culprit.yaml" --out failed
says "the macro step fell to" "because subsystem 1 failed: a position or velocity is beyond 1e140"
[[ $err$(<failed/summary.json) != *"is at ;"* ]] || fail "a place without a name"

# With a softer spring states stay numbers, and it is the corrector that fails, as it did.
expect 1 run "$source/tests/cases/empty_culprit.yaml" --set model.chain.spring.c=-1.0e6 --out corrector
says "the macro step fell to" "the linearised coupling conditions are singular; try"
[[ $err$(<corrector/summary.json) != *"is at ;"* ]] || fail "a place without a name"
