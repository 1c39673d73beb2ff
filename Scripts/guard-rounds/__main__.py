"""Pauses, continues and ends trees of processes under `bellerophon guard` at random moments, and checks what holds.

    Scripts/guard-rounds BELLEROPHON TREEPROBE [--rounds N] [--seed N] [--processes N] [--jobs N] [--minutes N] [--only N]

In each round a guard runs Tests/TreeProbe, whose processes fork, become daemons, have sessions of their own, ignore signals, send
numbers through pipes and count. The guard has a pseudo-terminal or is in a pipeline; as root, it is in half of the rounds another
user's, and so without a control group. Its status is killed and cleared several times. While it is killed, no process may count.
After the clear all count again, no number is lost or comes twice, and what somebody had stopped before is still stopped. Then the
status ends the tree, or the guard is killed: nothing may be left of what was to be ended, the guard's exit status is right, and
its terminal is as before. Times are printed for information; no time is checked. Linux, Python 3.11 or later.
"""

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from guard import NOBODY
from rounds import Interrupted, Round, Setup
from tree import MOST_SLOTS, Tree, groups


class Run:
    """All rounds, some of them beside each other."""

    def __init__(self, setup: Setup, seed: int, numbers: range, minutes: float):
        self.setup, self.seed = setup, seed
        self.numbers = iter(numbers)
        self.end = time.monotonic() + minutes * 60
        self.lock = threading.Lock()
        self.done: list[Round] = []
        self.failed = 0

    def work(self):
        while (number := self._next()) is not None:
            current = Round(self.setup, self.seed, number)
            try:
                current.run()
            except Interrupted:
                return
            # A fault of these scripts is reported as well, and the other rounds end.
            except Exception as error:
                return self._fail(current, error)
            with self.lock:
                self.done.append(current)
                print(f"round {number}: {current}", flush=True)

    def _next(self) -> int | None:
        with self.lock:
            is_over = self.setup.over.is_set() or time.monotonic() > self.end
            return None if is_over else next(self.numbers, None)

    def _fail(self, current: Round, error: Exception):
        with self.lock:
            self.failed += 1
            self.setup.over.set()
            options = self.setup.options
            print(f"error: seed {self.seed}, round {current.number} ({current}): {error}\n"
                  f"  again: Scripts/guard-rounds {options.client} {options.probe} --processes {options.processes} "
                  f"--seed {self.seed} --only {current.number}", file=sys.stderr)
            if current.guard:
                print(f"  the guard's last output: {current.guard.tail()}", file=sys.stderr)

    def report(self):
        kinds: dict[str, list[Round]] = {}
        for item in self.done:
            kinds.setdefault(item.kind(), []).append(item)
        for kind, items in sorted(kinds.items()):
            times = [1000 * seconds for item in items for seconds in item.times]
            figures = f"{statistics.median(times):.0f} ms (median), {max(times):.0f} ms (longest)" if times else "not measured"
            print(f"{kind}: {len(items)} rounds; until all stood still: {figures}")
        print(f"ok: {len(self.done)} rounds with {sum(item.count for item in self.done)} processes and "
              f"{sum(item.pauses for item in self.done)} pauses; seed {self.seed}")


def can_be_nobody(options, work: str) -> bool:
    """Whether the guard can be run as another user."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return False
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return all(
        subprocess.run([*command, *words], capture_output=True, stdin=subprocess.DEVNULL).returncode == code
        for words, code in [([options.client, "--version"], 0), ([options.probe], 2), (["test", "-x", work], 0)])


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("client", type=os.path.realpath)
    parser.add_argument("probe", type=os.path.realpath)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--processes", type=int, default=200, help=f"the most of one tree, up to {MOST_SLOTS}")
    parser.add_argument("--jobs", type=int, default=2, help="how many rounds run beside each other")
    parser.add_argument("--minutes", type=float, default=120, help="after this time no round begins")
    parser.add_argument("--only", type=int, help="the number of the only round")
    options = parser.parse_args()
    if not 2 <= options.processes <= MOST_SLOTS:
        parser.error(f"--processes: expected 2 to {MOST_SLOTS}")
    return options


def run(options, work: str) -> int:
    seed = options.seed if options.seed is not None else random.randrange(1 << 31)
    print(f"seed {seed}", flush=True)
    outside = Tree(f"{work}/outside.slots", 1)
    clock = subprocess.Popen([options.probe, "tree", outside.path, "1", "1"], start_new_session=True)
    setup = Setup(options, work, outside)
    setup.has_nobody = can_be_nobody(options, work)
    if not setup.has_nobody:
        print("skipped: rounds as another user need root, setpriv and programs that everybody may read", flush=True)
    numbers = range(options.only, options.only + 1) if options.only else range(1, options.rounds + 1)
    rounds = Run(setup, seed, numbers, options.minutes)
    threads = [threading.Thread(target=rounds.work) for _ in range(min(options.jobs, len(numbers)))]
    try:
        setup.eventually("the clock outside", setup.outside_ticks)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        setup.over.set()
        for thread in threads:
            if thread.ident:
                thread.join()
        clock.kill()
        clock.wait()
        # The next guard would remove them.
        for folder in (folder for pid in setup.ended for folder in groups(pid)):
            os.rmdir(folder)
    if rounds.failed:
        return 1
    rounds.report()
    return 0


def leave(number, _):
    """Ends the rounds and their processes. A second signal does not interrupt that: timeout(1) sends two."""
    for other in (signal.SIGINT, signal.SIGTERM):
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def main() -> int:
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    # Another user must be able to enter it.
    work = tempfile.mkdtemp(prefix="guard-rounds-")
    os.chmod(work, 0o755)
    try:
        return run(options, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
