#!/usr/bin/env bash
# Under mpirun one rank speaks; commands that are not runs are the business of one rank.
source "$(dirname "$0")/prelude.sh" "$@"

once() { # COMMAND...: prints the same as without mpirun
  expect 0 "$@"
  local alone=$out
  ranks 3 0 "$program" "$@"
  [[ $out == "$alone" && -z $err ]] || fail "not as without mpirun: cosimo $*"
}
once --version
once --help
once check small.yaml
once schema
expect 0 run small.yaml --quiet --out alone
once compare alone alone

# Wrong words are told once, with the exit code they have.
ranks 3 2 "$program" rum small.yaml
said_once "did you mean 'run'"
ranks 3 2 "$program" check missing.yaml
said_once "missing.yaml"
ranks 3 2 "$program" run missing.yaml
said_once "cosimo: error:"
ranks 3 2 "$program" run small.yaml --thread 2
said_once "did you mean '--threads'"

# A scenario from standard input: mpirun gives it to rank 0, which gives it to all.
found=0
"${mpi[@]}" -n 3 timeout "$patience" "$program" run - --out piped <small.yaml >stdout 2>stderr || found=$?
err=$(<stderr)
[[ $found == 0 && $(json piped/summary.json ranks) == 3 ]] || fail "a scenario from standard input"
expect 0 compare piped alone
[[ $out =~ both\ +0\.000e\+00 ]] || fail "another result from standard input"

# A run prints one table.
ranks 3 0 "$program" run small.yaml --out three
[[ $(grep -c "Written to three" stdout) == 1 ]] || fail "one table"
[[ $(json three/summary.json ranks) == 3 ]] || fail "ranks in summary.json"
