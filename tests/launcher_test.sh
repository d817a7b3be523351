#!/usr/bin/env bash
# ./cosimo in a toy tree whose "build" only counts: it builds when something changed, once however
# many start together, and hands arguments, folder and exit code through.
set -euo pipefail
source=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{tools,cmake,include,apps/cosimo,studies,src/core,src/simulation,elsewhere}
cp "$source/cosimo" "$tree/"
printf 'cosimo_module(core)\ncosimo_module(simulation core)\n' >"$tree/CMakeLists.txt"
touch "$tree/CMakePresets.json" "$tree"/src/core/{a,b}.cpp "$tree/src/simulation/c.cpp"
printf '#!/usr/bin/env bash\necho "$*" >"${0%%/*}/../groups"\n' >"$tree/tools/install_packages"
cat >"$tree/tools/build" <<'END'
#!/usr/bin/env bash
root=$(dirname "$(dirname "$0")")
[[ -e $root/break ]] && exit 1
echo "$3 clean=${CLEAN:-0}${4:+ $4}" >>"$root/builds"
sleep 0.2
mkdir -p "$root/build/release/bin"
program=$root/build/release/bin/cosimo
[[ $3 != cosimo_study ]] || program+=-study
printf '#!/usr/bin/env bash\necho "${0##*/}|$PWD|$*"\nexit 7\n' >"$program"
chmod +x "$program"
END
chmod +x "$tree"/tools/*

fail() { echo "FAILED: $*"; cat "$tree/builds"; exit 1; }
builds() { wc -l <"$tree/builds"; }
expect() { # N builds so far, after WHAT
  start >/dev/null
  [[ $(builds) == "$1" ]] || fail "after $2: $(builds) builds, expected $1"
}
start() { (cd "$tree/elsewhere" && ../cosimo "${1:-run}" "a b") || [[ $? == 7 ]]; }
pause() { sleep 0.05; } # coarse file-system clocks

[[ $(start) == "cosimo|$tree/elsewhere|run a b" ]] || fail "folder or arguments"
expect 1 "a first build"
expect 1 "nothing changed"
pause; touch "$tree/src/core/a.cpp"; expect 2 "an edit"
pause; touch "$tree/src/simulation/new.cpp"; expect 3 "a new file"
pause; rm "$tree/src/core/b.cpp"; expect 4 "a removed file"
pause; touch "$tree/cmake/x.cmake"; expect 5 "a changed CMake file"
pause; mkdir "$tree/study.out"; touch "$tree/study.out/results.h5"; expect 5 "output beside the sources"
[[ $(tail -n 1 "$tree/builds") == *clean=0 ]] || fail "compiled anew without need"
pause; touch -d '2020-01-01' "$tree/src/core/a.cpp"; expect 6 "a file replaced by an older one"
[[ $(tail -n 1 "$tree/builds") == *clean=1 ]] || fail "the older file is not compiled"

# The studies are built when first asked for, and only then.
pause; touch "$tree/studies/new.cpp"; expect 6 "a new study"
[[ $(start study) == "cosimo-study|$tree/elsewhere|study a b" ]] || fail "the program of the studies"
[[ $(tail -n 1 "$tree/builds") == "cosimo_study clean=0" ]] || fail "the studies are not built, or all is compiled anew"
start study >/dev/null
expect 7 "the studies"

# So is the binary of FMUs, beside the same program.
[[ $(start fmu) == "cosimo|$tree/elsewhere|fmu a b" ]] || fail "the program that exports FMUs"
[[ $(tail -n 1 "$tree/builds") == "cosimo_with_fmu clean=0" ]] || fail "the binary of FMUs is not built"
start fmu >/dev/null
expect 8 "the binary of FMUs"

# And the Python module, whose sources count for it alone.
pause; mkdir "$tree/python"; expect 8 "a change of the Python module"
[[ $(start python) == "cosimo|$tree/elsewhere|python a b" ]] || fail "the program that starts Python"
[[ $(tail -n 1 "$tree/builds") == "cosimo_with_python clean=0 -DCOSIMO_PYTHON=ON" ]] || fail "the Python module is not built"
start python >/dev/null
expect 9 "the Python module"
pause; touch "$tree/python/x.py"; start python >/dev/null
expect 10 "an edit of the Python module"

rm -r "$tree/build"
for _ in 1 2 3 4; do start >/dev/null & done
wait
[[ $(builds) == 11 ]] || fail "four at once: $(builds) builds, expected 11"

pause; touch "$tree/src/core/a.cpp" "$tree/break"
code=0
output=$("$tree/cosimo" run 2>/dev/null) || code=$?
[[ $code == 1 && -z $output ]] || fail "a broken build still started the program (exit $code)"
rm "$tree/break"
expect 12 "the mended build"

# A search needs the Python module, and the libraries of its methods from then on.
[[ $(<"$tree/groups") == build ]] || fail "packages nobody asked for: $(<"$tree/groups")"
[[ $(start optimise) == "cosimo|$tree/elsewhere|optimise a b" ]] || fail "the program that searches"
[[ $(tail -n 1 "$tree/builds") == "cosimo_with_python clean=0 -DCOSIMO_PYTHON=ON" ]] || fail "the Python module is not built"
[[ $(<"$tree/groups") == "build python optimise" ]] || fail "the libraries of the methods are not installed"
start optimise >/dev/null
expect 13 "a search"
