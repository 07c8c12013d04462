#!/usr/bin/env bash
# Small clean Debian systems for the packaging checks. Sourced by the scripts that need them; they
# run as root.
#   HAVLN_DEBIAN_MIRROR   where Debian is fetched from (default: as the system's apt does)

havln_need_root() {
    [ "$(id -u)" = 0 ] || { echo "$0: run me as root: I make chroots" >&2; exit 2; }
    command -v debootstrap >/dev/null || { echo "$0: debootstrap is not installed" >&2; exit 2; }
}

# The mirror of Debian that apt itself uses.
havln_mirror() {
    if [ -n "${HAVLN_DEBIAN_MIRROR:-}" ]; then
        echo "$HAVLN_DEBIAN_MIRROR"
        return
    fi
    # shellcheck disable=SC2016  # apt-get's own placeholders
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
        sed -n 's/^Debian //p' | grep -v security | head -n 1
}

# havln_make_chroot RELEASE DIR: a fresh minimal system; made once for each release below
# HAVLN_CHROOT_CACHE (default: a folder that ends with the script) and copied from there.
havln_make_chroot() {
    local release=$1 dir=$2 cache=${HAVLN_CHROOT_CACHE:-$havln_work/cache}
    mkdir -p "$cache"
    if [ ! -e "$cache/$release.done" ]; then
        rm -rf "${cache:?}/$release"
        debootstrap --variant=minbase "$release" "$cache/$release" "$(havln_mirror)" >"$cache/$release.log" 2>&1 ||
            { tail -n 20 "$cache/$release.log" >&2; exit 1; }
        touch "$cache/$release.done"
    fi
    cp -a "$cache/$release" "$dir"
}

# Work folder, removed at the end whatever happens.
havln_work=$(mktemp -d)
trap 'rm -rf "$havln_work"' EXIT
