#!/usr/bin/env bash
# cmake --install into a fresh folder, then examples/library built against it with find_package(cosimo),
# and run: what a user of the library does.
set -euo pipefail
cmake=$1 build=$2 source=$3 compiler=$4 sanitize=${5:-}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

quietly() { "$@" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }; }
quietly "$cmake" --install "$build" --prefix "$place/prefix"
"$place/prefix/bin/cosimo" --version

flags=${sanitize:+-fsanitize=$sanitize}
quietly "$cmake" -S "$source/examples/library" -B "$place/example" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags"
quietly "$cmake" --build "$place/example"

cd "$place"
output=$(example/library_example)
echo "$output"
# The two runs agree to 1e-5 of the motion. Bodies in the middle keep their velocity to the last digits: weighed by
# their own motion the error would be 1e9, by a thousandth of the others' it is 0.11, over 2000 variables.
[[ $output =~ ^[1-9][0-9]*\ macro\ steps,\ error\ ([0-9.e+-]+)$ ]]
awk -v error="${BASH_REMATCH[1]}" 'BEGIN { exit !(error > 0.01 && error < 0.2) }'
[[ -s cut.out/results.h5 && -s uncut.out/summary.json ]]

# The pendulum falls from the horizontal and turns back at the other side: after half of the period
# 4 K(sin 45 deg) sqrt((J + m l^2) / (m g l)) = 1.98108 s.
output=$(example/stepwise_example)
echo "$output"
awk '{ t = $6 } END { exit !(t > 0.9905 && t < 0.9916) }' <<<"$output"
