#!/usr/bin/env bash
# A series of runs: the same table whoever runs it, nothing lost, faults are those of their variants.
source "$(dirname "$0")/prelude.sh" "$@"

cat >two.yaml <<'END_'
cosimo: 1
model:
  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, 0.1], v: 0}}
simulate: {end: 20, output: 0.01}
partition: none
solve: {rtol: 1.0e-9}
END_
cat >springs.yaml <<'END_'
cosimo: 1
sweep:
  scenario: two.yaml
  vary:
    model.chain.spring.c.2: {from: 10, to: 160, points: 6, scale: log, name: k}
    model.chain.initial.x.2: [0.1, 0.2]
    model.chain.initial.x.1: {formula: "-2*k/(2*k) * x2"}
  measure:
    frequency: frequency(1.x)
    largest: max(abs(1.x))
    never: first(1.x > 5)
    course: 1.x[::100]
END_
sed -i 's/model.chain.initial.x.2: \[0.1, 0.2\]/model.chain.initial.x.2: {values: [0.1, 0.2], name: x2}/' springs.yaml

expect 0 check springs.yaml
prints "springs.yaml is valid" "12 variants of two.yaml"
expect 2 run springs.yaml
says "sweep" "cosimo sweep"
expect 2 sweep two.yaml
says "cosimo run"

# -- the same bytes for any number of processes and threads
expect 0 sweep springs.yaml --out one --workers 1
prints "12 variants: 12 done, 0 failed, 0 left"
expect 0 sweep springs.yaml --out two --workers 2
expect 0 sweep springs.yaml --out four --workers 4 --threads 2
for other in two four; do cmp one/variants.csv $other/variants.csv || fail "$other differs from one"; done

# -- the frequency of the two-mass oscillator, in every row: omega^2 = 100 + 2 k
awk -F, 'NR > 1 {
  f = sqrt(100 + 2 * $3) / (2 * 3.14159265358979323846)
  if ($6 / f - 1 > 1e-6 || 1 - $6 / f > 1e-6) { print "frequency", $6, "expected", f; bad = 1 }
  if ($8 != "") { print "a number for what never came:", $8; bad = 1 }
  n++
} END { exit bad || n != 12 }' one/variants.csv || fail "$(cat one/variants.csv)"
grep -q "never: " one/variants.csv || fail "no remark for what never came"

# -- a repeated command does nothing, a longer list what is new, an edited file what it changes
expect 0 sweep springs.yaml --out one
prints "0 run now"
sed -i 's/points: 6/points: 11/' springs.yaml # the ends and the points between are some of the old ones
expect 0 sweep springs.yaml --out one
prints "22 variants: 22 done" "10 run now"
sed -i 's/^cosimo: 1/# a comment\ncosimo: 1/; s/mass: 1,/mass: 1.0,/' two.yaml
expect 0 sweep springs.yaml --out one
prints "0 run now"
sed -i 's/\[0.1, 0.2\]/[0.1, 0.3]/' springs.yaml
expect 0 sweep springs.yaml --out one
prints "11 run now"
sed -i 's/largest: max/largest: 2*max/' springs.yaml
expect 0 sweep springs.yaml --out one
prints "22 run now"

# -- what the folder says
expect 0 sweep show one
prints "22 variants: 22 done, 0 failed"
expect 0 sweep show one --json
prints '"model.chain.spring.c.2"' '"largest"'
expect 2 sweep show nowhere
says "no series"

# -- refused before anything runs, and without a trace
sed 's/frequency(1.x)/frequency(3.x)/' springs.yaml >wrong.yaml
expect 2 sweep wrong.yaml --out never
says "wrong.yaml" "3.x"
[[ ! -e never ]] || fail "a refused series left a folder"
sed 's/^  vary:/  vary:\n    model.chain.mass: [1, -1]/' springs.yaml >wrong.yaml
expect 2 sweep wrong.yaml --out never
says "wrong.yaml:5" "model.chain.mass" "-1"
[[ ! -e never ]] || fail "a refused series left a folder"
sed 's/largest: .*/largest: max(abs(1.x)/' springs.yaml >wrong.yaml
expect 2 sweep wrong.yaml --out never
says "wrong.yaml:10" "sweep.measure.largest" "parenthesis"
mkdir other && touch other/mine
expect 2 sweep springs.yaml --out other
says "no series"

# -- kept results are those of cosimo run, and other measures need no run
sed 's/^  measure:/  keep: results\n  measure:/' springs.yaml >kept.yaml
expect 0 sweep kept.yaml --out kept --workers 2
run=$(ls kept/runs | head -n 1)
[[ $(ls kept/runs | wc -l) == 22 && -e kept/runs/$run/results.h5 ]] || fail "runs are not kept: $(ls kept)"
sed -i 's/largest: 2\*max/largest: 3*max/' kept.yaml
stamp=$(stat -c %Y "kept/runs/$run/results.h5")
expect 0 sweep kept.yaml --out kept
[[ $stamp == "$(stat -c %Y "kept/runs/$run/results.h5")" ]] || fail "another measure ran the model again"
expect 0 sweep springs.yaml --out once
cut -d, -f1-6 kept/variants.csv | cmp - <(cut -d, -f1-6 once/variants.csv) || fail "kept runs differ"

# -- a kept run that is damaged runs again
truncate -s -2000 "kept/runs/$run/results.h5"
sed -i 's/largest: 3\*max/largest: 4*max/' kept.yaml
expect 0 sweep kept.yaml --out kept
expect 0 sweep kept.yaml --out anew
cmp kept/variants.csv anew/variants.csv || fail "a damaged run has changed the table"

# -- also of models with tables that have no columns, as reactions without joints
cat >free.yaml <<'END_'
cosimo: 1
model:
  gravity: [0, 0, -10]
  bodies: [{name: "gr\u00fcner Ball", kind: point, mass: 1, position: [0, 0, 5]}]
simulate: {end: 1, output: 0.1}
END_
cat >ball.yaml <<'END_'
cosimo: 1
sweep:
  scenario: free.yaml
  vary: {simulate.end: [0.5, 1]}
  keep: results
  measure: {low: "min('gr\u00fcner Ball.z')", path: "'gr\u00fcner Ball.z'[::5]"}
END_
expect 0 sweep ball.yaml --out ball
before=$(cut -d, -f1-4 ball/variants.csv)
sed -i 's/path:/last: final(t), path:/' ball.yaml
expect 0 sweep ball.yaml --out ball
[[ $(cut -d, -f1-4 ball/variants.csv) == "$before" ]] || fail "$(cat ball/variants.csv)"
[[ $(cut -d, -f5 ball/variants.csv | paste -sd' ') == "last 0.5 1" ]] || fail "$(cat ball/variants.csv)"
expect 0 sweep show ball --json
prints '"path": {' '"value": ['

# -- a full disk ends the series in order; the same command goes on
(
  ulimit -f 8
  code=0
  "$program" sweep springs.yaml --out full --workers 2 >stdout 2>stderr || code=$?
  echo "$code" >code
)
err=$(<stderr) out=$(<stdout)
[[ $(<code) == 1 ]] || fail "exit code $(<code) on a full disk, expected 1"
says "cannot" "full/"
expect 0 sweep springs.yaml --out full
cmp full/variants.csv once/variants.csv || fail "a full disk has changed the table"

# -- points of a file
printf '\xef\xbb\xbfmodel.chain.spring.c.2,model.chain.mass\n10,1\n20,"[1, 2]"\n# a remark\n30,2\n' >points.csv
printf 'cosimo: 1\nsweep:\n  scenario: two.yaml\n  points: points.csv\n  measure: {f: frequency(1.x)}\n' >points.yaml
expect 0 sweep points.yaml
prints "3 variants: 3 done"
