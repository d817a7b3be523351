#!/usr/bin/env bash
# With the predictor `acc` an undamped model ended 308 tolerances away: exLE, the only estimator it had, bounds the error
# of every step, and a thousand of them add up.
source "$(dirname "$0")/../cli/prelude.sh" "$@"

file=$source/tests/cases/acc_308_tolerances.yaml
expect 0 run "$file" --set partition=none --set solve.rtol=1e-11 --out whole
expect 0 run "$file" --out cut
prints "exCV"
expect 0 compare cut whole
worst=$(awk '/worst single variable/ {print $4}' <<<"$out")
awk -v e="$worst" 'BEGIN {exit !(e < 1e-5)}' || fail "off by $worst at rtol 1e-6"
