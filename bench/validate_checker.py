#!/usr/bin/env python3
"""The submission rules in standard-library Python: what havln-validate is measured against.

  bench/validate_checker.py SUBMISSION.zip

Checks the same things on the way to a verdict (flat archive, safe names, checksums, JSON without
repeated keys or NaN, splits, ids, actions, STOP) and prints PASS or the faults found.
"""
import json
import sys
import zipfile

SPLITS = {"val_seen": 778, "val_unseen": 1839}
ACTIONS = {"STOP", "MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT", "LOOK_UP", "LOOK_DOWN"}
MAX_ACTIONS = 500
MAX_MEMBER_BYTES = 256 << 20


def no_repeats(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("repeated key")
    return members


def no_constant(name):
    raise ValueError(name + " is not JSON")


def check_episode(episode, known, seen, faults):
    episode_id = episode.get("episode_id")
    if not isinstance(episode_id, str):
        faults.append("episode-id-type")
    elif episode_id in seen:
        faults.append("episode-duplicate " + episode_id)
    elif episode_id not in known:
        faults.append("episode-unknown " + episode_id)
    else:
        seen.add(episode_id)
    actions = episode.get("actions")
    if not isinstance(actions, list) or not actions:
        faults.append("actions-empty")
        return 0
    if len(actions) > MAX_ACTIONS:
        faults.append("actions-too-long")
    stops = 0
    for action in actions:
        if not isinstance(action, str):
            faults.append("action-type")
        elif action not in ACTIONS:
            faults.append("action-unknown " + action)
        elif action == "STOP":
            stops += 1
    if stops > 1 or (stops == 1 and actions[-1] != "STOP"):
        faults.append("stop-not-last")
    if stops == 0 and len(actions) < MAX_ACTIONS:
        faults.append("stop-missing")
    return len(actions)


def check_prediction(document, found, faults):
    split = document.get("split")
    if split in found:
        faults.append("split-duplicate " + split)
    version = document.get("format_version")
    if type(version) is not int or version != 1:
        faults.append("format-version")
    known = {str(i) for i in range(1, SPLITS[split] + 1)}
    seen = set()
    episodes = document.get("episodes")
    if not isinstance(episodes, list):
        faults.append("field-type episodes")
        return
    count = sum(check_episode(episode, known, seen, faults) for episode in episodes)
    if seen != known:
        faults.append(f"episode-missing {len(known - seen)}")
    found[split] = (len(episodes), count)


def main(path):
    faults, found = [], {}
    with zipfile.ZipFile(path) as archive:
        names = set()
        for info in archive.infolist():
            if "/" in info.filename or "\\" in info.filename or info.filename in names:
                faults.append("archive-nested-path " + info.filename)
            names.add(info.filename)
            if info.flag_bits & 1 or info.file_size > MAX_MEMBER_BYTES:
                faults.append("archive " + info.filename)
                continue
            text = archive.read(info).decode("utf-8")  # checks the CRC
            try:
                document = json.loads(text, object_pairs_hook=no_repeats,
                                      parse_constant=no_constant)
            except ValueError as error:
                faults.append(f"json-syntax {info.filename}: {error}")
                continue
            if isinstance(document, dict) and document.get("split") in SPLITS:
                check_prediction(document, found, faults)
    faults += ["split-missing " + split for split in SPLITS if split not in found]
    if faults:
        print("SUBMISSION REJECTED:", *faults[:20], sep="\n")
        return 1
    print("PASS:", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
