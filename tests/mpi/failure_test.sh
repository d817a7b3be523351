#!/usr/bin/env bash
# A subsystem that fails, a disk that is full, a rank that is killed, a job that is told to end: no rank hangs,
# one message, and results that can be read.
source "$(dirname "$0")/prelude.sh" "$@"

# Subsystem 4 fails, on the last rank.
cat >torn.yaml <<'MODEL'
cosimo: 1
model:
  chain: {masses: 40, mass: 5.0e-5, initial: {x: 0, v: {uniform: [-100, 100]}}, seed: 7,
          spring: {c: 2.5e6, d: 0.25, D: {blocks: [{count: 35, value: 0}, {count: 1, value: -1.0e-3}, {count: 5, value: 0}]}}}
simulate: {end: 1.0e-4, output: 1.0e-6}
partition: {parts: 4}
couple: {scheme: explicit}
MODEL
for count in 2 4; do
  ranks $count 1 "$program" run torn.yaml --out torn
  said_once "cosimo: error: the run failed at t ="
  says "subsystem 4"
  [[ $(json torn/summary.json status) == failed ]] || fail "status in summary.json"
  expect 0 compare torn torn
done

# A disk that fills up under rank 0 (see cli/disk_test.sh); MPI itself needs some room for its shared memory.
cat >small_disk <<'SCRIPT'
#!/usr/bin/env bash
trap '' XFSZ
if [[ $OMPI_COMM_WORLD_RANK == 0 ]]; then ulimit -f 16384; fi
exec "$@"
SCRIPT
chmod +x small_disk
ranks 2 1 ./small_disk "$program" run small.yaml --set simulate.end=1.0e-2 --set simulate.output=1.0e-8 \
  --out full
said_once "cosimo: error: the run failed at t ="
says results.h5
expect 0 compare full full

# start FOLDER: an endless run on three ranks in the background that has begun to write.
start() {
  rm -f pid.*
  "${mpi[@]}" -n 3 ./marked "$program" run endless.yaml --set partition.parts=2 --out "$1" >stdout 2>stderr </dev/null &
  job=$!
  for _ in $(seq 400); do
    [[ -s $1/results.h5 ]] && break
    sleep 0.05
  done
  [[ -s $1/results.h5 ]] || { kill -KILL $job; fail "the run did not begin"; }
  # Results are flushed every second; a busy machine takes longer to have rows.
  for _ in $(seq 120); do
    "$program" compare "$1" "$1" 2>/dev/null | grep -q "output times" && break
    sleep 0.5
  done
}
gone() { # all ranks have ended
  local pid
  for pid in $(cat pid.*); do
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    ! kill -0 "$pid" 2>/dev/null || fail "a rank is left behind"
  done
}
readable() {
  expect 0 compare "$1" "$1"
  if [[ ! $out =~ \ ([0-9]+)\ output\ times ]] || ((BASH_REMATCH[1] < 2)); then fail "no rows in $1"; fi
}

for rank in 0 1 2; do # rank 2 has nothing to do but to wait
  start "killed$rank"
  kill -KILL "$(<pid.$rank)"
  end_within $job 10
  [[ $code != 0 ]] || fail "exit code 0 after rank $rank was killed"
  gone
  readable "killed$rank"
done

start told
kill -TERM $job
end_within $job 10
[[ $code != 0 ]] || fail "exit code 0 after SIGTERM"
gone
readable told
