#!/usr/bin/env bash
# A run leaves the documented files, in the documented place, and fits in a pipe.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 run small.yaml
[[ -z $err ]] || fail "stderr is not empty in a pipe"
[[ $out != *$'\r'* && $out != *$'\033'* ]] || fail "control characters in a pipe"
prints "small.out"
for file in results.h5 timing.h5 summary.json scenario.effective.yaml overview.svg; do
  [[ -s small.out/$file ]] || fail "$file is missing"
done
[[ ! -e small.out/results.csv ]] || fail "results.csv without --csv"
[[ $(json small.out/summary.json status) == ok ]] || fail "status in summary.json"
[[ $(json small.out/summary.json parts) == 4 ]] || fail "parts in summary.json"

expect 0 run small.yaml --out deep/er --csv --threads 2 --quiet
[[ -z $out && -z $err ]] || fail "--quiet prints"
[[ $(wc -l <deep/er/results.csv) -ge 101 ]] || fail "results.csv has too few rows"

# The effective scenario is a scenario, and gives the same bits. (Not the same file: where its pieces lie
# depends on when they were flushed.)
expect 0 run small.out/scenario.effective.yaml --out again --csv
cmp deep/er/results.csv again/results.csv || fail "the effective scenario gives another result"

# Any number of threads gives the same numbers.
for threads in 1 2 3; do
  expect 0 run small.yaml --out "threads$threads" --threads "$threads" --csv
  cmp deep/er/results.csv "threads$threads/results.csv" || fail "$threads threads give another result"
done

# A second run into the same folder replaces the first.
expect 0 run small.yaml --set simulate.end=5.0e-5
expect 0 compare small.out threads1
prints "51 output times"
