#!/usr/bin/env bash
# Builds the fuzz targets with clang's sanitizers and runs each for a while, as many at once as
# there are processors.
#   scripts/fuzz.sh SECONDS [TARGET...]    TARGET: archive, json, navmesh, people (default: all)
# HAVLN_FUZZ_SEED=N makes a run from an empty corpus go the same way again; without it every run differs.
# The corpus stays in build/fuzz-clang++/corpus, so that the next run goes on from there. Exit code 1
# where an input crashes, hangs for 5 s or leaks; it is kept in build/fuzz-clang++/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh

seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
targets=("$@")
[ $# -gt 0 ] || targets=(archive json navmesh people)
havln_install clang libclang-rt-dev

build=build/fuzz-clang++
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzz_make_seeds "${targets[@]/#/fuzz_}"
"$build/fuzz/fuzz_make_seeds" "$build/seeds"

fuzz() {
    local target=$1 log=$build/fuzz_$1.log code=0
    mkdir -p "$build/findings" "$build/corpus/$target"
    "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 \
        -max_len=16384 -seed="${HAVLN_FUZZ_SEED:-0}" -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
        "$build/corpus/$target" "$build/seeds/$target" >"$log" 2>&1 || code=$?
    echo "== fuzz_$target, $seconds s: exit code $code"
    tail -n 20 "$log"
    return "$code"
}
export -f fuzz
export build seconds
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1"' fuzz {} || exit 1
