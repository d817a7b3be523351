#!/usr/bin/env bash
# "The largest weighted error is at ;": the corrector had failed, and nothing had been estimated.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

expect 1 run "$source/tests/cases/empty_culprit.yaml" --out failed
says "the macro step fell to" "because subsystem 1 failed: a position or velocity is beyond 1e140"
[[ $err$(<failed/summary.json) != *"is at ;"* ]] || fail "a place without a name"
