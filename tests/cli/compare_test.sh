#!/usr/bin/env bash
# compare: nothing against itself, something small against the uncut model.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 run small.yaml
expect 0 run small.yaml --set partition=none --out uncut
expect 0 compare small.out small.out
[[ $out =~ both\ +0\.000e\+00 ]] || fail "a run differs from itself"
prints "40 bodies at 101 output times"
expect 0 compare small.out small.out --bodies 3
prints "1 body at 101 output times"

expect 0 compare small.out uncut
[[ $out =~ position\ +([0-9.]+)e-0?([0-9]+) ]] || fail "no position error below 1"
((10#${BASH_REMATCH[2]} >= 2)) || fail "co-simulation and uncut model are far apart"
expect 0 compare small.out/results.h5 uncut/results.h5 --bodies 10,11,20-21 --level position
prints "4 bodies" position
[[ $out != *velocity* ]] || fail "--level position shows velocities"
expect 2 compare small.out uncut --bodies 41
says 41
expect 2 compare small.out uncut --bodies 3,crank
says "--bodies" "no body named 'crank' is recorded"
# Bodies with names may be chosen by them.
cat >named.yaml <<'END'
cosimo: 1
model:
  bodies: [{name: crank, kind: point, mass: 1, velocity: [1, 0, 0]}, {name: rod, kind: point, mass: 1, position: [1, 0, 0]}]
  elements: [{name: link, kind: spring, from: crank, to: rod, c: 100}]
simulate: {end: 0.1, output: 0.01}
END
expect 0 run named.yaml
expect 0 compare named.out named.out --bodies rod
prints "1 body at"
expect 0 compare named.out named.out --bodies rod,1
prints "2 bodies at"
expect 0 report named.out --bodies rod --out named.html
echo "not HDF5" >garbage.h5
expect 2 compare garbage.h5 uncut
says garbage.h5
mkfifo pipe.h5
expect 2 compare pipe.h5 uncut
says "pipe.h5: is a pipe"

# Bodies that hardly move are weighed by what others move, and the output says so.
cat >front.yaml <<'END'
cosimo: 1
model: {chain: {masses: 60, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25}, initial: {v: {blocks: [{count: 20, value: 100}, {count: 40, value: 0}]}}}}
simulate: {end: 2.0e-5, output: 1.0e-6}
partition: {parts: 2}
END
expect 0 run front.yaml
expect 0 run front.yaml --set partition=none --set solve.rtol=1e-9 --out tight
expect 0 compare front.out tight
prints "Weighed by 0.001 of what the most moving body does" "the position of " "-60)"
[[ $out =~ both\ +([0-9.]+)e-0?([0-9]+) ]] || fail "an error above 1 for runs that agree"
((10#${BASH_REMATCH[2]} >= 2)) || fail "bodies at rest count too much"
expect 0 compare small.out uncut
[[ $out != *"Weighed by"* ]] || fail "bodies that move are weighed by others"

# Runs of different models are compared, with a warning.
expect 0 run small.yaml --set model.chain.spring.c=2.6e6 --set partition=none --out stiffer
expect 0 compare small.out stiffer
says "warning: the two runs had different models"
expect 0 compare small.out uncut
[[ -z $err ]] || fail "a warning for two runs of the same model"
