#!/usr/bin/env python3
"""Runs havln-validate on inputs made to be slow or large and checks its bounds.

usage: validate_hostile.py HAVLN_VALIDATE [NAME...]

Each input is a file of at most 100 MB. Bounds: 20 s of processor time and 600 MB of resident
memory for each, 2 s for the 1 GiB bomb, and a verdict (exit code 0 or 1). Exit code 1 where one
does not hold. Needs /usr/bin/time (GNU) and takes a few minutes, most of them to make the inputs.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

MIB = 1 << 20
MEMBER = 256 * MIB  # the default limit for one member, inflated
HEAD = b'{"format_version":1,"split":"val_seen","episodes":['
TAIL = b"]}"


def repeat(piece, size):
    """Pieces of about 4 MiB that together have `size` bytes at most."""
    block = piece * max(1, 4 * MIB // len(piece))
    for _ in range(size // len(block)):
        yield block


def numbered(form, size, step=200_000):
    """Pieces of formatted numbers, `size` bytes in all at most."""
    total = first = 0
    while True:
        block = b"".join(form % i for i in range(first, first + step))
        total += len(block)
        if total > size:
            return
        first += step
        yield block


def zipped(*parts):
    """A val_seen.json of these parts, deflated, and a second one of the same."""

    def make(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name in ("a.json", "b.json"):
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(info, "w") as out:
                    for part in parts:
                        if isinstance(part, bytes):
                            out.write(part)
                        else:
                            for block in part():
                                out.write(block)

    return make


def loose(*parts):
    def make(path):
        with open(path, "wb") as out:
            for part in parts:
                for block in [part] if isinstance(part, bytes) else part():
                    out.write(block)

    return make


def bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("big.json", "w", force_zip64=True) as out:
            for block in repeat(b" ", 1024 * MIB):
                out.write(block)


def lying_bomb(path):
    """The directory and the local header declare 100 bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = b"".join(packer.compress(block) for block in repeat(b" ", 1024 * MIB)) + packer.flush()
    name = b"val_seen.json"
    common = struct.pack("<HHHIIIIHH", 0, 8, 0, 0x21, 0, len(data), 100, len(name), 0)
    local = b"PK\3\4" + struct.pack("<H", 20) + common + name
    central = b"PK\1\2" + struct.pack("<HH", 20, 20) + common
    central += struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(central), len(local) + len(data), 0)
    with open(path, "wb") as out:
        out.write(local + data + central + end)


def long_names(path):
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(750):
            archive.writestr(f"../{i:05}" + "x" * 60_000, b"")


def many_members(path):
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(10_000):
            archive.writestr(f"{i}.json", b'{"split": 5' + b" " * 9000)


def end_records(path):
    with open(path, "wb") as out:
        out.write(b"PK\3\4" + b"PK\5\6" * (20 * MIB))


INPUTS = {
    "bomb 1 GiB": (".zip", bomb),
    "bomb 1 GiB that declares 100 bytes": (".zip", lying_bomb),
    "spaces": (".zip", zipped(HEAD, lambda: repeat(b" ", MEMBER - MIB), TAIL)),
    "episodes, one id": (
        ".zip",
        zipped(HEAD, lambda: repeat(b'{"episode_id":"1","actions":["STOP"]},', MEMBER - 8 * MIB), TAIL),
    ),
    "episodes, unknown ids": (
        ".zip",
        zipped(HEAD, lambda: numbered(b'{"episode_id":"x%d","actions":["STOP"]},', MEMBER - 8 * MIB), TAIL),
    ),
    "empty episodes": (".zip", zipped(HEAD, lambda: repeat(b"{},", MEMBER - 8 * MIB), TAIL)),
    "actions, valid": (
        ".zip",
        zipped(
            HEAD,
            b'{"episode_id":"1","actions":[',
            lambda: repeat(b'"MOVE_FORWARD",', MEMBER - 8 * MIB),
            b'"STOP"]}' + TAIL,
        ),
    ),
    "actions, numbers": (
        ".zip",
        zipped(HEAD, b'{"episode_id":"1","actions":[', lambda: repeat(b"1,", MEMBER - 8 * MIB), b"1]}" + TAIL),
    ),
    "actions, strings of one byte": (
        ".zip",
        zipped(HEAD, b'{"episode_id":"1","actions":[', lambda: repeat(b'"",', MEMBER - 8 * MIB), b"1]}" + TAIL),
    ),
    "split behind the episodes": (
        ".zip",
        zipped(
            b'{"episodes":[',
            lambda: repeat(b'{"episode_id":"1","actions":["STOP"]},', MEMBER - 8 * MIB),
            b'5],"split":"val_seen"}',
        ),
    ),
    "distinct keys": (".zip", zipped(HEAD, b"{", lambda: numbered(b'"%d":0,', MEMBER - 8 * MIB), b'"x":0}' + TAIL)),
    "one key again and again": (
        ".zip",
        zipped(HEAD, b"{", lambda: repeat(b'"a":0,', MEMBER - 8 * MIB), b'"x":0}' + TAIL),
    ),
    "small objects": (
        ".zip",
        zipped(HEAD, b'{"x":[', lambda: repeat(b'{"a":0},', MEMBER - 8 * MIB), b"0]}" + TAIL),
    ),
    "a key of 200 MB": (
        ".zip",
        zipped(b'{"split":"val_seen","', lambda: repeat(b"k", 200 * MIB), b'":0}'),
    ),
    "a string of 200 MB, escaped": (
        ".zip",
        zipped(b'{"split":"val_seen","x":"', lambda: repeat(b"\\u00e9", 200 * MIB), b'"}'),
    ),
    "bytes that are not UTF-8": (
        ".zip",
        zipped(b'{"split":"val_seen","x":[', lambda: repeat(b'"\xff",', MEMBER - 8 * MIB), b"0]}"),
    ),
    "numbers out of range": (
        ".zip",
        zipped(b'{"split":"val_seen","x":[', lambda: repeat(b"1e999,", MEMBER - 8 * MIB), b"0]}"),
    ),
    "a number of 200 MB": (".zip", zipped(b'{"split":"val_seen","x":', lambda: repeat(b"7", 200 * MIB), b"}")),
    "line breaks": (".zip", zipped(HEAD, lambda: repeat(b"\n", MEMBER - 8 * MIB), TAIL)),
    "names of 60 kB": (".zip", long_names),
    "10,000 broken members": (".zip", many_members),
    "signatures of end records": (".zip", end_records),
    "a loose file of 100 MB": (
        ".json",
        loose(HEAD, lambda: repeat(b'{"episode_id":"1","actions":["HOP"]},', 94 * MIB), b"0]}"),
    ),
}


def measure(command):
    """Exit code, processor seconds and peak resident MB of one run, by /usr/bin/time: a child of
    this process would count this process's memory as its own."""
    timed = ["/usr/bin/time", "-q", "-f", "%U %S %M"] + command
    done = subprocess.run(timed, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    user, system, kib = done.stderr.split()[-3:]
    return done.returncode, float(user) + float(system), int(kib) / 1024


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary, names = sys.argv[1], sys.argv[2:] or list(INPUTS)
    failed = False
    print(f"{'input':38} {'file MB':>8} {'exit':>5} {'cpu s':>7} {'RSS MB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            ending, make = INPUTS[name]
            path = os.path.join(folder, "input" + ending)
            make(path)
            size = os.path.getsize(path) / 1e6
            code, seconds, megabytes = measure([binary, path])
            limit = 2 if name.startswith("bomb") else 20
            good = code in (0, 1) and seconds < limit and megabytes < 600 and size <= 100
            failed |= not good
            print(
                f"{name:38} {size:8.1f} {code:5} {seconds:7.2f} {megabytes:7.0f}{'' if good else '  TOO MUCH'}",
                flush=True,
            )
            os.remove(path)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
