#!/usr/bin/env python3
"""Runs a bundle of Swift tests in several processes side by side, and prints one report.

    Scripts/run-tests.py BUNDLE [--jobs N] [--filter REGEX]... [--skip REGEX]... [--proof] [--limit SECONDS]

BUNDLE is the executable that `swift build --build-tests` makes. Each test target runs in a process of its own, and a large one in
several, because most tests wait for programs, terminals and sockets. Suites whose names end in `Proof` belong to `make proof`: they run
only with --proof, which leaves all others out. A process in which no test begins or ends within the limit hangs: what it waits for is
written to its output, it is killed, and the run fails.

The report lists what failed, what was skipped with its reason, the time of every target, and the twenty slowest suites. A skipped test is
not a passed test: where the variable CI is `true`, it makes the run fail. The exit code is 0, or 1 if anything failed. The output of
every process is in .build/test-logs.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

LOGS = ".build/test-logs"
# Targets that run in several processes. The number of processes follows from their waiting, which no core shortens.
PARTS = {"SessionTests": 6, "BellerophonServerTests": 3, "FaultTests": 3, "TerminalGuardTests": 2, "BellerophonTests": 3}
# These take the longest and begin first, so that none of them is left alone at the end.
FIRST = [
    "DeployTests", "SessionTests", "FaultTests", "BellerophonTests", "BellerophonServerTests", "TerminalGuardTests",
    "BellerophonStoreTests", "BellerophonServerCommandTests", "BellerophonViewsTests", "SoakTests", "DashboardTests",
    "RepositoryTests", "TerminalShadowTests",
]
# These mostly wait for programs, while the others compute. One of each kind begins in turn, so that the cores always have work.
WAITING = ["DeployTests", "SessionTests", "FaultTests"]
# A process hangs when no test of it has begun or ended for this long, in seconds. No test of `make test` takes a tenth of it.
LIMIT = {"test": 600, "proof": 7200}
PROOF = re.compile(r"Proof/")


class Unit:
    """The tests of one process."""

    def __init__(self, name, target, patterns, tests):
        self.name, self.target, self.patterns, self.tests = name, target, patterns, tests
        self.log = os.path.join(LOGS, name + ".log")
        self.events = os.path.join(LOGS, name + ".events")
        self.seconds = self.processor = 0.0
        self.code = self.hung = None
        self.names = {}
        self.passed, self.failed, self.skipped, self.known = [], collections.OrderedDict(), [], []
        # The time of all cases of a suite together: a suite as a whole also waits for its turn.
        self.suites = collections.Counter()

    def watch(self, pid, limit, ended):
        """Ends the process when it hangs: writes what its processes wait for, asks it for the stacks of its threads, and kills it."""
        size, since = 0, time.monotonic()
        while not ended.wait(1):
            now = os.path.getsize(self.events) if os.path.exists(self.events) else 0
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > limit:
                break
        if ended.is_set():
            return
        self.hung = f"no test began or ended for {limit} s, so it was killed; what it waited for is in {self.log}"
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"\n{self.hung}\n")
            for process in tree(pid):
                log.write(waits(process))
        # A stopped process takes SIGABRT after SIGCONT. Swift's handler prints the stacks and, because nothing crashed, goes on.
        for number in [signal.SIGABRT, signal.SIGCONT]:
            os.kill(pid, number)
        ended.wait(60)
        for process in reversed(tree(pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def run(self, bundle, limit):
        command = [bundle, "--testing-library", "swift-testing", "--event-stream-output-path", self.events]
        command += ["--event-stream-version", "0"]
        for pattern in self.patterns:
            command += ["--filter", pattern]
        begin = time.monotonic()
        with open(self.log, "ab") as log:
            environment = dict(os.environ, SWIFT_BACKTRACE="enable=yes,preset=full,color=no,interactive=no")
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment)
            ended = threading.Event()
            watch = threading.Thread(target=self.watch, args=[process.pid, limit, ended])
            watch.start()
            # Leaves the process a zombie, so that its number names no other process while the watch may send it a signal.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            ended.set()
            watch.join()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - begin
        self.processor = usage.ru_utime + usage.ru_stime
        try:
            self.read_events()
        except (OSError, KeyError) as error:
            self.failed[f"{self.name}: the process"] = [f"its events can't be read: {error!r}; exit code {self.code}; see {self.log}"]

    def read_events(self):
        started, ended, issues = {}, set(), collections.defaultdict(list)
        cases = {}
        with open(self.events, encoding="utf-8", errors="replace") as events:
            for line in events:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue  # The last line of a process that was killed.
                payload = record["payload"]
                if record["kind"] == "test":
                    self.names[payload["id"]] = payload
                    continue
                kind, test = payload["kind"], payload.get("testID")
                moment = payload["instant"]["absolute"]
                is_suite = self.names.get(test, {}).get("kind") == "suite"
                case = (test, json.dumps(payload.get("_testCase")))
                if kind == "testStarted":
                    started[test] = moment
                elif kind == "testCaseStarted":
                    cases[case] = moment
                elif kind == "testCaseEnded":
                    self.suites[test.split("/")[0]] += moment - cases.get(case, moment)
                elif kind == "testSkipped" or kind == "testCancelled":
                    ended.add(test)
                    if not is_suite:
                        self.skipped.append((test, ", ".join(payload.get("_comments") or ["no reason is given"])))
                elif kind == "issueRecorded":
                    text = "\n".join(message["text"] for message in payload["messages"])
                    place = (payload.get("issue") or {}).get("sourceLocation") or {}
                    text = f"{place.get('fileID', '')}:{place.get('line', '')}: {text}"
                    if (payload.get("issue") or {}).get("isKnown"):
                        self.known.append((test, text))
                    elif (payload.get("issue") or {}).get("severity", "error") != "warning":
                        issues[test].append(text)
                elif kind == "testEnded":
                    ended.add(test)
                    if not is_suite and test not in issues and not any(test == name for name, _ in self.skipped):
                        self.passed.append(test)
        self.failed.update(issues)
        if self.hung or self.code not in (0, 1):
            end = f"signal {-self.code}" if self.code < 0 else f"exit code {self.code}"
            running = [test for test in started if test not in ended and self.names.get(test, {}).get("kind") != "suite"]
            end = self.hung or f"ended with {end}"
            self.failed[f"{self.name}: the process"] = [f"{end}; these tests ran: " + ", ".join(map(short, running))]
        elif self.code == 1 and not issues:
            self.failed[f"{self.name}: the process"] = ["exit code 1 without an issue; see " + self.log]
        else:
            ran = {short(test) for test in [*self.passed, *self.failed, *(name for name, _ in self.skipped)]}
            missing = sorted(set(self.tests) - ran)
            if missing:
                self.failed[f"{self.name}: the process"] = ["these tests did not run: " + ", ".join(missing)]


def tree(root):
    """The process and its descendants, parents first."""
    children = collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stat:
                children[int(stat.read().rpartition(")")[2].split()[1])].append(int(name))
    found = [root]
    for process in found:
        found += children[process]
    return found


def waits(process):
    """Lines that say what a process is, and for each of its threads the state and the system call that it waits in."""
    def read(path):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read().replace("\0", " ").strip()
        except OSError:
            return "?"

    lines = [f"process {process}: {read(f'/proc/{process}/cmdline')[:200]}"]
    with contextlib.suppress(OSError):
        for thread in sorted(os.listdir(f"/proc/{process}/task"), key=int):
            place = f"/proc/{process}/task/{thread}"
            state = read(f"{place}/stat").rpartition(")")[2].split()[:1]
            lines.append(f"  thread {thread} {read(f'{place}/comm')}: {''.join(state)} {read(f'{place}/wchan')}, call {read(f'{place}/syscall')}")
    return "\n".join(lines) + "\n"


def short(test):
    """A test's identifier without its place in the file."""
    return re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test or "(no test)")


def units(bundle, arguments):
    listed = subprocess.run([bundle, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    # Of each target the suites, or functions outside of any, with the tests that run and the number of those that do not.
    targets = collections.defaultdict(lambda: collections.defaultdict(lambda: [[], 0]))
    for line in listed.stdout.splitlines():
        target, test = line.split(".", 1)
        suite = targets[target][test.split("/")[0] if "/" in test else test]
        if (
            bool(PROOF.search(line)) == arguments.proof
            and (not arguments.filter or any(re.search(pattern, line) for pattern in arguments.filter))
            and not any(re.search(pattern, line) for pattern in arguments.skip)
        ):
            suite[0].append(line)
        else:
            suite[1] += 1
    result = []
    for target in sorted(targets, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)):
        chosen = sorted((name, suite) for name, suite in targets[target].items() if suite[0])
        parts = 1 if arguments.proof or arguments.filter else min(PARTS.get(target, 1), len(chosen))
        for part in range(parts):
            whole, patterns, all_tests = [], [], []
            for name, (tests, others) in chosen[part::parts]:
                all_tests += tests
                if others:
                    patterns += ["^" + re.escape(test) for test in tests]
                else:
                    whole.append(re.escape(name))
            if whole:
                patterns.append(rf"^{target}\.({'|'.join(whole)})(/|$)")
            if patterns:
                result.append(Unit(target if parts == 1 else f"{target}-{part + 1}", target, patterns, all_tests))
    kinds = [[unit for unit in result if (unit.target in WAITING) == waits] for waits in (True, False)]
    return [unit for pair in itertools.zip_longest(*kinds) for unit in pair if unit]


def run_all(bundle, todo, jobs, limit):
    lock = threading.Lock()
    waiting = list(todo)

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                unit = waiting.pop(0)
            unit.run(bundle, limit)
            with lock:
                mark = "✘" if unit.failed else "✔"
                print(f"{mark} {unit.name}: {len(unit.passed)} passed, {len(unit.failed)} failed, {len(unit.skipped)} skipped"
                      f" ({unit.seconds:.0f} s)", flush=True)

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(done, seconds):
    targets = collections.OrderedDict()
    for unit in done:
        row = targets.setdefault(unit.target, [0, 0.0, 0.0])
        row[0] += len(unit.passed) + len(unit.failed)
        row[1] += unit.seconds
        row[2] += unit.processor
    print(f"\n{'target':<26}{'tests':>7}{'seconds':>10}{'processor':>11}")
    for target, (tests, wall, processor) in sorted(targets.items(), key=lambda row: -row[1][1]):
        print(f"{target:<26}{tests:>7}{wall:>10.1f}{processor:>11.1f}")
    total = sum(row[2] for row in targets.values())
    print(f"{'side by side':<26}{sum(row[0] for row in targets.values()):>7}{seconds:>10.1f}{total:>11.1f}")

    print("\nThe twenty slowest suites, in seconds of all their cases together:")
    suites = [(duration, suite) for unit in done for suite, duration in unit.suites.items()]
    for duration, suite in sorted(suites, reverse=True)[:20]:
        print(f"{duration:>8.1f}  {suite}")

    known = [(test, text) for unit in done for test, text in unit.known]
    if known:
        print("\nKnown issues:")
        for test, text in known:
            print(f"  {short(test)}: {text.splitlines()[0]}")
    skipped = [(test, why) for unit in done for test, why in unit.skipped]
    if skipped:
        print("\nSkipped, which is not passed:")
        reasons = collections.defaultdict(list)
        for test, why in skipped:
            reasons[why].append(short(test))
        for why, tests in sorted(reasons.items()):
            print(f"  {why}:")
            for test in sorted(tests):
                print(f"    {test}")
    failed = [(unit, test, texts) for unit in done for test, texts in unit.failed.items()]
    if failed:
        print("\nFailed:")
        for unit, test, texts in failed:
            print(f"✘ {short(test)} (output: {unit.log})")
            for text in texts[:8]:
                print("    " + "\n    ".join(text[:4000].splitlines()))
    passed = sum(len(unit.passed) for unit in done)
    print(f"\n{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    # Again at the end, because a text above may fill a screen.
    for _, test, texts in failed:
        print(f"✘ {short(test)}: {texts[0].splitlines()[0][:200]}")
    if failed:
        return 1
    if skipped and os.environ.get("CI") == "true":
        print("error: tests were skipped, and CI=true. Install what the list above names.", file=sys.stderr)
        return 1
    if passed == 0:
        print("error: no test ran", file=sys.stderr)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 2))
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--proof", action="store_true")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    shutil.rmtree(LOGS, ignore_errors=True)
    os.makedirs(LOGS)
    todo = units(arguments.bundle, arguments)
    if not todo:
        sys.exit("error: no test matches")
    begin = time.monotonic()
    limit = arguments.limit or LIMIT["proof" if arguments.proof else "test"]
    run_all(arguments.bundle, todo, max(1, arguments.jobs), limit)
    sys.exit(report(todo, time.monotonic() - begin))


if __name__ == "__main__":
    main()
