#!/usr/bin/env bash
# A force from a column of a file: it belongs to the model, so that a run does not go on with another one.
source "$(dirname "$0")/prelude.sh" "$@"

cp "$source/examples/earthquake.yaml" "$source/examples/earthquake.csv" .
expect 0 run earthquake.yaml --out whole --csv
expect 0 run earthquake.yaml --out threads --threads 3 --set 'partition={parts: 2}' --set 'couple={decomposition: overlap}'
expect 0 run earthquake.yaml --out thread --threads 1 --set 'partition={parts: 2}' --set 'couple={decomposition: overlap}'
expect 0 compare thread threads
prints "0.000e+00"

# Names are relative to the scenario, wherever the program is started, and the effective file finds the record.
mkdir elsewhere
cd elsewhere
expect 0 check ../earthquake.yaml
expect 0 run ../whole/scenario.effective.yaml --out again
expect 0 compare ../whole again
prints "0.000e+00"
cd ..

# Going on from a checkpoint gives the same; with another record it is refused.
cut=(--set 'partition={parts: 2}' --set 'couple={scheme: explicit}' --set 'control.step=0.02' --set simulate.end=8)
expect 0 run earthquake.yaml --out undisturbed "${cut[@]}"
expect 0 run earthquake.yaml --out resumed "${cut[@]}" --set 'run.checkpoint={every: 150 steps}'
expect 0 run earthquake.yaml --out resumed "${cut[@]}" --resume
expect 0 compare resumed undisturbed
prints "0.000e+00"
sed -i 's/^9.00,.*/9.00,0.25/' earthquake.csv
expect 2 run earthquake.yaml --out resumed "${cut[@]}" --resume
says "the model (model_hash)"

# What is wrong with a file is told with its line.
wrong() {
  local code=$1 text=$2
  shift 2
  printf '%b' "$text" >earthquake.csv
  expect 2 "$code" earthquake.yaml --out never
  says "$@"
}
wrong check 'time,acceleration\n0,1\n1,one\n' "earthquake.csv:3" "model.curves.1.value" "one" "not a number"
wrong run 'time,acceleration\n0,1\n0,2\n' "earthquake.csv:3" "not greater than the one before"
wrong check 'time,acceleration\n0,1\n' "earthquake.csv" "holds 1 point" "at least two"
wrong check 'time,force\n0,1\n1,2\n' "acceleration" "no such column"
wrong check 'time,acceleration\n0,1\n1,nan\n' "earthquake.csv:3" "not a finite number"
rm earthquake.csv
expect 2 check earthquake.yaml
says "earthquake.yaml:8" "model.curves.1.file" "no such file"
