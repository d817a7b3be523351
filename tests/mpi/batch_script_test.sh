#!/usr/bin/env bash
# examples/cluster/slurm.sh outside of Slurm, under mpirun: told that its time is over it leaves a checkpoint, and called
# again it goes on to the results of an undisturbed run. With Slurm: slurm_test.sh.
source "$(dirname "$0")/prelude.sh" "$@"

run=(long.yaml --quiet --out turns)
sed 's/end: 1.0e-4/end: 5.0e-3/' small.yaml >long.yaml
expect 0 run long.yaml --quiet --out undisturbed

turn() { # in the background
  COSIMO=$program COSIMO_LAUNCHER="mpirun --oversubscribe --bind-to none -n $1" \
    bash "$source/examples/cluster/slurm.sh" "${run[@]}" >stdout 2>stderr </dev/null &
  job=$!
}
said() { err=$(tr -d '\0' <stderr) out=$(tr -d '\0' <stdout); }

for time in first second; do
  touch mark
  turn 2
  for _ in $(seq 400); do
    [[ turns/results.h5 -nt mark ]] && break # this turn has begun to write
    sleep 0.05
  done
  kill -USR1 $job
  end_within $job 20
  said
  # A resumed run may reach its end before it is told.
  [[ $time == second && $code == 0 ]] && break
  [[ $code == 1 ]] || fail "exit code $code after SIGUSR1, expected 1"
  said_once "cosimo: error: interrupted"
  compgen -G 'turns/checkpoint.*' >/dev/null || fail "no checkpoint after SIGUSR1"
done
turn 3
end_within $job 60
said
[[ $code == 0 ]] || fail "exit code $code of the last turn"
[[ -n $(json turns/summary.json resumed_from) ]] || fail "the last turn began at the beginning"
differs=$("$same_data" undisturbed/results.h5 turns/results.h5) || fail "$differs"

bash "$source/examples/cluster/slurm.sh" >stdout 2>stderr && fail "no model is no error"
said
says "usage: sbatch"
