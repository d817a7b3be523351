#!/usr/bin/env bash
# Measured data, laws and motors by speed or acceleration: the examples against closed forms, cuts, and what is told when data end.
source "$(dirname "$0")/prelude.sh" "$@"
cp "$source"/examples/{frame,crane}.yaml "$source/examples/frame_record.csv" .

# The value of a column, by its name, in the last row.
last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ "(^|[^a-z0-9])" name "$") c = i } END { print $c }' "$1"; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { exit !(a - b <= e && b - a <= e) }' || fail "$1 is not $2 ($4)"; }

# The foundation goes where the record, integrated twice by hand, leads.
expect 0 run frame.yaml --out frame --csv
there=$(awk -F, '!/^#/ && $1 + 0 == $1 && $1 <= 45 {
  if (seen) { h = $1 - t; b = 9.81 * $2; x += v * h + h * h * (2 * a + b) / 6; v += h * (a + b) / 2 }
  t = $1; a = 9.81 * $2; seen = 1 } END { printf "%.15g", x }' frame_record.csv)
near "$(last frame/results.csv foundation.x)" "$there" 1e-8 "foundation"

# The crane: areas below the profiles of speed. The rope of 9 m is 3.5 m shorter at the end.
expect 0 run crane.yaml --out crane --csv
near "$(last crane/results.csv trolley.x)" 15 1e-9 "trolley"
x=$(last crane/results.csv load.x) y=$(last crane/results.csv load.y)
near "$(awk -v x="$x" -v y="$y" 'BEGIN { print sqrt((x - 15)^2 + y^2) }')" 5.5 1e-9 "rope"

# A law is cut and copied like any other element.
cat >two.yaml <<'END'
cosimo: 1
model:
  bodies:
    - {name: a, kind: point, dimensions: 1, mass: 1, velocity: 1}
    - {name: b, kind: point, dimensions: 1, mass: 2, position: 2}
  elements:
    - {name: hold, kind: law, to: a, measure: displacement, axis: [1], force: "40*s + s^3"}
    - {name: link, kind: law, from: a, to: b, measure: displacement, axis: [1],
       force: {table: {points: [[0, -60], [2, 0], [3, 10]], interpolate: cubic}}}
    - {name: damper, kind: law, from: a, to: b, measure: displacement, axis: [1], force: {table: {points: [[-1, -0.4], [0, 0], [1, 0.2]], of: rate}}}
simulate: {end: 4, output: 0.02}
END
expect 0 run two.yaml --out whole
for way in '{scheme: explicit}' '{scheme: implicit}' '{decomposition: overlap}'; do
  expect 0 run two.yaml --out cut --replace --set 'partition={parts: 2}' --set "couple=$way" --set control.rtol=1e-6
  expect 0 compare whole cut
  awk '/NRMSE/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 1.0e-3) exit 1 }' <<<"$out" || fail "$way: the cut run is another one"
done

# In a joint that turns it counts the turns, and is what an element of its own would be; a run that goes on has the same bits.
cat >spin.yaml <<'END'
cosimo: 1
model:
  bodies:
    - {name: base, kind: rigid, shape: {box: [1, 1, 0.2]}, density: 10, angular_velocity: [0, 0, 0.1]}
    - {name: rotor, kind: rigid, shape: {cylinder: {radius: 0.3, length: 0.1}}, density: 20, position: [0, 0, 0.5], angular_velocity: [0, 0, 40]}
  joints:
    - {name: axle, kind: revolute, from: base, to: rotor, at: [0, 0, 0.5]}
  elements:
    - {name: twist, kind: law, joint: axle, force: "0.05*s + 0.001*rate"}
simulate: {end: 6, output: 0.05}
solve: {rtol: 1.0e-9}
END
sed 's/{name: twist.*/{name: twist, kind: torsion, from: base, to: rotor, c: 0.05, d: 0.001}/' spin.yaml >torsion.yaml
expect 0 run spin.yaml --out spin --csv
expect 0 run torsion.yaml --out torsion
expect 0 compare spin torsion
awk '/NRMSE/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 1.0e-11) exit 1 }
     /^(position|velocity)/ { if ($2 > 1.0e-11) exit 1 }' <<<"$out" || fail "a law in a joint is not the torsion spring"
for element in 'friction, joint: axle, limit: 0.5, stiffness: 1.0e4' 'stop, joint: axle, lower: -1, upper: 20, stiffness: 10'; do
  sed "s/{name: twist.*/{name: twist, kind: $element}/" spin.yaml >other.yaml
  expect 0 run other.yaml --out other --replace
done

# Where data end, the run ends, and names the element.
expect 1 run two.yaml --out ended --set 'model.elements.2.force="link_data(s)"' \
  --set 'model.curves=[{name: link_data, points: [[1.9, -3], [2.1, 3]], before: error, after: error}]'
says "link"

# A table of something else than time has kinks as well: a stiff stop is met, however fast it is passed.
cat >stop.yaml <<'END'
cosimo: 1
model:
  bodies: [{name: a, kind: point, dimensions: 1, mass: 1, position: -10, velocity: 10}]
  elements:
    - {name: wall, kind: law, to: a, measure: displacement, axis: [1], force: {table: {points: [[-20, 0], [0, 0], [1.0e-3, 1.0e6], [1, 1.0e9]]}}}
simulate: {end: 2, output: 0.1}
END
expect 0 run stop.yaml --out stop --csv
near "$(last stop/results.csv a.x)" -10 1e-2 "bounce"

# A force that ends within the run leaves nothing behind: what begins at its last point does not see it.
cat >push.yaml <<'ENDED'
cosimo: 1
model:
  bodies: [{name: a, kind: point, dimensions: 1, mass: 1}]
  elements: [{name: push, kind: applied, to: a, force: [{table: {points: [[0, 1], [1, 1]], outside: zero}}]}]
simulate: {end: 2, output: 0.1}
solve: {method: rk, rtol: 1.0e-6}
ENDED
expect 0 run push.yaml --out push --csv
near "$(last push/results.csv a.x_dot)" 1 1e-7 "a force that ended"
