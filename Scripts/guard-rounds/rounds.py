"""One round: a guard, a tree of processes under it, kills and clears at random moments, and an end."""

import os
import random
import signal
import threading
import time

from guard import NOBODY, Guard
from status import StatusServer
from tree import Tree, groups, state

# Each wait ends after this time, also on a machine that does much else. Nothing here is a check of speed.
LIMIT = 90
LOOK_TIME = 0.004
EXIT_CODE = 75
# How often the clock outside must advance before a tree counts as standing still. One tick takes 20 ms or more.
STILL_TICKS = 10
# The kind of process whose first thread has ended, so that /proc does not show whether it is stopped.
THREADED = 4
# How the rounds end, in turn. After SIGKILL the monitor gives processes that ignore SIGHUP five seconds.
ENDINGS = ["update", "terminate", "killed", "kept", "update", "terminate", "update", "terminate"]


class Failure(Exception):
    """Something that must not happen has happened."""


class Interrupted(Exception):
    """The rounds are to end."""


class Setup:
    """What all rounds share."""

    def __init__(self, options, work: str, outside: Tree):
        self.options, self.work, self.outside = options, work, outside
        self.server = StatusServer()
        self.over = threading.Event()
        self.has_nobody = False
        # The guards of earlier rounds.
        self.ended: list[int] = []

    def outside_ticks(self) -> int:
        return self.outside.slots()[0].ticks

    def eventually(self, what: str, condition):
        end = time.monotonic() + LIMIT
        while not (value := condition()):
            if self.over.is_set():
                raise Interrupted
            if time.monotonic() > end:
                raise Failure(f"{what}: not within {LIMIT} s")
            time.sleep(LOOK_TIME)
        return value


class Round:
    """What happens is chosen by the seed and the number. When it happens also depends on the machine."""

    def __init__(self, setup: Setup, seed: int, number: int):
        self.setup, self.number = setup, number
        self.chance = chance = random.Random(f"{seed}:{number}")
        self.ending = ENDINGS[(number - 1) % len(ENDINGS)]
        self.has_terminal = chance.random() < 0.7
        self.as_nobody = setup.has_nobody and chance.random() < 0.5
        self.count = chance.randint(max(2, setup.options.processes // 2), setup.options.processes)
        self.tree_seed = chance.randrange(1 << 31)
        self.times: list[float] = []
        self.pauses = 0
        self.stopped: dict[int, int] = {}
        self.tree = self.guard = None
        self.has_group = False

    def __str__(self) -> str:
        return f"{self.kind()}, {self.count} processes, {self.pauses} pauses, {self.ending}"

    def kind(self) -> str:
        place = "terminal" if self.has_terminal else "pipeline"
        holding = "control group" if self.has_group else "processes"
        return f"{'terminate' if self.ending == 'terminate' else 'pause'}, {place}, by {holding}"

    # MARK: The course

    def run(self):
        try:
            self._start()
            if self.ending != "terminate":
                for _ in range(self.chance.randint(1, 4)):
                    self._pause_and_clear()
                self.eventually("the tree is complete", lambda: all(slot.pid for slot in self.tree.slots()))
            {"update": self._end_by_update, "terminate": self._end_by_kill, "killed": self._end_by_monitor,
             "kept": self._keep}[self.ending]()
            self._check_numbers()
            self._check_groups()
        finally:
            self._clean_up()

    def _start(self):
        home = f"{self.setup.work}/{self.number}"
        os.mkdir(home, 0o700)
        if self.as_nobody:
            os.chown(home, NOBODY, NOBODY)
        self.status = self.setup.server.add(str(self.number))
        self.tree = Tree(f"{self.setup.work}/{self.number}.slots", self.count, NOBODY if self.as_nobody else None)
        response = "terminate=1s" if self.ending == "terminate" else "pause"
        self.former = list(self.setup.ended)
        url = self.setup.server.url(str(self.number))
        self.guard = Guard(
            [self.setup.options.client, "guard", "--status-url", url, "--start-timeout", "60", "--on-kill", response,
             "--on-update", "terminate=1s", "--orphans", "keep" if self.ending == "kept" else "end",
             "--", self.setup.options.probe, "tree", self.tree.path, str(self.tree_seed), str(self.count)],
            home, has_terminal=self.has_terminal, replies=self.chance.random() < 0.8, as_nobody=self.as_nobody)
        self.eventually("the program works", lambda: self.guard_runs() and self.tree.slots()[0].ticks)
        self.has_group = bool(groups(self.guard.pid))
        if self.chance.random() < 0.5:
            self.eventually("the tree is complete", lambda: self.guard_runs() and all(slot.pid for slot in self.tree.slots()))

    def _pause_and_clear(self):
        self.pauses += 1
        if self.chance.random() < 0.5:
            self._stop_some()
        self._wait(0.2)
        self.status.kill()
        for _ in range(self.chance.choice([0, 0, 0, 1, 3])):
            # The clear comes while the pause is under way, and the next kill while all go on.
            self._wait(0.06)
            self.status.clear()
            self._wait(0.06)
            self.status.kill()
        # The guard has done the last of it when all stand still. A process that is stopped before that may not be known as such.
        self._check_pause()
        before = self.tree.slots()
        self.status.clear()
        self._check_work(before)
        self._continue_stopped()

    def _end_by_update(self):
        """The update ends everything, also what a kill has paused before."""
        if self.chance.random() < 0.5:
            self._stop_some()
        if self.chance.random() < 0.5:
            self.status.kill()
            self._check_pause()
        self._end(self.status.require_update)

    def _end_by_kill(self):
        if self.chance.random() < 0.5:
            self._stop_some()
        self._wait(0.3)
        self._end(self.status.kill)

    def _end_by_monitor(self):
        """The guard dies. Its monitor ends everything."""
        if self.chance.random() < 0.5:
            self.status.kill()
            self._wait(0.3)
        self.guard.kill()
        self.eventually("everything ends after the guard was killed", lambda: not self.tree.related())

    def _keep(self):
        """The guard dies. Everything goes on, also what is paused.

        The monitor does not know what somebody else has stopped, and continues that, too.
        """
        if self.chance.random() < 0.7:
            self.status.kill()
            self._wait(0.3)
        before = self.tree.slots()
        self.guard.kill()
        self.guard.process.wait()
        self._check_work(before)
        self.eventually("the monitor ends after its last process", self._have_all_ended)

    def _have_all_ended(self) -> bool:
        self.tree.kill(self.tree.processes())
        return not self.tree.related()

    # MARK: Processes that somebody stops

    def _stop_some(self):
        """Stops up to three processes, as a person does. The guard's program itself is not among them: its guard would stop."""
        running = [(index, slot) for index, slot in enumerate(self.tree.slots())
                   if index > 0 and slot.ticks > 5 and slot.kind != THREADED and index not in self.stopped]
        for index, slot in self.chance.sample(running, min(len(running), self.chance.randint(1, 3))):
            os.kill(slot.pid, signal.SIGSTOP)
            self.eventually("SIGSTOP acts", lambda slot=slot: state(slot.pid) == "T")
            self.stopped[index] = self.tree.slots()[index].ticks

    def _check_stopped(self):
        slots = self.tree.slots()
        for index, ticks in self.stopped.items():
            if state(slots[index].pid) != "T" or slots[index].ticks != ticks:
                raise Failure(f"process {slots[index].pid}, which was stopped before the pause, is in state "
                              f"{state(slots[index].pid)}, and its clock went from {ticks} to {slots[index].ticks}")

    def _continue_stopped(self):
        slots = self.tree.slots()
        continued, self.stopped = self.stopped, {}
        for index in continued:
            os.kill(slots[index].pid, signal.SIGCONT)
        self._check_work(slots)

    # MARK: Checks

    def _check_pause(self):
        """All clocks come to a stand, and then stay so while the clock outside advances."""
        self.times.append(self._stand_still(time.monotonic(), "everything stands still"))
        held, first = self.tree.clocks(), self.setup.outside_ticks()
        wanted = first + self.chance.randint(STILL_TICKS, 3 * STILL_TICKS)
        self.eventually("the clock outside", lambda: self.setup.outside_ticks() >= wanted)
        if self.tree.clocks() != held:
            raise Failure("a paused process has worked")
        self._check_stopped()

    def _stand_still(self, start: float, what: str) -> float:
        """Waits, and returns the seconds until the last change of a clock."""
        last, changed, outside = self.tree.clocks(), start, self.setup.outside_ticks()

        def stands() -> bool:
            nonlocal last, changed, outside
            clocks = self.tree.clocks()
            if clocks != last:
                last, changed, outside = clocks, time.monotonic(), self.setup.outside_ticks()
            return self.setup.outside_ticks() >= outside + STILL_TICKS

        self.eventually(what, stands)
        return changed - start

    def _check_work(self, before):
        """Every clock advances again, what was sent before arrives, and what was stopped before stays so."""
        def waiting() -> list[int]:
            slots = self.tree.slots()
            return [index for index, slot in enumerate(slots) if index not in self.stopped and before[index].pid and (
                slot.ticks <= before[index].ticks or index and slot.received < before[index - 1].sent)]

        try:
            self.eventually("everything goes on", lambda: not waiting())
        except Failure as failure:
            slots = self.tree.slots()
            details = [f"{slots[index].pid} ({state(slots[index].pid)})" for index in waiting()[:8]]
            raise Failure(f"{failure}; not: {', '.join(details)}") from None
        self._check_stopped()
        self._check_numbers()

    def _check_numbers(self):
        for index, slot in enumerate(self.tree.slots()):
            if slot.errors:
                raise Failure(f"{slot.errors} numbers in the pipe to process {index} of the tree were lost or came twice")

    def _end(self, publish):
        """The status ends the program: the guard exits with 75, nothing is left, and the terminal is as before."""
        publish()
        start = time.monotonic()
        last, changed = self.tree.clocks(), start

        def has_ended() -> bool:
            nonlocal last, changed
            if (clocks := self.tree.clocks()) != last:
                last, changed = clocks, time.monotonic()
            return self.guard.process.poll() is not None

        self.eventually("the guard ends", has_ended)
        if left := self.tree.processes():
            raise Failure(f"{len(left)} processes are left after terminate: {sorted(left)}")
        if self.guard.process.returncode != EXIT_CODE:
            raise Failure(f"the guard's exit status is {self.guard.process.returncode}, not {EXIT_CODE}")
        if self.ending == "terminate":
            self.times.append(changed - start)
        self.eventually("the monitor ends", lambda: not self.tree.related())
        # The last bytes may still be on their way through the pseudo-terminal.
        try:
            self.eventually("the terminal is as before", lambda: self.guard.terminal_problem() is None)
        except Failure as failure:
            raise Failure(f"{failure}; {self.guard.terminal_problem()}") from None
        if self.guard.reader:
            self.eventually("the end of the pipeline", lambda: self.guard.reader.poll() is not None)

    def _check_groups(self):
        """A guard removes the control groups of those that have ended before."""
        if not self.has_group:
            return
        for pid in self.former:
            if state(pid) == "" and (left := groups(pid)):
                raise Failure(f"the control group of an earlier round is left: {left}")

    # MARK: Help

    def guard_runs(self) -> bool:
        if self.guard.process.poll() is not None:
            raise Failure(f"the guard has ended with {self.guard.process.returncode}")
        return True

    def eventually(self, what: str, condition):
        return self.setup.eventually(what, condition)

    def _wait(self, limit: float):
        """Waits for a random time: the moment of a kill, not a condition."""
        time.sleep(self.chance.random() * limit)

    def _clean_up(self):
        if self.guard and self.guard.process.poll() is None:
            self.guard.kill()
        if self.tree:
            # Processes start others while they are looked for.
            for _ in range(100):
                if not (left := self.tree.related()):
                    break
                self.tree.kill(left)
                time.sleep(0.02)
        if self.guard:
            self.guard.close()
            self.setup.ended.append(self.guard.pid)
        if self.tree:
            self.tree.close()
        if str(self.number) in self.setup.server.statuses:
            self.setup.server.remove(str(self.number))
