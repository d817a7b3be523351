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
says "FILE is missing; write  cosimo run FILE"
expect 2 run small.yaml --colour
says "'--colour' is not an option of \`cosimo run\`" "cosimo run --help"
expect 2 run small.yaml -x
says "'-x' is not an option of \`cosimo run\`"
expect 2 --colour
says "'--colour' is not an option of \`cosimo\`"
expect 2 run small.yaml other.yaml
says "'other.yaml' is one argument too many; write  cosimo run FILE"
expect 2 run small.yaml --bodies 1
says "'--bodies' is not an option"
expect 2 check small.yaml run other.yaml
says "'run' is one argument too many; write  cosimo check FILE"
expect 2 schema ""
says "error: '' is one argument too many"
expect 2 schema all
says "'all' is one argument too many; write  cosimo schema"
expect 2 run small.yaml --threads
says "--threads needs a value; write  --threads N"
expect 2 run -o
says "--out needs a value; write  --out DIR"
expect 2 run small.yaml -o x --out y
says "--out is given 2 times; write it once"
expect 2 stability --range 1,2,3
says "--range takes 2 values at most, not 3"
expect 2 run small.yaml --csv=no
says "--csv takes no value"
expect 2 run small.yaml --sett control.rtol=1e-5
says "'--sett' is not an option" "did you mean '--set'"
# A mistyped option is named before what is missing for its sake, and one before the command is sent behind it.
expect 2 run --hlp
says "'--hlp' is not an option of \`cosimo run\`" "did you mean '--help'"
expect 2 run --thread
says "'--thread' is not an option" "did you mean '--threads'"
expect 2 compare only-one -x
says "'-x' is not an option of \`cosimo compare\`"
expect 2 --json run small.yaml
says "'--json' is not an option of \`cosimo\`; write it behind the command:  cosimo run --json"
expect 2 --json run
says "cosimo run --json"
expect 2 --quiet
says "behind the command:  cosimo COMMAND --quiet"
expect 2 run small.yaml --threads 0
says "--threads" "1 to"
expect 2 run small.yaml --threads many
says "--threads"
expect 0 run small.yaml --resume -o never
says "there is no checkpoint" "from the beginning"
expect 2 compare only-one
says "B is missing; write  cosimo compare A B"
expect 2 compare a b --level acceleration
says "--level: 'acceleration' is not allowed; write position or velocity"
for list in 0 -3 '1,' ',1' 5-2 1-x 99999999999999999999; do
  expect 2 compare a b "--bodies=$list"
  says "--bodies"
done
# Numbers and names are refused alike by every command: no number, not finite, out of bounds, empty.
refused() { # OPTION VALUE COMMAND...
  expect 2 "${@:3}" "$1" "$2"
  says "$1:" "'$2' is not a"
}
for value in nan inf -1 0 1e400 ''; do
  for option in --pilot --error --latency --bandwidth --threads; do refused "$option" "$value" plan small.yaml; done
  for option in --scale --threads; do refused "$option" "$value" study safety; done
  for option in --mass-ratio --points --threads; do refused "$option" "$value" stability; done
  refused --threads "$value" run small.yaml
done
for value in nan inf -1 x; do
  for option in --stiffness-ratio --damping-ratio --range; do refused "$option" "$value" stability; done
done
expect 2 stability --range 1,nan
says "--range:" "'nan' is not a number above 0 up to 1000"
refused --seed 1.5 study safety
refused --threads 2.5 run small.yaml
for command in "run small.yaml --out" "run" "check" "plan small.yaml --out" "plan small.yaml --write" "plan" "compare a" \
  "compare a b --bodies" "report a --out" "report a --bodies" "report" "study safety --out" "study" "stability --out" "stability"; do
  expect 2 $command ""
  says "the name is empty"
done
[[ -z $(find . -name '*.plan') ]] || fail "a refused command wrote something"
expect 2 run no-such-file.yaml
says "no-such-file.yaml"
expect 2 run .
expect 2 compare no-such-folder no-such-folder
says "no-such-folder"
[[ -z $(find . -name '*.out') ]] || fail "a refused command left an output folder"
