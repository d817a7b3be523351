#!/usr/bin/env bash
# Every example is valid and runs as shipped.
source "$(dirname "$0")/prelude.sh" "$@"

count=0
for file in "$source"/examples/*.yaml; do
  expect 0 check "$file"
  count=$((count + 1))
done
((count >= 9)) || fail "only $count examples"
for name in quickstart waves m1 m2 m3 with_settings convergence impulse multirate overlap rod asymmetric schemes hanging_bridge frame crane robot_arm slope; do
  expect 0 run "$source/examples/$name.yaml" --out "$name-results"
  [[ $(json "$name-results/summary.json" status) == ok ]] || fail "$name: summary.json does not say ok"
done
