#!/usr/bin/env bash
# Exit codes and messages of a mistyped command line.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 --version
[[ $out =~ ^cosimo\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version"
expect 0 --help
prints run check compare schema reference
for command in run check compare schema reference; do expect 0 "$command" --help; done

expect 2
expect 2 rum small.yaml
says "'rum' is not a command" "did you mean 'run'"
expect 2 small.yaml
says "cosimo run small.yaml"
expect 2 frobnicate
says "there are: run"
expect 2 run
says "FILE"
expect 2 run small.yaml --colour
says "--colour" "--help"
expect 2 run small.yaml --sett control.rtol=1e-5
says "'--sett' is not an option" "did you mean '--set'"
expect 2 run small.yaml --threads 0
says "--threads" "1 to"
expect 2 run small.yaml --threads many
says "--threads"
expect 0 run small.yaml --resume -o never
says "there is no checkpoint" "from the beginning"
expect 2 compare only-one
expect 2 compare a b --level acceleration
says "position" "velocity"
for list in x 0 -3 '1,' ',1' 5-2 1-x 99999999999999999999; do
  expect 2 compare a b "--bodies=$list"
  says "--bodies"
done
expect 2 run no-such-file.yaml
says "no-such-file.yaml"
expect 2 run .
expect 2 compare no-such-folder no-such-folder
says "no-such-folder"
[[ -z $(find . -name '*.out') ]] || fail "a refused command left an output folder"
