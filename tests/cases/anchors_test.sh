#!/usr/bin/env bash
# `<<: *anchor` was not honoured and blamed on a missing key: the body it completes had no `kind`.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

case=$source/tests/cases/anchors.yaml
expect 0 check "$case"
prints "2 bodies"
expect 0 run "$case"
cat >written_out.yaml <<'END'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: w1, kind: rigid, mass: 20, inertia: [1, 1.6, 1], position: [0, 0, 0]}
    - {name: w2, kind: rigid, mass: 20, inertia: [1, 1.6, 1], position: [1, 0, 0]}
simulate: {end: 1}
END
expect 0 run written_out.yaml
cmp anchors.out/scenario.effective.yaml written_out.out/scenario.effective.yaml ||
  fail "not what the file says when it is written out"

# A fault in a merged value names the line where the value is written, and the entry that it came to.
sed 's/mass: 20/mass: -20/' "$case" >negative.yaml
expect 2 check negative.yaml
says "negative.yaml:5:" "model.bodies.1.mass" "model.bodies.2.mass"
sed 's/\*wheel/[*wheel, 7]/' "$case" >wrong.yaml
expect 2 check wrong.yaml
says "wrong.yaml:6:" "<<"
