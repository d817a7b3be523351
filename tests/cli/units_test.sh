#!/usr/bin/env bash
# The same model in three systems of units is the same physics, and results say what they are in.
source "$(dirname "$0")/prelude.sh" "$@"

# Everything is a quantity, so that `units` alone decides what is computed with. `slip` is a default.
cat >model.yaml <<'END'
cosimo: 1
model:
  parameters: {k: 2 kN/m, L: 40 cm}
  gravity: [0, 0, -1 gn]
  bodies:
    - {name: arm, kind: rigid, mass: 2 kg, inertia: [0.02 kg m^2, 0.03 kg m^2, 0.01 kg m^2], center: [20 cm, 0 m, 0 m],
       angular_velocity: [0 rad/s, 30 rpm, 0 rad/s]}
    - {name: load, kind: point, mass: 500 g, position: [L, 0 m, -100 mm], velocity: [0 m/s, 3.6 km/h, 0 m/s]}
  joints:
    - {name: hinge, kind: revolute, to: arm, at: [0 m, 0 m, 0 m], axis: [0, 1, 0]}
  elements:
    - {name: rope, kind: spring, from: arm, at_from: [L, 0 m, 0 m], to: load, c: k, d: 3 N s/m, C: 1e5 N/m^3, length: 8 cm}
    - {name: twist, kind: torsion, to: arm, axis: [0, 1, 0], c: 0.4 N m/deg, d: 0.1 N m s/rad, angle: -10 deg}
    - {name: push, kind: applied, to: load, force: ["(3*sin(4*t)) N", 0 N, "(0.5) N"]}
    - {name: floor, kind: contact, body: load, stiffness: 30 N/mm, damping: 0.1 s/m, friction: 0.3, road: {height: -20 cm}}
simulate: {end: 2 s, output: 10 ms}
solve: {rtol: 1.0e-12}
END

run() { # name, value of `units`
  expect 0 run model.yaml --set "units=$2" --out "$1" --no-report --csv
}
run si SI
run mm '{length: mm, mass: t, time: s}'
run in '{length: in, force: lbf, time: s}'
run deg '{length: m, mass: kg, time: s, force: kN, angle: deg}'
cmp si/results.csv deg/results.csv || fail "kN and degrees are of numbers in the file alone"

# Largest difference of the columns of two files, the second times a factor, relative to the largest value; at
# most the fifth argument.
difference() {
  paste -d, "$1" "$2" | awk -F, -v factor="$3" -v columns="$4" -v bound="${5:-1e-12}" 'NR > 1 {
    n = NF / 2
    for (i = 2; i <= columns; ++i) {
      a = $i; b = $(i + n) * factor
      if ((a < 0 ? -a : a) > size) size = a < 0 ? -a : a
      if ((a - b < 0 ? b - a : a - b) > most) most = a - b < 0 ? b - a : a - b
    }
  } END { printf "%.3g\n", most / size; exit !(size > 0 && most <= bound * size) }'
}
# Energies: N m, mJ, lbf in.
difference si/results_energy.csv mm/results_energy.csv 1e-3 4 >found || fail "SI and mm: $(cat found)"
difference si/results_energy.csv in/results_energy.csv 0.1129848290276167 4 >found || fail "SI and inches: $(cat found)"

grep -q "\"energy\": \"mJ\"" mm/summary.json && [[ $(json mm/summary.json torque) == "N mm" ]] || fail "units of mm"
[[ $(json in/summary.json mass) == "lbf s^2/in" ]] || fail "units of inches"

# The effective file is plain numbers of the same bits.
expect 0 run in/scenario.effective.yaml --out again --no-report --csv
cmp in/results.csv again/results.csv || fail "the effective file gives other bits"
! grep -E 'kg|deg|gn' in/scenario.effective.yaml || fail "there are quantities in the effective file"

# Without units nothing has a name.
expect 0 run "$source/examples/double_pendulum.yaml" --no-report --out plain
! grep '"units"' plain/summary.json || fail "units that nobody gave"

if command -v h5dump >/dev/null; then
  h5dump -a /time/units mm/results.h5 | grep -q '"s"' || fail "no unit of the time"
  h5dump -d /units/position mm/results.h5 | grep -q '"mm' || fail "no units of the columns"
fi

expect 2 run model.yaml --set 'model.bodies.2.mass=12 mm' --out bad
says 'model.bodies.2.mass' 'quantity of length where mass is needed' '1 kg'
expect 2 check model.yaml --set 'model.bodies.2.mass=3 KG'
says 'unknown unit' 'did you mean `kg`'

# Generators have defaults: a vehicle is as large in any units.
printf 'cosimo: 1\nmodel: {vehicle: {tyre: {friction: 0.1}}}\nsimulate: {end: 1 s, output: 100 ms}\nsolve: {rtol: 1.0e-11}\n' >model.yaml
run vehicle SI
run small '{length: mm, mass: t, time: s}'
difference vehicle/results_energy.csv small/results_energy.csv 1e-3 4 1e-8 >found || fail "vehicle: $(cat found)"
