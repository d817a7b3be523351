#!/usr/bin/env bash
# Without `partition:` a model is whole, or cut where parts with steps of their own pay; the summary says which and why.
source "$(dirname "$0")/prelude.sh" "$@"

cat >even.yaml <<'END'
cosimo: 1
model:
  chain: {masses: 5000, spring: {c: 1.0e6, d: 1}, seed: 7, initial: {x: {uniform: [-1.0e-2, 1.0e-2]}}, mass: 1}
simulate: {end: 2.0e-3, output: 1.0e-3, record: [1, 2500]}
END
sed 's/mass: 1}/mass: {blocks: [{count: 2497, value: 1}, {count: 6, value: 1.0e-4}, {count: 2497, value: 1}]}}/' even.yaml >light.yaml

expect 0 run even.yaml --threads 2 --csv
prints "uncut" "partition: auto -> whole: no region needs far shorter steps than the rest" "2 threads share every step"
expect 0 run even.yaml --set partition=none --threads 1 --out none --csv
[[ $out != *"partition: auto"* ]] || fail "nothing is left open by partition=none"
cmp even.out/results.csv none/results.csv || fail "a whole model gives other results without partition: none"

expect 0 run light.yaml --csv --threads 1
prints "partition: auto -> " "of the work" "overlap"
(($(json light.out/summary.json parts) > 2)) || fail "not cut"
expect 0 run light.yaml --csv --threads 2 --out two
cmp light.out/results.csv two/results.csv || fail "the number of threads decides"

# The sections of the step, with a number per thread.
for section in predict fit snapshot integrate exchange couple estimate control output; do
  grep -q "\"name\": \"$section\"" two/summary.json || fail "no section $section"
done
h5ls -r two/timing.h5 | grep -q '/sections/work.*{9, 2}' || fail "no sections in timing.h5"

# A plan compares them: left whole with a team, overlap, classic.
expect 0 plan even.yaml --pilot 0.2
prints "uncut" "overlap exOV" "explicit exCV"
