#!/usr/bin/env bash
# A batch job for Slurm that takes as many turns as the model needs (docs/cluster.md):
#
#   sbatch --ntasks=8 --cpus-per-task=4 --time=12:00:00 examples/cluster/slurm.sh model.yaml [arguments of cosimo run]
#
# One rank per task, one thread per CPU of a task. Two minutes before its time is over Slurm sends SIGUSR1 to this
# script, which hands it on to the run: it writes a checkpoint and ends, and the job goes back into the queue.
# With --resume every turn begins where the one before ended, whether by time, by preemption or by a node that
# died; the first one finds no checkpoint and begins at the beginning. `scancel` ends the job for good.
#
# $COSIMO is the program where it is not on the PATH, $COSIMO_LAUNCHER what starts the ranks where it is not
# srun with PMIx: "mpirun --bind-to none" where Slurm was built without it. Without Slurm the script uses mpirun.
#SBATCH --job-name=cosimo
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail
(($# > 0)) || { echo "usage: sbatch slurm.sh model.yaml [arguments of cosimo run]" >&2; exit 2; }

threads=${SLURM_CPUS_PER_TASK:-1}
if [[ -n ${COSIMO_LAUNCHER:-} ]]; then
  read -ra launcher <<<"$COSIMO_LAUNCHER"
elif [[ -n ${SLURM_JOB_ID:-} ]]; then
  launcher=(srun --mpi=pmix --cpus-per-task="$threads")
else
  launcher=(mpirun --bind-to none)
fi

# The shell waits for the run in the background: it would hear no signal in a command of its own. srun and
# mpirun hand SIGUSR1 on to the ranks. SIGTERM is scancel's, which tells all processes itself.
again=""
trap 'again=yes; kill -USR1 "$run"' USR1
trap : TERM
"${launcher[@]}" "${COSIMO:-cosimo}" run "$@" --threads "$threads" --resume &
run=$!
while :; do
  code=0
  wait "$run" || code=$?
  kill -0 "$run" 2>/dev/null || break # a signal ends `wait`, not the run
done

if [[ -n $again && $code != 0 && -n ${SLURM_JOB_ID:-} ]]; then
  echo "slurm.sh: the time is over; job $SLURM_JOB_ID goes back into the queue" >&2
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
