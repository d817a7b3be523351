#!/usr/bin/env bash
# Cuts with overlaps from the command line: what `check` and `run` say about them, and what they record.
source "$(dirname "$0")/prelude.sh" "$@"

example=$source/examples/overlap.yaml
expect 0 check "$example"
prints "overlap, estimator exOV"
expect 0 run "$example" --out overlap
prints "explicit, overlap, exOV" "layers of copies behind a cut" "most demanding cut"
(($(json overlap/summary.json layers) > 1)) || fail "summary.json knows no layers"

# What `scheme: auto` makes of a long chain, of tiny parts and of other settings.
grep -v '^ *\(decomposition\|layers\|estimator\|rtol\|couple\|control\):' "$example" >automatic.yaml
expect 0 check automatic.yaml
prints "scheme: auto -> explicit, overlap"
expect 0 check automatic.yaml --set partition.parts=200
prints "uncut" "the parts are too small"
expect 0 check automatic.yaml --set model.chain.masses=400 --set model.chain.spring.d=250
prints "uncut" "strong damping"
expect 0 check automatic.yaml --set solve.method=rosenbrock
prints "force-force" "implicit method"
expect 0 check automatic.yaml --set solve.method=ida
prints "force-force"

# Layers that are too many or too few for a given step are used, and the run tells.
expect 0 run "$example" --set model.chain.masses=80 --set couple.layers=5000 --out whole
prints "layers: 5000 -> all"
expect 0 run "$example" --set couple.layers=4 --set 'control={step: 1.0e-5}' --out few
prints "accuracy: the error at element" "layers instead of 4"
