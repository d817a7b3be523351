#!/usr/bin/env bash
# `cosimo init` writes models that run as they are, and so do the commands in their comments.
source "$(dirname "$0")/prelude.sh" "$@"

mkdir bin && printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >bin/cosimo && chmod +x bin/cosimo
export PATH=$PWD/bin:$PATH

expect 0 init --list
names=$(sed -n 's/^  \([a-z]\+\) .*/\1/p' stdout)
(($(wc -w <<<"$names") >= 8)) || fail "few models"
expect 0 init --list --json
for name in $names; do prints "\"name\": \"$name\""; done

for name in $names; do
  mkdir "in-$name" && cd "in-$name" || exit 1
  expect 0 init "$name" -o mine.yaml
  prints "mine.yaml is written"
  grep -q '@' mine.yaml && fail "$name: a mark is left"
  (($(grep -c '#' mine.yaml) >= 4)) || fail "$name: hardly a comment"
  expect 0 check mine.yaml
  count=0
  while IFS= read -r command; do
    [[ $command != *" plan "* ]] || command+=" --pilot 0.02"
    timeout 120 bash -c "$command" >output 2>&1 </dev/null || { cat output; fail "$name: $command"; }
    count=$((count + 1))
  done < <(sed -n 's/^#   \(cosimo .*\)/\1/p' mine.yaml | sed 's/  .*//')
  ((count >= 1)) || fail "$name: no command in the comments"
  expect 0 run mine.yaml --out whole --set partition=none
  [[ $(json whole/summary.json status) == ok ]] || fail "$name: does not run"
  cd ..
done

# Nothing is overwritten.
expect 0 init
prints "chain.yaml is written" "cosimo run chain.yaml"
before=$(md5sum <chain.yaml)
for arguments in "" chain "lattice -o chain.yaml"; do
  # shellcheck disable=SC2086
  expect 2 init $arguments
  says "chain.yaml: there is such a file already" "-o"
done
ln -s nowhere dangling.yaml
expect 2 init -o dangling.yaml
mkdir folder
expect 2 init -o folder
[[ $(md5sum <chain.yaml) == "$before" && ! -e nowhere ]] || fail "something was overwritten"
expect 1 init -o no/such/folder.yaml
says "no/such/folder.yaml" "cannot be written"
expect 2 init chian
says "did you mean 'chain'?"
expect 0 init network -o -
prints "network:" "cosimo run network.yaml"
[[ ! -e network.yaml ]] || fail "-o - writes a file"
expect 0 init pendulum --json
prints '"file": "pendulum.yaml"'
expect 0 init crane --quiet
[[ -z $out && -s crane.yaml ]] || fail "--quiet prints"
