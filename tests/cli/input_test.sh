#!/usr/bin/env bash
# `-` is a scenario from standard input, for every command that takes one.
source "$(dirname "$0")/prelude.sh" "$@"

from_input() { # CODE FILE arguments...
  local code=$1 file=$2 found=0
  shift 2
  "$program" "$@" >stdout 2>stderr <"$file" || found=$?
  out=$(<stdout) err=$(<stderr)
  [[ $found == "$code" ]] || fail "exit code $found, expected $code: cosimo $* <$file"
}

from_input 0 small.yaml run -
prints "Written to stdin.out"
expect 0 run small.yaml
expect 0 compare stdin.out small.out
[[ $out =~ both\ +0\.000e\+00 ]] || fail "another result from standard input"
from_input 0 small.yaml run - --set partition.parts=2 --out two
[[ $(json two/summary.json parts) == 2 ]] || fail "--set has no effect"
from_input 0 small.yaml check -
prints "stdin is valid"
from_input 0 small.yaml plan - --pilot 0.02
prints "stdin.plan"
sed 's/explicit}/explicit, decomposition: force-force}/' small.yaml >classic.yaml
from_input 0 classic.yaml stability - --points 4
prints "stdin.stability"
sed 's/mass: 5.0e-5/mass: -1/' small.yaml >wrong.yaml
from_input 2 wrong.yaml run -
says "stdin:3:" "model.chain.mass: -1" "    3 |   chain: {masses: 40, mass: -1" "^~"
from_input 2 /dev/null run -
says "stdin" "is empty"
[[ ! -e stdin ]] || fail "a file called stdin"

# A file that is called - has another name.
cp small.yaml ./-
expect 0 run ./- --out dash
