#!/usr/bin/env bash
# The committed schema and reference are what the program prints (tools/update_docs writes them).
source "$(dirname "$0")/prelude.sh" "$@"

"$program" schema | diff - "$source/docs/scenario.schema.json" || fail "docs/scenario.schema.json is out of date: tools/update_docs"
"$program" reference | diff - "$source/docs/scenario.md" || fail "docs/scenario.md is out of date: tools/update_docs"
