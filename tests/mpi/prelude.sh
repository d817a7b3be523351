# What the tests on MPI share, on top of cli/prelude.sh. Sourced with: PROGRAM SOURCE SAME_DATA.
#
#   ranks N CODE command...    mpirun of N ranks; output in $out and $err, anything but CODE fails
#   said_once TEXT             TEXT stands in $err, once
#   end_within PID SECONDS     a child ends; its exit code is in $code
#   ./at K command...          for ranks: rank K runs the command in folder `elsewhere`, the others here
#   ./marked command...        for ranks: each leaves its process id in pid.RANK
#
# The machine may have fewer cores than a test has ranks. In containers root starts MPI, and processes may
# not look into each other's memory.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/prelude.sh" "$1" "$2"
same_data=$3
command -v mpirun >/dev/null || { echo "SKIPPED: there is no mpirun (Debian: openmpi-bin)"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# Leaks of MPI are known by where they were allocated (tests/sanitize/leaks.txt), which takes a closer look there.
[[ -z ${ASAN_OPTIONS:-} ]] || export ASAN_OPTIONS+=:fast_unwind_on_malloc=0
export program

mpi=(mpirun --oversubscribe --bind-to none)
patience=100 # seconds for one run
[[ -z ${COSIMO_SANITIZE:-} ]] || patience=1000

ranks() {
  local count=$1 code=$2 found=0
  shift 2
  "${mpi[@]}" -n "$count" timeout "$patience" "$@" >stdout 2>stderr </dev/null || found=$?
  out=$(tr -d '\0' <stdout)
  err=$(tr -d '\0' <stderr)
  [[ $found == "$code" ]] || fail "exit code $found, expected $code: mpirun -n $count $*"
  [[ $err != *"should not have happened"* ]] || fail "an unforeseen exception: mpirun -n $count $*"
}

said_once() {
  says "$1"
  local rest=${err#*"$1"}
  [[ $rest != *"$1"* ]] || fail "'$1' is said more than once"
}

end_within() {
  local pid=$1 limit=$2 i
  for ((i = 0; i < 20 * limit; ++i)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  if kill -0 "$pid" 2>/dev/null; then
    kill -KILL "$pid"
    fail "still running $limit s later"
  fi
  code=0
  wait "$pid" || code=$?
}

mkdir elsewhere
cat >at <<'END_OF_SCRIPT'
#!/usr/bin/env bash
if [[ $OMPI_COMM_WORLD_RANK == "$1" ]]; then cd elsewhere || exit 9; fi
shift
exec "$@"
END_OF_SCRIPT
cat >marked <<'END_OF_SCRIPT'
#!/usr/bin/env bash
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
END_OF_SCRIPT
chmod +x at marked
