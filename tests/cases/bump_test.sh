#!/usr/bin/env bash
# A point that grazes steep waves flew through their crests: all stages of its long steps lay above the road.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

run() {
  expect 0 run "$source/tests/cases/bump.yaml" --out run --csv "$@"
  rm -rf last
  mv run last
}
# Height when it has met the first crest, before small differences have grown from bounce to bounce.
height() { awk -F, '$1 > 0.0299 && $1 < 0.0301 { print $4 }' last/results.csv; }

run --set solve.max_step=1e-5 --set solve.rtol=1e-10
exact=$(height)
for method in auto rk radau ida; do
  for rtol in 1e-9 1e-6; do
    run --set solve.method="$method" --set solve.rtol="$rtol"
    awk -v a="$(height)" -v b="$exact" 'BEGIN { d = a - b; exit !(d < 1e-4 && d > -1e-4) }' ||
      fail "$method, rtol $rtol: $(height) instead of $exact"
  done
done
