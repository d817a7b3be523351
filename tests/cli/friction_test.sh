#!/usr/bin/env bash
# Elements with memory: in cuts, with overlap, and in a run that is killed and goes on.
source "$(dirname "$0")/prelude.sh" "$@"

cat >belt.yaml <<'END'
cosimo: 1
model:
  bodies:
    - {name: belt, kind: point, dimensions: 1, mass: 1.0e+9, velocity: 0.1}
    - {name: block, kind: point, dimensions: 1, mass: 1, velocity: 0.1}
    - {name: tail, kind: point, dimensions: 1, mass: 0.5, position: -1}
  elements:
    - {name: spring, kind: spring, to: block, c: 100, length: 0}
    - {name: rubbing, kind: friction, from: belt, to: block, measure: displacement, axis: [1], limit: 2, sliding: 1, stiffness: 1.0e+6}
    - {name: link, kind: spring, from: block, to: tail, c: 20, d: 0.1, length: 1}
simulate: {end: 2, output: 0.01}
END

# No cut goes through it, and none is found there.
expect 2 check belt.yaml --set 'partition={cuts: [rubbing]}'
says "partition.cuts: rubbing: the element has a memory, which only one subsystem can keep" "leave this cut out"
expect 2 check belt.yaml --set 'partition={parts: 2, add: [rubbing]}'
says "partition.add" "rubbing" "has a memory"
expect 2 check belt.yaml --set 'partition={parts: 3}'
says "leave only 2 groups of bodies"

# Cut elsewhere it gives what it gives in one piece, whatever the threads.
expect 0 run belt.yaml --out whole --csv
awk -F, 'NR > 1 && ($3 > 2.001 || $3 < -2.001) { exit 1 }' whole/results_elements.csv || fail "friction above its limit"
expect 0 run belt.yaml --set 'partition={parts: 2}' --out cut
expect 0 compare whole cut
awk '/NRMSE/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 1.0e-3) exit 1 }' <<<"$out" || fail "the cut run is another one"
expect 0 run belt.yaml --set 'partition={parts: 2}' --out cut --csv --threads 2
mv cut threads
expect 0 run belt.yaml --set 'partition={parts: 2}' --out cut --csv --threads 1
cmp -s cut/results.csv threads/results.csv || fail "threads change the bits"

expect 0 run belt.yaml --set 'partition={cuts: [link]}' --set couple.decomposition=overlap --out copies
expect 0 compare whole copies
awk '/NRMSE/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 1.0e-3) exit 1 }' <<<"$out" || fail "the run with copies is another one"

# References that start at every macro point know what it remembers.
expect 0 run belt.yaml --set 'partition={cuts: [link]}' --set simulate.local_error=true --out local
error=$(sed -n '/"local_error"/,/}/s/.*"position": *\([0-9.e+-]*\).*/\1/p' local/summary.json)
awk -v e="$error" 'BEGIN { exit !(e > 0 && e < 1.0e-3) }' || fail "the local error is '$error'"

# Killed and resumed: the same bits. A machine that is done before it is killed gets more to do.
for end in 400 2000 10000; do
  long=(run belt.yaml --set "simulate.end=$end" --set simulate.output=0.05 --set 'run.checkpoint={every: 20 steps}' --csv)
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
for table in results results_elements results_energy; do
  cmp -s "undisturbed/$table.csv" "killed/$table.csv" || fail "$table.csv differs after a resumed run"
done
