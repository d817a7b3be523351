#!/usr/bin/env bash
# --json: one document on stdout, with the documented fields, errors as well.
source "$(dirname "$0")/prelude.sh" "$@"

# document CODE FIELDS arguments...: the output is one JSON document that has these fields at its top.
document() {
  local code=$1 fields=$2 field
  shift 2
  expect "$code" "$@"
  [[ $out == [\{\[]* && $out == *[\}\]] ]] || fail "no document: cosimo $*"
  for field in $fields; do grep -q "^  \"$field\":" stdout || fail "no field '$field': cosimo $*"; done
  if command -v node >/dev/null; then
    node -e 'JSON.parse(require("fs").readFileSync("stdout", "utf8"))' || fail "not valid: cosimo $*"
  fi
}

document 0 "status wall_s parts macro_steps subsystems folder page" run small.yaml --json
[[ -z $err ]] || fail "stderr is not empty"
document 0 "status folder" run small.yaml --json --no-report --out bare
[[ ! -e bare/report.html && $out != *'"page"'* ]] || fail "a page in spite of --no-report"
[[ $(json stdout status) == ok && $(json stdout parts) == 4 ]] || fail "fields of a run"
document 0 "status file folder description" check small.yaml --json
document 0 "effective" check small.yaml --json --verbose
document 0 "status position velocity both same_model worst wall_s" compare small.out bare --json
[[ $(json stdout both) == 0.0 && $(json stdout speedup) != "" ]] || fail "fields of a comparison"
document 0 "status file" report small.out --json
document 0 "folder recommended schemes" plan small.yaml --pilot 0.02 --json --write cut.yaml
document 0 "status stable_share undamped critical folder" stability --points 4 --json
document 0 "" schema --json
document 0 "" reference --json
prints '"key": "control.rtol"' '"key": "model.bodies.N.mass"'
document 0 "version commands" help --json
prints '"--no-report"'
document 0 "version" version --json
expect 0 version
[[ $out == "$("$program" --version)" ]] || fail "version"

# What is wrong is told on both: in words on stderr, as a document on stdout.
document 2 "status exit_code errors" check small.yaml --json --set model.chain.mass=-1
says "model.chain.mass"
prints '"exit_code": 2' '"field": "model.chain.mass"' '"value": "-1"' '"remedy"'
sed 's/masses: 40/masses: 40, sede: 1/' small.yaml >wrong.yaml
document 2 "status errors" run wrong.yaml --json
prints '"file": "wrong.yaml"' '"line": 3' '"column":' 'did you mean `seed`'
document 2 "status errors" run --json
prints '"message": "FILE is missing'
prints '"field": "FILE"' '"problem": "is missing"' '"remedy": "write  cosimo run FILE"'
document 2 "status errors" rum --json
prints '"value": "rum"' '"problem": "is not a command"' "\"remedy\": \"did you mean 'run'?\""
document 2 "status errors" run small.yaml --json --threads x
prints "\"message\": \"--threads: 'x' is not a whole number from 1 to 4096\"" '"field": "--threads"' '"value": "x"' \
  '"problem": "is not a whole number from 1 to 4096"' '"remedy": "write a whole number from 1 to 4096"'
document 2 "status errors" compare a b --json --level speed
prints '"field": "--level"' '"value": "speed"' '"problem": "is not allowed"' '"remedy": "write position or velocity"'
document 2 "status errors" check "" --json
prints '"field": "FILE"' '"problem": "the name is empty"' '"remedy": "write one'
document 2 "status errors" run small.yaml --json --out a --out b
prints '"field": "--out"' '"problem": "is given 2 times"' '"remedy": "write it once"'
document 2 "status errors" run --json --thread
prints '"value": "--thread"' "\"remedy\": \"did you mean '--threads'?\""
document 2 "status errors" --json run small.yaml
prints '"value": "--json"' '"remedy": "write it behind the command:  cosimo run --json"'
document 2 "status errors" compare nowhere small.out --json
document 1 "status outcome" run small.yaml --json --set control.max_steps=5 --out stopped
[[ $(json stdout status) == failed ]] || fail "a failed run"
mkdir "$(printf 'caf\xe9')"
expect 2 check "$(printf 'caf\xe9')" --json
if command -v node >/dev/null; then node -e 'JSON.parse(require("fs").readFileSync("stdout", "utf8"))' || fail "bytes that are no UTF-8"; fi

# A sweep in a shell loop.
for parts in 2 4; do
  expect 0 run small.yaml --set partition.parts=$parts --out "sweep-$parts" --json --no-report
  printf '%s %s\n' "$parts" "$(json stdout micro_steps_total)" >>table
done
[[ $(wc -l <table) == 2 && ! $(cut -d' ' -f2 table) =~ ^$ ]] || fail "no table of a sweep"

# --quiet leaves stdout and stderr empty where all is well.
for command in "run small.yaml" "check small.yaml" "compare small.out bare" "report small.out" "plan small.yaml --pilot 0.02" \
  "stability --points 4" "init crane"; do
  # shellcheck disable=SC2086
  expect 0 $command --quiet
  [[ -z $out && -z $err ]] || fail "--quiet prints: $command"
done
