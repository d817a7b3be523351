# System Structure Packages, from the command line.
. "$(dirname "$0")/prelude.sh"

fmus=$(dirname "$(dirname "$program")")/fmus
[[ -e $fmus/half.fmu ]] || exit 77 # built with the tests of fmi/
export TMPDIR=$PWD/tmp
mkdir "$TMPDIR"

link() { # START CONNECTOR END CONNECTOR [INSIDE]
  printf '<ssd:Connection startElement="%s" startConnector="%s" endElement="%s" endConnector="%s">%s</ssd:Connection>\n' \
    "$1" "$2" "$3" "$4" "${5:-}"
}
second='<ssd:DefaultExperiment startTime="0.0" stopTime="1.0"/>'
package() { # NAME CONNECTIONS [EXPERIMENT]
  rm -rf staged
  mkdir -p staged/resources
  cp "$fmus/half.fmu" "$fmus/gain.fmu" staged/resources
  cat >staged/SystemStructure.ssd <<XML
<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="pair">
  <ssd:System name="root">
    <ssd:Elements>
      <ssd:Component name="a" source="resources/half.fmu" implementation="ModelExchange"/>
      <ssd:System name="other">
        <ssd:Connectors>
          <ssd:Connector name="x_in" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="x_out" kind="output"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
        <ssd:Elements>
          <ssd:Component name="b" source="resources/half.fmu" implementation="ModelExchange"/>
        </ssd:Elements>
        <ssd:Connections>
          <ssd:Connection startConnector="x_in" endElement="b" endConnector="x_other"/>
          <ssd:Connection startElement="b" startConnector="x" endConnector="x_out"/>
        </ssd:Connections>
      </ssd:System>
    </ssd:Elements>
    <ssd:ParameterBindings>
      <ssd:ParameterBinding prefix="other.b.">
        <ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="b"><ssv:Parameters>
            <ssv:Parameter name="m"><ssv:Real value="2"/></ssv:Parameter>
            <ssv:Parameter name="c"><ssv:Real value="300"/></ssv:Parameter>
            <ssv:Parameter name="x_state"><ssv:Real value="-0.05"/></ssv:Parameter>
          </ssv:Parameters></ssv:ParameterSet>
        </ssd:ParameterValues>
      </ssd:ParameterBinding>
    </ssd:ParameterBindings>
    <ssd:Connections>
$2
    </ssd:Connections>
  </ssd:System>
  ${3-$second}
</ssd:SystemStructureDescription>
XML
  rm -f "$1"
  (cd staged && cmake -E tar cf "../$1" --format=zip SystemStructure.ssd resources)
}

# The same as a scenario file says, to the bit.
cat >pair.yaml <<YAML
cosimo: 1
subsystems:
  - {name: a, fmu: $fmus/half.fmu, interface: model-exchange}
  - {name: other.b, fmu: $fmus/half.fmu, interface: model-exchange, set: {m: 2, c: 300, x_state: -0.05}}
connections:
  - {from: a.x, to: other.b.x_other, factor: 0.5, offset: 0.01}
  - {from: other.b.x, to: a.x_other}
simulate: {end: 1}
YAML
signals="$(link other x_out a x_other)$(link a x other x_in '<ssc:LinearTransformation factor="0.5" offset="0.01"/>')"
package pair.ssp "$signals"
settings=(--set simulate.output=0.1 --set control.rtol=1e-6 --csv)
expect 0 check pair.ssp --set simulate.output=0.1
expect 0 run pair.yaml --out yaml "${settings[@]}"
expect 0 run pair.ssp --out ssp "${settings[@]}"
cmp yaml/results_outputs.csv ssp/results_outputs.csv || fail 'the package computes something else'
expect 0 run ssp/scenario.effective.yaml --out again --csv
cmp ssp/results_outputs.csv again/results_outputs.csv || fail 'the effective scenario computes something else'

# A signal with a factor is what an FMU with this factor makes of it.
cat >gain.yaml <<YAML
cosimo: 1
subsystems:
  - {name: a, fmu: $fmus/half.fmu, interface: model-exchange}
  - {name: g, fmu: $fmus/gain.fmu, interface: model-exchange, set: {a: 0.5, b: 0.01}}
  - {name: other.b, fmu: $fmus/half.fmu, interface: model-exchange, set: {m: 2, c: 300, x_state: -0.05}}
connections:
  - {from: other.b.x, to: a.x_other}
  - {from: a.x, to: g.u}
  - {from: g.y, to: other.b.x_other}
simulate: {end: 1}
YAML
expect 0 run gain.yaml --out gain "${settings[@]}"
last() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k ~ name) c = k } END { printf "%.17g", $c }' "$1"; }
awk -v x="$(last ssp/results_outputs.csv other.b.x)" -v y="$(last gain/results_outputs.csv other.b.x)" \
  'BEGIN { exit !(x - y < 1e-6 && y - x < 1e-6 && x != 0) }' || fail 'the factor is another one'

# Schemes, threads, variants, folders.
for coupling in scheme=explicit scheme=implicit scheme=waveform sequence=gauss-seidel; do
  expect 0 run pair.ssp --out run "${settings[@]}" --set couple.$coupling
done
expect 0 run pair.ssp --out two "${settings[@]}" --threads 2
cmp two/results_outputs.csv ssp/results_outputs.csv || fail 'threads change the result'
cp staged/SystemStructure.ssd staged/Variant.ssd
(cd staged && cmake -E tar cf ../two.ssp --format=zip SystemStructure.ssd Variant.ssd resources)
expect 0 check two.ssp/Variant.ssd
expect 0 check staged/Variant.ssd
expect 2 check two.ssp/Other.ssd
says 'two.ssp/Other.ssd: is not in the package'

# What is missing or wrong.
package open.ssp "$signals" ''
expect 2 check open.ssp
says 'open.ssp/SystemStructure.ssd:5' 'the package does not say when the simulation ends' '--set simulate.end='
expect 0 check open.ssp --set simulate.end=0.5
package late.ssp "$signals" '<ssd:DefaultExperiment startTime="5" stopTime="6"/>'
expect 2 check late.ssp
says 'begin at another time than 0'
package wrong.ssp "$(link a x other x_inn)"
expect 2 check wrong.ssp
says 'wrong.ssp/SystemStructure.ssd:34: Connection: x_inn' 'did you mean `x_in`'
head -c 1000 pair.ssp >short.ssp
expect 2 run short.ssp --out short
says 'short.ssp' 'is not a readable archive'
expect 2 run missing.ssp --out short
says 'there is no such file'
[[ -z $(ls "$TMPDIR") ]] || fail "files are left: $(ls "$TMPDIR")"
