#!/usr/bin/env bash
# Ctrl-C and SIGTERM end a run in order; even SIGKILL leaves readable results.
source "$(dirname "$0")/prelude.sh" "$@"

# start FOLDER: an endless run in the background that has begun to write.
start() {
  "$program" run endless.yaml --out "$1" >stdout 2>stderr &
  pid=$!
  for _ in $(seq 200); do
    [[ -s $1/results.h5 ]] && break
    sleep 0.05
  done
  [[ -s $1/results.h5 ]] || { kill -KILL $pid; fail "the run did not begin"; }
  sleep 1
}
# finish SIGNAL CODE
finish() {
  local code=0
  kill "-$1" $pid
  wait $pid 2>/dev/null || code=$?
  out=$(<stdout) err=$(<stderr)
  [[ $code == "$2" ]] || fail "exit code $code after $1, expected $2"
}

for signal in INT TERM; do
  start "$signal"
  finish "$signal" 1
  says interrupted "$signal"
  [[ $(json "$signal/summary.json" status) == interrupted ]] || fail "status in summary.json"
  expect 0 compare "$signal" "$signal"
  if [[ ! $out =~ \ ([0-9]+)\ output\ times ]] || ((BASH_REMATCH[1] < 2)); then fail "no rows in the results"; fi
done

start KILL
sleep 2 # results are flushed every second
finish KILL 137
expect 0 compare KILL KILL
if [[ ! $out =~ \ ([0-9]+)\ output\ times ]] || ((BASH_REMATCH[1] < 2)); then fail "no rows after SIGKILL"; fi

# Also in the middle of a dense factorisation, of which a step takes a dozen.
cat >pendulum.yaml <<'END'
cosimo: 1
model: {pendulum: {links: 3000, formulation: minimal, angle: 0.1}}
simulate: {end: 1, output: 0.1}
END
"$program" run pendulum.yaml --out pendulum >stdout 2>stderr &
pid=$!
for _ in $(seq 200); do
  [[ -s pendulum/results.h5 ]] && break
  sleep 0.05
done
sleep 0.5
begin=$(date +%s%N)
finish TERM 1
(($(date +%s%N) - begin < 2000000000)) || fail "SIGTERM took $((($(date +%s%N) - begin) / 1000000)) ms"
says interrupted
