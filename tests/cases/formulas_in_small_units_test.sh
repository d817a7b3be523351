#!/usr/bin/env bash
# Slopes of formulas came from differences over 1e-6 and more of a unit: implicit methods let a body pass
# through a stop that was softer than that in its unit of length.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

# Where both bodies are at the end, in units of length.
ends() {
  sed "s/U: 1.0e-6/U: $1/" "$source/tests/cases/formulas_in_small_units.yaml" >units.yaml
  rm -rf run
  expect 0 run units.yaml --out run --csv --set solve.method="$2"
  awk -F, -v U="$1" 'END { printf "%.5f %.5f", $2 / U, $3 / U }' run/results.csv
}

for method in auto radau; do
  metres=$(ends 1 "$method")
  [[ $metres == 2.03* ]] || fail "$method: $metres"
  for unit in 1.0e-6 1.0e-12 1.0e+6; do
    [[ $(ends "$unit" "$method") == "$metres" ]] || fail "$method, unit $unit: $(ends "$unit" "$method") instead of $metres"
  done
done
