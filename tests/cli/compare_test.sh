#!/usr/bin/env bash
# compare: nothing against itself, something small against the uncut model.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 run small.yaml
expect 0 run small.yaml --set partition=none --out uncut
expect 0 compare small.out small.out
[[ $out =~ both\ +0\.000e\+00 ]] || fail "a run differs from itself"
prints "40 bodies at 101 output times"

expect 0 compare small.out uncut
[[ $out =~ position\ +([0-9.]+)e-0?([0-9]+) ]] || fail "no position error below 1"
((10#${BASH_REMATCH[2]} >= 2)) || fail "co-simulation and uncut model are far apart"
expect 0 compare small.out/results.h5 uncut/results.h5 --bodies 10,11,20-21 --level position
prints "4 bodies" position
[[ $out != *velocity* ]] || fail "--level position shows velocities"
expect 2 compare small.out uncut --bodies 41
says 41
echo "not HDF5" >garbage.h5
expect 2 compare garbage.h5 uncut
says garbage.h5
