#!/usr/bin/env bash
# What goes wrong in a variant is that variant's alone: each fault has its state and its message.
source "$(dirname "$0")/prelude.sh" "$@"
command -v cc >/dev/null || exit 77
[[ -z ${COSIMO_SANITIZE:-} ]] || exit 77 # they catch crashes and need other amounts of memory

cat >bad.c <<'END_'
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cosimo/user_element.h"

/* values: what goes wrong once the mass has fallen a little, and a stiffness that does nothing wrong. */
static volatile int* nowhere = 0;
static int effort(double t, const cosimo_frame* a, const cosimo_frame* b, const double* p, double* e) {
  (void)t, (void)a;
  e[2] = p[1] * 1e-9;
  if (b->position[2] >= 0.45) return 0;
  switch ((int)p[0]) {
    case 1: return *nowhere;
    case 2: for (;;) sleep(1);
    case 3: for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    case 4: exit(0);
    case 5: e[2] = NAN; break;
    case 6: return 7;
  }
  return 0;
}
const cosimo_user_element* user(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, effort, 0, 0};
  return &description;
}
END_
cc -O1 -fPIC -shared -I"$source/include" bad.c -o bad.so || fail "the library does not build"
cat >fall.yaml <<'END_'
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: mass, kind: point, mass: 20, position: [0, 0, 0.5]}
  elements:
    - {name: stop, kind: user, to: mass, library: bad.so, function: user, values: [0, 1]}
simulate: {end: 0.3, output: 5.0e-3}
END_
# 50 variants; wrong ones at 5, 12, 17, 23, 30, 36 and 44. Three values are one too many for the element, which shows
# only when the model is built.
for i in $(seq 50); do
  case $i in
    5) v="[1, $i]" ;; 12) v="[2, $i]" ;; 17) v="[3, $i]" ;; 23) v="[4, $i]" ;; 30) v="[5, $i]" ;; 36) v="[6, $i]" ;;
    44) v="[0, $i, 3]" ;; *) v="[0, $i]" ;;
  esac
  printf '"%s"\n' "$v"
done | sed '1i model.elements.1.values' >points.csv
cat >faults.yaml <<'END_'
cosimo: 1
sweep:
  scenario: fall.yaml
  points: points.csv
  measure: {low: min(mass.z)}
  limits: {time: 6 s, memory: 200 MB}
END_

expect 1 sweep faults.yaml --workers 2
prints "50 variants: 43 done, 7 failed, 0 left"
says "7 of 50 variants failed" "sweep show"
row() { grep "^$1," faults.sweep/variants.csv; }
check() { # VARIANT FAULT MESSAGE
  local found
  found=$(row "$1")
  [[ $found == "$1,failed,"* ]] || fail "variant $1: $found"
  [[ $found == *",$2,"* && $found == *"$3"* ]] || fail "variant $1 is no $2 ($3): $found"
  [[ $found =~ ^[0-9]+,failed,\"[^\"]*\",, ]] || fail "variant $1 has a number: $found"
}
check 5 crash "crashed in effort (segmentation fault)"
check 12 time "took longer than 6 s"
check 17 memory "needed more than 200 MB"
check 23 crash "ended the program in effort (it called exit)"
check 30 solver "not finite"
check 36 solver "returned error code 7"
check 44 "bad input" "values"
[[ $(grep -c ',done,' faults.sweep/variants.csv) == 43 ]] || fail "the others are not all done"
[[ $(grep ',done,' faults.sweep/variants.csv | cut -d, -f5 | sort -u | wc -l) -ge 40 ]] || fail "the others are not right"
[[ -s faults.sweep/logs/$(sed -n 's/^5,\([0-9a-f]*\),.*/\1/p' faults.sweep/times.csv).log ]] || fail "no log of the crash"

# The same command leaves failed ones alone; --retry failed runs them again.
expect 1 sweep faults.yaml --workers 2
prints "0 run now"
cp faults.sweep/variants.csv before.csv
expect 1 sweep faults.yaml --workers 1 --retry failed
prints "43 done, 7 failed" "7 run now"
cmp before.csv faults.sweep/variants.csv || fail "another result the second time"
expect 0 sweep show faults.sweep
prints "43 done, 7 failed" "variant 12 failed (time): took longer than 6 s"

# Where every variant is wrong, nothing is run.
printf 'model.elements.1.values\n"[0, 1, 2]"\n"[0, 1, 3]"\n' >points.csv
expect 2 sweep faults.yaml --out never
says "faults.yaml" "cannot be built" "values"
[[ ! -e never ]] || fail "a refused series left a folder"

# A library that changes under the series: nothing of one is taken for the other.
printf 'model.elements.1.values\n"[0, 1]"\n"[0, 2]"\n' >points.csv
expect 0 sweep faults.yaml --out changed
sed -i 's/1e-9/2e-9/' bad.c && cc -O1 -fPIC -shared -I"$source/include" bad.c -o bad.so
expect 0 sweep faults.yaml --out changed
prints "2 run now"
