#!/usr/bin/env bash
# What is wrong on one rank only is found, said once with the rank's name, and nothing is run.
source "$(dirname "$0")/prelude.sh" "$@"

refused() { # RANK TEXT...: with `elsewhere` as the folder of that rank
  local rank=$1
  shift
  ranks 3 2 ./at "$rank" "$program" run small.yaml --out out
  said_once "cosimo: error:"
  [[ $rank == 0 ]] || says "rank $rank of 3"
  says small.yaml "$@"
  [[ ! -e out && ! -e elsewhere/out ]] || fail "something was written"
}

# Readable by some ranks only.
refused 1
refused 0
mv small.yaml elsewhere
refused_by_most() {
  ranks 3 2 ./at 1 "$program" run small.yaml --out out
  said_once "cosimo: error:"
  says small.yaml
}
refused_by_most
cp elsewhere/small.yaml .

# Unlike versions of the file: in the model, in what is included, in the syntax.
sed 's/seed: 7/seed: 8/' small.yaml >elsewhere/small.yaml
refused 2 "another text than rank 0"
refused 0 "another text than rank 0" # rank 0 is taken as right: rank 1 is named
sed 's/masses: 40/masses: many/' small.yaml >elsewhere/small.yaml
refused 1 masses
sed 's/masses: 40/masses: -4/' small.yaml >elsewhere/small.yaml
refused 2 masses

# The same to the last letter is not asked for: comments do not count.
{ echo "# a comment"; cat small.yaml; } >elsewhere/small.yaml
ranks 3 0 ./at 1 "$program" run small.yaml --quiet --out out
[[ -z $err ]] || fail "a comment on one rank is no fault"
