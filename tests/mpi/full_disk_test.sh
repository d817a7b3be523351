#!/usr/bin/env bash
# A disk that fills up under results or under a checkpoint, on one process and on two ranks: exit code 1, one
# message that names the file, earlier checkpoints and results as they were; with space again --resume goes on
# to the results of an undisturbed run.
#
# Where the user may mount, the disk of checkpoints is a small one in memory; elsewhere files may not grow beyond a
# limit, which looks the same to the program. Results always meet the limit: for a disk that is too small for them
# the run would be refused.
source "$(dirname "$0")/prelude.sh" "$@"
first_rows=$(dirname "$same_data")/first_rows

# many_rows: results fill the disk; large_state: a checkpoint does.
cat >many_rows.yaml <<'MODEL'
cosimo: 1
model:
  chain: {masses: 300, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}, seed: 7}
simulate: {end: 2.0e-3, output: 1.0e-6}
partition: {parts: 4}
couple: {scheme: explicit}
run: {checkpoint: {every: 50 steps}}
MODEL
sed 's/masses: 300/masses: 10000/; s/end: 2.0e-3, output: 1.0e-6/end: 1.0e-4, output: 3.0e-6, record: [1]/
     s/50 steps/20 steps/; $a solve: {method: ida}' many_rows.yaml >large_state.yaml
for model in many_rows large_state; do
  expect 0 run $model.yaml --quiet --out $model
done

mkdir disk
mounted=""
if mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
  mounted=yes
  trap 'umount disk; rm -rf "$place"' EXIT
fi
cat >limited <<'SCRIPT'
#!/usr/bin/env bash
trap '' XFSZ
[[ ${OMPI_COMM_WORLD_RANK:-0} != 0 ]] || ulimit -f "$1"
shift
exec "$@"
SCRIPT
chmod +x limited

# disk_of KIB RANKS CODE arguments...: a run with that much space; 0 ranks: without mpirun.
disk_of() {
  local kib=$1 ranks=$2 code=$3 found=0
  shift 3
  local line=("$program" run "$model.yaml" --quiet --out disk/out "$@")
  local disk=$kib
  if [[ ! $mounted || $model == many_rows ]]; then
    line=(./limited "$kib" "${line[@]}")
    disk=$large
  fi
  if [[ $mounted ]]; then mount -o "remount,size=${disk}k" disk || fail "the disk cannot be resized"; fi
  if ((ranks == 0)); then
    timeout 100 "${line[@]}" >stdout 2>stderr </dev/null || found=$?
  else
    "${mpi[@]}" -n "$ranks" timeout 100 "${line[@]}" >stdout 2>stderr </dev/null || found=$?
  fi
  out=$(tr -d '\0' <stdout) err=$(tr -d '\0' <stderr)
  [[ $found == "$code" ]] || fail "exit code $found, expected $code, with $kib KiB on $ranks ranks"
}
named() { # FILE: the run failed because of it
  said_once "cosimo: error: the run failed at t ="
  says "$1"
}
# What is there can be read, and is the beginning of the undisturbed run.
intact() {
  rows=$("$first_rows" disk/out/results.h5 $model/results.h5) || fail "$rows"
  ((rows > $1)) || fail "only $rows output times"
  [[ -z $(find disk/out -name '*.part') ]] || fail "a part of a checkpoint is left"
}
newest() { find disk/out -name 'checkpoint.*' -not -name '*.part' 2>/dev/null | sort | tail -n 1; }

large=65536
for ranks in 0 2; do
  model=many_rows
  rm -rf disk/out
  disk_of 2000 $ranks 1
  named disk/out/
  intact 10
  [[ -n $(newest) ]] || fail "no checkpoint before the disk was full"
  disk_of $large 2 0 --resume
  differs=$("$same_data" $model/results.h5 disk/out/results.h5) || fail "$differs"

  # Of a resumed run, so that there is an earlier checkpoint.
  model=large_state
  rm -rf disk/out
  "$program" run $model.yaml --quiet --out disk/out >stdout 2>stderr &
  job=$!
  for _ in $(seq 1000); do
    [[ -n $(newest) ]] && break
    sleep 0.01
  done
  kill -KILL $job
  wait $job 2>/dev/null
  [[ ! -e disk/out/summary.json && -n $(newest) ]] || fail "not killed between two checkpoints"
  earlier=$(newest)
  cp "$earlier" .
  # What the kill has left of a third one would be removed, and make room.
  find disk/out -name '*.part' -delete
  # Room for half a checkpoint; and for the results, which a resumed run writes beside the old ones.
  room=$(($(stat -c %s "$earlier") / 2048))
  if [[ $mounted ]]; then room=$((room + $(du -sk disk | cut -f 1) + $(du -k disk/out/results.h5 | cut -f 1))); fi
  disk_of $room $ranks 1 --resume
  named disk/out/checkpoint.
  says "earlier checkpoints are intact"
  intact 0
  cmp -s "${earlier##*/}" "$earlier" || fail "the earlier checkpoint has changed"
  rm "${earlier##*/}"
  disk_of $large 0 0 --resume
  differs=$("$same_data" $model/results.h5 disk/out/results.h5) || fail "$differs"
done
