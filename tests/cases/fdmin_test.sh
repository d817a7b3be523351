#!/usr/bin/env bash
# Implicit force-displacement coupling of a spring that bears nothing yet failed at t = 0: across its direction the
# force had no tolerance at all.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/fdmin.yaml
expect 0 run "$file" --set partition=none --set solve.rtol=1e-10 --out whole
for scheme in implicit semi-implicit; do
  expect 0 run "$file" --set couple.scheme=$scheme --out $scheme
  steps=$(json $scheme/summary.json macro_steps)
  ((steps < 2000)) || fail "$scheme took $steps macro steps"
  expect 0 compare $scheme whole
  worst=$(awk '/worst single variable/ {print $4}' <<<"$out")
  awk -v e="$worst" 'BEGIN {exit !(e < 1e-3)}' || fail "$scheme is off by $worst at rtol 1e-4"
done
