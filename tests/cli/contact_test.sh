#!/usr/bin/env bash
# Contact between bodies: energy and penetration of balls that are poured, a block that stays on a slope and one that
# slides, and what is refused.
source "$(dirname "$0")/prelude.sh" "$@"

# The columns of a CSV file by name: column FILE NAME...
columns() {
  local file=$1
  shift
  awk -F, -v names="$*" 'NR == 1 {n = split(names, want, " "); for (i = 1; i <= NF; ++i) {gsub(/"/, "", $i); at[$i] = i}; next}
    {line = ""; for (k = 1; k <= n; ++k) line = line (k > 1 ? " " : "") $(at[want[k]]); print line}' "$file"
}

# --- Balls: energy never grows, and no two are nearer than 1 % of the radius allows.
balls=(run "$source/examples/spheres.yaml" --set model.parameters.n=30 --set simulate.end=0.12 --csv)
expect 0 "${balls[@]}" --out balls
columns balls/results_energy.csv total >energy
awk 'NR == 1 {first = $1 < 0 ? -$1 : $1} NR > 1 && $1 > before + 1e-6 * first {print "grows at row", NR; bad = 1} {before = $1}
  END {exit bad}' energy >where || fail "the energy of the balls: $(cat where)"
columns balls/results.csv $(for k in $(seq 30); do echo "ball$k.b.x ball$k.b.y ball$k.b.z"; done) >places
awk '{for (i = 0; i < 30; ++i) {if ($(3*i+3) < 0.02 * 0.99) bad = 1
        for (j = 0; j < i; ++j) {x = $(3*i+1) - $(3*j+1); y = $(3*i+2) - $(3*j+2); z = $(3*i+3) - $(3*j+3)
          if (x*x + y*y + z*z < (0.04 - 0.0002)^2) bad = 1}}} END {exit bad}' places || fail "balls are too near"
columns balls/results.csv ball1.b.z_dot | awk '{if ($1 > 0.1) back = 1} END {exit !back}' || fail "no ball came back from the floor"
expect 0 "${balls[@]}" --out again --threads 2
cmp -s balls/results.csv again/results.csv || fail "other results with two threads"

# --- A block below the friction angle stays, within a billionth of its size.
expect 0 run "$source/examples/slope.yaml" --out rest --csv
columns rest/results.csv block.x block.y block.z | awk 'NR == 3 {x = $1; y = $2; z = $3}
  NR > 3 && (($1-x)^2 + ($2-y)^2 + ($3-z)^2 > (1e-9 * 0.2)^2) {print NR ": " $0; bad = 1} END {exit bad || NR < 50}' >where ||
  fail "the block creeps: $(cat where)"

# --- Above it, it slides with g (sin a - mu cos a).
expect 0 run "$source/examples/slope.yaml" --out slide --csv --set model.parameters.share=1.1 --set simulate.end=2 \
  --set simulate.output=0.5 --set control.rtol=1e-8
columns slide/results.csv block.x_dot block.z_dot | awk '{a = 1.1 * atan2(0.5, 1); v[NR] = $1 * cos(a) - $2 * sin(a)}
  END {g = 9.81 * (sin(a) - 0.5 * cos(a)); found = (v[NR] - v[NR-1]) / 0.5; e = found / g - 1; print found, g, e
       exit !(e < 1e-6 && e > -1e-6)}' >where || fail "the block slides otherwise: $(cat where)"

# --- Two tracks of 40 shoes set out.
expect 0 run "$source/examples/tracks.yaml" --out tracks --csv --set simulate.end=0.3
columns tracks/results.csv hull.x hull.y | awk '{x = $1; y = $2} END {exit !(x > 0.05 && y < 1e-6 && y > -1e-6)}' ||
  fail "the vehicle does not set out straight ahead"

# --- Crates of a sub-model, with a contact of their own with the ground, stand on each other; forces are recorded.
mkdir -p parts && cp "$source/examples/parts/crate.yaml" parts
cat >crates.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -10]
  submodels: [{use: parts/crate.yaml, count: 2, position: [0, 0, "0.1999 + 0.3998*(i-1)"]}]
  ground: [{name: floor, shape: {plane: [0, 0, 1]}}]
  contacts:
    - {name: stack, between: ["crate1.*", "crate2.*"], stiffness: 1.0e+6, damping: 5, friction: 0.5}
  sensors:
    - {name: load, kind: force, of: crate1.foot.floor, direction: [0, 0, -1]}
    - {name: upper, kind: force, of: stack.crate1.box, direction: [0, 0, -1]}
simulate: {end: 1, output: 0.1}
solve: {method: radau}
END
expect 0 run crates.yaml --out crates --csv
columns crates/results_elements.csv crate1.foot.crate1.box.Fz crate1.foot.floor.Fz crate2.foot.floor.Fz stack.crate2.box.Fz crate1.foot.touches |
  tail -1 | awk '{w = 0.4^3 * 300 * 10; exit !(($1/w - 2)^2 < 1e-4 && ($1 + $2)^2 < 1e-10 && $3 == 0 && ($4/w - 1)^2 < 1e-4 && $5 >= 4)}' ||
  fail "forces of the crates: $(tail -1 crates/results_elements.csv)"
columns crates/results_sensors.csv load upper | tail -1 | awk '{w = 0.4^3 * 300 * 10; exit !(($1/w - 2)^2 < 1e-4 && ($2/w - 1)^2 < 1e-4)}' ||
  fail "sensors of the crates: $(tail -1 crates/results_sensors.csv)"

# --- A mesh that is not convex.
cat >dent.obj <<'END'
v 1 0 0
v -1 0 0
v 0 1 0
v 0 -1 0
v 0 0 1
v 0 0 0.5
f 1 3 5
f 3 2 5
f 2 4 5
f 4 1 5
f 3 1 6
f 2 3 6
f 4 2 6
f 1 4 6
END
cat >dent.yaml <<'END'
cosimo: 1
model:
  bodies: [{name: dent, kind: rigid, shape: {mesh: {file: dent.obj}}, density: 1}]
  ground: [{name: floor, shape: {plane: [0, 0, 1]}, position: [0, 0, -3]}]
  contacts: [{name: c, between: [dent, floor], stiffness: 10}]
simulate: {end: 0.1, output: 0.01}
END
for command in check run; do
  expect 2 "$command" dent.yaml
  says dent.yaml:5 "not convex" model.contacts.c
done

# --- What only the whole model tells.
cat >across.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: ball1, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [0, 0, 1]}
    - {name: ball2, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [1, 0, 1]}
  elements: [{name: rope, kind: spring, from: ball1, to: ball2, c: 100}]
  contacts: [{name: c, among: "ball*", stiffness: 1000}]
simulate: {end: 0.1, output: 0.01}
partition: {method: manual, cuts: [rope]}
END
cat >many.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  submodels: [{use: ball.yaml, count: 40, position: [0, 0, i*0.1]}]
  bodies: [{name: last, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [1, 0, 1]}]
  contacts: [{name: c, among: "*", stiffness: 1000}]
simulate: {end: 0.1, output: 0.01}
solve: {method: radau}
END
cp "$source/examples/parts/ball.yaml" .
cat >tube.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: ball1, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [0, 0, 1]}
    - {name: ball2, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [1, 0, 1]}
    - {name: pipe, kind: rigid, shape: {tube: {radius: 0.2, inner: 0.1, length: 1}}, mass: 1}
  contacts: [{name: c, among: "*", stiffness: 1000}]
simulate: {end: 0.1, output: 0.01}
END
cat >earth.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: ball1, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [0, 0, 1]}
    - {name: ball2, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [1, 0, 1]}
  ground: [{name: floor, shape: {plane: [0, 0, 1]}}, {name: wall, shape: {box: [1, 1, 1]}}]
  contacts: [{name: c, between: [floor, wall], stiffness: 1000}]
simulate: {end: 0.1, output: 0.01}
END
cat >fine.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies: [{name: beam, kind: rigid, shape: {box: [2, 0.1, 0.1]}, mass: 1, position: [0, 0, 1]}]
  ground: [{name: floor, shape: {plane: [0, 0, 1]}}]
  contacts:
    - {name: c, between: [beam, floor], stiffness: 1000, spacing: 0.01}
simulate: {end: 0.1, output: 0.01}
END
for command in check run; do
  expect 2 "$command" fine.yaml
  says fine.yaml:7 "model.contacts.c.spacing: 0.01: divides an edge of \`beam\` into more than 63 gaps (write at least 0.0317"
  expect 2 "$command" across.yaml
  says "partition.cuts: rope: contacts, a rope or a force that follows sensors concerns ball1 and ball2 at once"
  expect 2 "$command" many.yaml
  says "solve.method: radau: contacts 'c' act on 41 bodies"
  expect 2 "$command" tube.yaml
  says tube.yaml:8 "a tube is hollow"
  expect 2 "$command" earth.yaml
  says earth.yaml:8 "only the ground touches itself"
done
