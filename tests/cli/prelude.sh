# What the tests of the command line (and of ../cases) share. Sourced with: PROGRAM SOURCE.
#
#   expect CODE arguments...   runs the program; its output is in $out and $err, anything but CODE fails
#   says TEXT...               each TEXT is in $err
#   prints TEXT...             each TEXT is in $out
set -uo pipefail
program=$1 source=$2
export source
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
out="" err=""

fail() {
  printf 'FAILED: %s\n-- stdout --\n%s\n-- stderr --\n%s\n' "$*" "$out" "$err"
  exit 1
}

expect() {
  local code=$1 found=0
  shift
  "$program" "$@" >stdout 2>stderr </dev/null || found=$?
  out=$(tr -d '\0' <stdout)
  err=$(tr -d '\0' <stderr)
  [[ $found == "$code" ]] || fail "exit code $found, expected $code: cosimo $*"
  [[ $err != *HDF5-DIAG* ]] || fail "HDF5 speaks for itself: cosimo $*"
  [[ $err != *"should not have happened"* ]] || fail "an unforeseen exception: cosimo $*"
}

says() {
  local text
  for text in "$@"; do [[ $err == *"$text"* ]] || fail "no '$text' on stderr"; done
}

prints() {
  local text
  for text in "$@"; do [[ $out == *"$text"* ]] || fail "no '$text' on stdout"; done
}

# The value of a plain key at the top of a JSON file.
json() { sed -n "s/^ *\"$2\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -n 1; }

# A small model: 40 masses in 4 parts, a fraction of a second.
cat >small.yaml <<'END'
cosimo: 1
model:
  chain: {masses: 40, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}, seed: 7}
simulate: {end: 1.0e-4, output: 1.0e-6}
partition: {parts: 4}
couple: {scheme: explicit}
END

# A model that never ends by itself: two masses, millions of macro steps.
cat >endless.yaml <<'END'
cosimo: 1
model:
  chain: {masses: 2, mass: [2.0, 1.0], spring: {c: [1.0e5, 5.0e3, 1.0e3]}, initial: {x: [-2.0, 0.0], v: [100, -200]}}
simulate: {end: 1.0e4, output: 1.0e-2}
partition: {parts: 2}
control: {step: 1.0e-5, order: 2}
END
