#!/usr/bin/env bash
# `cosimo plan`: where it cuts, what it expects, the files it writes, the scenario it proposes, and what it refuses.
source "$(dirname "$0")/prelude.sh" "$@"

# A value of the recommendation, and its settings, one per line.
recommended() { sed -n '/^  "recommended": {/,/^  }/p' "$1" | sed -n "s/^    \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},$/\1/p"; }
recommended_settings() {
  sed -n '/^  "recommended": {/,/^  }/p' "$1" | sed -n '/"settings": \[/,/^    \]/s/^      "\(.*\)",\{0,1\}$/\1/p' | sed 's/\\"/"/g'
}

# 60 masses with a soft spring in the middle, element 31.
cat >soft.yaml <<'END'
cosimo: 1
model:
  chain: {masses: 60, mass: 1.0, seed: 3, initial: {x: {uniform: [-1.0e-3, 1.0e-3]}}, spring: {d: 1.0,
          c: {blocks: [{count: 30, value: 1.0e6}, {count: 1, value: 1.0e3}, {count: 30, value: 1.0e6}]}}}
simulate: {end: 0.02, output: 1.0e-3}
partition: {parts: 2}
couple: {scheme: explicit}
END

expect 0 plan soft.yaml --write cut.yaml
prints "60 bodies, 61 elements" "2 parts, 1 cut" "element 31 between body 30 and body 31" "soft: " \
  "1, uncut" "unlimited" "soft.plan/plan.svg" "cosimo run cut.yaml"
[[ $out == *"ut as proposed"* || $out == *"Do not cut"* ]] || fail "no recommendation"
[[ -z $err ]] || fail "something on stderr in a pipe"
prints "Schemes, the whole run" "explicit exCV *" "1000 ranks" "left out: " "Pilot runs took"
(($(wc -l <<<"$out") <= 66)) || fail "more than one and a half screens"
[[ $(json soft.plan/plan.json status) == ok ]] || fail "plan.json does not say ok"
[[ $(recommended soft.plan/plan.json parts) == 2 ]] || fail "not the number of parts that the file gives"
for key in schemes part_counts predictions wall_s low high memory_mb error_seen latency_here_s coverage pilots_limit_s left_out; do
  grep -q "\"$key\": " soft.plan/plan.json || fail "plan.json has no $key"
done
grep -q '<svg xmlns' soft.plan/plan.svg && grep -q 'element 31' soft.plan/plan.svg || fail "no picture"
[[ $(grep -c 'href\|url(' soft.plan/plan.svg) == 0 ]] || fail "the picture needs other files"

# The new scenario says what it is, has the proposed cut, and runs as the given one does with the recommended settings.
[[ $(head -n 1 cut.yaml) == "# soft.yaml cut into 2 parts, as \`cosimo plan\` proposes." ]] || fail "no first line"
grep -q '^  cuts: \[31\]$' cut.yaml || fail "not the proposed cut"
[[ $(grep -c "$place" cut.yaml) == 0 ]] || fail "a path of this machine in the new scenario"
settings=()
while IFS= read -r setting; do settings+=(--set "$setting"); done < <(recommended_settings soft.plan/plan.json)
((${#settings[@]} > 0)) || fail "no recommended settings"
expect 0 run cut.yaml --out proposed
expect 0 run soft.yaml --out by-hand "${settings[@]}"
expect 0 compare proposed by-hand
prints "0.000e+00"
expect 0 plan cut.yaml --out again --pilot 0.2
prints "element 31 between body 30 and body 31"

# Wishes of the file, and of the command line.
expect 0 plan soft.yaml --set "partition.fix=[11]" --pilot 0.1
prints "element 11 between" "as the file says"
expect 0 plan soft.yaml --set "partition.add=[11]" --write three.yaml --pilot 0.1
prints "3 parts, 2 cuts"
grep -q '^  cuts: \[11, 31\]$' three.yaml || fail "not the added cut"
expect 0 plan soft.yaml --set "partition.forbid=[31]" --pilot 0.1
[[ $out != *"element 31 between"* ]] || fail "a forbidden cut"
expect 0 plan soft.yaml --set partition=none --write one.yaml --pilot 0.1
prints "one part" "Do not cut" "uncut on one core"
grep -q '^partition: none$' one.yaml || fail "not uncut"

# Bodies and elements with names: so they are in the new file.
cat >masses.yaml <<'END'
cosimo: 1
model:
  bodies:
    - {name: left, kind: point, mass: 1, position: [0, 0, 0]}
    - {name: right, kind: point, mass: 1, position: [1, 0, 0], velocity: [0.1, 0, 0]}
  elements:
    - {name: wall, kind: bushing, from: ground, to: left, stiffness: 100}
    - {name: link, kind: spring, from: left, to: right, c: 1, length: 1}
simulate: {end: 1, output: 0.1}
partition: {parts: 2}
couple: {scheme: explicit}
END
expect 0 plan masses.yaml --write named.yaml --pilot 0.2
prints "link between left and right"
grep -q '^  cuts: \[link\]$' named.yaml || fail "not by name"
expect 0 run named.yaml --out named

# A pilot run that fails still shows parts and cuts.
expect 1 plan soft.yaml --set control.max_steps=3 --out failed
prints "element 31 between body 30 and body 31" "Remark: the pilot run of the proposal failed" "No recommendation"
says "a pilot run failed"
[[ $(json failed/plan.json status) == failed ]] || fail "plan.json does not say failed"

# An error that is wished for, and a network. Where the number of parts is left open the plan may choose it.
expect 0 plan soft.yaml --error 1e-3 --latency 1e-5 --bandwidth 1e8 --pilot 0.2 --out wished
prints "the target was 1.0e-03" "10 us, 0.1 GB/s"
expect 0 plan soft.yaml --set partition=none --pilot 0.2 --out uncut
[[ $(recommended uncut/plan.json scheme) == uncut ]] || fail "one part is not uncut"

# What is refused: nothing is written.
expect 2 plan missing.yaml
says "missing.yaml"
expect 2 plan soft.yaml --write soft.yaml --out refused
says "--write" "read from this file"
ln -s soft.yaml other.yaml
expect 2 plan soft.yaml --write other.yaml --out refused
expect 2 plan soft.yaml --write no/where.yaml --out refused
says "no such folder"
expect 2 plan soft.yaml --set "partition.fix=[1]" --out refused
says "partition.fix"
expect 2 plan soft.yaml --set "partition.parts=61" --out refused
says "partition.parts"
for wrong in "--latency -1" "--latency nan" "--latency 0" "--bandwidth -5" "--bandwidth inf" "--error nan" "--error -1"; do
  expect 2 plan soft.yaml $wrong --out refused
  says "${wrong%% *}"
done
expect 2 plan soft.yaml --latency fast --out refused
expect 2 plan soft.yaml --pilot 0 --out refused
expect 2 plan soft.yaml --threads 0
expect 2 plan
[[ ! -e refused && ! -e no ]] || fail "written in spite of an error"
expect 0 plan --help
prints "--write" "--set" "partition.forbid" "--latency" "--bandwidth" "--error" "--pilot"
