#!/usr/bin/env bash
# Installs a browser where it is missing and tests the HTML report in it.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh

packages=()
if [ ! -x "${HAVLN_CHROMIUM:-}" ] && [ ! -x /usr/bin/chromium-headless-shell ] && [ ! -x /usr/bin/chromium ]; then
    packages+=(chromium)
fi
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
havln_install ${packages[@]+"${packages[@]}"}
(cd tests/browser && npm install --no-package-lock --no-audit --no-fund --silent)

build=build/release-g++
cmake --preset release -B "$build" -DCMAKE_CXX_COMPILER=g++ >/dev/null
cmake --build "$build" --target report_sample
node tests/browser/report_test.mjs "$build/tests/browser/report_sample"
