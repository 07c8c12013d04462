#!/usr/bin/env bash
# Two builds of havln must write the same bytes, whatever compiled them and however they run:
#   scripts/test-same-bytes.sh BUILD_A BUILD_B
# Each makes the demo and scores it with every output, B with another number of threads, locale and
# time zone. Prints how many files were compared.
set -euo pipefail
a=$(cd "${1:?usage: scripts/test-same-bytes.sh BUILD_A BUILD_B}" && pwd)
b=$(cd "${2:?usage: scripts/test-same-bytes.sh BUILD_A BUILD_B}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# write_all BUILD JOBS: from inside the folder that it writes to, since outputs name their inputs.
write_all() {
    local bin=$1/bin jobs=$2 name submission
    "$bin/havln-demo" data >/dev/null
    for name in careful hasty; do
        submission=data/submissions/$name.zip
        "$bin/havln-score" --quiet "$submission" --data data --manifest data/manifest.json --jobs "$jobs" \
            --bootstrap 200 --clock-samples 5 --out "results/$name" --report "$name.html" \
            --trace "$name.jsonl" --rows "$name.csv" --format json >"$name.stdout.json"
        "$bin/havln-validate" --manifest data/manifest.json --split demo --format json "$submission" >"$name.validate.json"
    done
    "$bin/havln-compare" results/careful results/hasty --format json >compare.json
    "$bin/havln-validate" --manifest data/manifest.json --split demo --format json data/submissions/faulty.zip >faulty.json || [ $? = 1 ]
}
mkdir "$work/a" "$work/b"
(cd "$work/a" && write_all "$a" 1)
(cd "$work/b" && LC_ALL=$(locale -a | grep -vE '^(C|POSIX)' | head -n 1) TZ=Asia/Tokyo write_all "$b" 3)
diff -r "$work/a" "$work/b" || { echo "The two builds write different bytes" >&2; exit 1; }
echo "Same bytes in $(find "$work/a" -type f | wc -l) files from $1 and $2"
