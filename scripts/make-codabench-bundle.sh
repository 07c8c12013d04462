#!/usr/bin/env bash
# Makes CodaBench's scoring program: a flat archive with havln-score, the libraries and the loader that
# it was linked with, and what starts it. So it runs in any image with a shell, whatever its C library,
# and walks with the very path finder that was tested here.
#   scripts/make-codabench-bundle.sh [OUT.zip]    (default: out/codabench/scoring_program.zip)
#   HAVLN_SCORE=FILE    take this havln-score instead of building one
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../out/codabench/scoring_program.zip}")
cd "$(dirname "$0")/.."

source scripts/dependencies.sh
havln_install zip
score=${HAVLN_SCORE:-}
if [ -z "$score" ]; then
    build=build/codabench
    cmake --preset release -B "$build" -DHAVLN_BUILD_TESTS=OFF >/dev/null
    cmake --build "$build" --target havln-score
    score=$build/bin/havln-score
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp docs/codabench/scoring_program/* "$stage/"
strip -o "$stage/havln-score" "$score"

# Debian package of a file; its database may know it without the leading /usr.
package_of() {
    local path
    path=$(realpath "$1")
    { dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null | head -n 1 | cut -d : -f 1
}

# ldd's lines: "NAME => FILE (ADDRESS)", and for the loader "FILE (ADDRESS)".
packages=()
while read -r name file; do
    cp -L "$file" "$stage/$name"
    packages+=("$(package_of "$file")")
done < <(ldd "$score" | sed -n -E 's|^\s*(\S+) => (/\S+) .*|\1 \2|p; s|^\s*(/\S*/(ld-linux\S*)) .*|\2 \1|p')
compgen -G "$stage/ld-linux*" >/dev/null || { echo "no loader found for $score" >&2; exit 1; }

cp LICENSE "$stage/LICENSE"
for package in $(printf '%s\n' "${packages[@]}" | sort -u); do
    printf '\n== %s\n\n' "$package"
    cat "/usr/share/doc/$package/copyright"
done >"$stage/LICENSES-of-libraries.txt"

mkdir -p "$(dirname "$out")"
# The same times, order and fields each time: equal programs are equal files.
export LC_ALL=C TZ=UTC
touch -d 1980-01-01 "$stage"/*
(cd "$stage" && zip -X -q - -- *) >"$out.part"
mv "$out.part" "$out"
echo "$out"
