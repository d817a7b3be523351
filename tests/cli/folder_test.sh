#!/usr/bin/env bash
# One run at a time writes to a folder; a comparison of different models says so.
source "$(dirname "$0")/prelude.sh" "$@"

"$program" run endless.yaml --out busy >/dev/null 2>&1 &
pid=$!
for _ in $(seq 200); do
  [[ -s busy/results.h5 ]] && break
  sleep 0.05
done
expect 2 run small.yaml --out busy
says busy "another run is writing there" --out
kill -INT $pid
wait $pid
expect 0 run small.yaml --out busy --replace # free again

# Results of another scenario are not replaced without a word; those of a scenario that was edited are.
cp small.yaml other.yaml
expect 2 run other.yaml --out busy --set model.chain.seed=8
says busy "the results of another scenario, small.yaml" --replace
expect 2 check other.yaml --out busy --set model.chain.seed=8
says busy "the results of another scenario, small.yaml" --replace
expect 0 check other.yaml --out nowhere/yet
[[ ! -e nowhere ]] || fail "a check has made the folder"
expect 2 run other.yaml --out busy --set model.chain.seed=8 --resume
[[ $(json busy/summary.json status) == ok ]] || fail "a refused run has touched the folder"
sed -i 's/seed: 7/seed: 9/' small.yaml
expect 0 run small.yaml --out busy
(cd busy && expect 0 run ../small.yaml --set model.chain.seed=10 --out .) || exit 1
mkdir elsewhere && cp other.yaml elsewhere/small.yaml
expect 2 run elsewhere/small.yaml --out busy
expect 0 run other.yaml --out busy --set model.chain.seed=10 # the same model
mkdir moved && mv busy small.yaml other.yaml moved # scenario and results together
expect 0 run moved/other.yaml --out moved/busy --set model.chain.seed=11
mv moved/busy moved/small.yaml moved/other.yaml .
sed -i 's/seed: 9/seed: 7/' small.yaml

# What a run did not write, it does not remove or overwrite.
mkdir mine && touch mine/summary.json
expect 2 run small.yaml --out mine
says mine "summary.json that no run wrote" --replace
[[ $(ls -A mine) == summary.json ]] || fail "a refused run has left something: $(ls -A mine)"
expect 2 check small.yaml --out mine # as the run
says mine "summary.json that no run wrote"
expect 2 check small.yaml --out small.yaml
says "is a file, not a folder"
expect 0 run small.yaml --out mine --replace
touch mine/notes.txt mine/results.csv mine/results_analysis.csv
expect 0 run small.yaml --out mine
[[ -e mine/notes.txt && -e mine/results.csv && -e mine/results_analysis.csv ]] || fail "files of the user are gone"
expect 2 run small.yaml --out mine --csv
says "results.csv that no run wrote"
rm mine/results.csv
expect 0 run small.yaml --out mine --csv
expect 0 run small.yaml --out mine
[[ ! -e mine/results.csv ]] || fail "results.csv of an older run stays"
[[ -e mine/results_analysis.csv ]] || fail "files of the user are gone"

# The animation of an older run goes, and nothing else in its folder.
expect 0 run "$source/examples/double_pendulum.yaml" --set simulate.end=0.05 --set simulate.vtk=true --out film
[[ -s film/vtk/motion.pvd && -s film/vtk/motion_0001.vtp ]] || fail "no animation"
echo mine >film/vtk/view.pvsm
echo mine >film/vtk/motion_9999.vtp
expect 0 run "$source/examples/double_pendulum.yaml" --set simulate.end=0.05 --out film
[[ $(ls film/vtk) == $'motion_9999.vtp\nview.pvsm' ]] || fail "in vtk/ is: $(ls film/vtk)"

# A run does not overwrite the file it was started from.
cp -r mine again && cp again/scenario.effective.yaml before.yaml
(cd again && expect 2 run scenario.effective.yaml --set simulate.end=5.0e-5 --out .) || exit 1
cmp again/scenario.effective.yaml before.yaml || fail "the scenario file was overwritten"
(cd again && expect 0 run scenario.effective.yaml --out .) || exit 1
cmp again/scenario.effective.yaml before.yaml || fail "the scenario file was overwritten"

# A folder of a version that kept no list.
rm again/.cosimo
expect 0 run small.yaml --out again
rm again/.cosimo
expect 2 run small.yaml --set model.chain.seed=8 --out again

expect 0 run small.yaml --out a
expect 0 run small.yaml --set partition=none --out b
expect 0 compare a b
[[ $err != *"different models"* ]] || fail "cut and uncut are one model"
expect 0 run small.yaml --set model.chain.seed=8 --out c
expect 0 compare a c
says "different models"
