#!/usr/bin/env bash
# Several commands on one folder, as on the machines of a cluster: together they run every variant, the table is that of one,
# and whoever is killed or stopped leaves its variants to the others.
source "$(dirname "$0")/prelude.sh" "$@"

cat >two.yaml <<'END_'
cosimo: 1
model:
  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, 0.1], v: 0}}
simulate: {end: 100, output: 0.1}
partition: none
solve: {rtol: 1.0e-9}
END_
cat >many.yaml <<'END_'
cosimo: 1
sweep:
  scenario: two.yaml
  vary:
    model.chain.spring.c.2: {from: 10, to: 160, points: 80}
  measure: {frequency: frequency(1.x), largest: max(abs(1.x)), course: "1.x[::50]"}
END_
expect 0 sweep many.yaml --out alone --workers 2

heads=()
start() { # FOLDER [arguments]: a head that shares, in the background
  "$program" sweep many.yaml --out "$@" --share --workers 1 >"out.${#heads[@]}" 2>&1 </dev/null &
  heads+=($!)
}
own() { sed -n 's/.* \([0-9]*\) run now.*/\1/p' "$1"; }
ends() { # CODE HEAD
  local code=0
  wait "${heads[$2]}" || code=$?
  [[ $code == "$1" ]] || fail "head $2 ended with $code, expected $1: $(cat "out.$2")"
}
same() { cmp "$1/variants.csv" alone/variants.csv || fail "the table of $1 is another one"; }
clean() { [[ -z $(ls "$1"/leases "$1"/heads "$1"/work 2>/dev/null | grep -v -e : -e '^$') ]] || fail "left: $(ls -R "$1"/{leases,heads,work})"; }

# -- two share the work
start shared
start shared
ends 0 0
ends 0 1
same shared
clean shared
sum=$(($(own out.0) + $(own out.1)))
[[ $sum == 80 ]] || fail "together they ran $sum variants"
(($(own out.0) > 0 && $(own out.1) > 0)) || fail "one did nothing: $(own out.0), $(own out.1)"
expect 0 sweep many.yaml --out shared
prints "0 run now"

# -- one that does not share is refused while others do, and the other way round
heads=()
sed -i 's/points: 80/points: 400/' many.yaml
start apart
for _ in $(seq 100); do [[ -e apart/variants.csv ]] && break; sleep 0.05; done
expect 2 sweep many.yaml --out apart
says "another series is at work there" "--share"
kill -INT "${heads[0]}"
ends 1 0
sed -i 's/points: 400/points: 80/' many.yaml

# -- the one that holds leases is killed; the other takes them over at once
heads=()
start killed --silence 1000
start killed --silence 1000
sleep 0.3
kill -KILL "${heads[0]}"
wait "${heads[0]}" 2>/dev/null
ends 0 1
same killed

# -- it is stopped with its worker: its variants are run after the silence, and what it says later changes nothing
heads=()
start stopped --silence 2
for _ in $(seq 100); do compgen -G 'stopped/leases/*' >/dev/null && break; sleep 0.02; done
worker=$(pgrep -P "${heads[0]}" | head -n 1)
kill -STOP "${heads[0]}" ${worker:+"$worker"}
start stopped --silence 2
ends 0 1
same stopped
kill -CONT ${worker:+"$worker"} "${heads[0]}"
ends 0 0
same stopped
clean stopped

# -- nobody waits for it even where it is believed alive: the last ones run twice, the first result counts
heads=()
start slow --silence 1000
has_variant() { ls "$1/leases" 2>/dev/null | grep -qE '^[0-9a-f]{16}$'; }
for _ in $(seq 400); do # until it has one in the moment in which it is stopped
  sleep 0.02
  has_variant slow || continue
  worker=$(pgrep -P "${heads[0]}" | head -n 1)
  kill -STOP "${heads[0]}" ${worker:+"$worker"}
  has_variant slow && break
  kill -CONT ${worker:+"$worker"} "${heads[0]}"
done
has_variant slow || fail "it had nothing when it was stopped: $(cat out.0)"
start slow --silence 1000
for _ in $(seq 300); do grep -q '"done": 80' slow/status.json 2>/dev/null && break; sleep 0.1; done
grep -q '"done": 80' slow/status.json || fail "the other waits for one that sleeps: $(cat slow/status.json)"
kill -CONT ${worker:+"$worker"} "${heads[0]}"
ends 0 0
ends 0 1
same slow
clean slow

# -- killed again and again, started again and again
heads=()
RANDOM=${SEED:-7}
for ((i = 0; i < ${KILLS:-6}; ++i)); do
  start storm
  start storm
  sleep "0.$(printf %03d $((RANDOM % 400)))"
  kill -KILL "${heads[-1]}" 2>/dev/null
  kill -KILL "${heads[-2]}" 2>/dev/null
  wait "${heads[-1]}" "${heads[-2]}" 2>/dev/null
done
expect 0 sweep many.yaml --out storm --share
same storm
expect 0 sweep many.yaml --out storm
prints "0 run now"

# -- a long run that is ended in order goes on with the next one
cat >long.yaml <<'END_'
cosimo: 1
sweep:
  scenario: two.yaml
  vary: {model.chain.spring.c.2: [20, 30]}
  keep: results
  measure: {frequency: frequency(1.x)}
END_
sed -i 's/end: 100/end: 4000/' two.yaml
printf 'run: {checkpoint: {every: 0.02 s}}\n' >>two.yaml
expect 0 sweep long.yaml --out whole
"$program" sweep long.yaml --out turns --share --workers 1 >/dev/null 2>&1 </dev/null &
head=$!
for _ in $(seq 400); do compgen -G 'turns/work/*/checkpoint.*' >/dev/null && break; sleep 0.02; done
kill -INT $head
wait $head
compgen -G 'turns/work/*/checkpoint.*' >/dev/null || fail "no checkpoint: $(ls -R turns)"
expect 0 sweep long.yaml --out turns --share
cmp turns/variants.csv whole/variants.csv || fail "another table after a turn"
grep -lE '"resumed_from": [^n]' turns/runs/*/summary.json >/dev/null || fail "nothing was resumed: $(cat turns/runs/*/summary.json)"
