#!/usr/bin/env bash
# A flipped byte in results.h5 was taken for data by compare, report and --resume.
source "$(dirname "$0")/prelude.sh" "$@"

sed -i 's/x: \[-2.0, 0.0\]/x: [1.2345678, 0.0]/' endless.yaml
"$program" run endless.yaml --out out >stdout 2>stderr &
pid=$!
for _ in $(seq 200); do
  [[ -s out/results.h5 ]] && break
  sleep 0.05
done
sleep 0.5
kill -TERM $pid
wait $pid
expect 0 compare out out
# The first position is the only such number.
place=$(LC_ALL=C grep -obUaP '\x5d\x1d\x5b\x2a\xca\xc0\xf3\x3f' out/results.h5 | cut -d : -f 1)
[[ $place =~ ^[0-9]+$ ]] || fail "the first position is in the file at: $place"
printf '\x5f' | dd of=out/results.h5 bs=1 seek="$place" conv=notrunc status=none

damaged="results.h5: is damaged: row 1 of /position does not have the checksum it was written with"
expect 2 compare out out
says "$damaged"
cp out/results.h5 before.h5
expect 2 run endless.yaml --out out --resume
says "$damaged" "without --resume"
cmp out/results.h5 before.h5 || fail "a refused run has changed the file"
