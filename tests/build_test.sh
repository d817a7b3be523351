#!/usr/bin/env bash
# build_test.sh CMAKE SOURCE COMPILER: one build folder serves ./cosimo and ./check. Adding the tests changes no command
# of what is built already, and tools/build keeps what a folder was told before.
set -euo pipefail
cmake=$1 source=$2 compiler=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

configure() {
  "$cmake" -S "$source" -B "$place/tree" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCOSIMO_BENCH=OFF "$@" >"$place/log" 2>&1 ||
    fail "$(tail -n 20 "$place/log")"
  sed -n 's/^ *"command": //p' "$place/tree/compile_commands.json" | sort
}
configure -DCOSIMO_TESTS=OFF >"$place/user"
configure -DCOSIMO_TESTS=ON >"$place/all"
[[ $(wc -l <"$place/user") -gt 300 && $(wc -l <"$place/all") -gt 500 ]] || fail "too few commands"
changed=$(comm -23 "$place/user" "$place/all")
[[ -z $changed ]] || fail "the tests change $(wc -l <<<"$changed") commands, such as $(head -n 1 <<<"$changed")"
! grep -q -- '-Werror' "$place/all" || fail "warnings are errors in a user's build"

mkdir -p "$place/toy/tools"
cp "$source/tools/build" "$place/toy/tools"
cd "$place/toy"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(toy NONE)
option(TESTS "" ON)
option(BENCH "" ON)
file(APPEND ${CMAKE_SOURCE_DIR}/told "${TESTS} ${BENCH}\n")
END
cat >CMakePresets.json <<'END'
{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release",
 "cacheVariables": {"TESTS": "OFF", "BENCH": "OFF"}}]}
END
build() { tools/build release "$PWD/log" all "$@" 2>/dev/null || fail "$(cat log)"; }
build
build -DTESTS=ON
build -DTESTS=ON
build
build -DBENCH=ON
[[ $(cat told) == $'OFF OFF\nON OFF\nON ON' ]] || fail "configured as $(tr '\n' ',' <told)"
