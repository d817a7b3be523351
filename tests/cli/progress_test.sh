#!/usr/bin/env bash
# On a terminal a run shows a progress line, wipes it, and keeps quiet when told to.
source "$(dirname "$0")/prelude.sh" "$@"
command -v script >/dev/null || { echo "no 'script' to make a terminal"; exit 0; }

on_terminal() { out=$(timeout -s INT 2 script -qec "timeout -s INT 1 '$program' run $*" /dev/null </dev/null); }
on_terminal endless.yaml
[[ $out == *$'\r'*" % "*" of 1e+04"* ]] || fail "no progress on a terminal"
[[ $out == *" order 2 "* && $out != *" layers "* ]] || fail "no order in the progress of classic cuts"
on_terminal small.yaml --set simulate.end=1e3 --set simulate.output=1 --set couple.decomposition=overlap \
  --set couple.layers=5
[[ $out == *" 5 layers "* && $out != *" order "* ]] || fail "no layers in the progress of overlaps"
on_terminal endless.yaml --set partition=none --set control=null
[[ $out == *" micro steps"* && $out != *"H = "* && $out != *" order "* && $out != *" 0 steps"* ]] ||
  fail "macro steps in the progress of an uncut run"
# A narrow terminal shows whole pieces, and the time left among them.
out=$(timeout -s INT 3 script -qec "stty cols 45; timeout -s INT 2 '$program' run endless.yaml --replace" /dev/null </dev/null)
[[ $out == *" left  t = "*" of 1e+04"$'\033[K\r'* ]] || fail "a narrow terminal shows no time left, or half a piece"
[[ ! $out =~ "left  t"[^$'\r']*"H =" ]] || fail "a narrow terminal shows more than it has room for"
on_terminal endless.yaml --quiet
[[ $out != *" % "* ]] || fail "progress in spite of --quiet"
on_terminal endless.yaml --set run.progress=off
[[ $out != *$'\033[K'* ]] || fail "progress in spite of run.progress=off"
