#!/usr/bin/env bash
# `cosimo stability`: settings from --set or a scenario file, the files it writes, and what it refuses.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 stability --points 30
prints "explicit, force-force, degree 2" "% of 30 x 30 points" "undamped" "damping ratio 1" "stability.out/stability.svg"
[[ $(head -n 1 stability.out/stability.csv) == re,im,rho ]] || fail "no head in stability.csv"
[[ $(wc -l <stability.out/stability.csv) == 901 ]] || fail "not one line per point"
[[ $(tail -n 1 stability.out/stability.csv) == 0,2,* ]] || fail "the last point is not 2 i"
grep -q '<svg xmlns' stability.out/stability.svg && grep -q '</svg>' stability.out/stability.svg || fail "no picture"
grep -q 'explicit, force-force, degree 2' stability.out/stability.svg || fail "a picture without its settings"
[[ $(grep -c 'href\|url(' stability.out/stability.svg) == 0 ]] || fail "the picture needs other files"

# The map depends on the settings, not on threads.
expect 0 stability --points 12 --threads 1 --out one
expect 0 stability --points 12 --threads 2 --out two
cmp -s one/stability.csv two/stability.csv || fail "threads change the map"
for change in control.order=1 couple.scheme=implicit couple.sequence=gauss-seidel \
  couple.decomposition=displacement-displacement 'couple.predictor={acc: {degree: 1}}'; do
  expect 0 stability --points 12 --set "$change" --out other
  cmp -s one/stability.csv other/stability.csv && fail "$change does not change the map"
done
expect 0 stability --points 12 --out ratios --mass-ratio 10 --stiffness-ratio 2,0.5 --damping-ratio 3 --range 1,4
prints "-1 <= Re(H lambda) <= 0 <= Im(H lambda) <= 4"
grep -q 'masses 1 : 10, stiffness 1 : 2 : 0.5, damping 1 : 3 : 1' ratios/stability.svg || fail "no ratios in the picture"

# A scenario file: its coupling counts.
expect 0 stability small.yaml --points 12 --set couple.scheme=waveform --set couple.relaxation=0.3
prints "waveform, force-force" "relaxation 0.3" "small.stability/stability.svg"

# What has no map, or no meaning, is refused in the words of the scenario.
expect 2 stability small.yaml --points 12 --set couple.scheme=auto
says "couple.scheme" "--set couple.scheme=explicit"
expect 2 stability --set couple.decomposition=overlap
says "couple.decomposition" "overlap"
expect 2 stability --set couple.jacobian=sap
says "couple.jacobian" "\`scheme: implicit\`"
expect 2 stability small.yaml --set "couple.sequence={gauss-seidel: [1, 2, 3, 4]}"
says "couple.sequence" "two parts"
expect 2 stability --set "couple.predictor={accrel: {degree: 1}}"
says "couple.predictor.accrel.omega"
expect 2 stability --mass-ratio 0
says "--mass-ratio"
expect 2 stability --points 1
expect 2 stability --range 0
says "range"
expect 2 stability missing.yaml
says "missing.yaml"
expect 0 stability --help
prints "--set" "--mass-ratio" "--range" "couple.scheme=implicit"
