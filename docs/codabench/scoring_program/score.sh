#!/bin/sh
# Scoring program of a CodaBench task: score.sh INPUT OUTPUT [OPTION...]
# The platform unpacks programs without execute permission and runs them in an image of the
# organiser's choice, so the program brings the libraries and the loader that it was built with.
set -eu
program=$(cd "$(dirname "$0")" && pwd)
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
cp "$program"/ld-linux* "$run/loader"
chmod 755 "$run/loader"
input=$1 output=$2
shift 2
"$run/loader" --library-path "$program" "$program/havln-score" --codabench "$input" "$output" "$@"
