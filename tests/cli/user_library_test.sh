#!/usr/bin/env bash
# A user's library that crashed, aborted, ended the program or a thread by any call, hung, returned nothing but NaN or error
# codes or was cut off brought the run down without a name; one that was a pipe was waited for.
source "$(dirname "$0")/prelude.sh" "$@"

cat >bad.c <<'END'
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
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
ELEMENT(exits_at_once, 0, (void)e; _exit(0);)
ELEMENT(exits_in_c, 0, (void)e; _Exit(0);)
ELEMENT(exits_quickly, 0, (void)e; quick_exit(0);)
ELEMENT(ends_thread, 0, (void)e; pthread_exit(0);)
ELEMENT(ends_child, 0, (void)e; if (fork() == 0) _exit(0); wait(0);)
ELEMENT(returns_code, 0, (void)e; return 7;)
ELEMENT(takes_two, 2, (void)e;)
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
for function in crashes aborts exits exits_at_once exits_in_c exits_quickly ends_thread ends_child overflows hangs nan_later \
  returns_code miscounts takes_two; do model $function >$function.yaml; done

for threads in 1 2; do
  for case in "crashes|crashed in effort (segmentation fault)" "aborts|crashed in effort (abort)" \
    "overflows|crashed in effort (segmentation fault)" "exits|ended the program in effort (it called exit)" \
    "exits_at_once|ended the program in effort (it called _exit)" "exits_in_c|ended the program in effort (it called _exit)" \
    "exits_quickly|ended the program in effort (it called quick_exit)" \
    "ends_thread|ended a thread of the program in effort (it called pthread_exit)"; do
    function=${case%%|*}
    expect 1 run $function.yaml --out $function --threads $threads --set 'partition={parts: 2}' --set couple.scheme=explicit
    says "element 'stop'" "bad.so" "${case#*|}"
  done
done
expect 1 run nan_later.yaml
says "subsystem 1" "the library" "bad.so of element 'stop' returned numbers that are not finite"
expect 1 run returns_code.yaml
says "subsystem 1" "bad.so of element 'stop' returned error code 7 from effort"
if command -v c++ >/dev/null; then
  cat >throwing.cpp <<'END'
#include "cosimo/user_element.h"
static int effort(double t, const cosimo_frame*, const cosimo_frame*, const double*, double*) {
  if (t > 0.01) throw 42;
  return 0;
}
extern "C" const cosimo_user_element* throws() {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 0, effort, 0, 0};
  return &description;
}
END
  c++ -O1 -fPIC -shared -I"$source/include" throwing.cpp -o throwing.so || fail "the library does not build"
  model throws | sed s/bad.so/throwing.so/ >throws.yaml
  expect 1 run throws.yaml
  says "throwing.so of element 'stop' threw an exception in effort" "everything up to the last accepted step"
fi
expect 0 run ends_child.yaml --set simulate.end=0.11
expect 2 check miscounts.yaml
says "miscounts.yaml:" "stop.function" "-3 parameters"
expect 2 check takes_two.yaml
says "takes_two.yaml:" "stop.values" "needs 2"

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

# Only a file can be a library.
rm bad.so
mkfifo bad.so
expect 2 check crashes.yaml
says "crashes.yaml:" "stop.library" "bad.so" "is a pipe"
rm bad.so
mkdir bad.so
expect 2 check crashes.yaml
says "crashes.yaml:" "stop.library" "bad.so" "is a folder"
