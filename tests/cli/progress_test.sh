#!/usr/bin/env bash
# On a terminal a run shows a progress line, wipes it, and keeps quiet when told to.
source "$(dirname "$0")/prelude.sh" "$@"
command -v script >/dev/null || { echo "no 'script' to make a terminal"; exit 0; }

on_terminal() { out=$(timeout -s INT 2 script -qec "timeout -s INT 1 '$program' run endless.yaml $*" /dev/null </dev/null); }
on_terminal
[[ $out == *$'\r'*" % "*" of 1e+06"* ]] || fail "no progress on a terminal"
on_terminal --quiet
[[ $out != *" % "* ]] || fail "progress in spite of --quiet"
on_terminal --set run.progress=off
[[ $out != *$'\033[K'* ]] || fail "progress in spite of run.progress=off"
