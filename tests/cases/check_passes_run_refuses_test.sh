#!/usr/bin/env bash
# `check` called this file valid, and `run` refused its Jacobian: mechanisms know one term of the series only.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/check_passes_run_refuses.yaml
for command in check run; do
  expect 2 "$command" "$file"
  says "couple.jacobian: {series: 3}" "write \`jacobian: fd\` or \`jacobian: sap\`"
  expect 0 "$command" "$file" --set couple.jacobian=sap
done
expect 0 check "$file" --set "couple.jacobian={series: 1}"
prints "series 1"
