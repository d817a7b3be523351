#!/usr/bin/env bash
# A search from the command line: an optimum known in closed form, resumed, refused, and both ways to be told of it.
source "$(dirname "$0")/prelude.sh" "$@"

cat >two.yaml <<'END'
cosimo: 1
model:
  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, 0.1], v: 0}}
simulate: {end: 2, output: 0.01}
partition: none
solve: {rtol: 1.0e-9}
END
# The first mass begins at rest, the second in its place: nothing is ever further out than the first one's start.
cat >best.yaml <<'END'
cosimo: 1
optimise:
  scenario: two.yaml
  vary:
    model.chain.initial.x.1: {from: -1, to: -0.05}
  measure: {miss: (max(abs(1.x)) - 0.3)^2, other: max(abs(2.x))}
  minimise: miss
  n: 60
  batch: 2
  limits: {time: 5 min}
END
sed -i 's/x: \[-0.1, 0.1\]/x: [-0.1, 0]/' two.yaml

# -- the file itself
expect 0 check best.yaml
prints "best.yaml is valid" "at most 60 runs of two.yaml" "minimise: miss"
expect 0 check "$source/examples/series/best.yaml"
expect 2 run best.yaml
says "optimise" "cosimo optimise FILE"
expect 2 sweep best.yaml
says "cosimo optimise best.yaml"
expect 2 optimise two.yaml
says "optimise" "cosimo run"
sed 's/minimise: miss/minimise: mis/' best.yaml >wrong.yaml
expect 2 optimise wrong.yaml --out never
says "wrong.yaml:7" "optimise.minimise" "there are miss, other"
sed 's/to: -0.05/to: soon/' best.yaml >wrong.yaml
expect 2 optimise wrong.yaml --json --out never
says "wrong.yaml:5" "soon"
prints '"exit_code": 2' '"line": 5'
sed 's/initial.x.1/inital.x.1/' best.yaml >wrong.yaml
expect 2 optimise wrong.yaml --out never
says "wrong.yaml:5" "initial"
[[ ! -e never ]] || fail "a refused search left a folder"
mkdir other && touch other/mine
expect 2 optimise best.yaml --out other
says "other" "no search wrote"

# -- the rest needs the module and the libraries of the methods
python=$(sed -n 's/^COSIMO_PYTHON_PROGRAM:FILEPATH=//p' "$(dirname "$program")/../CMakeCache.txt" 2>/dev/null)
[[ -e $(dirname "$program")/../python/cosimo/__init__.py ]] || exit 77
"${python:-/usr/bin/python3}" -c 'import nlopt, scipy, optuna' 2>/dev/null || exit 77

near() { # VALUE EXPECTED TOLERANCE
  awk -v a="$1" -v b="$2" -v d="$3" 'BEGIN { exit !(a - b < d && b - a < d) }' || fail "$1 is not $2"
}

expect 0 optimise best.yaml --out one --json --workers 1
cp stdout one.json
prints '"status": "ok"' '"method": "bobyqa"' '"failed": 0'
near "$(json one.json model.chain.initial.x.1)" -0.3 1e-4
[[ -s one/runs/variants.csv ]] || fail "no table"

# -- the same points whoever runs them; the same command again runs nothing
expect 0 optimise best.yaml --out two --json --workers 2 --threads 2
cmp one/runs/variants.csv two/runs/variants.csv || fail "two workers give another table"
cmp <(grep -v '"folder"' one.json) <(grep -v '"folder"' stdout) || fail "two workers find something else"
stamp=$(stat -c %Y.%s one/runs/journal)
expect 0 optimise best.yaml --out one --json
cmp one.json stdout || fail "the second time says something else"
[[ $stamp == "$(stat -c %Y.%s one/runs/journal)" ]] || fail "known points ran again"

# -- what was ended goes on: a shorter search is the beginning of the longer one
sed 's/n: 60/n: 6/' best.yaml >short.yaml
expect 0 optimise short.yaml --out part --json
rows=$(wc -l <part/runs/variants.csv)
[[ $rows == 7 ]] || fail "$rows rows after 6 points"
expect 0 optimise best.yaml --out part --json
cmp <(grep -v '"folder"' one.json) <(grep -v '"folder"' stdout) || fail "a continued search finds something else"
cmp one/runs/variants.csv part/runs/variants.csv || fail "a continued search has another table"

# -- for people: a table, best first
expect 0 optimise best.yaml --out one
prints "by bobyqa, 0 failed; best first" "model.chain.initial.x.1" "miss" "one/runs/variants.csv"
expect 0 optimise best.yaml --out one --quiet
[[ -z $out ]] || fail "prints though quiet"

# -- choices, several goals and a bound: every point of the front keeps it
sed 's/minimise: miss/minimise: miss\n  maximise: other\n  bounds: {other: {max: 0.5}}/; s/{from: -1, to: -0.05}/[-1, -0.4, -0.3, -0.2]/
     s/n: 60/n: 12/' best.yaml >front.yaml
expect 0 optimise front.yaml --json
prints '"method": "nsga2"' '"evaluations": 12'
[[ -d front.search ]] || fail "no folder of its own name"
/usr/bin/env grep -o '"other": [0-9.e-]*' stdout | awk '{ if ($2 > 0.5 + 1e-9) bad = 1; n++ } END { exit bad || !n }' ||
  fail "a point beyond the bound"

# -- no point is any good: a failed search, exit code 1
sed 's/minimise: miss/minimise: miss\n  bounds: {other: {min: 100}}/; s/n: 60/n: 4/' best.yaml >none.yaml
expect 1 optimise none.yaml --json
says "none of 4 points is any good"
prints '"exit_code": 1'
