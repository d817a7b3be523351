# FMUs in processes of their own, from the command line.
. "$(dirname "$0")/prelude.sh"

fmus=$(dirname "$(dirname "$program")")/fmus
[[ -e $fmus/half.fmu ]] || exit 77 # built with the tests of fmi/
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

pair() { # MODEL OF BOTH, MORE KEYS, VALUES SET IN b, CONTROL
  cat >pair.yaml <<YAML
cosimo: 1
subsystems:
  - {name: a, fmu: $fmus/$1.fmu$2}
  - {name: b, fmu: $fmus/$1.fmu$2, set: {m: 2, c: 300, x_state: -0.05$3}}
connections:
  - {from: a.x, to: b.x_other}
  - {from: a.v, to: b.v_other}
  - {from: b.x, to: a.x_other}
  - {from: b.v, to: a.v_other}
simulate: {end: 1, output: 0.01}
control: {$4}
YAML
}
hosts() { pgrep -f "$TMPDIR/.*/cosimo-fmu-host"; }
nothing_left() {
  for _ in $(seq 100); do
    [[ -z $(ls "$TMPDIR") && -z $(hosts) ]] && return
    sleep 0.05
  done
  fail "left: $(ls "$TMPDIR") $(hosts)"
}

# The same bits as in one process.
for model in half half3; do
  for interface in co-simulation model-exchange; do
    for scheme in explicit implicit; do
      pair $model ", interface: $interface" '' 'rtol: 1.0e-5'
      expect 0 run pair.yaml --out here --csv --set couple.scheme=$scheme
      pair $model ", interface: $interface, isolate: true" '' 'rtol: 1.0e-5'
      expect 0 run pair.yaml --out there --csv --set couple.scheme=$scheme
      cmp here/results_outputs.csv there/results_outputs.csv || fail "$model $interface $scheme"
    done
  done
done
nothing_left

# Crash, exit and hang end the run in order: what was accepted is there.
moods='5 6'
[[ -n ${COSIMO_SANITIZE:-} ]] || moods="1 $moods" # sanitizers catch crashes themselves
for mode in $moods; do
  for control in 'step: 0.01' 'rtol: 1.0e-5'; do
    pair half ', isolate: true, time_limit: 0.3' ", mode: $mode" "$control"
    expect 1 run pair.yaml --out bad --csv
    case $mode in
      1) says 'subsystem 2 (b)' 'the FMU has ended: it crashed (segmentation fault) in fmi2DoStep' ;;
      5) says 'subsystem 2' 'it did not come back from fmi2DoStep within 0.3 s (time_limit)' ;;
      6) says 'subsystem 2' 'it ended its process (exit code 3) in fmi2DoStep' ;;
    esac
    [[ $(wc -l <bad/results_outputs.csv) -ge 50 ]] || fail 'accepted results are lost'
    [[ $(json bad/summary.json status) == failed ]] || fail 'no summary'
    nothing_left
  done
done

# Checkpoints of isolated FMUs.
pair half ', isolate: true' '' 'rtol: 1.0e-5'
expect 0 run pair.yaml --out whole --csv --set simulate.end=20
"$program" run pair.yaml --out parts --set simulate.end=20 --set 'run.checkpoint={every: 50 steps}' >/dev/null 2>&1 &
victim=$!
for _ in $(seq 200); do
  [[ -n $(ls parts/checkpoint* 2>/dev/null) ]] && break
  sleep 0.02
done
kill -KILL $victim
wait $victim 2>/dev/null
nothing_left
expect 0 run pair.yaml --out parts --csv --set simulate.end=20 --set 'run.checkpoint={every: 50 steps}' --resume
cmp whole/results_outputs.csv parts/results_outputs.csv || fail 'a resumed run gives other results'

# Ctrl-C reaches the program alone, which ends in order.
"$program" run pair.yaml --out stopped --set simulate.end=1e6 --set simulate.output=1 >/dev/null 2>&1 &
victim=$!
for _ in $(seq 100); do
  [[ -n $(hosts) ]] && break
  sleep 0.02
done
sleep 0.3
kill -INT $victim
wait $victim
[[ $(json stopped/summary.json status) == interrupted ]] || fail 'not interrupted in order'
nothing_left

# Also when a call does not come back.
pair half ', isolate: true' ', mode: 5' 'step: 0.01'
"$program" run pair.yaml --out stuck --set 'run.checkpoint={every: 50 steps}' >/dev/null 2>stuck.err &
victim=$!
for _ in $(seq 100); do
  [[ -e stuck/results.h5 ]] && break
  sleep 0.02
done
sleep 1.5
kill -INT $victim
wait $victim
[[ $(json stuck/summary.json status) == interrupted ]] || fail "a call that hangs: $(cat stuck.err)"
nothing_left

# Killed while an FMU hangs.
pair half ', isolate: true' ', mode: 5' 'step: 0.01'
"$program" run pair.yaml --out killed >/dev/null 2>&1 &
victim=$!
for _ in $(seq 100); do
  [[ -e killed/results.h5 ]] && break
  sleep 0.02
done
sleep 0.5
kill -KILL $victim
wait $victim 2>/dev/null
nothing_left

# What goes together.
pair half ', time_limit: 5' '' 'step: 0.01'
expect 2 check pair.yaml
says 'an FMU in this process cannot be stopped' 'add `isolate: true`'
pair half ', isolate: maybe' '' 'step: 0.01'
expect 2 check pair.yaml
says 'isolate'

# What can be there only once in a process is there twice in two.
cp -r "$fmus/half" once
sed -i 's/<\(ModelExchange\|CoSimulation\) /&canBeInstantiatedOnlyOncePerProcess="true" /' once/modelDescription.xml
(cd once && cmake -E tar cf ../once.fmu --format=zip modelDescription.xml binaries)
pair half '' '' 'rtol: 1.0e-5'
expect 0 run pair.yaml --out free --csv
fmus=$PWD
for interface in co-simulation model-exchange; do
  pair once ", interface: $interface" '' 'rtol: 1.0e-5'
  expect 2 run pair.yaml --out once
  says 'can be there only once in a process' 'canBeInstantiatedOnlyOncePerProcess'
done
pair once ', isolate: true' '' 'rtol: 1.0e-5'
expect 0 run pair.yaml --out apart --csv
cmp free/results_outputs.csv apart/results_outputs.csv || fail 'other results in two processes'
nothing_left
