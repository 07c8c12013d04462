#!/usr/bin/env bash
# Makes the .deb packages, installs the runtime one in a clean Debian 12 and runs the demo there; then
# installs the development one and builds a project with it.
#   scripts/test-package.sh      (as root; see scripts/chroot.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh
source scripts/chroot.sh
havln_need_root
havln_install dpkg-dev file

build=build/package
cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr >/dev/null
cmake --build "$build"
rm -rf "$build/packages"
(cd "$build" && cpack -G DEB >/dev/null)

root=$havln_work/debian
havln_make_chroot bookworm "$root"
cp "$build"/packages/*.deb "$root/tmp/"
cp -r tests/install/consumer "$root/tmp/"
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        http_proxy="${http_proxy:-}" /bin/sh -ec "$1"
}

echo "== install havln"
inside 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /tmp/havln_*.deb >/dev/null'
echo "== the demo's commands"
# shellcheck disable=SC2016  # expanded inside
inside 'cd /tmp
    havln-demo demo
    havln-validate --manifest demo/manifest.json --split demo demo/submissions/careful.zip
    havln-validate --manifest demo/manifest.json --split demo demo/submissions/faulty.zip && exit 1 || [ $? = 1 ]
    havln-score demo/submissions/hasty.zip --data demo --out demo/results/hasty
    havln-score demo/submissions/careful.zip --data demo --out demo/results/careful
    for command in /usr/bin/havln-*; do
        "$command" --version
        test -s "/usr/share/man/man1/${command##*/}.1.gz"
        test -s "/usr/share/bash-completion/completions/${command##*/}"
    done'

echo "== install libhavln-dev and build with it"
inside 'apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /tmp/libhavln-dev_*.deb cmake ninja-build g++ >/dev/null
    cmake -S /tmp/consumer -B /tmp/build -G Ninja >/dev/null
    cmake --build /tmp/build >/dev/null
    /tmp/build/consumer'
echo "== remove"
inside 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 havln libhavln-dev >/dev/null; ! ls -d /usr/bin/havln-* /usr/share/havln 2>/dev/null'
echo PASS
