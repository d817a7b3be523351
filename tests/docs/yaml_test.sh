#!/usr/bin/env bash
# yaml_test.sh PROGRAM SOURCE: every ```yaml block of README.md and docs/*.md is accepted by `cosimo check`.
#
# A block that begins a file (`cosimo: 1`) is checked as it stands. Others are sections: they take the place of the
# same sections of examples/waves.yaml, or of the file that a comment before the block names:
#
#   <!-- test: in examples/impulse.yaml -->
set -uo pipefail
program=$(readlink -f "$1") root=$(readlink -f "$2")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
cp -r "$root/examples/fmu" . && fmu/pack.sh && cp fmu/servo.fmu . || exit 1 # the FMU that docs/fmi.md names
cp -r "$root/examples/parts" "$root/examples/series/oscillator.yaml" . || exit 1 # the sub-model that docs/multibody.md uses

faults=0 blocks=0
check() { # PAGE BASE TEXT
  local page=$1 base=$2 text=$3
  if [[ $text == *"cosimo: 1"* ]]; then
    printf '%s' "$text" >block.yaml
  else
    printf '%s' "$text" >sections.yaml
    # The base without the sections that the block has, then the block.
    awk 'NR == FNR { if (match($0, /^[a-z_]+:/)) given[substr($0, 1, RLENGTH)] = 1; next }
         match($0, /^[a-z_]+:/) { skip = (substr($0, 1, RLENGTH) in given) }
         !skip' sections.yaml "$root/$base" >block.yaml
    cat sections.yaml >>block.yaml
  fi
  blocks=$((blocks + 1))
  if ! "$program" check block.yaml >said 2>&1; then
    faults=$((faults + 1))
    printf 'FAILED: %s:\n%s\n%s\n' "$page" "$text" "$(cat said)"
  fi
}

while IFS= read -r file; do
  page=${file#"$root"/} base=examples/waves.yaml inside=0 text=""
  while IFS= read -r line || [[ -n $line ]]; do
    if ((inside)) && [[ $line == '```' ]]; then
      inside=0
      check "$page" "$base" "$text"
      base=examples/waves.yaml
    elif ((inside)); then
      text+=$line$'\n'
    elif [[ $line == '```yaml' ]]; then
      inside=1 text=""
    elif [[ $line =~ ^'<!-- test: in '(.*)' -->'$ ]]; then
      base=${BASH_REMATCH[1]}
    fi
  done <"$file"
done < <(ls "$root/README.md" "$root"/docs/*.md)

printf '%d blocks, %d faults\n' "$blocks" "$faults"
((blocks > 0 && faults == 0))
