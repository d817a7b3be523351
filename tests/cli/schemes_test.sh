#!/usr/bin/env bash
# One word changes the scheme; `check` refuses what does not go together and lists the valid choices.
source "$(dirname "$0")/prelude.sh" "$@"

for scheme in auto explicit semi-implicit implicit waveform; do
  expect 0 check small.yaml --set couple.scheme=$scheme
  prints "small.yaml is valid"
done
for jacobian in fd sap '{series: 3}' rk sensitivity; do
  expect 0 check small.yaml --set "couple={scheme: implicit, jacobian: $jacobian, refresh: always, tau: 0.01}"
done
for decomposition in force-force displacement-displacement '{kind: force-displacement, displaced: lighter}' \
  '[{cut: 11, kind: force-displacement}, {cut: 31, kind: displacement-displacement}]'; do
  expect 0 check small.yaml --set "couple={scheme: implicit, decomposition: $decomposition}"
  expect 0 check small.yaml --set "couple={scheme: waveform, sequence: gauss-seidel, decomposition: $decomposition}"
done
expect 0 check small.yaml --set "couple={sequence: {gauss-seidel: [2, 4, 1, 3]}, predictor: {acc: {degree: 1}}}"
expect 0 check small.yaml --set "couple={predictor: {accrel: {degree: 1, omega: 0.5}}}" --set control.order=1

# accRel without acceleration, Newton options on an explicit scheme, an estimator of another scheme.
expect 2 check small.yaml --set "couple={predictor: {accrel: {omega: 0.5}}}" --set control.order=1
says "couple.predictor.accrel.degree" "from 0 to 4"
expect 2 check small.yaml --set couple.jacobian=sap
says "couple.jacobian" "sap" "\`scheme: implicit\` or \`scheme: semi-implicit\`"
expect 2 check small.yaml --set control.estimator=imCV
says "control.estimator" "imCV" "\`exCV\`, \`exLE\` or \`exMD\`"
expect 2 check small.yaml --set couple.scheme=implicit --set control.estimator=exMD
says "control.estimator" "exMD" "\`imCV\` or \`imMD\`"
expect 2 check small.yaml --set "couple={decomposition: force-displacement, update: none}"
says "couple.update" "3.1.3" "\`update: consistent\`"
