#!/usr/bin/env python3
"""Measures havln and writes docs/performance.md. Standard library only.

  bench/run.py BUILD_DIR WORK_DIR [--repeats N] [--out docs/performance.md]

BUILD_DIR  a Release build with -DHAVLN_BUILD_BENCH=ON
WORK_DIR   where the benchmark sets of one, two and four times phase 1's size go (made with
           havln-demo --full --scale N if absent: some minutes, about 1 GB)

Every figure is a ratio of medians from this one run; read absolute times as of this machine only.
What is compared takes turns, so that both meet the same load.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
import zipfile

FULL_SPLITS = ["--split", "val_seen", "--split", "val_unseen"]


class Runs:
    """What whole processes of one command took, several of them at once where asked for."""

    def __init__(self, command, at_once=1):
        self.command = command
        self.at_once = at_once
        self.walls, self.cpus, self.peak_mib = [], [], 0

    def once(self):
        begin = time.perf_counter()
        processes = [subprocess.Popen(self.command, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL) for _ in range(self.at_once)]
        ended = [os.wait4(process.pid, 0) for process in processes]
        self.walls.append(time.perf_counter() - begin)
        for _, status, usage in ended:
            if os.waitstatus_to_exitcode(status) != 0:
                sys.exit("failed: " + " ".join(self.command))
            self.cpus.append(usage.ru_utime + usage.ru_stime)
            self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)

    @property
    def wall(self):
        return statistics.median(self.walls)

    @property
    def cpu(self):
        return statistics.median(self.cpus)


def in_turn(commands, repeats):
    """Runs commands, or Runs, one after the other, again and again: all meet the same load."""
    runs = [command if isinstance(command, Runs) else Runs(command) for command in commands]
    for _ in range(repeats):
        for run in runs:
            run.once()
    return runs


def timed(command, repeats):
    """Median wall time [s] and greatest peak memory [MiB] of whole processes."""
    (run,) = in_turn([command], repeats)
    return run.wall, run.peak_mib


def inflating(archive, repeats):
    """Median time [s] of inflating an archive's members and one pass over their bytes."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        with zipfile.ZipFile(archive) as members:
            for name in members.namelist():
                members.read(name).count(b'"')
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


class Bench:
    def __init__(self, build, work, repeats):
        self.bin = os.path.join(build, "bin")
        self.work = work
        self.repeats = repeats
        self.rows = []

    def tool(self, name):
        return os.path.join(self.bin, name)

    def add(self, what, value, wanted=""):
        self.rows.append((what, value, wanted))
        print(f"{what}: {value} {('(wanted: ' + wanted + ')') if wanted else ''}", flush=True)

    def stages(self, submission, data, splits):
        out = subprocess.run(
            [self.tool("havln-bench-stages"), submission, "--data", data, *splits, "--repeats",
             str(self.repeats)], check=True, capture_output=True, text=True).stdout
        return json.loads(out)

    def scoring(self, submissions, data, splits, jobs, more=()):
        return [self.tool("havln-score"), *submissions, "--data", data, *splits, "--collisions",
                "released", "--quiet", "--jobs", str(jobs), *more]

    def score(self, submissions, data, splits, jobs, more=()):
        return timed(self.scoring(submissions, data, splits, jobs, more), self.repeats)

    def data_root(self, scale):
        data = os.path.join(self.work, "full" if scale == 1 else f"full{scale}")
        if not os.path.isdir(data):
            subprocess.run([self.tool("havln-demo"), "--full", "--scale", str(scale), data],
                           check=True, stdout=subprocess.DEVNULL)
        return data

    def full_set(self):
        data = self.data_root(1)
        for name, label, limit in (("recorded", "recorded-length walks", 2.0),
                                   ("long", "500 actions an episode", 1.5)):
            submission = os.path.join(data, "submissions", name + ".zip")
            stages = self.stages(submission, data, FULL_SPLITS)
            bare = stages["median_s"]["bare_detour"]
            self.add(f"full set, {label}: steps", f"{stages['steps']:,}")
            self.add(f"full set, {label}: replay speed over bare Detour, one thread",
                     f"{stages['replay_speed_over_bare_detour']:.2f}", "at least 1.5")
            self.add(f"full set, {label}: replay steps per second, one thread",
                     f"{stages['replay_steps_per_s']:,.0f}")
            self.add(f"full set, {label}: share of parsing / ground truth / loading / replay / metrics",
                     " / ".join(f"{100 * stages['share'][s]:.0f}%" for s in
                                ("parsing", "ground_truth", "loading", "replay", "metrics")))
            commands = [self.scoring([submission], data, FULL_SPLITS, jobs) for jobs in (1, 2)]
            one, two, pair = in_turn([*commands, Runs(commands[0], at_once=2)], 4 * self.repeats)
            self.add(f"full set, {label}: havln-score, one thread / two threads",
                     f"{one.wall / two.wall:.2f}", "at least 1.8")
            self.add(f"full set, {label}: the same of two processes of one thread side by side, "
                     "what this machine can give", f"{2 * one.wall / pair.wall:.2f}")
            self.add(f"full set, {label}: the two threads' CPU time / one thread's",
                     f"{two.cpu / one.cpu:.2f}")
            self.add(f"full set, {label}: havln-score on two threads / bare Detour's time on two threads",
                     f"{two.wall / (bare / 2):.2f}", f"at most {limit}")
            self.add(f"full set, {label}: havln-score, two threads",
                     f"{two.wall:.2f} s, {two.peak_mib:.0f} MiB", "under 400 MiB")
        copies = []
        for i in range(4):
            link = os.path.join(self.work, f"copy{i}.zip")
            if not os.path.lexists(link):
                os.symlink(os.path.join(os.path.abspath(data), "submissions", "long.zip"), link)
            copies.append(link)
        _, peak = self.score(copies, data, FULL_SPLITS, 2)
        self.add("full set, four submissions in one call: peak memory", f"{peak:.0f} MiB",
                 "as for one")

    def linearity(self):
        """Twice and four times the set: as many times the scenes and the episodes."""
        roots = [self.data_root(scale) for scale in (1, 2, 4)]
        (start,) = in_turn([[self.tool("havln-score"), "--version"]], self.repeats)
        self.add("havln-score: starting the process", f"{1000 * start.wall:.1f} ms")
        for name, label in (("recorded", "recorded-length walks"),
                            ("long", "500 actions an episode")):
            one, two, four = in_turn(
                [self.scoring([os.path.join(data, "submissions", name + ".zip")], data, FULL_SPLITS, 1)
                 for data in roots], 2 * self.repeats)
            for times, of, to in (("twice", one, two), ("four times", two, four)):
                self.add(f"{times} the full set, {label}: time over that of half of it, one thread",
                         f"{to.wall / of.wall:.2f}", "1.8 to 2.2")

    def validator(self):
        checker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "validate_checker.py")
        data = os.path.join(self.work, "full")
        for name in ("recorded", "long"):
            archive = os.path.join(data, "submissions", name + ".zip")
            ours, peak = timed([self.tool("havln-validate"), archive], self.repeats)
            self.add(f"havln-validate, {name}.zip", f"{1000 * ours:.0f} ms, {peak:.0f} MiB")
            self.add(f"havln-validate, {name}.zip: time / inflating and one pass",
                     f"{ours / inflating(archive, self.repeats):.1f}",
                     "at most 3" if name == "long" else "")
            if os.path.exists(checker):
                python, _ = timed([sys.executable, checker, archive], self.repeats)
                self.add(f"havln-validate, {name}.zip: times as fast as the Python checker",
                         f"{python / ours:.1f}", "at least 2" if name == "long" else "at least 5")

    def shared(self, shared):
        """The reference data, where it is present."""
        data = os.path.join(shared, "real", "havln2")
        submission = os.path.join(shared, "vectors", "mini_random.json")
        if not os.path.exists(submission):
            return
        splits = ["--split", "mini_random"]
        stages = self.stages(submission, data, splits)
        self.add("mini_random: replay speed over bare Detour, one thread",
                 f"{stages['replay_speed_over_bare_detour']:.2f}", "at least 1.5")
        self.add("mini_random: replay steps per second, one thread",
                 f"{stages['replay_steps_per_s']:,.0f}")
        single, peak = self.score([submission], data, splits, 2)
        self.add("mini_random: havln-score", f"{single:.3f} s, {peak:.0f} MiB", "under 200 MiB")
        sweep, _ = self.score([submission], data, splits, 2, ["--clock-samples", "100"])
        self.add("mini_random: 100 clock samples cost", f"{sweep / single:.1f} single runs",
                 "under 60")

    def markdown(self):
        cores = os.cpu_count()
        lines = ["# Performance", "",
                 f"Written by bench/run.py; medians over {self.repeats} runs on {cores} cores, page "
                 "cache warm. Ratios are of one run; absolute times are of one machine.", "",
                 "Bare Detour: the move filter's Detour calls for the same moves, all of them made, "
                 "with nothing around them (bench/bare_detour.cpp).", "",
                 "Larger sets have as many times the scenes, people and episodes (havln-demo --full "
                 "--scale N); only starting the process does not grow with them. That a step of the "
                 "replay allocates nothing is counted by a test: `ctest -L allocation`.", "",
                 "| what | measured | wanted |", "|---|---|---|"]
        lines += [f"| {what} | {value} | {wanted} |" for what, value, wanted in self.rows]
        return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--shared", default=os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                                         "..", "..", "shared"))
    parser.add_argument("--out")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bench = Bench(arguments.build, arguments.work, arguments.repeats)
    bench.shared(arguments.shared)
    bench.full_set()
    bench.linearity()
    bench.validator()
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(bench.markdown())


if __name__ == "__main__":
    main()
