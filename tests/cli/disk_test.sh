#!/usr/bin/env bash
# A folder that cannot be written, and a disk that fills up during the run.
source "$(dirname "$0")/prelude.sh" "$@"

touch a-file
expect 1 run small.yaml --out a-file/inside
says a-file
expect 1 run small.yaml --out a-file
says a-file

# No file may grow beyond 256 KiB: to the program the same as a full disk.
trap '' XFSZ
(
  ulimit -f 256
  code=0
  "$program" run small.yaml --set model.chain.masses=400 --out full >stdout 2>stderr || code=$?
  echo "$code" >code
)
err=$(<stderr) out=$(<stdout)
[[ $(<code) == 1 ]] || fail "exit code $(<code) on a full disk, expected 1"
says results.h5
expect 0 compare full full
