#!/usr/bin/env bash
# The check of the modules finds what it is there for: a tree with known faults, each reported
# with file and line, and nothing else reported.
set -euo pipefail
cmake=$1 source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{src/{core,numerics,control,model,simulation},apps}

cat >"$tree/CMakeLists.txt" <<'END'
cosimo_module(core)
cosimo_module(numerics core)
cosimo_module(signal model)
cosimo_module(model signal)
cosimo_module(control numerics core)
cosimo_module(simulation numerics)
cosimo_tests_use(core numerics)
END
printf '// lists; [and brackets] \\ \n\n#include "numerics/sums.hpp"\n' >"$tree/src/core/upward.hpp"
printf '#include "numerics/sums.hpp"\n#include "control/error.hpp"\n' >"$tree/src/core/ids_test.cpp"
printf '#include "core/ids.hpp"\n#include "cosimo/cosimo.hpp"\n#include <vector>\n' >"$tree/src/numerics/public.cpp"
printf '#include "core/ids.hpp"\n' >"$tree/src/control/error_test.cpp"
printf '#include "numerics/a.hpp"\n' >"$tree/src/control/error.cpp"
printf '#include "core/ids.hpp"\n#include "numerics/a.hpp"\n#include "cosimo/cosimo.hpp"\n' >"$tree/src/simulation/good.cpp"
printf 'if (model.mechanism) {}\nif (model->pendulum) {}\nkind == ModelKind::chain;\n' | tee "$tree/src/model/asks.cpp" >"$tree/src/simulation/asks.cpp"
printf 'x = *a.model.mechanism;\n' >"$tree/src/simulation/asks_test.cpp"
printf 'f(".mechanism", a.mechanism_, a.pendulums);  // of model.mechanism\n' >"$tree/src/simulation/asks_nothing.cpp"
printf '#include "cosimo/cosimo.hpp"\n#include "core/error.hpp"\n#include "core/ids.hpp"\n' >"$tree/apps/inside.cpp"

if output=$("$cmake" -DROOT="$tree" -P "$source/tools/check_modules.cmake" 2>&1); then
  echo "the broken tree passed"
  exit 1
fi
for expected in 'signal uses itself' 'model uses itself' 'src/core/upward.hpp:3:' 'src/core/ids_test.cpp:2:' 'src/numerics/public.cpp:2:' 'apps/inside.cpp:3:' \
  'control -> core is not used' src/simulation/asks.cpp:{1,2,3}:; do
  grep -qF "$expected" <<<"$output" || { echo "not reported: $expected"; echo "$output"; exit 1; }
done
if grep -qE 'simulation/(good|asks_)|src/model/asks|ids_test.cpp:1|public.cpp:1|inside.cpp:[12]|(numerics|simulation) ->|control -> numerics' <<<"$output"; then
  echo "reported without reason:"
  echo "$output"
  exit 1
fi
