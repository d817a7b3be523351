#!/usr/bin/env bash
# Two balls flew through each other: the formula of their contact was zero at all stages of a step.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

# They exchange their velocities; the contact lasts pi sqrt(0.5 / 1e7).
for method in auto rk radau ida; do
  for end in 1 10; do
    expect 0 run "$source/tests/cases/tunnel.yaml" --out run --csv --set solve.method="$method" \
      --set simulate.end="$end"
    tail -n 1 run/results.csv | awk -F, -v end="$end" '
      function off(x, y) { return x > y ? x - y : y - x }
      { exit !($1 == end && off($2, -0.0464876) < 1e-2 && off($4, 0) < 1e-3 && off($5, 10) < 1e-3) }' ||
      fail "$method until $end: $(tail -n 1 run/results.csv)"
    rm -rf run
  done
done
