#!/usr/bin/env bash
# Every file of tests/bad_input is refused: exit code 2, one fault per line, each naming the file; below it the line
# of the file and a caret.
source "$(dirname "$0")/prelude.sh" "$@"

count=0
for file in "$source"/tests/bad_input/*; do
  [[ -f $file && $file != *.md ]] || continue
  name=$(basename "$file")
  for command in check run; do
    expect 2 "$command" "$file"
    says "$name"
    while IFS= read -r line; do
      [[ $line == "cosimo: error: "* || $line =~ ^\ +[0-9]*\ \|\  ]] || fail "$name: a line that is no error: $line"
      [[ $line != *[[:cntrl:]]* ]] || fail "$name: control characters on stderr"
    done <<<"$err"
    [[ -z $out ]] || fail "$name: prints on stdout"
  done
  count=$((count + 1))
done
[[ -z $(find . -name '*.out') ]] || fail "a refused run left an output folder"
((count >= 40)) || fail "only $count bad files"
echo "$count bad files refused"
