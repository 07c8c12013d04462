#!/usr/bin/env python3
"""A submission checker of the standard library alone: the yardstick for havln-validate's speed.

usage: validate_checker.py SUBMISSION.zip     (phase 1)

It makes the checks of havln-validate as a careful Python programmer would, with the fast forms
(sets, the C JSON scanner); it gives no line and column but for syntax errors, since the json module
keeps none. First line and exit code are those of havln-validate.
"""
import json
import stat
import struct
import sys
import zipfile
import zlib

SPLITS = {"val_seen": 778, "val_unseen": 1839, "test": 3408}
REQUIRED = ("val_seen", "val_unseen")
ACTIONS = frozenset(("STOP", "MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT", "LOOK_UP", "LOOK_DOWN"))
MAX_ACTIONS = 500
MAX_DEPTH = 64
MAX_MEMBERS = 10_000
MAX_MEMBER_BYTES = 256 << 20
MAX_TOTAL_BYTES = 512 << 20
TOP_KEYS = frozenset(("format_version", "split", "episodes"))
EPISODE_KEYS = frozenset(("episode_id", "actions"))


class Checker:
    def __init__(self):
        self.errors = []
        self.warnings = []
        self.unknown_keys = set()
        self.found = {}
        self.counts = {}

    def error(self, code, where, text):
        self.errors.append((code, where, text))

    def warn(self, code, where, text):
        self.warnings.append((code, where, text))

    # The archive ------------------------------------------------------------------------------

    def check_archive(self, path):
        try:
            archive = zipfile.ZipFile(path)
        except zipfile.BadZipFile as problem:
            self.error("archive-not-zip", path, str(problem))
            return
        with archive, open(path, "rb") as raw:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS:
                self.error("archive-too-large", path, "too many members")
                return
            if sum(member.file_size for member in members) > MAX_TOTAL_BYTES:
                self.error("archive-too-large", path, "too many bytes")
                return
            self.check_headers(members, raw)
            texts = [(m.filename, self.read(archive, m)) for m in members if self.check_member(m)]
        self.check_texts([(name, data) for name, data in texts if data is not None])

    def check_headers(self, members, raw):
        """Local headers against the directory, and overlaps."""
        end = 0
        for member in sorted(members, key=lambda m: m.header_offset):
            raw.seek(member.header_offset)
            header = raw.read(30)
            if len(header) < 30 or header[:4] != b"PK\3\4":
                self.error("archive-inconsistent-header", member.filename, "no local header")
                continue
            (flags, method, _, crc, packed, size, name_size, extra_size) = struct.unpack(
                "<HHIIIIHH", header[6:30]
            )
            name = raw.read(name_size)
            encoding = "utf-8" if flags & 0x800 else "cp437"
            if name.decode(encoding) != member.orig_filename or method != member.compress_type:
                self.error("archive-inconsistent-header", member.filename, "name or method")
            extra = raw.read(extra_size)
            if size == packed == 0xFFFFFFFF and extra[:4] == b"\1\0\x10\0":  # zip64
                size, packed = struct.unpack("<QQ", extra[4:20])
            if not flags & 8 and (crc, packed, size) != (
                member.CRC,
                member.compress_size,
                member.file_size,
            ):
                self.error("archive-inconsistent-header", member.filename, "sizes or checksum")
            if member.header_offset < end:
                self.error("archive-inconsistent-header", member.filename, "overlap")
            end = member.header_offset + 30 + name_size + extra_size + member.compress_size

    def check_member(self, member):
        """True where the member may be read."""
        name = member.filename
        if name in self.found:
            self.error("archive-duplicate-member", name, "twice")
            return False
        self.found[name] = True
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or name[:1] in ("/", "\\", "") or name[1:2] == ":":
            self.error("archive-unsafe-path", name, "unsafe")
        elif len(parts) > 1:
            self.error("archive-nested-path", name, "in a folder")
        elif stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
            self.error("archive-special-file", name, "a link or device")
        elif member.flag_bits & 0x2041:
            self.error("archive-encrypted-member", name, "encrypted")
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.error("archive-unsupported-method", name, str(member.compress_type))
        elif member.file_size > MAX_MEMBER_BYTES:
            self.error("archive-too-large", name, str(member.file_size))
        else:
            if name in ("metadata", "metadata.yaml"):
                self.warn("archive-reserved-name", name, "reserved")
            return True
        return False

    def read(self, archive, member):
        try:
            data = archive.read(member)
        except (zipfile.BadZipFile, zlib.error) as problem:
            self.error("archive-checksum-mismatch", member.filename, str(problem))
            return None
        if len(data) != member.file_size:
            self.error("archive-inconsistent-header", member.filename, "size")
            return None
        return data

    # The texts --------------------------------------------------------------------------------

    def parse(self, name, data):
        """The document and its faults, as (code, text) pairs."""
        faults = []

        def pairs(items):
            members = dict(items)
            if len(members) != len(items):
                faults.append(("json-duplicate-key", str([key for key, _ in items])[:80]))
            return members

        def constant(word):
            faults.append(("json-syntax", word + " is not JSON"))

        def real(text):
            value = float(text)
            if value in (float("inf"), float("-inf")):
                faults.append(("json-syntax", "out of range"))
            return value

        if data[:3] == b"\xef\xbb\xbf":
            faults.append(("json-encoding", "byte-order mark"))
            data = data[3:]
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as problem:
            return None, [("json-encoding", str(problem))]
        try:
            document = json.loads(
                text, object_pairs_hook=pairs, parse_constant=constant, parse_float=real
            )
        except json.JSONDecodeError as problem:
            return None, faults + [("json-syntax", str(problem))]
        except RecursionError:
            return None, faults + [("json-too-deep", "recursion")]
        if "\\ud" in text or "\\uD" in text:
            try:
                json.dumps(document, ensure_ascii=False).encode("utf-8")
            except UnicodeEncodeError as problem:
                faults.append(("json-encoding", str(problem)))
        return document, faults

    def check_texts(self, texts):
        parsed = [(name, *self.parse(name, data)) for name, data in texts]
        predictions = {}
        extras = []
        for name, document, faults in parsed:
            split = document.get("split") if isinstance(document, dict) else None
            if isinstance(split, str) and split in SPLITS:
                predictions.setdefault(split, []).append((name, document, faults))
            else:
                extras.append((name, document, faults))
        missing = [split for split in REQUIRED if split not in predictions]
        for name, document, faults in extras:
            if not name.lower().endswith(".json"):
                continue
            if faults:
                report = self.error if missing and not name.startswith("._") else self.warn
                report(faults[0][0], name, faults[0][1])
            else:
                self.warn("split-unrecognised", name, "no known split")
        for split, files in predictions.items():
            if len(files) > 1 and split in REQUIRED:
                self.error("split-duplicate", files[1][0], split)
            for name, document, faults in files:
                for code, text in faults:
                    self.error(code, name, text)
                self.check_prediction(name, split, document)
        for split in missing:
            self.error("split-missing", "", split)

    # The contract -----------------------------------------------------------------------------

    def note_keys(self, level, keys, known, where):
        for key in keys - known:
            if (level, key) not in self.unknown_keys:
                self.unknown_keys.add((level, key))
                self.warn("field-unknown", where, key)

    def check_depth(self, where, value, depth):
        if depth > MAX_DEPTH:
            self.error("json-too-deep", where, "too deep")
        elif isinstance(value, dict):
            for item in value.values():
                self.check_depth(where, item, depth + 1)
        elif isinstance(value, list):
            for item in value:
                self.check_depth(where, item, depth + 1)

    def check_prediction(self, name, split, document):
        if document.keys() != TOP_KEYS:
            self.note_keys("", document.keys(), TOP_KEYS, name)
            for key in document.keys() - TOP_KEYS:
                self.check_depth(name, document[key], 2)
            for key in TOP_KEYS - document.keys():
                self.error("field-missing", name, key)
        version = document.get("format_version", 1)
        if type(version) is not int or version != 1:
            self.error("format-version", name, repr(version))
        episodes = document.get("episodes", [])
        if not isinstance(episodes, list):
            self.error("field-type", name, "episodes")
            return
        official = {str(i) for i in range(1, SPLITS[split] + 1)}
        seen = set()
        actions = 0
        for index, episode in enumerate(episodes):
            actions += self.check_episode((name, index), split, episode, official, seen)
        if len(seen) != len(official):
            self.error("episode-missing", name, sorted(official - seen, key=int))
        self.counts[split] = (len(episodes), actions)

    def check_episode(self, where, split, episode, official, seen):
        if not isinstance(episode, dict):
            self.error("field-type", where, "an episode is no object")
            return 0
        if episode.keys() != EPISODE_KEYS:
            self.note_keys("episode", episode.keys(), EPISODE_KEYS, where)
            for key in episode.keys() - EPISODE_KEYS:
                self.check_depth(where, episode[key], 4)
            for key in EPISODE_KEYS - episode.keys():
                self.error("field-missing", where, key)
        if "episode_id" in episode:
            episode_id = episode["episode_id"]
            if not isinstance(episode_id, str):
                self.error("episode-id-type", where, repr(episode_id))
                episode_id = str(episode_id)
            if episode_id not in official:
                self.error("episode-unknown", where, episode_id)
            elif episode_id in seen:
                self.error("episode-duplicate", where, episode_id)
            else:
                seen.add(episode_id)
        actions = episode.get("actions", ["STOP"])
        if not isinstance(actions, list):
            self.error("field-type", where, "actions")
            return 0
        self.check_actions(where, actions)
        return len(actions)

    def check_actions(self, where, actions):
        if not actions:
            self.error("actions-empty", where, "empty")
            return
        try:
            known = ACTIONS.issuperset(actions)
        except TypeError:  # a list or an object among them
            known = False
        if not known:
            for step, action in enumerate(actions):
                if not isinstance(action, str):
                    self.error("action-type", (where, step), repr(action))
                elif action not in ACTIONS:
                    self.error("action-unknown", (where, step), action)
        if len(actions) > MAX_ACTIONS:
            self.error("actions-too-long", where, len(actions))
        stops = actions.count("STOP")
        if stops > (actions[-1] == "STOP"):
            self.error("stop-not-last", where, actions.index("STOP"))
        elif stops == 0 and len(actions) < MAX_ACTIONS:
            self.error("stop-missing", where, len(actions))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    checker = Checker()
    checker.check_archive(sys.argv[1])
    if checker.errors:
        print(f"SUBMISSION REJECTED: {len(checker.errors)} errors")
    else:
        splits = "; ".join(f"{s} {e} episodes, {a} actions" for s, (e, a) in checker.counts.items())
        print(f"PASS: {splits}")
    for code, where, text in checker.errors[:20] + checker.warnings[:20]:
        print(f"  {code}: {where}: {text}")
    sys.exit(1 if checker.errors else 0)


if __name__ == "__main__":
    main()
