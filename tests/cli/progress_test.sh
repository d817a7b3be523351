#!/usr/bin/env bash
# On a terminal a run shows a progress line, wipes it, and keeps quiet when told to.
source "$(dirname "$0")/prelude.sh" "$@"
command -v script >/dev/null || { echo "no 'script' to make a terminal"; exit 0; }

on_terminal() { out=$(timeout -s INT 2 script -qec "timeout -s INT 1 '$program' run $*" /dev/null </dev/null); }
on_terminal endless.yaml
[[ $out == *$'\r'*" % "*" of 1e+04"* ]] || fail "no progress on a terminal"
[[ $out == *"  order 2"* && $out != *" layers "* ]] || fail "no order in the progress of classic cuts"
on_terminal small.yaml --set simulate.end=1e3 --set simulate.output=1 --set couple.decomposition=overlap \
  --set couple.layers=5
[[ $out == *"  5 layers"* && $out != *" order "* ]] || fail "no layers in the progress of overlaps"
on_terminal endless.yaml --set partition=none --set control=null
[[ $out == *" micro steps"* && $out != *"H = "* && $out != *" order "* && $out != *" 0 steps"* ]] ||
  fail "macro steps in the progress of an uncut run"
# A narrow terminal shows whole pieces, and the time left to the last.
narrow() { out=$(timeout -s INT 3 script -qec "stty cols $1; $2 timeout -s INT 2 '$program' run endless.yaml --replace" /dev/null </dev/null); }
narrow 60 LC_ALL=C
[[ $out == *"%"*"["*"-"*"]"*" left"*"  t = "*" of 1e+04"$'\033[K\r'* ]] || fail "a narrow terminal shows no bar, no time left, or half a piece"
[[ ! $out =~ " left"[^$'\r']*"H =" ]] || fail "a narrow terminal shows more than it has room for"
[[ $out == *$'\033[2m'* ]] || fail "no colour on a terminal"
narrow 28 LC_ALL=C.UTF-8
[[ $out =~ %[^$'\r']*\ left ]] || fail "a very narrow terminal shows no time left"
[[ $out != *"t = "*" of 1e+04"* && ! $out =~ ─[^$'\r']*\ left ]] || fail "a very narrow terminal shows more than it has room for"
narrow 70 LC_ALL=C.UTF-8
[[ $out == *"──"* ]] || fail "no line where the terminal has one"
for plain in NO_COLOR=1 TERM=dumb; do
  narrow 60 $plain
  [[ $out == *" left"* && $out != *$'\033['[0-9]* ]] || fail "colour in spite of $plain"
done

# In a log file there is none; --verbose asks for a line at every tenth.
expect 0 run endless.yaml --verbose --set simulate.end=2 --replace
says "cosimo:  " " %  " "t = " " of 2  "
(($(grep -c ' %  ' stderr) >= 2 && $(grep -c ' %  ' stderr) <= 10)) || fail "not a line at every tenth"
[[ $err != *$'\r'* ]] || fail "control characters in a log"
prints "Subsystems" "Sections of the step" "integrate"
on_terminal endless.yaml --quiet
[[ $out != *" % "* ]] || fail "progress in spite of --quiet"
on_terminal endless.yaml --set run.progress=off
[[ $out != *$'\033[K'* ]] || fail "progress in spite of run.progress=off"
