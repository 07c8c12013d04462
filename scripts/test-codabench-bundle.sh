#!/usr/bin/env bash
# Runs the scoring program as CodaBench does, in a clean old Debian without any further package, and
# compares what it writes with what the same build writes here.
#   scripts/test-codabench-bundle.sh [RELEASE]    (default: bullseye; as root; see scripts/chroot.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/dependencies.sh
source scripts/chroot.sh
havln_need_root
havln_install zip
release=${1:-bullseye}

build=build/codabench
cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF >/dev/null
cmake --build "$build" --target havln-score havln-demo
HAVLN_SCORE=$build/bin/havln-score scripts/make-codabench-bundle.sh "$havln_work/program.zip"
"$build/bin/havln-demo" --quiet "$havln_work/demo" >/dev/null

root=$havln_work/image
havln_make_chroot "$release" "$root"
mkdir -p "$root/app/program" "$root/app/input/res"
(cd "$root/app/program" && cmake -E tar xf "$havln_work/program.zip" && chmod -R a-x+X .)
cp -r "$havln_work/demo" "$root/app/input/ref"
command=$(sed -n 's/^command: //p' "$root/app/program/metadata.yaml")

# platform SUBMISSION.zip: unpacks it, leaves its own note beside it and runs the task.
platform() {
    rm -rf "$root/app/output" "$root/app/input/res"
    mkdir -p "$root/app/output" "$root/app/input/res"
    (cd "$root/app/input/res" && cmake -E tar xf "$1")
    printf 'elapsedTime: 0.1\nexitCode: null\n' >"$root/app/input/res/metadata"
    # shellcheck disable=SC2086  # the platform splits the command into words
    chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin sh -c 'cd /app/program && exec "$@"' sh $command
}

echo "== $release, glibc $(chroot "$root" ldd --version | sed -n '1s/.* //p'): a good submission"
platform "$havln_work/demo/submissions/careful.zip"
mkdir "$havln_work/here"
"$build/bin/havln-score" --codabench "$root/app/input" "$havln_work/here" >/dev/null
for file in scores.json detailed_results.html; do
    cmp "$root/app/output/$file" "$havln_work/here/$file"
done
cat "$root/app/output/scores.json"

echo "== a faulty submission"
code=0
platform "$havln_work/demo/submissions/faulty.zip" >"$havln_work/stdout" 2>"$havln_work/stderr" || code=$?
head -n 3 "$havln_work/stderr"
[ "$code" = 1 ] || { echo "expected exit code 1, got $code" >&2; exit 1; }
grep -q '^SUBMISSION REJECTED:' "$havln_work/stderr"
[ -z "$(ls "$root/app/output")" ] || { echo "something was written" >&2; exit 1; }
echo "PASS: $(du -k "$havln_work/program.zip" | cut -f 1) kB"
