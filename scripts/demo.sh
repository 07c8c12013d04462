#!/usr/bin/env bash
# Installs what is missing, builds havln, makes a small synthetic data root, then validates a good
# and a faulty submission and scores two.
#   scripts/demo.sh [DIR]    where the demo data goes (default: out/demo, made anew each time)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh
havln_install

build=build/demo
cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF >/dev/null
cmake --build "$build"
export PATH="$PWD/$build/bin:$PATH"

demo=${1:-out/demo}
show() {
    printf '\n$'
    printf ' %q' "$@"
    printf '\n'
    "$@"
}
# The exit code that the command is meant to give.
expect() {
    local wanted=$1 code=0
    shift
    show "$@" || code=$?
    [ "$code" = "$wanted" ] || { echo "expected exit code $wanted, got $code" >&2; exit 1; }
    [ "$wanted" = 0 ] || printf '(exit code %s, as it should be)\n' "$code"
}

expect 0 havln-demo --force "$demo"
expect 0 havln-validate --manifest "$demo/manifest.json" --split demo "$demo/submissions/careful.zip"
expect 1 havln-validate --manifest "$demo/manifest.json" --split demo "$demo/submissions/faulty.zip"
expect 0 havln-score "$demo/submissions/hasty.zip" --data "$demo" --manifest "$demo/manifest.json" --out "$demo/results/hasty"
expect 0 havln-score "$demo/submissions/careful.zip" --data "$demo" --manifest "$demo/manifest.json" --out "$demo/results/careful"
