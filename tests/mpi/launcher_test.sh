#!/usr/bin/env bash
# mpirun -n 4 ./cosimo: one rank builds, the others wait, all start. In a toy tree as in launcher_test.sh.
source "$(dirname "$0")/prelude.sh" "$@"

mkdir -p tree/{tools,cmake,include,apps/cosimo,src/core}
cp "$source/cosimo" tree/
printf 'cosimo_module(core)\n' >tree/CMakeLists.txt
touch tree/CMakePresets.json tree/src/core/a.cpp
printf '#!/usr/bin/env bash\n' >tree/tools/install_packages
cat >tree/tools/build <<'SCRIPT'
#!/usr/bin/env bash
root=$(dirname "$(dirname "$0")")
echo built >>"$root/builds"
sleep 0.5
mkdir -p "$root/build/release/bin"
printf '#!/usr/bin/env bash\necho "rank $OMPI_COMM_WORLD_RANK: $*"\n' >"$root/build/release/bin/cosimo"
chmod +x "$root/build/release/bin/cosimo"
SCRIPT
chmod +x tree/tools/*

for _ in 1 2; do
  ranks 4 0 tree/cosimo run model.yaml
  [[ $(sort stdout) == $'rank 0: run model.yaml\nrank 1: run model.yaml\nrank 2: run model.yaml\nrank 3: run model.yaml' ]] ||
    fail "four ranks do not start alike"
  [[ $(wc -l <tree/builds) == 1 ]] || fail "built more than once"
done
