#!/usr/bin/env bash
# An output folder that cannot be made (wrong input), and a disk that fills up during the run.
source "$(dirname "$0")/prelude.sh" "$@"

touch a-file
expect 2 run small.yaml --out a-file/inside
says --out a-file/inside
expect 2 run small.yaml --out a-file
says a-file

# Results that the disk does not hold are refused before anything is computed, by `check` as well: 660 bytes per row
# of 40 masses, twice what is free. (A terabyte is refused whatever the disk.)
free=$(df -B1 --output=avail . | tail -n 1)
if ((free < 400000000000)); then
  output=$(awk -v free="$free" 'BEGIN { printf "%.17g", 1.0e-4 * 660 / (2 * free) }')
  for command in run check; do
    expect 2 $command small.yaml --set "simulate.output=$output" --out huge
    says "simulate.output" "the results need at least " "are free on the disk of huge" "simulate.record" "--out"
    [[ ! -e huge ]] || fail "a refused $command left a folder"
  done
  expect 0 check small.yaml --set "simulate.output=$output" --set simulate.record=[1]
fi

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
