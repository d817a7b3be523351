#!/usr/bin/env bash
# A stop about y did nothing: `angle` was about z, whatever the joint, and stayed zero.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

# The axis is that of the joint. The arm falls onto the stop at 0.5 rad, into which it swings by less than a
# hundredth: its centre 0.5 away from the joint stays above -0.5 sin(0.52).
expect 0 run "$source/tests/cases/stop.yaml" --csv --out run
columns=$(head -n 1 run/results.csv)
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "arm.z") z = i; next }
  $z < lowest { lowest = $z }
  END { exit !(z && lowest < -0.15 && lowest > -0.2485) }' run/results.csv || fail "the stop does not hold: $columns"

# Without the joint there is no axis, and the message says what to write.
sed 's/revolute, to: arm, at: \[0, 0, 0\], axis: \[0, 1, 0\]/spherical, to: arm, at: [0, 0, 0]/' \
  "$source/tests/cases/stop.yaml" >ball.yaml
expect 2 check ball.yaml
says "\`angle\` has no axis" "axis: [x, y, z]"
sed 's/to: arm, torque/to: arm, axis: [0, 1, 0], torque/' ball.yaml >given.yaml
expect 0 check given.yaml
