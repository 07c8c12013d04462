#!/usr/bin/env bash
# Installs what is missing, builds havln and runs all of its tests.
#   scripts/test.sh [PRESET]    PRESET: release (default), dev, asan-ubsan or fuzz
#   CXX=clang++ scripts/test.sh    with another compiler
#   HAVLN_WERROR=OFF scripts/test.sh    where a newer compiler warns of more
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh

preset=${1:-release}
compiler=${CXX:-g++}
packages=()
if [[ $compiler == clang* ]]; then packages+=(clang libclang-rt-dev); fi
havln_install ${packages[@]+"${packages[@]}"}

build=build/$preset-$(basename "$compiler")
cmake --preset "$preset" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" \
    -DHAVLN_WERROR="${HAVLN_WERROR:-ON}" >/dev/null
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --progress -j "$(nproc)"
