#!/usr/bin/env bash
# One shard of a scoring run, as a task of a Slurm job array:
#   sbatch --array=1-N scripts/slurm-array.sh SUBMISSION DATA_ROOT SHARD_DIR [havln-score options]
#SBATCH --job-name=havln
#SBATCH --cpus-per-task=1
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
submission=$1 data=$2 shards=$3
shift 3
exec havln-score "$submission" --data "$data" --out "$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" --quiet \
    --shard "${SLURM_ARRAY_TASK_ID:?run me as a job array}/${SLURM_ARRAY_TASK_COUNT:?}" "$@"
