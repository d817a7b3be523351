# FMUs whose outputs nobody takes: what is recorded at output times is what the FMU gives there, although no error
# estimate sees these signals.
. "$(dirname "$0")/prelude.sh"

fmus=$(dirname "$(dirname "$program")")/fmus
[[ -e $fmus/half.fmu ]] || exit 77 # built with the tests of fmi/
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

# x'' = -140 x - 0.3 x', from x = 0.1 at rest: the other mass stays at 0.
worst() { # FILE
  awk -F, 'NR > 1 { n = sqrt(140 - 0.0225); x = 0.1 * exp(-0.15 * $1) * (cos(n * $1) + 0.15 / n * sin(n * $1))
      d = $2 - x; if (d < 0) d = -d; if (d > w) w = d; ++rows } END { print rows == 41 ? w : "rows: " rows }' "$1"
}
for interface in co-simulation model-exchange; do
  for key in '' ', isolate: true'; do
    cat >alone.yaml <<YAML
cosimo: 1
subsystems: [{name: f, fmu: $fmus/half.fmu, interface: $interface$key}]
simulate: {end: 2, output: 0.05}
solve: {rtol: 1.0e-8}
YAML
    for scheme in explicit implicit waveform; do
      expect 0 run alone.yaml --out out --csv --set couple.scheme=$scheme
      awk -v w="$(worst out/results_outputs.csv)" 'BEGIN { exit !(w == w + 0 && w < 1e-7) }' ||
        fail "$interface$key $scheme: $(worst out/results_outputs.csv)"
      [[ $out != *'most demanding'* ]] || fail 'a signal that nobody judges is demanding'
    done
  done
done
# What is no FMU, or half of one. (All that is wrong with archives: src/fmi/hostile_test.cpp.)
head -c 3000 "$fmus/half.fmu" >cut.fmu
: >empty.fmu
echo '<html>404</html>' >page.fmu
mkdir folder.fmu
for name in cut empty page folder; do
  echo "{cosimo: 1, subsystems: [{name: f, fmu: $name.fmu}], simulate: {end: 1}}" >wrong.yaml
  for word in check run; do
    expect 2 $word wrong.yaml
    says "$name.fmu" 'archive'
  done
done

# Where programs may not run from the folder for temporary files.
noexec() {
  mkdir -p noexec && mount -t tmpfs -o noexec,size=16m none noexec || exit 77
  export TMPDIR=$PWD/noexec
  for key in '' ', isolate: true'; do
    echo "{cosimo: 1, subsystems: [{name: f, fmu: $fmus/half.fmu$key}], simulate: {end: 1}}" >noexec.yaml
    "$program" run noexec.yaml --out noexec.out >/dev/null 2>noexec.err
    grep -q 'set TMPDIR to another' noexec.err || { cat noexec.err; exit 1; }
  done
  [[ -z $(ls "$TMPDIR") ]]
}
export -f noexec
export fmus program
if unshare -m true 2>/dev/null; then
  unshare -m bash -c noexec 2>noexec.mount
  code=$?
  [[ $code == 0 || $code == 77 ]] || fail "noexec: $(cat noexec.mount noexec.err)"
fi
[[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"
