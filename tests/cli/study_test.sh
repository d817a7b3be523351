#!/usr/bin/env bash
# `cosimo study`: the list, one study with its files, all of it told in the closing table, and what is refused.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 study --list
for name in convergence predictors estimators safety tolerances asymmetry subsystems scaling-order impulses \
  micro-steps interface-jacobian feedthrough stability n-pendulum network paper-2017; do
  prints "$name"
done

expect 0 study feedthrough --scale 0.02
prints "published statements reproduced" "study-feedthrough.out/report.html"
[[ -z $err ]] || fail "something on stderr in a pipe"
[[ -s study-feedthrough.out/study.json && -s study-feedthrough.out/report.html ]] || fail "files are missing"
compgen -G 'study-feedthrough.out/data/*.csv' >/dev/null || fail "no data"
[[ ! -e study-feedthrough.out/.cosimo-trials ]] || fail "the folders of the runs are left"
cp study-feedthrough.out/study.json first.json
expect 0 study feedthrough --scale 0.02 --threads 1 --quiet
[[ -z $out ]] || fail "quiet says something"
cmp -s first.json study-feedthrough.out/study.json || fail "another run gave other numbers"
expect 0 study feedthrough --scale 0.02 --quiet --keep --out kept
compgen -G 'kept/.cosimo-trials/*/results.h5' >/dev/null || fail "the folders of the runs are gone"

# What is not ours stays.
mkdir -p mine/trials && : >mine/trials/precious
expect 0 study feedthrough --scale 0.02 --quiet --out mine
[[ -e mine/trials/precious ]] || fail "something of the user is gone"
exec 8>mine/.cosimo-study
flock 8
expect 2 study feedthrough --scale 0.02 --quiet --out mine
says "mine" "another study is writing there"
exec 8>&-
mkdir run && : >run/results.h5
expect 2 study feedthrough --scale 0.02 --out run
says "holds the results of a run"
expect 2 study feedthrough --seed -1
says "--seed"

expect 2 study feedthru
says "feedthru" "feedthrough"
expect 2 study
says "study --list"
expect 2 study feedthrough --scale 0
expect 2 study feedthrough --scale nan
says "--scale" "0.01 to 1e6"
: >file
expect 1 study feedthrough --scale 0.02 --out file/here
says "file/here"

# The studies are a program of their own beside this one; without it there is help, and what to do.
cp "$program" alone
program=./alone
expect 0 study --help
expect 1 study --list
says "cosimo-study is not there" "./cosimo study"
