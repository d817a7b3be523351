#!/usr/bin/env bash
# No order was right: four parts were too few for the run, which makes five of them, and five too many for the file.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/gs_add.yaml
for command in check run; do
  expect 2 "$command" "$file"
  says "couple.sequence.gauss-seidel" "name every part from 1 to 5 exactly once"
  expect 0 "$command" "$file" --set "couple.sequence={gauss-seidel: [5, 2, 3, 4, 1]}"
  expect 2 "$command" "$file" --set "couple.sequence={gauss-seidel: [1, 2, 3, 4, 6]}"
done
