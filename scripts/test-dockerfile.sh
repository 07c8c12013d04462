#!/usr/bin/env bash
# Takes the Dockerfile's steps one by one in chroots, for machines without a container engine, then
# runs the documented command in the resulting image. Knows the instructions that the Dockerfile uses
# and stops at any other.
#   scripts/test-dockerfile.sh      (as root; see scripts/chroot.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/chroot.sh
havln_need_root

declare -A stages=()
root='' user=root workdir=/

release_of() {
    case $1 in
        debian:bookworm | debian:bookworm-slim) echo bookworm ;;
        *) echo "unknown base image $1" >&2; exit 1 ;;
    esac
}

from() { # IMAGE [AS NAME]
    root=$havln_work/stage${#stages[@]} user=root workdir=/
    havln_make_chroot "$(release_of "$1")" "$root"
    stages[${3:-final}]=$root
}

copy() { # [--from=STAGE] SOURCE... DESTINATION
    local source_root=$PWD
    if [[ $1 == --from=* ]]; then
        source_root=${stages[${1#--from=}]}
        shift
    fi
    local destination=${*: -1}
    [[ $destination == /* ]] || destination=$workdir/$destination
    mkdir -p "$root$destination"
    if [ "$1" = . ]; then # the build context, less what .dockerignore names
        # Docker's patterns begin at the context's top, but for those that begin with **/.
        tar -C "$source_root" --no-wildcards-match-slash \
            --anchored --exclude-from=<(sed -n '\|^\*\*/|!s|^|./|p' .dockerignore) \
            --no-anchored --exclude-from=<(sed -n 's|^\*\*/||p' .dockerignore) -cf - . |
            tar -C "$root$destination" -xf -
    else
        local pattern
        for pattern in "${@:1:$#-1}"; do
            # shellcheck disable=SC2086  # a pattern, as Docker takes it
            cp $source_root$pattern "$root$destination"
        done
    fi
}

inside() { # COMMAND for /bin/sh, as the image's user in its folder
    chroot --userspec="$user" "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" /bin/sh -c "cd '$workdir' && $1"
}

instruction=''
while IFS= read -r line || [ -n "$line" ]; do
    [[ $line == '#'* || -z $line ]] && continue
    if [[ $line == *\\ ]]; then
        instruction+=${line%\\}
        continue
    fi
    instruction+=$line
    echo "== $instruction"
    word=${instruction%% *} rest=${instruction#* }
    read -ra words <<<"$rest"
    case $word in
        FROM) from "${words[@]}" ;;
        COPY) copy "${words[@]}" ;;
        RUN) inside "$rest" ;;
        WORKDIR) workdir=$rest; mkdir -p "$root$workdir" ;;
        USER) user=$rest ;;
        CMD) ;;
        *) echo "unknown instruction $word" >&2; exit 1 ;;
    esac
    instruction=''
done <Dockerfile

[ "$user" != root ] || { echo "the image runs as root" >&2; exit 1; }
echo "== docker run -v submission:/workspace havln havln-validate /workspace/submission.zip"
echo '{' >"$root/workspace/submission.zip"
code=0
inside 'havln-validate /workspace/submission.zip' || code=$?
[ "$code" = 1 ] || { echo "expected a rejection (exit code 1), got $code" >&2; exit 1; }
inside 'havln-demo /tmp/demo && havln-validate --manifest /tmp/demo/manifest.json --split demo /tmp/demo/submissions/careful.zip'
echo "PASS: the image is $(du -sm "$root" | cut -f 1) MB on disk"
