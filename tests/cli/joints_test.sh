#!/usr/bin/env bash
# Coordinates of joints and sensors in the results: whole and cut, threads, ranks, and a run that is killed and goes on.
source "$(dirname "$0")/prelude.sh" "$@"

cat >arm.yaml <<'END'
cosimo: 1
model:
  gravity: [0, -9.81, 0]
  bodies:
    - {name: wheel, kind: rigid, mass: 2, inertia: [0.1, 0.1, 0.2]}
    - {name: arm, kind: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [2, 0, 0], center: [0.5, 0, 0], markers: {tip: [1, 0, 0]}}
  joints:
    - {name: axle, kind: revolute, to: wheel, at: [0, 0, 0], start: {speed: 30}}
    - {name: pivot, kind: revolute, to: arm, at: [2, 0, 0], start: {angle: -1.2, speed: 1}}
  elements:
    - {name: belt, kind: spring, from: wheel, to: arm, at_from: [0, 0.1, 0], at_to: [1, 0, 0], c: 20, d: 0.2}
    - {name: rub, kind: friction, joint: pivot, limit: 0.4, sliding: 0.2, stribeck: 0.5, stiffness: 500}
    - {name: end, kind: stop, joint: pivot, lower: -2, upper: -1, stiffness: 1.0e+4, exponent: 1.5, restitution: 0.5}
  sensors:
    - {name: gap, kind: distance, from: wheel, to: arm.tip}
    - {name: turns, kind: formula, formula: "axle.angle/(2*pi)"}
    - {name: load, kind: force, of: pivot}
    - {name: pull, kind: acceleration, body: arm.tip}
subsystems: [{name: brake, pid: {kp: 0.02}}]
connections:
  - {from: turns, to: brake.measured}
  - {from: brake.out, to: wheel.Tz}
simulate: {end: 2, output: 0.05}
couple: {scheme: implicit}
control: {rtol: 1.0e-4}
END

expect 0 run arm.yaml --out whole --csv
[[ $(head -n 1 whole/results_joints.csv) == time,axle.angle,axle.speed,pivot.angle,pivot.speed ]] ||
  fail "$(head -n 1 whole/results_joints.csv)"
[[ $(head -n 1 whole/results_sensors.csv) == time,gap,turns,load,pull ]] || fail "$(head -n 1 whole/results_sensors.csv)"
awk -F, 'NR == 2 && ($2 != 0 || $3 < 29.999999 || $3 > 30.000001 || $4 < -1.2000001 || $4 > -1.1999999) { exit 1 }' \
  whole/results_joints.csv || fail "the first row does not show the start values: $(sed -n 2p whole/results_joints.csv)"
awk -F, 'NR > 2 && ($2 <= last || $4 > -0.95 || $4 < -2.05) { exit 1 } { last = $2 } END { exit !($2 > 20) }' \
  whole/results_joints.csv || fail "turns are lost, or the stops"

# Cut, on threads and on ranks.
expect 0 run arm.yaml --set 'partition={cuts: [belt]}' --out cut --csv
expect 0 compare whole cut
paste -d, whole/results_joints.csv cut/results_joints.csv |
  awk -F, 'NR > 1 { a = $2 - $7; b = $4 - $9; if (a * a > 1e-2 || b * b > 1e-3) { print; exit 1 } }' || fail "the cut run is another one"
expect 0 run arm.yaml --set 'partition={cuts: [belt]}' --out threads --csv --threads 2
for table in results results_joints results_sensors; do
  cmp -s "cut/$table.csv" "threads/$table.csv" || fail "threads change $table.csv"
done

# Killed and resumed: the same bits.
for end in 20 200 2000; do
  long=(run arm.yaml --set "simulate.end=$end" --set 'run.checkpoint={every: 20 steps}' --csv)
  rm -rf killed
  "$program" "${long[@]}" --out killed >stdout 2>stderr &
  pid=$!
  while kill -0 $pid 2>/dev/null; do # until one is whole: not checkpoint.7.part
    compgen -G 'killed/checkpoint.*[0-9]' >/dev/null && break
    sleep 0.01
  done
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  [[ -e killed/summary.json ]] || break
done
[[ ! -e killed/summary.json ]] || fail "the run was over before it was killed"
expect 0 "${long[@]}" --out undisturbed
expect 0 "${long[@]}" --out killed --resume
[[ -n $(json killed/summary.json resumed_from) ]] || fail "it began at the beginning"
for table in results results_joints results_sensors; do
  cmp -s "undisturbed/$table.csv" "killed/$table.csv" || fail "$table.csv differs after a resumed run"
done

# What cannot be a signal is refused with its line.
expect 2 check arm.yaml --set 'connections.1.from=load'
says "connections.1.from: load" "it is recorded, and no signal"
expect 2 check arm.yaml --set 'model.sensors.1.to=arm.tap'
says "has no marker \`tap\`"
