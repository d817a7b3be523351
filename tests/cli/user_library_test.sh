#!/usr/bin/env bash
# A user's library that crashed, aborted, called exit, hung, threw nothing but NaN or was cut off brought the run down without a name.
source "$(dirname "$0")/prelude.sh" "$@"

cat >bad.c <<'END'
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "cosimo/user_element.h"

/* What goes wrong once the mass has fallen a little, straight down from where it was. */
#define ELEMENT(NAME, COUNT, WRONG)                                                                            \
  static int NAME##_effort(double t, const cosimo_frame* a, const cosimo_frame* b, const double* p, double* e) { \
    (void)t, (void)a, (void)p;                                                                                 \
    if (b->position[0] == 0 && b->position[1] == 0 && b->position[2] < 0.45) { WRONG }                         \
    return 0;                                                                                                  \
  }                                                                                                            \
  const cosimo_user_element* NAME(void) {                                                                      \
    static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, COUNT, NAME##_effort, 0, 0};  \
    return &description;                                                                                       \
  }
static volatile int* nowhere = 0;
static int deep(volatile int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }
ELEMENT(crashes, 0, e[0] = *nowhere;)
ELEMENT(aborts, 0, (void)e; abort();)
ELEMENT(exits, 0, (void)e; exit(0);)
ELEMENT(overflows, 0, e[0] = deep(0);)
ELEMENT(hangs, 0, (void)e; for (;;) sleep(1);)
ELEMENT(nan_later, 0, e[2] = NAN;)
ELEMENT(miscounts, -3, (void)e;)
END
cc -O1 -fPIC -shared -I"$source/include" bad.c -o bad.so || fail "the library does not build"
model() { # FUNCTION
  cat <<END
cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: mass, kind: point, mass: 20, position: [0, 0, 0.5]}
    - {name: other, kind: point, mass: 20, position: [1, 0, 0.5]}
  elements:
    - {name: stop, kind: user, to: mass, library: bad.so, function: $1}
    - {name: rod, kind: spring, from: mass, to: other, c: 1.0e4}
simulate: {end: 2, output: 5.0e-3}
END
}
for function in crashes aborts exits overflows hangs nan_later miscounts; do model $function >$function.yaml; done

for threads in 1 2; do
  for case in "crashes|crashed in effort (segmentation fault)" "aborts|crashed in effort (abort)" \
    "overflows|crashed in effort (segmentation fault)" "exits|ended the program in effort (it called exit)"; do
    function=${case%%|*}
    expect 1 run $function.yaml --out $function --threads $threads --set 'partition={parts: 2}' --set couple.scheme=explicit
    says "element 'stop'" "bad.so" "${case#*|}"
  done
done
expect 1 run nan_later.yaml
says "subsystem 1" "the library" "bad.so of element 'stop' returned numbers that are not finite"
expect 2 check miscounts.yaml
says "miscounts.yaml:" "stop.function" "-3 parameters"

# hung SIGNAL: a run whose library does not come back ends within three seconds, with what it had.
hung() {
  "$program" run hangs.yaml --out "hung-$1" >stdout 2>stderr &
  local pid=$! code=0
  sleep 1
  kill "-$1" $pid
  (sleep 3 && kill -KILL $pid) 2>/dev/null &
  local guard=$!
  wait $pid || code=$?
  kill $guard 2>/dev/null
  out=$(<stdout) err=$(<stderr)
  [[ $code == 1 ]] || fail "exit code $code of a library that hangs, expected 1"
  says "element 'stop'" "bad.so" "does not return from effort"
  expect 0 compare "hung-$1" "hung-$1"
}
hung TERM
hung INT

# A library that was copied in part, at any length.
size=$(stat -c %s bad.so)
mv bad.so whole.so
for length in 0 10 100 $((size / 4)) $((size / 2)) $((size - 1)); do
  head -c "$length" whole.so >bad.so
  expect 2 check crashes.yaml
  says "crashes.yaml:" "stop.library" "bad.so"
done
says "is cut off" "$((size - 1)) bytes"
