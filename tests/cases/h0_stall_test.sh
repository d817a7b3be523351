#!/usr/bin/env bash
# A force of 1e200 overflowed the norms of the error test and gave ten million steps of length zero.
. "$(dirname "$0")/../cli/prelude.sh"

expect 2 run "$source/tests/cases/h0_stall.yaml" --out stall
says "acceleration of mass at t = 0" "5e+198" "double precision ends" "check its initial state, its mass"

# The same as a jump: late, so that nothing at the start tells of it. Right, or a failure; never an answer that is wrong.
for force in 1e120 1e200; do
  sed "s/\"1e200\"/\"if(t > 0.1203, $force, 0)\"/" "$source/tests/cases/h0_stall.yaml" >jump.yaml
  for method in rk radau ida; do
    if [[ $force == 1e200 ]]; then
      expect 2 run jump.yaml --out jump --set "solve.method=$method"
      says "acceleration of mass at t ="
    else
      expect 0 run jump.yaml --out jump --set "solve.method=$method"
    fi
  done
done
