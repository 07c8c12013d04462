#!/usr/bin/env bash
# Runs docs/scale.md's Slurm recipe on a one-machine cluster that it starts and stops itself, and compares
# the merged result with a single run. As root on Debian; installs slurm-wlm and munge if absent.
#   scripts/test-slurm.sh BIN_DIR DEMO_DIR
set -euo pipefail
bin=$(realpath "$1") demo=$(realpath "$2")
scripts=$(realpath "$(dirname "$0")")
export PATH="$bin:$PATH"
command -v slurmctld >/dev/null && command -v munged >/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null

work=$(mktemp -d)
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf
host=$(hostname -s)
stop() {
    local daemon
    for daemon in slurmd slurmctld; do
        pkill -F "$work/$daemon.pid" 2>/dev/null || true
        while pgrep -F "$work/$daemon.pid" >/dev/null 2>&1; do sleep 0.1; done
    done
    pkill -F /run/munge/munged.pid 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT
mkdir -p "$work"/{state,spool,log} /run/munge
cat >"$SLURM_CONF" <<EOF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=10 State=UP
EOF
[ -s /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 status=none
chown -R munge:munge /etc/munge /run/munge /var/log/munge /var/lib/munge
chmod 400 /etc/munge/munge.key
runuser -u munge -- /usr/sbin/munged
slurmctld
slurmd

cd "$work"
options=(--manifest "$demo/manifest.json")
export HAVLN_SHARDS=3
array=$(sbatch --parsable --array=1-3 --output="$work/log/%A_%a.out" "$scripts/slurm-array.sh" \
    "$demo/submissions/hasty.zip" "$demo" "$work/shards" "${options[@]}")
sbatch --wait --dependency=afterok:"$array" --output="$work/log/merge.out" \
    --wrap "havln-merge $work/shards/shard-*-of-3.json --out $work/merged" >/dev/null ||
    { cat "$work"/log/*; exit 1; }
shard=$work/shards/shard-3-of-3.json
mv "$shard" "$work/first"
sbatch --wait --array=3 --output="$work/log/again.out" "$scripts/slurm-array.sh" \
    "$demo/submissions/hasty.zip" "$demo" "$work/shards" "${options[@]}" >/dev/null || { cat "$work"/log/again.out; exit 1; }
cmp "$work/first" "$shard"
if HAVLN_SHARDS='' sbatch --wait --array=3 --output="$work/log/untold.out" "$scripts/slurm-array.sh" \
    "$demo/submissions/hasty.zip" "$demo" "$work/untold" "${options[@]}" >/dev/null; then
    echo "a lone shard ran without knowing of how many" >&2
    exit 1
fi
grep -q "set HAVLN_SHARDS=N" "$work/log/untold.out"
havln-score "$demo/submissions/hasty.zip" --data "$demo" "${options[@]}" --out "$work/single" --quiet >/dev/null
for file in score_summary.json episode_metrics.json; do
    cmp "$work/merged/$file" "$work/single/$file"
done
echo "3 shards by Slurm job array $array, merged: the bytes of a single run; shard 3 run again: its bytes"
