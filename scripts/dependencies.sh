#!/usr/bin/env bash
# Installs what havln needs to build, where it is missing. Sourced or run by the other scripts.
# Debian and Ubuntu: apt-get (as root, or through sudo). Elsewhere: names the packages and stops.
set -euo pipefail

havln_apt_packages="g++ cmake ninja-build nlohmann-json3-dev libzip-dev libcli11-dev catch2 librecast-dev libfmt-dev libssl-dev zlib1g-dev libcurl4-openssl-dev"

havln_missing() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' || printf '%s ' "$package"
    done
}

havln_name_packages_and_stop() {
    cat >&2 <<'EOF'
This script installs packages with apt-get only. Install these with your package manager, then run it again:
  dnf:    gcc-c++ cmake ninja-build json-devel libzip-devel cli11-devel catch-devel recastnavigation-devel fmt-devel openssl-devel zlib-devel libcurl-devel
  pacman: gcc cmake ninja nlohmann-json libzip cli11 catch2 recastnavigation fmt openssl zlib curl
  brew:   cmake ninja nlohmann-json libzip cli11 catch2 recastnavigation fmt openssl zlib curl
With all of them in place, set HAVLN_SKIP_INSTALL=1.
EOF
    exit 2
}

# havln_install [PACKAGE...]: the build's packages and those named.
havln_install() {
    [ "${HAVLN_SKIP_INSTALL:-}" = 1 ] && return
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || havln_name_packages_and_stop
    local missing as_root=()
    # shellcheck disable=SC2086
    missing=$(havln_missing $havln_apt_packages "$@")
    [ -z "$missing" ] && return
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "Installing: $missing" >&2
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
