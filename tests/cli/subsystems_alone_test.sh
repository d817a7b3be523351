# Scenarios without a mechanical model: subsystems and signals are all there is.
. "$(dirname "$0")/prelude.sh"

cat >loop.yaml <<'YAML'
cosimo: 1
subsystems:
  - {name: pid, pid: {kp: 2, ki: 4, reference: "1 + 0.1*sin(3*t)"}}
  - {name: plant, lag: {time_constant: 0.5, gain: 2}}
connections:
  - {from: plant.out, to: pid.measured}
  - {from: pid.out, to: plant.in}
simulate: {end: 3, output: 0.1}
YAML
worst() { sed -n 's/^worst output *\([0-9.e+-]*\).*/\1/p' <<<"$out"; }
below() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x < y) }' || fail "$1 is not below $2"; }

expect 0 check loop.yaml
prints 'no mechanical model' '2 subsystems, 0 couplings, 2 signals'
expect 0 run loop.yaml --out fine --set control.rtol=1e-9 --csv
[[ $(sed -n 1p fine/results_outputs.csv) == time,plant.out,pid.out ]] || fail "$(head -n 1 fine/results_outputs.csv)"
[[ $(wc -l <fine/results_outputs.csv) == 32 ]] || fail 'one row per output time'
# Of z'' and z with z the integral of the error: 0.5 y' = 2 (2 (r - y) + 4 z) - y, z' = r - y.
awk -F, 'function f() { r = 1 + 0.1 * sin(3 * t); dy = (2 * (2 * (r - y) + 4 * z) - y) / 0.5; dz = r - y }
  BEGIN { h = 1e-4; for (k = 0; k < 30000; ++k) {
    y0 = y; z0 = z; t = k * h; f(); a = dy; b = dz
    t += h / 2; y = y0 + h / 2 * a; z = z0 + h / 2 * b; f(); y = y0 + h * dy; z = z0 + h * dz } exact = y }
  END { if ($2 - exact > 1e-6 || exact - $2 > 1e-6) { print $2, exact; exit 1 } }' fine/results_outputs.csv ||
  fail 'the loop settles elsewhere'

# Every scheme, at output times that are no macro points as well.
for coupling in scheme=explicit scheme=implicit scheme=semi-implicit scheme=waveform \
  'sequence=gauss-seidel'; do
  expect 0 run loop.yaml --out run --set couple."$coupling"
  expect 0 compare run fine
  prints '2 outputs at 31 output times'
  below "$(worst)" 3e-4
done
expect 0 run loop.yaml --out macro --set control.rtol=1e-6 --set simulate.output=0.001
expect 0 run loop.yaml --out exact --set control.rtol=1e-10 --set simulate.output=0.001
expect 0 compare macro exact
below "$(worst)" 2e-6

# The same bits on any number of threads; the page and the picture are written.
expect 0 run loop.yaml --out one --threads 1 --csv
expect 0 run loop.yaml --out two --threads 2 --csv
cmp one/results_outputs.csv two/results_outputs.csv || fail 'threads change the result'
expect 0 report one two --out page.html
[[ -s page.html && -s one/report.html && -s one/overview.svg ]] || fail 'no page'
[[ $(json one/summary.json decomposition) == signals ]] || fail summary

# What goes with bodies only.
refused() { # SETTING WORDS
  expect 2 check loop.yaml --set "$1"
  says "$2"
}
refused 'partition={parts: 2}' 'subsystems are never cut'
refused 'simulate.record=[1]' 'there is no model with bodies'
refused 'simulate.vtk=true' 'there is no model with bodies'
refused 'couple.decomposition=overlap' 'there is no model with bodies'
refused 'solve.parts=[{parts: [1], method: rk}]' 'there is no model with bodies'
refused 'connections.1.from=3.x' 'there is no subsystem of this name, and no model with bodies'
refused 'connections.1.from=plent.out' 'did you mean `plant`?'
expect 2 plan loop.yaml
says 'there is no model to be cut'
expect 2 stability loop.yaml
says 'here is none'
expect 0 check loop.yaml --set partition=none
printf 'cosimo: 1\nsimulate: {end: 1}\n' >nothing.yaml
expect 2 check nothing.yaml
says 'nothing.yaml:1' 'model: is missing, and there are no subsystems'
# Parameters serve subsystems as well.
expect 0 check loop.yaml --set 'model={parameters: {k: 2}}' --set 'subsystems.1.pid.kp="3*k"'

# An interrupted run goes on from its checkpoint, to the bit.
expect 0 run loop.yaml --out whole --set simulate.end=300 --csv
"$program" run loop.yaml --out parts --set simulate.end=300 --set 'run.checkpoint={every: 50 steps}' >/dev/null 2>&1 &
victim=$!
for _ in $(seq 200); do
  [[ -n $(ls parts/checkpoint* 2>/dev/null) ]] && break
  sleep 0.02
done
kill -KILL $victim 2>/dev/null
wait $victim 2>/dev/null
expect 0 run loop.yaml --out parts --set simulate.end=300 --set 'run.checkpoint={every: 50 steps}' --resume --csv
cmp whole/results_outputs.csv parts/results_outputs.csv || fail 'a resumed run gives other results'
