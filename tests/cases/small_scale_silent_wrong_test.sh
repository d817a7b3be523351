#!/usr/bin/env bash
# Twenty masses that move by a nanometre went 200 times too far with the explicit scheme and default tolerances.
. "$(dirname "$0")/../cli/prelude.sh"
scenario=$source/tests/cases/small_scale_silent_wrong.yaml

expect 0 run "$scenario" --out reference --set partition=none --set solve.rtol=1e-10
for scheme in explicit semi-implicit implicit waveform; do
  expect 0 run "$scenario" --out small --set "couple.scheme=$scheme"
  expect 0 compare small reference
  nrmse=$(awk '$1 == "position" { print $3 }' stdout)
  awk -v e="$nrmse" 'BEGIN { exit !(e != "" && e < 1e-3) }' || fail "$scheme: error $nrmse"
done

# Numbers that hide the motion are taken, and told.
expect 0 run "$scenario" --out hidden --set solve.atol_pos=1e-9 --set solve.atol_vel=1e-6
grep -q '"accuracy: solve.atol_pos = 1e-09 and solve.atol_vel = 1e-06 hide displacements' hidden/summary.json ||
  fail "nothing says that the tolerances hide the motion"
