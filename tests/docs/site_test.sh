#!/usr/bin/env bash
# site_test.sh SOURCE PACKAGES: the site is made without a fault, and every page of it opens in a browser from disk.
# Skips (77) what needs a network (the packages of the site, once) or Chromium.
set -uo pipefail
root=$(readlink -f "$1") packages=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
command -v node >/dev/null && command -v npm >/dev/null || { echo "Node.js and npm are not installed"; exit 77; }

"$root/docs/site/make" "$packages" "$place/site" test --tests
case $? in
  0) ;;
  3) exit 77 ;;
  *) echo "FAILED: the site has faults"; exit 1 ;;
esac
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "Chromium is not installed"; exit 77; }
cp "$root/tests/docs/site_test.mjs" "$packages"
node "$packages/site_test.mjs" "$place/site" "$browser"
