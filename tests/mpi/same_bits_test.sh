#!/usr/bin/env bash
# Ranks that are processes: any number of them times threads leaves the same results to the last bit.
source "$(dirname "$0")/prelude.sh" "$@"

cat >chain.yaml <<'MODEL'
cosimo: 1
model:
  chain: {masses: 120, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}, seed: 7}
simulate: {end: 2.0e-5, output: 7.0e-7}
partition: {parts: 5}
MODEL
cat >lattice.yaml <<'MODEL'
cosimo: 1
model:
  lattice: {size: [20, 12], mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10},
            initial: {x: {uniform: [-1.0e-3, 1.0e-3]}, v: {uniform: [-100, 100]}}, seed: 6}
simulate: {end: 1.0e-5, output: 7.0e-7}
partition: {parts: 6}
MODEL
declare -A settings=(
  [overlap]="couple.decomposition=overlap"
  [explicit]="couple.scheme=explicit control.estimator=exMD control.rtol=1.0e-3"
  [implicit]="couple.scheme=implicit couple.jacobian=sensitivity control.estimator=imCV control.rtol=1.0e-3"
  [waveform]="couple.scheme=waveform couple.relaxation=0.3 control.step=5.0e-7 control.order=2"
)

for model in chain lattice; do
  for scheme in overlap explicit implicit waveform; do
    set=()
    for one in ${settings[$scheme]}; do set+=(--set "$one"); done
    expect 0 run $model.yaml "${set[@]}" --threads 1 --quiet --out alone
    for shape in 1x2 2x1 2x2 3x1 3x2 4x1 4x2; do
      ranks "${shape%x*}" 0 "$program" run $model.yaml "${set[@]}" --threads "${shape#*x}" --quiet --out "$shape"
      [[ $(json "$shape/summary.json" status) == ok ]] || fail "status of $model $scheme on $shape"
      differs=$("$same_data" alone/results.h5 "$shape/results.h5") || fail "$model $scheme on $shape: $differs"
      rm -r "$shape"
    done
    rm -r alone
  done
done
