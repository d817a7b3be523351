#!/usr/bin/env bash
# A typing error in a joint once moved a body by 3 m without a word.
source "$(dirname "$0")/../cli/prelude.sh" "$@"
case=$source/tests/cases/assem.yaml

for command in check run; do
  expect 2 "$command" "$case"
  says "assem.yaml:7:" "model.joints.j1" "position of b by 3" "start: {assemble: true}"
done
[[ ! -e assem.out ]] || fail "a refused run left a folder"

# Who wants it says so, and is told.
asked="model.start.assemble=true"
expect 0 check "$case" --set "$asked"
prints "position of b by 3"
expect 0 run "$case" --set "$asked" --out out
says "position of b by 3"
grep -A 4 '"assembly"' out/summary.json | tr -d ' \n' | grep -q '"position":{"body":"b","shift":3.0' ||
  fail "summary.json does not tell the shift"
