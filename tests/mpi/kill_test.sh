#!/usr/bin/env bash
# A run that is killed at random moments, again and again, and resumed on other numbers of ranks and threads
# leaves the results of the undisturbed run, to the last bit; on the way nothing that was written is lost.
#
#   kill_test.sh PROGRAM SOURCE SAME_DATA [ROUNDS [SEED]]
#
# Each round takes the next model of the list below and ends it one to three times: SIGKILL to one rank, SIGTERM
# or SIGKILL to mpirun, SIGKILL while a checkpoint is being written; some rounds make no checkpoints unless told
# to end. A line per round says RANKSxTHREADS:KIND(exit code,output times then in results.h5) of each; 0 ranks:
# without mpirun. The same SEED makes the same choices again (the clock does not). With $KEEP, a folder to be
# made, what a failed round left is copied there.
source "$(dirname "$0")/prelude.sh" "$@"
first_rows=$(dirname "$same_data")/first_rows
rounds=${4:-4} seed=${5:-0}

cat >chain.yaml <<'MODEL'
cosimo: 1
model:
  chain: {masses: 600, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}, seed: 7}
simulate: {end: 1.5e-3, output: 3.0e-6}
partition: {parts: 6}
MODEL
cp "$source"/examples/{multirate,vehicle}.yaml .
# name: file, steps between checkpoints, settings; each takes about two seconds alone.
models=(
  "overlap chain 3 couple.decomposition=overlap simulate.end=2.0e-2 simulate.output=1.0e-5"
  "ida chain 10 couple.scheme=explicit control.rtol=1.0e-3 solve.method=ida"
  "implicit chain 10 couple.scheme=implicit couple.jacobian=sensitivity control.estimator=imCV control.rtol=1.0e-3"
  "mechanism vehicle 30 partition.parts=2 simulate.end=0.5 simulate.vtk=true"
  "one_sided multirate 2 couple.decomposition=overlap control={} simulate.end=2.0e-3"
  "waveform chain 20 couple.scheme=waveform couple.relaxation=0.3 control.step=5.0e-7 control.order=2 simulate.end=1.0e-3"
  "explicit chain 10 couple.scheme=explicit control.estimator=exMD control.rtol=1.0e-3"
  "perturbed chain 10 couple.scheme=implicit couple.jacobian=fd control.estimator=imCV control.rtol=1.0e-3 simulate.end=1.0e-3"
)

# Random numbers come from this shell itself, as a subshell has its own: pick A B VARIABLE
pick() { printf -v "$3" %d $(($1 + RANDOM % ($2 - $1 + 1))); }
milliseconds() { local now=${EPOCHREALTIME/[.,]/}; echo $((now / 1000)); }

# settings MODEL: sets $name, $file and the arguments $set.
settings() {
  local words one
  read -ra words <<<"$1"
  name=${words[0]} file=${words[1]}.yaml set=(--set "run.checkpoint.every=${words[2]} steps")
  for one in "${words[@]:3}"; do set+=(--set "$one"); done
}

# begin: the run of this round in the background, on random ranks and threads. Sets $job, $count and $shape.
begin() {
  local threads
  pick 0 4 count
  pick 1 2 threads
  shape=${count}x$threads
  rm -f pid.*
  local line=(./marked "$program" run "$file" "${set[@]}" --threads "$threads" --quiet --out killed --resume)
  ((count == 0)) || line=("${mpi[@]}" -n "$count" "${line[@]}")
  "${line[@]}" >stdout 2>stderr </dev/null &
  job=$!
}
alive() { kill -0 "$job" 2>/dev/null; }
# Without a process of its own, so that it can be as short as a checkpoint takes.
mkfifo silence && exec 7<>silence
milliseconds_pass() { read -rt "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))" -u 7; }

# The pid of a random rank, once it has one.
some_rank() {
  victim=$job
  ((count > 0)) || return
  local rank=$((RANDOM % count))
  while alive && [[ ! -s pid.$rank ]]; do sleep 0.01; done
  victim=$(cat "pid.$rank" 2>/dev/null)
}

# end_somehow KIND: ends the job, unless it is done before.
end_somehow() {
  local victim
  case $1 in
    rank) some_rank; [[ -n $victim ]] && kill -KILL "$victim" ;;
    told) kill -TERM "$job" ;;
    mpirun) kill -KILL "$job" ;;
    writing)
      some_rank
      shopt -s nullglob
      local parts=()
      while alive; do
        parts=(killed/checkpoint.*.part)
        ((${#parts[@]})) && break
        read -rt 0.001 -u 7
      done
      shopt -u nullglob
      [[ -n $victim ]] && kill -KILL "$victim"
      ;;
  esac 2>/dev/null
}

# Every process of the job is gone, soon.
all_gone() {
  end_within "$job" 20
  local pid
  for pid in $(cat pid.* 2>/dev/null); do
    for _ in $(seq 600); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    ! kill -0 "$pid" 2>/dev/null || fail_round "a rank is left behind ($what)"
  done
}

fail_round() {
  out=$(tr -d '\0' <stdout) err=$(tr -d '\0' <stderr)
  [[ -z ${KEEP:-} ]] || cp -r . "$KEEP"
  fail "round $round of seed $seed, $name: $*"
}

# nothing_lost: the rows are those of the undisturbed run, and no fewer than before. Sets $rows.
nothing_lost() {
  local before=$rows
  [[ -e killed/results.h5 ]] || { ((before == 0)) || fail_round "results.h5 is gone ($what)"; return; }
  rows=$("$first_rows" killed/results.h5 "$name/results.h5") || fail_round "after the end: $rows ($what)"
  ((rows >= before)) || fail_round "$before output times before, $rows now ($what)"
}

one_round() {
  settings "${models[(seed + round) % ${#models[@]}]}"
  local often=$((RANDOM % 4))
  if [[ ! -e $name/milliseconds ]]; then
    local begin_ms
    begin_ms=$(milliseconds)
    expect 0 run "$file" "${set[@]}" --quiet --out "$name"
    echo $(($(milliseconds) - begin_ms)) >"$name/milliseconds"
  fi
  local length kills kind pause rows=0 what="" turn kinds=(rank told mpirun writing)
  length=$(<"$name/milliseconds")
  rm -rf killed
  ((often > 0)) || set[1]="run.checkpoint.every=1000000 steps"
  pick 1 3 kills
  for ((turn = 0; turn < kills; ++turn)); do
    kind=${kinds[RANDOM % (often > 0 ? 4 : 3)]}
    begin
    what+=" $shape:$kind"
    pick 50 $((length + (count > 0 ? 300 : 0))) pause
    milliseconds_pass "$pause"
    end_somehow "$kind"
    all_gone
    what+="($code"
    nothing_lost
    what+=",$rows)"
  done
  begin
  end_within "$job" "$patience"
  what+=" $shape"
  ((code == 0)) || fail_round "the last run ended with code $code ($what)"
  local differs
  differs=$("$same_data" "$name/results.h5" killed/results.h5) || fail_round "$differs ($what)"
  if [[ -d $name/vtk ]]; then
    differs=$(diff -rq "$name/vtk" killed/vtk) || fail_round "vtk differs: $differs ($what)"
  fi
  [[ -z $(find killed -name '*.part' -o -name '*.resumed') ]] || fail_round "something temporary is left ($what)"
  echo "round $round $name$( ((often)) || echo ", no checkpoints"):$what: same"
}

echo "seed $seed, $rounds rounds"
for ((round = 0; round < rounds; ++round)); do
  RANDOM=$(((seed * 31 + round * 977) % 32768))
  : $((RANDOM + RANDOM + RANDOM + RANDOM)) # seeds that are near give numbers that are near, at first
  one_round
done

# Told to end before it has computed again what is there: the fuller file stays, and the end is the same.
round=$rounds what="told before it has caught up" rows=0
settings "${models[6]} simulate.end=8.0e-3"
set[1]="run.checkpoint.every=1000000 steps"
expect 0 run "$file" "${set[@]}" --quiet --out "$name"
cp -r "$name" killed.early && rm -rf killed && mv killed.early killed
nothing_lost
"$program" run "$file" "${set[@]}" --threads 1 --quiet --out killed --resume >stdout 2>stderr </dev/null &
job=$!
while alive && [[ ! -e killed/results.h5.resumed ]]; do milliseconds_pass 1; done
kill -TERM $job 2>/dev/null
end_within $job 20
nothing_lost
expect 0 run "$file" "${set[@]}" --quiet --out killed --resume
differs=$("$same_data" "$name/results.h5" killed/results.h5) || fail_round "$differs"
echo "$what: same"
