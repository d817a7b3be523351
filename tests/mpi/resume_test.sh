#!/usr/bin/env bash
# What --resume builds on may be damaged or gone, on one process and on several ranks: the checkpoint before a damaged one is
# used, what does not fit is refused by all ranks with one message, and a refusal changes nothing.
source "$(dirname "$0")/prelude.sh" "$@"

expect 0 run small.yaml --quiet --out undisturbed
expect 0 run small.yaml --quiet --out made --set 'run.checkpoint={every: 5 steps}'
count=$(find made -name 'checkpoint.*' | wc -l)
[[ $count == 2 ]] || fail "$count checkpoints, expected the last two"

# again RANKS CODE arguments...: of a fresh copy; 0 ranks: without mpirun
again() {
  local ranks=$1 code=$2
  shift 2
  if ((ranks == 0)); then
    expect "$code" run small.yaml --out out --resume "$@"
  else
    ranks "$ranks" "$code" "$program" run small.yaml --out out --resume "$@"
  fi
}
fresh() { rm -rf out; cp -r made out; }
newest() { find out -name 'checkpoint.*' | sort | tail -n 1; }
same() {
  local differs
  differs=$("$same_data" undisturbed/results.h5 out/results.h5) || fail "$differs"
}
refused() { # TEXT...: and nothing is lost
  said_once "cosimo: error:"
  says "$@"
  [[ -e out/summary.json && -e out/overview.svg && -e out/timing.h5 ]] || fail "a refusal removed files"
}

for ranks in 0 3; do
  # A finished run, resumed.
  fresh
  again $ranks 0
  same

  # The newest damaged: a byte in the middle, cut off, empty. Then both.
  for damage in 'printf "\377" | dd of=@ bs=1 seek=$(($(stat -c %s @) / 2)) conv=notrunc' 'truncate -s -100 @' ': >@'; do
    fresh
    file=$(newest)
    cp "$file" whole
    eval "${damage//@/$file}" 2>/dev/null
    cmp -s whole "$file" && printf '\1' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc 2>/dev/null
    again $ranks 0
    said_once "$file"
    prints "from a checkpoint at t ="
    same
  done
  fresh
  for file in out/checkpoint.*; do : >"$file"; done
  again $ranks 0
  says "there is no checkpoint" "from the beginning"
  same

  # Not the same run, or without its results.
  fresh
  again $ranks 2 --set control.rtol=1e-3
  refused "another scenario"
  fresh
  rm out/results.h5
  again $ranks 2
  refused out/results.h5
  fresh
  echo nonsense >out/results.h5
  again $ranks 2
  refused out/results.h5
done
