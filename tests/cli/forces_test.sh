#!/usr/bin/env bash
# Forces that follow sensors, springs in joints, tensions of ropes, and forces that have no value.
source "$(dirname "$0")/prelude.sh" "$@"

column() { # FILE NAME: the last value
  awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; ++i) {gsub(/"/, "", $i); if ($i == name) at = i}; next} {last = $at} END {print last}' "$1"
}
near() { # VALUE WANTED TOLERANCE WHAT
  awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN {exit !(a - b < e && b - a < e)}' || fail "$4: $1 in the place of $2"
}

# --- A force that follows a sensor is the spring that it describes, with an explicit and an implicit method.
cat >sensed.yaml <<'END'
cosimo: 1
model:
  parameters: {k: 40}
  gravity: [0, 0, -9.81]
  markers: {hook: [0.3, 0.2, 1]}
  bodies:
    - {name: arm, kind: rigid, mass: 1, inertia: [0.02, 0.1, 0.1], center: [0.5, 0, 0], markers: {tip: [1, 0, 0]}}
    - {name: bob, kind: point, mass: 0.5, position: [1, 0, -0.5]}
  joints:
    - {name: pivot, kind: spherical, to: arm, at: [0, 0, 0]}
  elements:
    - {name: pull, kind: law, from: arm.tip, to: bob, force: "k*(way - 0.3) + 0.2*rate"}
    - {name: hold, kind: applied, to: bob, force: ["-0.1*bob.x*gap", 0, "2*swift"]}
  sensors:
    - {name: way, kind: distance, from: arm.tip, to: bob}
    - {name: gap, kind: distance, from: bob, to: ground.hook}
    - {name: swift, kind: speed, body: arm.tip}
    - {name: load, kind: force, of: pull}
simulate: {end: 1, output: 0.1}
solve: {rtol: 1.0e-8}
END
sed 's/kind: law, from: arm.tip, to: bob, force: .*/kind: spring, from: arm.tip, to: bob, c: k, d: 0.2, length: 0.3}/' sensed.yaml >plain.yaml
for method in rk radau; do
  for file in sensed plain; do
    expect 0 run $file.yaml --out $method.$file --csv --set solve.method=$method --replace
  done
  for name in arm.x arm.p1 bob.x bob.z; do
    near "$(column $method.sensed/results.csv $name)" "$(column $method.plain/results.csv $name)" 1e-6 "$method: $name"
  done
  near "$(column $method.sensed/results_sensors.csv load)" "$(column $method.plain/results_sensors.csv load)" 1e-4 "$method: load"
done
near "$(column rk.sensed/results.csv bob.x)" "$(column radau.sensed/results.csv bob.x)" 1e-5 "rk and radau"
expect 0 run sensed.yaml --out shared --csv --threads 2
cmp -s <(expect 0 run sensed.yaml --out again --csv --threads 1; cat again/results.csv) shared/results.csv || fail "other results with two threads"

# --- A cut cannot part what such a force looks at.
sed 's/^solve.*/partition: {method: manual, cuts: [between]}/' sensed.yaml >cut.yaml
sed -i 's/^    - {name: hold/    - {name: between, kind: spring, from: arm.tip, to: bob, c: 1}\n&/' cut.yaml
for command in check run; do
  expect 2 "$command" cut.yaml
  says "partition.cuts: between:"
done

# --- The spring and the damper of a joint are the elements that they stand for.
cat >joint.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: arm, kind: rigid, mass: 1, inertia: [0.02, 0.1, 0.1], center: [0.5, 0, 0]}
    - {name: slider, kind: rigid, mass: 2, inertia: [1, 1, 1], position: [2, 0, 0]}
  joints:
    - {name: pivot, kind: revolute, to: arm, at: [0, 0, 0], axis: [0, 1, 0], spring: {c: 20, C: 3, free: 0.2}, damper: 0.5}
    - {name: rail, kind: prismatic, to: slider, at: [2, 0, 0], axis: [0, 0, 1], spring: {c: 300, free: 0.1}, damper: {d: 2}}
simulate: {end: 1, output: 0.1}
END
cat >listed.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: arm, kind: rigid, mass: 1, inertia: [0.02, 0.1, 0.1], center: [0.5, 0, 0]}
    - {name: slider, kind: rigid, mass: 2, inertia: [1, 1, 1], position: [2, 0, 0]}
  joints:
    - {name: pivot, kind: revolute, to: arm, at: [0, 0, 0], axis: [0, 1, 0]}
    - {name: rail, kind: prismatic, to: slider, at: [2, 0, 0], axis: [0, 0, 1]}
  elements:
    - {name: one, kind: torsion, to: arm, axis: [0, 1, 0], c: 20, C: 3, d: 0.5, angle: 0.2}
    - {name: two, kind: law, joint: rail, force: "300*(s - 0.1) + 2*rate"}
simulate: {end: 1, output: 0.1}
END
for file in joint listed; do expect 0 run $file.yaml --out $file --csv --set solve.rtol=1e-9; done
near "$(column joint/results_joints.csv pivot.angle)" "$(column listed/results_joints.csv pivot.angle)" 1e-7 pivot
near "$(column joint/results_joints.csv rail.displacement)" "$(column listed/results_joints.csv rail.displacement)" 1e-7 rail

# --- The tension of a rope at rest.
cat >rope.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -10]
  bodies:
    - {name: load, kind: point, mass: 3, position: [0.5, 0, -2]}
  ropes:
    - {name: rope, stiffness: 1.0e+5, damping: 1.0e+4, path: [{body: ground, at: [0, 0, 0]}, {body: ground, at: [0.5, 0, 0], friction: 0}, {body: load}]}
  sensors:
    - {name: pull, kind: force, of: rope.F2}
simulate: {end: 3, output: 0.5}
END
expect 0 run rope.yaml --out rope --csv
near "$(column rope/results_elements.csv rope.F1)" 30 1e-3 "the first span"
near "$(column rope/results_sensors.csv pull)" 30 1e-3 "the second span"

# --- Forces that have no value where the run begins, and ropes whose forces rounding makes.
sed 's/kind: law, from: arm.tip, to: bob, force: .*/kind: law, from: arm.tip, to: bob, force: "1\/t"}/' sensed.yaml >never.yaml
sed 's/k\*(way - 0.3)/1\/(way - way)/' sensed.yaml >nowhere.yaml
sed 's/stiffness: 1.0e+5/stiffness: 1.0e+18/' rope.yaml >stiff.yaml
for command in check run; do
  expect 2 "$command" never.yaml
  says never.yaml:12 "model.elements.pull: its force has no finite value where the run begins"
  expect 2 "$command" nowhere.yaml
  says nowhere.yaml:12 "model.elements.pull: its force has no finite value where the run begins"
  expect 2 "$command" stiff.yaml
  says stiff.yaml:7 "model.ropes.rope.stiffness: 1e+18: is so large that the rounding of lengths alone makes forces of 2.2e+02"
done
