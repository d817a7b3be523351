# Algebraic loops of FMUs that feed through: y = a u + b each.
. "$(dirname "$0")/prelude.sh"

fmus=$(dirname "$(dirname "$program")")/fmus
[[ -e $fmus/gain.fmu ]] || exit 77 # built with the tests of fmi/
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

loop() { # A OF THE SECOND, KEYS OF BOTH
  cat >loop.yaml <<YAML
cosimo: 1
subsystems:
  - {name: one, fmu: $fmus/gain.fmu, set: {a: 2, b: 1}$2}
  - {name: two, fmu: $fmus/gain.fmu, set: {a: $1, b: 3}$2}
connections:
  - {from: one.y, to: two.u}
  - {from: two.y, to: one.u}
simulate: {end: 1, output: 0.5}
control: {step: 0.1}
YAML
}
for key in ', interface: co-simulation' ', interface: model-exchange' ', isolate: true'; do
  for scheme in explicit implicit waveform; do
    # x = 2 y + 1, y = -x + 3: x = 7/3, y = 2/3, at the start as later.
    loop -1 "$key"
    expect 0 run loop.yaml --out out --csv --set couple.scheme=$scheme
    awk -F, 'NR > 1 { for (i = 2; i <= 3; ++i) { d = $i - (i == 2 ? 7 / 3 : 2 / 3); if (d > 1e-9 || d < -1e-9) exit 1 }; ++n }
      END { exit !(n == 3) }' out/results_outputs.csv || fail "$key $scheme: $(cat out/results_outputs.csv)"
    # x = 2 y + 1, y = x / 2 + 3 has no solution.
    loop 0.5 "$key"
    expect 2 run loop.yaml --out none --set couple.scheme=$scheme
    says 'loop.yaml:6' 'one.y -> two.u' 'two.y -> one.u' 'algebraic loop'
    expect 2 check loop.yaml --set couple.scheme=$scheme
  done
done
[[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"
