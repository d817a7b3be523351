#!/usr/bin/env bash
# A torsion spring between rigid bodies lost a turn at a force-force cut: with a fixed step without a word, with step control
# with advice about tolerances; elsewhere the message did not name the spring.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/turn_at_a_cut.yaml
lost="an angle between rigid bodies passed half a turn"
expect 1 run "$file" --out adaptive
says "$lost" "coupling 1 (shaft between a and b)"
expect 1 run "$file" --set 'control={step: 0.01}' --out fixed
says "$lost" "coupling 1 (shaft between a and b)"
expect 0 run "$file" --set 'control={step: 0.01}' --set simulate.end=0.75 --out before

# In one piece turns are counted: the angle is 4 / sqrt(0.2) sin(sqrt(0.2) t), 6.975 at the end.
expect 0 run "$file" --set partition=none --out whole --csv
awk -F, 'END { exit !($4 > 0.69751 && $4 < 0.69753) }' whole/results_elements.csv || fail "the torque of more than a turn"
expect 1 run "$file" --set couple.decomposition=force-displacement --out motion
says "element 'shaft' between a and b: $lost"
