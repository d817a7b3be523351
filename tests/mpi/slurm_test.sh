#!/usr/bin/env bash
# examples/cluster/slurm.sh as a job of a real Slurm: srun starts the ranks, the end of its time sends the job back into the
# queue, the second turn resumes, and the results are those of an undisturbed run. scancel leaves a checkpoint.
#
# The test starts a Slurm of its own on this machine (Debian: slurm-wlm), which ends with it; without one it is
# skipped. batch_script_test.sh tests the script without Slurm.
source "$(dirname "$0")/prelude.sh" "$@"
PATH+=:/usr/sbin:/sbin # daemons are there, also for users who have them not on their path
for one in slurmctld slurmd sbatch srun; do
  command -v $one >/dev/null || { echo "SKIPPED: there is no $one (Debian: slurm-wlm)"; exit 77; }
done

mkdir slurm slurm/state slurm/spool
port=$((20000 + $$ % 20000))
export SLURM_CONF=$PWD/slurm/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8
PartitionName=main Nodes=ALL Default=YES State=UP
CONF
slurmctld -D >slurm/slurmctld.log 2>&1 &
daemons=$!
slurmd -D >slurm/slurmd.log 2>&1 &
daemons+=" $!"
# A slurmd that is told to end waits for its jobs; an own Slurm has no others.
trap 'scancel --signal=KILL --full --state=RUNNING --user="$(id -un)" 2>/dev/null
      kill -KILL $daemons; wait $daemons 2>/dev/null; rm -rf "$place"' EXIT
for _ in $(seq 100); do
  [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]] && break
  sleep 0.1
done
if ! timeout 20 srun --mpi=pmix true >stdout 2>&1; then
  echo "SKIPPED: Slurm cannot be started here: $(tail -n 1 stdout) $(tail -qn 1 slurm/*.log)"
  exit 77
fi

# Tasks that cannot find each other are no ranks: refused, not run twice.
code=0
timeout 60 srun --ntasks=2 --mpi=none "$program" run small.yaml --out apart >stdout 2>stderr </dev/null || code=$?
err=$(<stderr) out=$(<stdout)
[[ $code == 2 ]] || fail "exit code $code of tasks without PMIx, expected 2"
says "srun --mpi=pmix"
[[ ! -e apart ]] || fail "tasks without PMIx wrote something"

submit() { # FOLDER MODEL RANKS LAUNCHER
  id=$(COSIMO=$program COSIMO_LAUNCHER=$4 sbatch --parsable --ntasks="$3" --time=10 --output=log \
    "$source/examples/cluster/slurm.sh" "$2" --quiet --out "$1") || fail "sbatch refused the job"
}
state() { squeue --noheader --jobs="$id" --states=all --format=%T 2>/dev/null; }
until_state() { # STATE...
  for _ in $(seq 300); do
    for one in "$@"; do [[ $(state) == "$one" ]] && return; done
    sleep 0.1
  done
  err=$(cat log slurm/*.log)
  fail "job $id is $(state), expected $*"
}
writing() { # FOLDER
  for _ in $(seq 300); do [[ -s $1/results.h5 ]] && return; sleep 0.1; done
  err=$(cat log slurm/*.log)
  fail "job $id did not begin to write"
}

# A job that ended before the signal reached it is tried again with a model of four times the length.
interrupted_turn() { # LAUNCHER
  for end in 5.0e-3 2.0e-2 8.0e-2; do
    rm -rf turns log
    sed "s/end: 1.0e-4/end: $end/" small.yaml >long.yaml
    submit turns long.yaml 2 "$1"
    writing turns
    scancel --batch --signal=USR1 "$id" # as the end of its time would
    until_state PENDING COMPLETED
    [[ $(state) == COMPLETED ]] || return 0
  done
  fail "every job ended before it could be told to"
}

for launcher in "" "mpirun --oversubscribe --bind-to none"; do
  interrupted_turn "$launcher"
  [[ $(json turns/summary.json status) == interrupted ]] || fail "the run was not told to end"
  scontrol update jobid="$id" StartTime=now # Slurm waits for two minutes otherwise
  until_state COMPLETED
  [[ $(json turns/summary.json status) == ok ]] || fail "status of the second turn"
  [[ $(json turns/summary.json ranks) == 2 ]] || fail "not on two ranks"
  [[ -n $(json turns/summary.json resumed_from) ]] || fail "the second turn began at the beginning"
  rm -rf undisturbed
  expect 0 run long.yaml --quiet --out undisturbed
  differs=$("$same_data" undisturbed/results.h5 turns/results.h5) || fail "$differs"
done

submit cancelled endless.yaml 2 ""
writing cancelled
scancel "$id"
until_state CANCELLED
for _ in $(seq 100); do [[ -e cancelled/summary.json ]] && break; sleep 0.1; done
[[ $(json cancelled/summary.json status) == interrupted ]] || fail "scancel did not end the run in order"
compgen -G 'cancelled/checkpoint.*' >/dev/null || fail "no checkpoint after scancel"
expect 0 compare cancelled cancelled
