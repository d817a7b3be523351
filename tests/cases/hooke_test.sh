#!/usr/bin/env bash
# Redundant constraints once made ida crawl: 358 000 steps for 20 ms of a Hooke joint.
source "$(dirname "$0")/../cli/prelude.sh" "$@"
case=$source/tests/cases/hooke.yaml

for method in rk radau ida; do
  expect 0 run "$case" --set solve.method=$method --set simulate.end=0.2 --out $method
  steps=$(json $method/summary.json micro_steps_total)
  ((steps < 3000)) || fail "$method took $steps steps"
done
for method in radau ida; do
  expect 0 compare $method rk
  [[ $out =~ both\ +[0-9.]+e-0*([0-9]+) ]] && ((BASH_REMATCH[1] >= 6)) || fail "$method and rk differ"
done
