#!/usr/bin/env bash
# One shard of a scoring run, as a task of a Slurm job array:
#   HAVLN_SHARDS=N sbatch --array=1-N scripts/slurm-array.sh SUBMISSION DATA_ROOT SHARD_DIR [havln-score options]
# A shard that was killed runs again by its number: HAVLN_SHARDS=N sbatch --array=3 scripts/slurm-array.sh ...
# Without HAVLN_SHARDS, N is the size of an array 1-N of at least two tasks.
#SBATCH --job-name=havln
#SBATCH --cpus-per-task=1
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
submission=$1 data=$2 shards=$3
shift 3
: "${SLURM_ARRAY_TASK_ID:?run me as a job array}"
if [ -z "${HAVLN_SHARDS:-}" ]; then
    count=${SLURM_ARRAY_TASK_COUNT:-0} last=${SLURM_ARRAY_TASK_MAX:-0}
    if [ "${SLURM_ARRAY_TASK_MIN:-0}" != 1 ] || [ "$last" != "$count" ] || [ "$count" -lt 2 ]; then
        echo "slurm-array.sh: this array does not tell how many shards the run has;" \
            "set HAVLN_SHARDS=N, the N of the first run" >&2
        exit 2
    fi
    HAVLN_SHARDS=$last
fi
exec havln-score "$submission" --data "$data" --out "$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" --quiet \
    --shard "$SLURM_ARRAY_TASK_ID/$HAVLN_SHARDS" "$@"
