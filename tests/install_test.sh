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

# Everything that belongs to it, wherever this build puts it below the prefix.
installed=$(cd "$place/prefix" && find . -type f | sort)
for file in bin/cosimo bin/cosimo-study include/cosimo/cosimo.hpp include/cosimo/cosimo.h include/cosimo/user_element.h \
  include/core/error.hpp 'lib.*/cosimo/libcosimo_core\.a' 'lib.*/cosimo/cosimo-fmu\.so' 'lib.*/cosimo/libmetis\.so\.5' 'lib.*/cmake/cosimo/cosimoConfig\.cmake' share/man/man1/cosimo.1.gz \
  share/man/man1/cosimo-study.1.gz share/bash-completion/completions/cosimo share/zsh/.*/_cosimo \
  share/fish/vendor_completions.d/cosimo.fish share/doc/cosimo/docs/guide.md share/doc/cosimo/docs/images/quickstart.svg \
  share/doc/cosimo/docs/scenario.schema.json share/doc/cosimo/examples/quickstart.yaml share/doc/cosimo/examples/library/CMakeLists.txt \
  share/doc/cosimo/README.md share/doc/cosimo/CHANGELOG.md 'share/doc/cosimo/\(LICENSE\|copyright\)'; do
  grep -qx "\./$file" <<<"$installed" || { echo "FAILED: $file is not installed"; exit 1; }
done
if grep -E '\.out/|node_modules|_test\.|/docs/site/' <<<"$installed"; then
  echo "FAILED: files that nobody needs are installed"
  exit 1
fi
# The Python module, where it is built: found by the program below any prefix.
if [[ -d $build/python ]]; then
  grep -qx './lib/python.*/dist-packages/cosimo/_core\..*\.so' <<<"$installed" || { echo "FAILED: the Python module is not installed"; exit 1; }
  (cd / && "$place/prefix/bin/cosimo" python -c 'import cosimo; assert cosimo.__file__.startswith("'"$place/prefix"'")')
fi
# What the program says about itself is that of this program.
"$place/prefix/bin/cosimo" completion bash | cmp - "$place/prefix/share/bash-completion/completions/cosimo"
"$place/prefix/bin/cosimo" help --man | cmp - <(gzip -dc "$place/prefix/share/man/man1/cosimo.1.gz")

flags=${sanitize:+-fsanitize=$sanitize}
quietly "$cmake" -S "$source/examples/library" -B "$place/example" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags"
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

# The same from C: energy is kept to the tolerance of the solver.
output=$(example/embedded_example)
echo "$output"
awk '{ worst = $(NF - 1) } END { exit !(worst > 0 && worst < 1e-5) }' <<<"$output"
