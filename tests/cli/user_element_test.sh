#!/usr/bin/env bash
# The example of a user's own force element builds with the one command of its README and runs; a missing library is named.
source "$(dirname "$0")/prelude.sh" "$@"

cp -r "$source/examples/user_element" .
expect 2 check user_element/bump_stop.yaml
says "bump_stop.yaml:" "stop.library" "bump_stop.so"
command=$(sed -n '/^cc /p' user_element/README.md)
[[ -n $command ]] || fail "the README has no command"
(cd user_element && eval "${command/-I..\/..\/include/-I$source/include}") || fail "the example does not build: $command"
expect 0 run user_element/bump_stop.yaml --out fall
[[ $(json fall/summary.json status) == ok ]] || fail "the run with the example did not end well"
expect 2 check user_element/bump_stop.yaml --set 'model.elements=[{name: stop, kind: user, to: mass, library: bump_stop.so, function: no_such}]'
