#!/usr/bin/env bash
# Makes the README's pictures from the demo: docs/images/map.svg and docs/images/report.png.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh

packages=()
[ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] || packages+=(chromium)
havln_install ${packages[@]+"${packages[@]}"}
chromium=/usr/bin/chromium-headless-shell
[ -x "$chromium" ] || chromium=/usr/bin/chromium

build=build/demo
cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF >/dev/null
cmake --build "$build"
export PATH="$PWD/$build/bin:$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images
havln-demo --quiet "$work/demo"
hasty="$work/demo/submissions/hasty.zip"
havln-plot 12 --data "$work/demo" --submission "$hasty" --width 760 --out docs/images/map.svg
havln-score "$hasty" --data "$work/demo" --manifest "$work/demo/manifest.json" --bootstrap 1000 --quiet \
    --report "$work/report.html" >/dev/null
"$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$work/profile" --hide-scrollbars \
    --window-size=1180,800 --screenshot=docs/images/report.png "file://$work/report.html" 2>/dev/null
ls -l docs/images
