# FMUs as subsystems, from the command line.
. "$(dirname "$0")/prelude.sh"

fmus=$(dirname "$(dirname "$program")")/fmus
[[ -e $fmus/half.fmu ]] || exit 77 # built with the tests of fmi/
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

pair() { # INTERFACE SCHEME CONTROL [MORE KEYS OF b]
  cat >pair.yaml <<YAML
cosimo: 1
model: {chain: {masses: 1, mass: 1, spring: {c: [1, 0], d: 0}, ends: [fixed, free], initial: {x: 0, v: 0}}}
subsystems:
  - {name: a, fmu: ${fmu:-$fmus/half.fmu}, interface: $1}
  - {name: b, fmu: $fmus/half.fmu, interface: $1, set: {m: 2, c: 300, x_state: -0.05${4:-}}}
connections:
  - {from: a.x, to: b.x_other}
  - {from: a.v, to: b.v_other}
  - {from: b.x, to: a.x_other}
  - {from: b.v, to: a.v_other}
simulate: {end: 1, output: macro}
solve: {rtol: 1.0e-11}
couple: {scheme: $2}
control: {$3}
YAML
}
nothing_left() { [[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"; }

# The two-mass oscillator in two FMUs: order kappa + 1 of the positions at the end.
if command -v h5dump >/dev/null; then
  last() { h5dump -d /coupling/u -m %.15g "$1/results.h5" | grep '^ *([0-9]*,0)' | tail -n 1 | sed 's/.*: //; s/,.*//'; }
  for interface in co-simulation model-exchange; do
    for scheme in explicit implicit; do
      for kappa in 1 2; do
        values=()
        for step in 0.005 0.0025 0.00125; do
          pair $interface $scheme "step: $step, order: $kappa"
          expect 0 run pair.yaml --out pair
          values+=("$(last pair)")
        done
        awk -v a="${values[0]}" -v b="${values[1]}" -v c="${values[2]}" -v k=$kappa 'BEGIN {
          order = log((a - b) / (b - c)) / log(2); exit !(order > k + 0.75 && order < k + 1.25) }' ||
          fail "$interface $scheme kappa $kappa: ${values[*]}"
      done
    done
  done
  # Controlled, and the same bits on one thread and on two. The solution at the end is 0.0219330313.
  pair co-simulation implicit 'rtol: 1.0e-6'
  expect 0 run pair.yaml --out one --threads 1
  expect 0 run pair.yaml --out two --threads 2
  [[ $(last one) == "$(last two)" ]] || fail "threads change the result"
  for interface in co-simulation model-exchange; do
    for scheme in explicit implicit; do
      for rtol in 1.0e-4 1.0e-6; do
        pair $interface $scheme "rtol: $rtol"
        expect 0 run pair.yaml --out controlled
        awk -v x="$(last controlled)" -v rtol=$rtol 'BEGIN { d = x - 0.02193303; exit !(d < 5 * rtol && -d < 5 * rtol) }' ||
          fail "$interface $scheme $rtol: $(last controlled)"
      done
    done
  done
fi
nothing_left

# Bad moods end the run in order, from t = 0.5 on.
pair co-simulation explicit 'step: 0.01' ', mode: 3'
expect 1 run pair.yaml --out bad
says 'reports an error: fmi2DoStep: in a bad mood'
nothing_left
pair co-simulation explicit 'step: 0.01' ', mode: 4'
expect 1 run pair.yaml --out bad
says 'reports a fatal error'
pair co-simulation explicit 'rtol: 1.0e-4' ', mode: 2'
expect 1 run pair.yaml --out bad
says 'discards the step'
pair co-simulation explicit 'step: 0.01' ', mode: 7'
expect 2 run pair.yaml --out bad
says 'cannot be initialised'
if [[ -z ${COSIMO_SANITIZE:-} ]]; then
  pair co-simulation explicit 'step: 0.01' ', mode: 1'
  expect 1 run pair.yaml --out bad
  says "subsystem 'b': the library"
  says 'crashed in fmi2DoStep (segmentation fault)'
  pair co-simulation explicit 'step: 0.01' ', mode: 6'
  expect 1 run pair.yaml --out bad
  says 'ended the program in fmi2DoStep'
  for _ in $(seq 50); do [[ -z $(ls "$TMPDIR") ]] || sleep 0.1; done
fi
nothing_left

# An FMU that cannot go back.
cp -r "$fmus/half" poor
sed -i 's/canGetAndSetFMUstate="true"/canGetAndSetFMUstate="false"/g' poor/modelDescription.xml
(cd poor && cmake -E tar cf ../poor.fmu --format=zip modelDescription.xml binaries)
fmu=$PWD/poor.fmu
pair co-simulation explicit 'rtol: 1.0e-4'
expect 2 check pair.yaml
says 'a: it cannot go back to an earlier state'
pair co-simulation implicit 'step: 0.01'
expect 2 run pair.yaml --out bad
says 'the implicit scheme needs'
pair co-simulation explicit 'step: 0.01'
expect 0 run pair.yaml --out poor_out
prints 'a cannot go back to an earlier state'
prints 'exCV'
fmu=

# One whose steps all have the same size (mode 13: it refuses others): fixed macro steps are these.
pair co-simulation explicit 'step: 0.01' ', mode: 13'
expect 1 run pair.yaml --out bad
says 'in a bad mood at t = '
mkdir even
cp -r "$fmus/half" even/stage
sed -i 's/canHandleVariableCommunicationStepSize="true"//' even/stage/modelDescription.xml
(cd even/stage && cmake -E tar cf ../half.fmu --format=zip modelDescription.xml binaries)
all=$fmus fmus=$PWD/even
pair co-simulation explicit 'rtol: 1.0e-4' ', mode: 13'
expect 2 run pair.yaml --out bad
says 'b: it takes steps of one size only' 'control: {step: ...}'
for scheme in explicit implicit; do
  for order in 0 1 2; do
    pair co-simulation $scheme "step: 0.005, order: $order" ', mode: 13'
    expect 0 run pair.yaml --out even_out
    prints 'b takes steps of one size only: the run begins with a whole one'
    ! command -v h5dump >/dev/null ||
      awk -v x="$(last even_out)" -v k=$order 'BEGIN { d = x - 0.02193303; most = k > 0 ? 5e-4 : 1e-2; exit !(d < most && -d < most) }' ||
      fail "$scheme, order $order: $(last even_out)"
  done
done
fmus=$all

# What is wrong is told where it is written.
cat >set.yaml <<YAML
cosimo: 1
subsystems:
  - name: a
    fmu: $fmus/half.fmu
    set:
      m: 2
      c: abc
      mode: 99999999999
      mod: 3
simulate: {end: 1}
YAML
expect 2 check set.yaml
says 'set.yaml:3' 'subsystems.1.set.c' 'abc' 'must be a number' \
  'subsystems.1.set.mode' 'must be between -2147483648 and 2147483647' \
  'subsystems.1.set.mod' 'did you mean `mode`?'
sed -i 's/fmu: .*/fmu: nothere.fmu/' set.yaml
expect 2 check set.yaml
says 'set.yaml:3' 'subsystems.1.fmu' 'there is no such file'

# What is set must be there.
pair co-simulation explicit 'step: 0.01' ', mas: 2'
expect 2 check pair.yaml
says 'the FMU has no variable of this name'
nothing_left
