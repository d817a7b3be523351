#!/usr/bin/env bash
# One run at a time writes to a folder; a comparison of different models says so.
source "$(dirname "$0")/prelude.sh" "$@"

"$program" run endless.yaml --out busy >/dev/null 2>&1 &
pid=$!
for _ in $(seq 200); do
  [[ -s busy/results.h5 ]] && break
  sleep 0.05
done
expect 2 run small.yaml --out busy
says busy "another run is writing there" --out
kill -INT $pid
wait $pid
expect 0 run small.yaml --out busy # free again

expect 0 run small.yaml --out a
expect 0 run small.yaml --set partition=none --out b
expect 0 compare a b
[[ $err != *"different models"* ]] || fail "cut and uncut are one model"
expect 0 run small.yaml --set model.chain.seed=8 --out c
expect 0 compare a c
says "different models"
