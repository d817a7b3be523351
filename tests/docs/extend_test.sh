#!/usr/bin/env bash
# extend_test.sh SOURCE COMPILER [FLAGS...]: the examples of docs/add-a-force-element.md and its neighbours still fit.
# Each patch is applied to a copy of the sources, and the files that are new in it or make the new thing compile.
set -uo pipefail
root=$(readlink -f "$1")
shift
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
command -v patch >/dev/null || { echo "patch is not installed"; exit 77; }

fail() {
  echo "FAILED: $*"
  exit 1
}

mkdir "$place/tree"
(cd "$root" && tar -c --exclude=./build --exclude=./.git --exclude=node_modules .) | tar -x -C "$place/tree" || fail "no copy"
cd "$place/tree" || exit 1
for name in force_element integrator scheme; do
  patch -p1 --fuzz=0 --no-backup-if-mismatch <"examples/extend/$name.patch" >"$place/said" 2>&1 ||
    fail "examples/extend/$name.patch does not fit any more: $(cat "$place/said")"
done
for file in mechanics/rope_element.cpp integrator/bogacki_shampine.cpp integrator/factory.cpp scheme/two_pass_test.cpp \
  simulation/session.cpp; do
  file=src/$file
  "$@" -Isrc -Iinclude -fsyntax-only -Wall -Wextra -Werror "$file" 2>"$place/said" || fail "$file: $(head -n 20 "$place/said")"
  echo "$file compiles"
done
