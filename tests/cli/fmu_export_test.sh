# Scenarios as FMUs: what is inside, that it works alone, and that it has the bits of the native run.
. "$(dirname "$0")/prelude.sh"

build=$(dirname "$(dirname "$program")")
[[ -e $build/lib/cosimo/cosimo-fmu.so && -e $build/fmus/drive && -e $build/fmus/native ]] || exit 77
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

# The binary needs libc alone, shows FMI alone.
needs=$(ldd "$build/lib/cosimo/cosimo-fmu.so" | grep -vE 'linux-vdso|libc\.so|libm\.so|ld-linux')
[[ -z $needs ]] || fail "the binary needs $needs"
if command -v nm >/dev/null; then
  shown=$(nm -D --defined-only "$build/lib/cosimo/cosimo-fmu.so" | awk '{print $3}' | grep -vE '^fmi[23][A-Z]')
  [[ -z $shown ]] || fail "the binary shows $shown"
fi

unpack() { # NAME
  rm -rf "unpacked"
  mkdir unpacked
  (cd unpacked && cmake -E tar xf "../$1.fmu") || fail "$1.fmu"
}
reference() { sed -n "s/.*name=\"$1\" valueReference=\"\([0-9]*\)\".*/\1/p" unpacked/modelDescription.xml; }
# Driven from C, one step in two taken back: the bits of the scenario.
same_bits() { # NAME FILE OUTPUT INPUT [OUTPUT INPUT, as the file calls them]
  local guid number=-1
  unpack "$1"
  guid=$(sed -n 's/.*guid="\([^"]*\)".*/\1/p' unpacked/modelDescription.xml)
  [[ $4 == - ]] || number=$(reference "$4")
  "$build/fmus/drive" "$PWD/unpacked" "$PWD/unpacked/binaries/linux64/$1.so" "$guid" "$(reference "$3")" "$number" \
    >fmu.txt 2>fmu.err || fail "$1: $(cat fmu.err)"
  "$build/fmus/native" "$2" "${5:-$3}" "${6:-$4}" >native.txt || fail "$2"
  [[ $(wc -l <fmu.txt) == 32 ]] || fail "$1 has no steps"
  [[ $(sort -u fmu.txt | wc -l) -gt 8 ]] || fail "$1 does not move"
  cmp -s fmu.txt native.txt || fail "$1: other bits: $(diff fmu.txt native.txt | head -n 5)"
}

# A chain in four parts.
sed 's/end: 1.0e-4, output: 1.0e-6/end: 1, output: 0.1/; s/c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5/c: 2.5, d: 1.0e-3/; s/\[-100, 100\]/[-1, 1]/' \
  small.yaml >chain.yaml
expect 0 fmu chain.yaml -o chain.fmu
prints 'no inputs' '80 outputs' 'and 60 more' 'Written to chain.fmu' 'Written to chain.fmi3.fmu'
same_bits chain chain.yaml 20.x -

# A tower with an input; other parameters by --set.
expect 0 fmu "$source/examples/fmu/tower.yaml" --set model.parameters.wind=1.0e4 --fmi 2
prints '1 input' 'push' '2 parameters' 'wind' '10000 at the start' '2 outputs' 'der(4.x)'
[[ ! -e tower.fmi3.fmu ]] || fail "the other version is written as well"
sed 's/wind: 2.0e4/wind: 1.0e4/' "$source/examples/fmu/tower.yaml" >tower.yaml
same_bits tower tower.yaml 4.x push

# A mechanism whose torque comes from outside.
cat >arm.yaml <<'YAML'
cosimo: 1
model:
  gravity: [0, -9.81, 0]
  bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}]
  joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]
subsystems: [{name: torque, input: {}}]
connections: [{from: torque.out, to: arm.Tz}]
simulate: {end: 1, output: 0.1}
export: {outputs: [arm.x, arm.y]}
YAML
expect 0 fmu arm.yaml
same_bits arm arm.yaml arm.y torque

# Curves from a folder above, an included file, a PID: everything travels.
mkdir -p deep/model data
printf 't,y\n0,0\n0.25,1\n0.5,0.5\n2,0\n' >data/course.csv
cat >deep/parts.yaml <<'YAML'
parameters: {gain: 30}
curves: [{name: course, file: ../data/course.csv}]
YAML
cat >deep/model/pid.yaml <<'YAML'
cosimo: 1
model:
  include: ../parts.yaml
  bodies: [{name: cart, kind: point, mass: 1, position: [0.1, 0, 0]}]
  elements: [{name: spring, kind: spring, to: cart, at_from: [-1, 0, 0], c: 20, d: 1, length: 1}]
subsystems:
  - {name: controller, pid: {kp: gain, reference: course(t)}}
connections:
  - {from: cart.x, to: controller.measured}
  - {from: controller.out, to: cart.Fx}
simulate: {end: 1, output: 0.1}
YAML
expect 0 check deep/model/pid.yaml
expect 0 fmu deep/model/pid.yaml
mv data moved
unpack pid
[[ -n $(find unpacked/resources -name course.csv) ]] || fail "the curve does not travel"
mv moved data
same_bits pid deep/model/pid.yaml cart.x -

# Imported again, with macro steps at the same instants (and no others, for output times): the same bits.
cat >around.yaml <<'YAML'
cosimo: 1
model: {chain: {masses: 1, mass: 1, spring: {c: 1}, initial: {x: 1, v: 0}}}
subsystems:
  - {name: drive, input: {}}
  - {name: tower, fmu: tower.fmu}
connections: [{from: drive.out, to: tower.push}]
simulate: {end: 1, output: macro}
control: {first_step: 1, max_step: 1}
YAML
"$build/fmus/native" tower.yaml 4.x push >native.txt || fail "tower.yaml"
cp "$source/examples/fmu/tuned_tower.yaml" .
for version in 2 3; do
  expect 0 fmu tower.yaml --fmi $version
  "$build/fmus/native" around.yaml tower.4.x drive >around.txt || fail "around.yaml"
  cmp -s around.txt native.txt || fail "FMI $version: other bits: $(diff around.txt native.txt | head -n 5)"
  expect 0 run tuned_tower.yaml --set simulate.end=1 --out tuned$version
done
# An FMU in an FMU.
expect 0 fmu tower.yaml --fmi 2
expect 0 fmu around.yaml --fmi 2
prints 'the FMU tower travels inside'
mv tower.fmu away.fmu
same_bits around tower.yaml tower.4.x drive 4.x push
mv away.fmu tower.fmu
[[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"

# What cannot be exported.
expect 2 fmu tower.yaml --set 'export.outputs=[4.z]'
says 'export.outputs' '4.z' 'no such variable'
expect 2 fmu tower.yaml --set 'export.parameters=[stiff]'
says 'export.parameters' 'there is no number of that name'
expect 2 fmu missing.yaml
expect 2 fmu tower.yaml -o missing/tower.fmu
says '--out' 'there is no folder missing' 'make it'
mkdir -p folder.fmu
expect 2 fmu tower.yaml -o folder.fmu
says 'is a folder'
# Nothing but an FMU is replaced, and none that the new one is made of.
cp tower.yaml own.yaml
expect 2 fmu own.yaml -o own.yaml
says 'no FMU: it is not replaced'
cmp -s own.yaml tower.yaml || fail "the scenario is gone"
expect 2 fmu around.yaml -o tower.fmu --fmi 2
says 'made of'
# Two variables of one name.
for setting in 'export.outputs=[4.x, 4.x]' 'export.parameters=[wind, wind]' 'export.parameters=[wind, model.parameters.wind]'; do
  expect 2 fmu tower.yaml --set "$setting"
  says "${setting%%=*}" 'another'
done
sed 's/wind/time/g' tower.yaml >times.yaml
expect 2 fmu times.yaml
for name in time wind 4.x; do
  sed "s/push/$name/g; /^export:/,\$d" tower.yaml >names.yaml
  expect 2 fmu names.yaml
  says "$name"
done
# Parameters are quantities. Those of included files stay, and it is said.
for key in cosimo simulate.end model.chain.masses solve.rtol; do
  expect 2 fmu tower.yaml --set "export.parameters=[$key]"
  says 'export.parameters' "$key" 'no quantity'
done
expect 0 fmu deep/model/pid.yaml --fmi 2
prints 'an included file has them: gain' 'no parameters'
sed 's/masses: 4/masses: n/; s/wind: 2.0e4/&, n: 4/' "$source/examples/fmu/tower.yaml" >counted.yaml
expect 0 fmu counted.yaml --fmi 2
prints 'n is no parameter of the FMU: it counts things' '2 parameters'
# What can be exported as a scenario with FMUs alone.
: >system.ssp
expect 2 fmu system.ssp
says 'System Structure Package' 'fmu: system.ssp/resources/NAME.fmu'
expect 2 fmu -
says 'standard input'
# A name that is no UTF-8.
latin=$(printf 't\366wer.yaml')
cp tower.yaml "$latin"
expect 0 fmu "$latin" -o latin.fmu --fmi 2
# A disk that is full, as a limit is: the real cause, and nothing left.
(ulimit -f 64 && expect 1 fmu tower.yaml -o full.fmu && says 'cannot write' 'File too large') || exit 1
[[ ! -e full.fmu ]] || fail "half of an archive is left"
# Interrupted at any time: all or nothing.
rm -f latin.fmu
for wait in 0.3 0.6 0.9 1.2 1.5; do
  "$program" fmu tower.yaml -o cut.fmu --fmi 2 >/dev/null 2>&1 &
  sleep $wait
  kill -TERM $! 2>/dev/null
  wait $! 2>/dev/null
  [[ -z $(ls | grep -F .part) ]] || fail "a part of an archive is left"
  [[ ! -e cut.fmu ]] || cmake -E tar tf cut.fmu >/dev/null || fail "half of an archive is left"
  rm -f cut.fmu
done
for _ in 1 2 3 4 5 6 7 8 9 10; do [[ -z $(ls "$TMPDIR") ]] || sleep 0.3; done
[[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"
