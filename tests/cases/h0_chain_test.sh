#!/usr/bin/env bash
# Positions of 1e160 overflowed squared norms: steps of length zero until the last of ten million.
. "$(dirname "$0")/../cli/prelude.sh"

expect 2 run "$source/tests/cases/h0_chain.yaml" --out far
says "the position of body" "is beyond 1e+140" "check its initial state"

# Below the bound the same chain is as accurate as one of ordinary size, whatever tolerances are given.
sed 's/1e160/1e130/g' "$source/tests/cases/h0_chain.yaml" >large.yaml
sed 's/1e160/1/g' "$source/tests/cases/h0_chain.yaml" >ordinary.yaml
for method in rk rosenbrock ida; do
  expect 0 run large.yaml --out large --set "solve.method=$method"
  expect 0 run ordinary.yaml --out ordinary --set "solve.method=$method"
  awk -v a="$(json large/summary.json micro_steps_total)" -v b="$(json ordinary/summary.json micro_steps_total)" \
    'BEGIN { exit !(a > 0 && a < 1.05 * b && b < 1.05 * a) }' || fail "$method takes other steps for 1e130 than for 1"
  expect 0 run large.yaml --out given --set "solve.method=$method" --set solve.atol_pos=1e-9 --set solve.atol_vel=1e-6
done
