#!/usr/bin/env bash
# Runs docs/scale.md's recipes for GNU parallel and compares the merged result with a single run.
#   scripts/test-parallel.sh BIN_DIR DEMO_DIR
set -euo pipefail
bin=$(realpath "$1") demo=$(realpath "$2")
export PATH="$bin:$PATH"
command -v parallel >/dev/null || { echo "GNU parallel is not installed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for N in 2 3 7; do
    seq "$N" | parallel havln-score "$demo/submissions/hasty.zip" --data "$demo" --shard {}/"$N" --jobs 1 \
        --out shards --quiet >/dev/null
    havln-merge shards/shard-*-of-"$N".json --out merged >/dev/null
    havln-score "$demo/submissions/hasty.zip" --data "$demo" --out single --quiet >/dev/null
    for file in score_summary.json episode_metrics.json; do cmp "merged/$file" "single/$file"; done
    echo "$N shards by GNU parallel, merged: the bytes of a single run"
done
parallel havln-score {} --data "$demo" --jobs 1 --quiet --out many/{/.} ::: "$demo"/submissions/{hasty,careful}.zip >/dev/null
cmp many/hasty/score_summary.json single/score_summary.json
echo "a process per submission: the bytes of a single run"
