#!/usr/bin/env bash
# Ranks on two hosts of examples/cluster/hosts that mpirun starts over ssh. What stands in for ssh starts a host's part on
# this machine; all else is as with two machines: a daemon per host, messages over TCP (two hosts that are one
# would get into each other's shared memory).
source "$(dirname "$0")/prelude.sh" "$@"

cat >ssh <<'SCRIPT'
#!/usr/bin/env bash
while [[ $1 == -* ]]; do shift; done
echo "$1" >>asked
shift
exec bash -c "$*"
SCRIPT
chmod +x ssh
over_ssh=(mpirun --mca plm_rsh_agent "$PWD/ssh" --hostfile "$source/examples/cluster/hosts" \
  --bind-to none --mca btl "self,tcp")

sed -i "s/end: 1.0e-4/end: 2.0e-5/" small.yaml
expect 0 run small.yaml --quiet --out alone
timeout 100 "${over_ssh[@]}" "$program" run small.yaml --threads 1 --quiet --out hosts >stdout 2>stderr </dev/null
code=$? out=$(<stdout) err=$(<stderr)
[[ $code == 0 ]] || fail "exit code $code"
[[ $(sort -u asked) == $'node1\nnode2' ]] || fail "not both hosts were asked"
[[ $(json hosts/summary.json ranks) == 4 ]] || fail "not on four ranks"
differs=$("$same_data" alone/results.h5 hosts/results.h5) || fail "$differs"
