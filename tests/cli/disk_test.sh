#!/usr/bin/env bash
# An output folder that cannot be made (wrong input), and a disk that fills up during the run.
source "$(dirname "$0")/prelude.sh" "$@"

touch a-file
expect 2 run small.yaml --out a-file/inside
says --out a-file/inside
expect 2 run small.yaml --out a-file
says a-file

# Results that no disk holds are refused before anything is computed, by `check` as well.
for command in run check; do
  expect 2 $command small.yaml --set simulate.output=1.0e-15 --out huge
  says "simulate.output" "need at least 66 TB" "are free on the disk of huge" "simulate.record"
  [[ ! -e huge ]] || fail "a refused $command left a folder"
done

# No file may grow beyond 16 MiB: to the program the same as a disk that is full after some seconds,
# during which results were flushed.
(
  ulimit -f 16384
  code=0
  timeout 120 "$program" run endless.yaml --set simulate.output=1.0e-3 --out full >stdout 2>stderr || code=$?
  echo "$code" >code
)
err=$(<stderr) out=$(<stdout)
[[ $(<code) == 1 ]] || fail "exit code $(<code) on a full disk, expected 1"
says results.h5
expect 0 compare full full
[[ $err != *--threads* ]] || fail "a full disk has nothing to do with threads"
