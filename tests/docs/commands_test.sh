#!/usr/bin/env bash
# Runs the commands of one page: commands_test.sh PROGRAM SOURCE PAGE
#
# Every ```sh block of the page is run, block after block, in an empty folder that looks like the root of the
# repository: examples/ and docs/ are there, and `./cosimo` and `cosimo` are PROGRAM. A command must end with
# exit code 0, or with what its line says: `# exit code 1` or `# exit code 1 or 124`. `./check` runs this test
# and is only looked at. A comment before a block says what a test cannot do as a reader would:
#
#   <!-- test: only syntax: REASON -->    nothing is run, but every `cosimo` in it must know its options, and
#                                         files of the repository must be there
#   <!-- test: needs TOOL -->             run where TOOL is installed, else as above
#
# Words for the program in the text (`cosimo WORD`) are looked up, too.
set -uo pipefail
program=$(readlink -f "$1") root=$(readlink -f "$2") page=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

mkdir "$place/bin" "$place/tree"
cp -r "$root/examples" "$root/docs" "$root/include" "$root/README.md" "$place/tree"
find "$place/tree/examples" \( -name '*.so' -o -name '*.out' \) -exec rm -rf {} +
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" | tee "$place/bin/cosimo" >"$place/tree/cosimo"
chmod +x "$place/bin/cosimo" "$place/tree/cosimo"
export PATH=$place/bin:$PATH HOME=$place
# Containers and small machines: root is allowed, and more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
[[ -z ${ASAN_OPTIONS:-} ]] || export ASAN_OPTIONS+=:fast_unwind_on_malloc=0 # see tests/mpi/prelude.sh
cd "$place/tree" || exit 1

faults=0 commands=0
fault() {
  printf 'FAILED: %s: %s\n' "$page" "$*"
  faults=$((faults + 1))
}

# --- What is not run: options that exist, files that are there.

# The help of a command of the program; empty: there is no such command.
help_of() { "$program" "$1" --help 2>/dev/null; }

look_at() {
  local text=$1 command=""
  bash -n <<<"$text" || fault "not a shell command: $text"
  local word words after=""
  text=${text//\\$'\n'/ }
  read -ra words <<<"$(sed 's/[;|&]/ ; /g; s/$/ ;/' <<<"$text" | tr '\n' ' ')"
  for word in "${words[@]}"; do
    if [[ $word == ";" ]]; then
      command=""
    elif [[ $after == cosimo ]]; then
      command=$word
      [[ $command == -* || -n $(help_of "$command") ]] || fault "no command '$command': $text"
    elif [[ $word == --* && -n $command ]]; then
      grep -q -- "${word%%=*}\b" <<<"$(help_of "$command")" || fault "cosimo $command has no option $word: $text"
    elif [[ $word == examples/* || $word == docs/* || $word == tools/* || $word == bench/* ]]; then
      [[ -e $root/$word ]] || fault "there is no $word: $text"
    fi
    after=${word##*/}
  done
}

# --- What is run.

# Exit codes that a command may have, from its own words.
allowed_codes() {
  local codes
  codes=$(sed -n 's/.*#.*exit code \([0-9]\+\(,\? or [0-9]\+\)*\).*/\1/p' <<<"$1" | head -n 1)
  echo "${codes:-0}"
}

run_command() {
  local text=$1 codes code began=$SECONDS
  if [[ $text == ./check* ]]; then
    look_at "$text"
    return
  fi
  codes=$(allowed_codes "$text")
  bash -ec "$text" >"$place/output" 2>&1 </dev/null
  code=$?
  commands=$((commands + 1))
  printf '%4d s  [%d]  %s\n' $((SECONDS - began)) "$code" "${text//$'\n'/$'\n              '}"
  codes=${codes//,/}
  if [[ " ${codes// or / } " != *" $code "* ]]; then
    fault "exit code $code, the page says $codes: $text"
    tail -n 20 "$place/output"
  fi
}

# A block is taken apart into commands: as many lines as the shell needs for a whole one.
run_block() {
  local line text=""
  while IFS= read -r line; do
    text+=${text:+$'\n'}$line
    [[ $line == *\\ ]] && continue
    if [[ -z ${text//[[:space:]]/} || $text =~ ^[[:space:]]*#[^$'\n']*$ ]]; then
      text=""
    elif bash -n <<<"$text" 2>/dev/null; then
      run_command "$text"
      text=""
    fi
  done <<<"$1"
  [[ -z ${text//[[:space:]]/} ]] || fault "not a whole command: $text"
}

block() {
  local mark=$1 text=$2
  case $mark in
    "") run_block "$text" ;;
    "only syntax: "?*) look_at "$text" ;;
    "needs "*) if command -v "${mark#needs }" >/dev/null; then run_block "$text"; else look_at "$text"; fi ;;
    *) fault "not a mark of a test: $mark" ;;
  esac
}

mark="" text="" inside=0
while IFS= read -r line || [[ -n $line ]]; do
  if ((inside)); then
    if [[ $line == '```' ]]; then
      inside=0
      block "$mark" "$text"
      mark=""
    else
      text+=$line$'\n'
    fi
  elif [[ $line == '```sh' ]]; then
    inside=1 text=""
  elif [[ $line =~ ^'<!-- test: '(.*)' -->'$ && $line != '<!-- test: in '* ]]; then # those are for yaml_test.sh
    mark=${BASH_REMATCH[1]}
  elif [[ $line == '```'* ]]; then
    mark=""
  fi
done <"$root/$page"
((inside == 0)) || fault "a block does not end"

# Commands named in the text: `cosimo WORD ...` or `./cosimo WORD ...`.
while IFS= read -r word; do
  [[ -n $(help_of "$word") ]] || fault "the text names a command that does not exist: cosimo $word"
done < <(grep -o '`\(\./\)\?cosimo [a-z][a-z-]*' "$root/$page" | sed 's/.*cosimo //' | sort -u)

printf '%s: %d commands, %d faults, %d s\n' "$page" "$commands" "$faults" "$SECONDS"
((faults == 0))
