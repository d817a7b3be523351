#!/usr/bin/env bash
# help, version, the manual page: all from the options themselves. Mistyped words find what was meant.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 help
for command in run check plan sweep optimise compare report study python stability fmu init schema reference completion version help; do
  prints "$command"
  expect 0 help "$command"
  by_help=$out
  expect 0 "$command" --help
  for option in $(grep -o -- '--[a-z-]\+' <<<"$out" | sort -u); do
    [[ $by_help == *"$option"* ]] || fail "help $command does not know $option"
  done
  expect 0 help
done

# Whatever --help of any command knows, the manual page knows.
expect 0 help --man
page=$(sed 's/\\-/-/g' stdout)
for command in $("$program" help --json | sed -n 's/^      "name": "\(.*\)",$/\1/p'); do
  [[ $page == *".SS cosimo $command"* ]] || fail "no section about $command in the manual page"
  while IFS= read -r option; do
    [[ $page == *"$option"* ]] || fail "$option of $command is not in the manual page"
  done < <("$program" "$command" --help | grep -o '^  -[a-z]*,*--[a-z-]\+' | grep -o -- '--[a-z-]\+' | grep -v help)
done
if command -v man >/dev/null; then
  warnings=$(LC_ALL=C.UTF-8 man --warnings -l stdout 2>&1 >/dev/null)
  [[ -z $warnings ]] || fail "the manual page: $warnings"
fi

meant() { # TEXT arguments...
  local text=$1
  shift
  expect 2 "$@"
  says "did you mean $text?"
}
expect 0 run small.yaml --out uncut
meant "'compare'" comapre uncut uncut
meant "'--threads'" run small.yaml --thread 2
meant "'run'" help rum
meant "'zsh'" completion zhs
meant "'velocity'" compare uncut uncut --level velocty
meant "\`uncut\`" compare unct uncut
meant "\`uncut\`" report unct
meant "\`small.yaml\`" run smal.yaml
meant "\`rtol\`" run small.yaml --set control.rtl=1e-3
meant "\`implicit\`" run small.yaml --set couple.scheme=implict
cat >named.yaml <<'END2'
cosimo: 1
model:
  bodies: [{name: crank, kind: point, mass: 1, velocity: [1, 0, 0]}, {name: rod, kind: point, mass: 1, position: [1, 0, 0]}]
  elements: [{name: link, kind: spring, from: crank, to: rod, c: 100}]
simulate: {end: 0.1, output: 0.01}
END2
expect 0 run named.yaml
meant "'crank'" compare named.out named.out --bodies crnak
meant "\`crank\`" check named.yaml --set model.elements.1.from=crnk

# report and compare take the same run as exact: the last.
expect 0 run small.yaml --set solve.rtol=1e-3 --set control.rtol=1e-3 --out rough
expect 0 compare rough uncut --json
error=$(json stdout position)
expect 0 report rough uncut
grep -o '"comparisons":\[[^]]*\]' comparison.html | grep -qF "\"position\":${error:0:8}" || fail "the page takes another run as exact"
