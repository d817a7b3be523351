#!/usr/bin/env bash
# A rank builds its own bodies only: with four ranks none needs nearly as much memory as one alone.
source "$(dirname "$0")/prelude.sh" "$@"
[[ -z ${COSIMO_SANITIZE:-} ]] || { echo "SKIPPED: sanitizers keep notes about all memory"; exit 77; }

cat >long.yaml <<'MODEL'
cosimo: 1
model:
  chain: {masses: 600000, mass: {uniform: [4.0e-5, 6.0e-5]}, spring: {c: {uniform: [2.0e6, 3.0e6]}, d: 0.25},
          initial: {x: {uniform: [-1.0e-4, 1.0e-4]}, v: {uniform: [-1, 1]}}, seed: 7}
simulate: {end: 5.0e-8, record: [1, 300000]}
partition: {parts: 100}
couple: {decomposition: overlap}
MODEL

# What the program takes before it has any model.
sed 's/masses: 600000/masses: 1000/; s/parts: 100/parts: 4/; s/300000/1000/' long.yaml >short.yaml

# Of the rank that has most.
memory() {
  grep -o '"memory_mb": [0-9]*' "$1/summary.json" | sort -k2 -n | tail -n1 | sed 's/.*: //'
}

for model in short long; do
  for count in 1 4; do
    ranks $count 0 "$program" run $model.yaml --threads 1 --quiet --out $model$count
  done
done
differs=$("$same_data" long1/results.h5 long4/results.h5) || fail "on four ranks: $differs"
alone=$(($(memory long1) - $(memory short1)))
shared=$(($(memory long4) - $(memory short4)))
echo "for the bodies: $alone MB alone, at most $shared MB on each of four ranks"
((alone > 100)) || fail "600000 bodies in $alone MB: does the summary tell the truth?"
((10 * shared < 4 * alone)) || fail "a rank of four takes $shared MB, a rank of its own $alone MB"
