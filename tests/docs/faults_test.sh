#!/usr/bin/env bash
# faults_test.sh PROGRAM SOURCE: the tests of the documentation find what is wrong with a page.
set -uo pipefail
program=$(readlink -f "$1") root=$(readlink -f "$2")
here=$root/tests/docs
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -r "$root/examples" "$root/docs" "$root/include" "$root/README.md" "$root/CHANGELOG.md" "$place"

fail() {
  echo "FAILED: $*"
  exit 1
}

finds() { # EXPECTED COMMAND...: it fails and says so
  local expected=$1 said
  shift
  said=$("$@" 2>&1) && fail "no fault found by: $*"
  [[ $said == *"$expected"* ]] || fail "'$expected' not found by: $*"$'\n'"$said"
}

page() { cat >"$place/docs/wrong.md"; }
commands=(bash "$here/commands_test.sh" "$program" "$place" docs/wrong.md)

page <<'END'
```sh
./cosimo check examples/not_there.yaml
```
END
finds "exit code 2, the page says 0" "${commands[@]}"

page <<'END'
```sh
for n in 1 2; do
  ./cosimo check examples/m1.yaml --set simulate.ent=$n
done
```
END
finds "exit code 2, the page says 0" "${commands[@]}"

page <<'END'
```sh
./cosimo check examples/m1.yaml # exit code 2
```
END
finds "exit code 0, the page says 2" "${commands[@]}"

page <<'END'
<!-- test: only syntax: it takes too long -->
```sh
mpirun --oversubscribe ./cosimo run --no-such-option examples/m1.yaml
```
END
finds "cosimo run has no option --no-such-option" "${commands[@]}"

page <<'END'
<!-- test: only sintax: a typing error -->
```sh
true
```
END
finds "not a mark of a test" "${commands[@]}"

page <<<'Try `cosimo runn FILE`.'
finds "a command that does not exist: cosimo runn" "${commands[@]}"

page <<'END'
```yaml
control: {rtoll: 1.0e-3}
```
END
finds "rtoll" bash "$here/yaml_test.sh" "$program" "$place"

if command -v node >/dev/null; then
  page <<<'[here](not_there.md) and [there](guide.md#no-such-section) and `examples/no_such.yaml`'
  for expected in "not_there.md is not there" "docs/guide.md has no #no-such-section" "examples/no_such.yaml is not there"; do
    finds "$expected" node "$here/links_test.mjs" "$place"
  done
fi
