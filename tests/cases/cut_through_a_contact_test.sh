#!/usr/bin/env bash
# A contact by formula was cut without a word, by default even chosen for it, and the bodies passed through each other.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/cut_through_a_contact.yaml
expect 0 check "$file"
prints "k is cut, and its force may set in between macro points" "forbid: [k]"
expect 0 check "$file" --set 'partition={parts: 2}'
[[ $out != *"k is cut"* ]] || fail "the contact is cut by default"

expect 0 run "$file" --set partition=none --set solve.rtol=1e-10 --out whole
expect 0 run "$file" --set 'partition={parts: 2}' --out cut
expect 0 compare cut whole
awk '/^both/ {found = $2 < 1e-2} END {exit !found}' <<<"$out" || fail "the bodies do not meet as they should"
