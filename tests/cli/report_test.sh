#!/usr/bin/env bash
# report.html after every run, `cosimo report` for one folder and for several, and what is left of damaged ones.
source "$(dirname "$0")/prelude.sh" "$@"

page() { # FILE TEXT...: a whole page of its own
  local file=$1 text
  shift
  [[ -s $file ]] || fail "no $file"
  tail -c 4000 "$file" | grep -qF "</html>" || fail "$file is cut off"
  [[ $(grep -c 'id="cosimo-data"' "$file") == 1 ]] || fail "$file has no data"
  # One self-contained file: nothing is fetched.
  grep -qE '<(script|link|img|iframe)[^>]+(src|href)="(https?:)?//' "$file" && fail "$file needs the network"
  grep -qF "$place" "$file" && fail "a path of this machine in $file"
  for text in "$@"; do grep -qF -- "$text" "$file" || fail "no '$text' in $file"; done
}

expect 0 run small.yaml --out a
prints "open a/report.html"
page a/report.html '"kind":"runs"' '"status":"ok"'
before=$(md5sum <a/report.html)
expect 0 report a
prints "a/report.html"
[[ $(md5sum <a/report.html) == "$before" ]] || fail "the page of the same folder is another one"

expect 0 run small.yaml --out b --quiet --set control.rtol=1e-5
expect 0 report a b
prints "comparison.html"
page comparison.html '"name":"a"' '"name":"b"'
expect 0 report a/results.h5 --bodies 3,7-9 --out chosen.html
page chosen.html '"label":3' '"label":8'
grep -qF '"label":4,' chosen.html && fail "a body that nobody asked for"

# A run that fails has a page, too.
expect 1 run small.yaml --out stopped --quiet --set control.max_steps=5
page stopped/report.html '"status":"failed"'

# Damaged and unfinished folders: what is there, and a remark.
cp -r a cut-off && head -c 20000 a/results.h5 >cut-off/results.h5
cp -r a no-summary && rm no-summary/summary.json
cp -r a bad-summary && echo '{"status": "o' >bad-summary/summary.json
cp -r a no-timing && rm no-timing/timing.h5 no-timing/scenario.effective.yaml
cp -r a empty-results && : >empty-results/results.h5
for folder in cut-off no-summary bad-summary no-timing empty-results; do
  expect 0 report "$folder"
  page "$folder/report.html"
  grep -qF '"remarks":[]' "$folder/report.html" && fail "no remark about $folder"
done

expect 2 report nowhere
says "nowhere"
mkdir void
expect 2 report void
says "void" "cosimo run"
# Any file is no run: nothing is written beside it.
mkdir notes && echo "buy milk" >notes/notes.txt && cp a/summary.json notes/other.json
for file in notes.txt other.json; do
  expect 2 report notes/$file
  says "notes/$file" "results.h5"
done
[[ ! -e notes/report.html ]] || fail "a page beside a file that is no run"
cp a/results.h5 notes/renamed.h5
expect 0 report notes/renamed.h5
expect 2 report a --bodies 99
says "99"
expect 2 report a --bodies x
expect 2 report
if ((EUID != 0)); then
  mkdir sealed && chmod 555 sealed
  expect 1 report a --out sealed/page.html
  says "sealed/page.html"
fi
expect 1 report a --out missing/page.html
says "missing/page.html"

# Names that would change how the data are read are harmless.
cp -r a '<!--<script>'
expect 0 report '<!--<script>' -o name.html
page name.html
grep -qF '<!--<script>' name.html && fail "a name broke out of the data"
exit 0
