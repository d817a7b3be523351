#!/usr/bin/env bash
# A switch without a value, in a branch that is not taken, cut every step into pieces: a run of milliseconds took minutes.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

# Free until 0.5 s, then pushed back with 1: it stops at x = 0.5 after 1.5 s and is at 0.375 at the end.
for method in auto rk radau ida; do
  expect 0 run "$source/tests/cases/guarded_formula.yaml" --set solve.method="$method" --out "$method" --csv
  steps=$(json "$method/summary.json" micro_steps_total)
  ((steps < 500)) || fail "$method took $steps steps"
  awk -F, 'END { d = $2 - 0.375; exit !(d < 1e-5 && d > -1e-5) }' "$method/results.csv" || fail "$method: $(tail -n 1 "$method/results.csv")"
done
