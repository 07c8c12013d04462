#!/usr/bin/env python3
"""How much faster havln-validate is than bench/validate_checker.py, process start included.

usage: validate_speed.py HAVLN_VALIDATE [ARCHIVE.zip] [--runs N]

ARCHIVE.zip is a valid phase-1 submission (default: one of short episodes made here). The second
archive is made here: 2,617 episodes of 500 actions, 25 MB of JSON. The two programs take turns, so
that both meet the same load; ratios are of the medians of N runs (default 15). Exit code 1 where
the first is below 5 or the second below 2.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

SPLITS = {"val_seen": 778, "val_unseen": 1839}
MOVES = ("MOVE_FORWARD", "MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT")
CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "validate_checker.py")


def write_archive(path, lengths, indent):
    """A valid submission; lengths() gives the actions of one episode. Returns its bytes of JSON."""
    source = random.Random(7)
    size = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for split, episodes in SPLITS.items():
            text = json.dumps(
                {
                    "format_version": 1,
                    "split": split,
                    "episodes": [
                        {
                            "episode_id": str(i + 1),
                            "actions": source.choices(MOVES, k=lengths(source) - 1) + ["STOP"],
                        }
                        for i in range(episodes)
                    ],
                },
                indent=indent,
            )
            archive.writestr(split + ".json", text)
            size += len(text)
    return size


def seconds(command):
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL)
    spent = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    return spent


def ratio(binary, archive, runs, title, wanted):
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(seconds([binary, archive]))
        theirs.append(seconds([sys.executable, CHECKER, archive]))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    good = theirs >= wanted * ours
    print(
        f"{title}: havln-validate {ours * 1e3:.1f} ms, Python {theirs * 1e3:.1f} ms, "
        f"ratio {theirs / ours:.1f} (wanted: {wanted}){'' if good else '  TOO SLOW'}"
    )
    return good


def main():
    arguments = sys.argv[1:]
    runs = 15
    if "--runs" in arguments:
        at = arguments.index("--runs")
        runs = int(arguments[at + 1])
        del arguments[at : at + 2]
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    binary = arguments[0]
    with tempfile.TemporaryDirectory() as folder:
        short = os.path.join(folder, "short.zip")
        if len(arguments) == 2:
            short = arguments[1]
        else:
            write_archive(short, lambda source: source.randint(20, 96), None)
        full = os.path.join(folder, "full.zip")
        size = write_archive(full, lambda source: 500, 1)
        good = ratio(binary, short, runs, os.path.basename(short), 5)
        good &= ratio(binary, full, runs, f"full size, {size / 1e6:.1f} MB of JSON", 2)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
