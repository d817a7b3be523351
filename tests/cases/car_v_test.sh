#!/usr/bin/env bash
# A car of 5 m/s whose wheels have no velocity in the file once started with 4.34 m/s without a word.
source "$(dirname "$0")/../cli/prelude.sh" "$@"
case=$source/tests/cases/car_v.yaml

for command in check run; do
  expect 2 "$command" "$case"
  says "car_v.yaml:6:" "model.bodies.chassis" "velocity of chassis by 0.658" "start: {assemble: true}"
done

expect 0 run "$case" --set model.start.assemble=true --set simulate.end=1.0e-3 --set simulate.output=1.0e-3 --out asked
says "velocity of"
grep -q '"velocity"' asked/summary.json || fail "summary.json does not tell the shift"

# With velocities for all bodies there is nothing to tell.
sed 's/position: \(\[[^]]*\]\)}/position: \1, velocity: [V, 0, 0]}/' "$case" >all.yaml
expect 0 run all.yaml --set simulate.end=1.0e-3 --set simulate.output=1.0e-3 --out all
[[ $err != *assembly* ]] || fail "a shift of what fits"
grep -q '"assembly": {}' all/summary.json || fail "summary.json tells a shift of what fits"
