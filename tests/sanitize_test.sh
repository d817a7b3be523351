#!/usr/bin/env bash
# tools/sanitize finds failed tests, and reports of sanitizers that no test has seen: sanitize_test.sh SOURCE
set -uo pipefail
source=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
fail() {
  printf 'FAILED: %s\n%s\n' "$*" "$out"
  exit 1
}

# A project of three tests that needs no building.
mkdir -p tools build/asan build/release
cp "$source/tools/sanitize" tools
cp "$source/CMakePresets.json" .
printf '#!/bin/sh\n' >tools/build
chmod +x tools/build
cat >build/asan/CTestTestfile.cmake <<'END'
add_test(good true)
add_test(bad false)
add_test(hidden sh -c "mkdir -p reports && echo 'SUMMARY: AddressSanitizer: planted' >reports/address.1")
add_test(told sh -c "test -n \"$ASAN_OPTIONS\"")
END
echo 'add_test(perturbed sh -c "test -n \"$MALLOC_PERTURB_\"")' >build/release/CTestTestfile.cmake

# expect CODE TEXT arguments...
expect() {
  local code=$1 text=$2 found=0
  shift 2
  out=$(tools/sanitize "$@" 2>&1) || found=$?
  [[ $found == "$code" ]] || fail "exit code $found, expected $code: sanitize $*"
  [[ $out == *"$text"* ]] || fail "no '$text': sanitize $*"
}
expect 0 "0 tests failed out of 2; 0 skipped, 0 reports" address -R 'good|told'
expect 1 "bad (Failed)" address -R 'good|bad'
expect 1 "AddressSanitizer: planted" address -R hidden
expect 1 "No tests were found" address -R none
expect 0 "nothing was found: perturb" perturb
expect 2 "ctest arguments" adress
