#!/usr/bin/env bash
# Installs what is missing, builds havln (without tests) and installs it.
#   scripts/install.sh [PREFIX]    (default: /usr/local)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh
havln_install

prefix=${1:-/usr/local}
build=build/install
cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$prefix" >/dev/null
cmake --build "$build"
cmake --install "$build" >/dev/null
echo "havln is installed below $prefix"
