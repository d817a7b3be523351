#!/usr/bin/env bash
# Tyres in cuts, with overlap, on threads and from a checkpoint; a car that parks; coefficients that change.
source "$(dirname "$0")/prelude.sh" "$@"

# A sled on a locked tyre draws a weight.
cat >sled.yaml <<'END'
cosimo: 1
model:
  gravity: [0, -9.81]
  bodies:
    - {name: sled, kind: planar, mass: 400, inertia: 30, position: [0, 0.28], velocity: [10, 0], angular_velocity: -20}
    - {name: weight, kind: point, dimensions: 2, mass: 40, position: [-1, 0.28], velocity: [10, 0]}
    - {name: tail, kind: point, dimensions: 2, mass: 10, position: [-2, 0.28], velocity: [10, 0]}
  elements:
    - {name: tyre, kind: tyre, body: sled, model: brush, radius: 0.3, stiffness: 196200, damping: 500, friction: 0.9, tread: 5e6, patch: 0.06, load: 4000}
    - {name: link, kind: spring, from: sled, to: weight, c: 2.0e4, d: 100, length: 1}
    - {name: end, kind: spring, from: weight, to: tail, c: 5.0e3, d: 50, length: 1}
simulate: {end: 1, output: 0.01}
END
cut='partition={cuts: [link]}'
expect 0 run sled.yaml --out whole --csv
for way in decomposition=force-force decomposition=overlap; do
  expect 0 run sled.yaml --set "$cut" --set "couple.$way" --out cut
  expect 0 compare whole cut
  awk '/NRMSE/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 1.0e-3) exit 1 }' <<<"$out" || fail "the run with $way is another one"
done
expect 0 run sled.yaml --set "$cut" --out one --csv --threads 1
expect 0 run sled.yaml --set "$cut" --out two --csv --threads 2
for table in results results_tyres results_elements; do
  cmp -s "one/$table.csv" "two/$table.csv" || fail "threads change the bits of $table.csv"
done
head -n 1 one/results_tyres.csv | grep -q 'tyre.kappa.*tyre.alpha.*tyre.gamma.*tyre.FXW.*tyre.FYW.*tyre.FZW.*tyre.MXW.*tyre.MYW.*tyre.MZW' ||
  fail "the readings of the tyre are $(head -n 1 one/results_tyres.csv)"

# From a checkpoint: the same; with another file of coefficients it is refused.
cp "$source/examples/parts/made_up.tir" .
sed -i 's/model: brush.*load: 4000}/model: pacejka, file: made_up.tir}/' sled.yaml
saved=(--set "$cut" --set 'couple={scheme: explicit}' --set control.step=0.005)
expect 0 run sled.yaml --out undisturbed "${saved[@]}"
expect 0 run sled.yaml --out resumed "${saved[@]}" --set 'run.checkpoint={every: 60 steps}'
expect 0 run sled.yaml --out resumed "${saved[@]}" --resume
expect 0 compare resumed undisturbed
prints "0.000e+00"
sed -i 's/^PDX1 .*/PDX1 = 1.11/' made_up.tir
expect 2 run sled.yaml --out resumed "${saved[@]}" --resume
says "the model (model_hash)"

# A car of four wheels: its tyres carry it, it changes the lane, and two threads give the same bits.
short=(--set simulate.end=2 --csv)
expect 0 run "$source/examples/lane_change.yaml" --out car "${short[@]}"
expect 0 run "$source/examples/lane_change.yaml" --out again "${short[@]}" --threads 2
cmp -s car/results_tyres.csv again/results_tyres.csv || fail "other results with two threads"
awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i ~ /FZW/) load[++n] = i; next}
  $1 < 0.9 {sum = 0; for (k = 1; k <= n; ++k) sum += $(load[k]); e = sum / (1580 * 9.81) - 1; if (e^2 > 1e-6) {print NR, sum; bad = 1}}
  END {exit bad || n != 4}' car/results_tyres.csv >where || fail "the tyres carry $(cat where)"

# What is wrong with a file of coefficients is told with its line.
cp "$source/examples/lane_change.yaml" . && mkdir parts && cp "$source"/examples/parts/{corner.yaml,made_up.tir} parts
sed -i 's/^PKY1 .*/PKY1 = 19/' parts/made_up.tir
expect 2 check lane_change.yaml
says "made_up.tir:$(grep -n PKY1 parts/made_up.tir | cut -d: -f1)" "PKY1" "ISO 8855"
