#!/usr/bin/env bash
# With stdout and stderr closed results.h5 became descriptor 2 and progress was printed into it; unwritable stderr aborted.
source "$(dirname "$0")/prelude.sh" "$@"

# code EXPECTED DESCRIPTION FOUND
code() { [[ $3 == "$1" ]] || fail "exit code $3, expected $1: $2"; }

expect 0 run small.yaml --out reference --csv
"$program" run small.yaml --set run.progress=on --out closed --csv <&- >&- 2>&-
code 1 "the summary of a run had nowhere to go" $?
cmp reference/results.csv closed/results.csv || fail "closed streams give another result"
expect 0 compare closed reference
prints "101 output times"
"$program" run small.yaml --quiet --out closed <&- >&- 2>&- || fail "there was nothing to print, and all was closed"
for command in schema reference --help --version "compare closed reference" "check small.yaml"; do
  # shellcheck disable=SC2086
  "$program" $command >&- 2>stderr </dev/null
  code 1 "$command with stdout closed" $?
  err=$(<stderr)
  says "could not be written" "Bad file descriptor"
done

# What cannot be printed on stdout is an error, on every command that prints its result.
for command in "run small.yaml --out full" "check small.yaml" "compare reference reference" schema reference --help \
  --version "run --help" "report reference" "stability --points 4" "study --list"; do
  # shellcheck disable=SC2086
  "$program" $command >/dev/full 2>stderr </dev/null
  code 1 "$command on a full disk" $?
  err=$(<stderr)
  says "could not be written" "No space left on device"
  [[ $err != *--threads* ]] || fail "a full disk has nothing to do with threads"
done
expect 0 compare full reference
"$program" run small.yaml --quiet --out full >/dev/full || fail "there was nothing to print"

# stderr that cannot be written changes nothing.
"$program" check no-such-file.yaml 2>/dev/full
code 2 "an error on a full disk" $?
"$program" run small.yaml --set run.progress=on --resume --out never >stdout 2>/dev/full
code 0 "progress and notes on a full disk" $?
"$program" run small.yaml --set run.progress=on --resume --out never >/dev/full 2>/dev/full
code 1 "nothing can be printed" $?
