#!/usr/bin/env bash
# Completion of the shells that are here: what the tabulator offers.
source "$(dirname "$0")/prelude.sh" "$@"

mkdir results && touch results/results.h5
for shell in bash zsh fish; do
  expect 0 completion $shell
  cp stdout "complete.$shell"
  # Every option of every command is in the script.
  for command in $("$program" help --json | sed -n 's/^      "name": "\(.*\)",$/\1/p'); do
    for option in $("$program" "$command" --help | grep -o '^  -[a-z]*,*--[a-z-]\+' | grep -o -- '--[a-z-]\+'); do
      grep -q -- "${option#--}" "complete.$shell" || fail "$shell does not complete $option of $command"
    done
  done
done
expect 2 completion
says "SHELL is missing"

# shellcheck disable=SC1091
source complete.bash
offers() { # LINE EXPECTED
  # shellcheck disable=SC2034
  COMP_LINE=$1 COMP_POINT=${#1}
  COMPREPLY=()
  _cosimo
  [[ " ${COMPREPLY[*]} " == *" $2 "* ]] || fail "bash: after '$1' not '$2' but: ${COMPREPLY[*]}"
}
only() { # LINE EXPECTED
  offers "$1" "$2"
  [[ ${COMPREPLY[*]} == "$2" ]] || fail "bash: after '$1' also: ${COMPREPLY[*]}"
}
offers "cosimo " stability
only "cosimo comp" "compare completion"
only "./cosimo run --res" --resume
only "cosimo run small.yaml --set control.rt" control.rtol=
only "cosimo run small.yaml --set=control.rt" control.rtol=
only "cosimo run --set couple.scheme=semi" semi-implicit
only "cosimo study conv" convergence
only "cosimo init veh" vehicle
only "cosimo compare a b --level " "position velocity"
only "cosimo run sm" small.yaml
only "cosimo compare " "results"
only "cosimo run --out=res" results
only "cosimo help plan" plan
only "cosimo completion " "bash zsh fish"
only "cosimo --ver" --version
only "cosimo run --threads " ""

if command -v fish >/dev/null; then
  fish -n complete.fish || fail "fish: syntax"
  fishy() { # LINE EXPECTED
    local found
    found=$(HOME=$PWD fish -c "source complete.fish; complete -C '$1'" | cut -f1 | tr '\n' ' ')
    [[ " $found" == *" $2 "* ]] || fail "fish: after '$1' not '$2' but: $found"
  }
  fishy "cosimo re" reference
  fishy "cosimo run --res" --resume
  fishy "cosimo run --set control.rt" control.rtol=
  fishy "cosimo run --set couple.scheme=semi" couple.scheme=semi-implicit
  fishy "cosimo study conv" convergence
  fishy "cosimo init veh" vehicle
  fishy "cosimo run sm" small.yaml
fi

if command -v zsh >/dev/null; then
  zsh -n complete.zsh || fail "zsh: syntax"
  # A zsh on a terminal of its own; the tabulator completes and shows the line.
  cat >ask.zsh <<'ASK'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; source complete.zsh; show() { zle complete-word; print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey "^I" show; print REA""DY'
zpty -m -r z answer '*READY*'
zpty -w -n z "$1"$'\t'
zpty -m -r z answer '*<<*>>*'
answer=${answer##*<<}
print -r -- "${answer%%>>*}"
zpty -d z
ASK
  zshell() { # LINE EXPECTED
    local found
    found=$(HOME=$PWD TERM=dumb timeout 20 zsh -f ask.zsh "$1")
    [[ $found == "$2" ]] || fail "zsh: '$1' becomes '$found', not '$2'"
  }
  zshell "cosimo stab" "cosimo stability "
  zshell "cosimo run --res" "cosimo run --resume "
  zshell "cosimo run --set control.rt" "cosimo run --set control.rtol="
  zshell "cosimo run --set couple.scheme=semi" "cosimo run --set couple.scheme=semi-implicit "
  zshell "cosimo study conv" "cosimo study convergence "
  zshell "cosimo init veh" "cosimo init vehicle "
  zshell "cosimo run sm" "cosimo run small.yaml "
fi
