#!/usr/bin/env bash
# Head and workers of a series are killed at random moments: the same command again gives the undisturbed table.
# KILLS=200 does that more often (docs/benchmarks-development.md).
source "$(dirname "$0")/prelude.sh" "$@"
kills=${KILLS:-6}
RANDOM=${SEED:-11}

# Variants of some ten milliseconds; those that are kept are longer and have checkpoints on the way.
cat >two.yaml <<'END_'
cosimo: 1
model:
  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, 0.1], v: 0}}
simulate: {end: 50, output: 0.05}
partition: none
solve: {rtol: 1.0e-9}
END_
cat >many.yaml <<'END_'
cosimo: 1
sweep:
  scenario: two.yaml
  vary:
    model.chain.spring.c.2: {from: 10, to: 160, points: 60}
  measure: {frequency: frequency(1.x), largest: max(abs(1.x)), course: "1.x[::50]"}
END_
sed 's/^  measure:/  keep: results\n  measure:/' many.yaml >kept.yaml
sed -i 's/points: 60/points: 6/; s/two.yaml/longer.yaml/' kept.yaml
sed 's/end: 50,/end: 500,/; $a run: {checkpoint: {every: 0.02 s}}' two.yaml >longer.yaml

expect 0 sweep many.yaml --out undisturbed --workers 2
expect 0 sweep kept.yaml --out undisturbed-kept --workers 2

head=0
start() { # FILE FOLDER
  "$program" sweep "$1" --out "$2" --workers 2 --quiet >stdout 2>stderr </dev/null &
  head=$!
}
workers() { pgrep -P "$head" 2>/dev/null; }
pause() { sleep "0.$(printf %03d $((RANDOM % ${1:-500})))"; }
worker() { workers | sort -R --random-source=<(yes) | head -n 1; }

done_rows() { grep -c ',done,' "$1/variants.csv" 2>/dev/null; }

disturbed() { # FILE FOLDER REFERENCE: after all, the table is the undisturbed one, and no row is lost on the way
  local file=$1 folder=$2 reference=$3 i victim
  for ((i = 0; i < kills; ++i)); do
    ((i % 3 != 2)) || rm -rf "$folder" # from the beginning again
    start "$file" "$folder"
    pause
    case $((i % 4)) in
      0) kill -KILL $head ;;
      1) victim=$(worker) && [[ -n $victim ]] && kill -KILL "$victim"; pause 200; kill -KILL $head ;;
      2) victim=$(worker) && [[ -n $victim ]] && kill -STOP "$victim"; pause 300; kill -KILL $head ;;
      3) kill -INT $head ;;
    esac 2>/dev/null
    wait $head 2>/dev/null
  done
  expect 0 sweep "$file" --out "$folder" --workers 2
  cmp "$folder/variants.csv" "$reference/variants.csv" || fail "$folder is not as if nothing had been"
  # Nothing is counted twice, and nobody is left behind.
  [[ $(sort "$folder/variants.csv" | uniq -d | wc -l) == 0 ]] || fail "a row is there twice"
  expect 0 sweep "$file" --out "$folder"
  prints "0 run now"
}
disturbed many.yaml disturbed undisturbed
disturbed kept.yaml disturbed-kept undisturbed-kept
for run in disturbed-kept/runs/*; do
  expect 0 compare "$run" "undisturbed-kept/runs/${run##*/}" --json
  prints '"both": 0.0' # the same numbers; the bytes of the file say where it was interrupted
done
[[ -z $(ls disturbed-kept/work 2>/dev/null) ]] || fail "folders of runs under way are left: $(ls disturbed-kept/work)"

# Workers that are killed all the time: the head replaces them and goes on.
rm -rf storm
start many.yaml storm
for ((i = 0; i < kills; ++i)); do
  pause 150
  victim=$(worker) && [[ -n $victim ]] && kill -KILL "$victim" 2>/dev/null
done
wait $head || true
expect 0 sweep many.yaml --out storm
cmp storm/variants.csv undisturbed/variants.csv || fail "a storm of kills changed the table"
