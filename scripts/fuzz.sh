#!/usr/bin/env bash
# Builds the fuzz targets with clang's sanitizers and runs each for a while.
#   scripts/fuzz.sh SECONDS [TARGET...]    TARGET: archive, json, navmesh, people (default: all in turn)
# HAVLN_FUZZ_SEED=N makes a run from an empty corpus go the same way again; without it every run differs.
# The corpus stays in build/fuzz/corpus, so that the next run goes on from there. Exit code 1 where
# an input crashes, hangs for 5 s or leaks; it is kept in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh

seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
targets=("${@:-archive}")
[ $# -gt 0 ] || targets=(archive json navmesh people)
havln_install clang libclang-rt-14-dev

build=build/fuzz
cmake --preset fuzz >/dev/null
names=(fuzz_make_seeds)
for target in "${targets[@]}"; do names+=("fuzz_$target"); done
cmake --build "$build" --target "${names[@]}"
"$build/fuzz/fuzz_make_seeds" "$build/seeds"

failed=0
mkdir -p "$build/findings"
for target in "${targets[@]}"; do
    mkdir -p "$build/corpus/$target"
    echo "== fuzz_$target, $seconds s"
    "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 \
        -max_len=16384 -seed="${HAVLN_FUZZ_SEED:-0}" -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
        "$build/corpus/$target" "$build/seeds/$target" 2>&1 | tail -n 25 || failed=1
done
exit "$failed"
