"""Many guarded programs on one machine that one publish stops."""

import os
import random
import resource
import select
import shutil
import signal
import statistics
import string
import threading
import time

from .processes import Failure
from .relays import CURSOR_QUERY, CURSOR_REPORT, READY, memory_figures, processor_seconds
from .servers import Bellerophon
from .table import milliseconds, show
from .terminal import Terminal

# A guard is two processes of some threads beside its program, and has two pseudo-terminals.
THREADS, TERMINALS, MEMORY = 16, 2, 12 << 20
END_OF_UPDATE = b"\x1b[?2026l"
# How many start at the same time: the cores are few.
BATCH = 16

GUARDED = ["/bin/sh", "-c", f"printf {READY.decode()}; exec sleep 1800"]
# Prints a word when it gets a signal. A shell waits for a child to be able to act at once.
SIGNALLED = ["/bin/sh", "-c", f"trap 'printf STOPPED' USR1; printf {READY.decode()}; sleep 1800 & while :; do wait; done"]


# Limits


def number_in(path):
    try:
        with open(path) as file:
            return int(file.read().split()[0])
    except (OSError, ValueError):
        return None  # There is no such limit.


def check_limits(count):
    """Says which limit of the machine forbids so many guards, before anything is started."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    _, processes = resource.getrlimit(resource.RLIMIT_NPROC)
    most, reserve, used = (number_in(f"/proc/sys/kernel/pty/{name}") for name in ("max", "reserve", "nr"))
    free = None if most is None else most - used - (0 if os.geteuid() == 0 else reserve)
    memory = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in open("/proc/meminfo")}["MemAvailable"]
    needs = [
        ("open files (ulimit -Hn)", count + 200, None if files == resource.RLIM_INFINITY else files),
        ("processes and threads (ulimit -Hu)", count * THREADS, None if processes == resource.RLIM_INFINITY else processes),
        ("threads of the machine (kernel.threads-max)", count * THREADS, number_in("/proc/sys/kernel/threads-max")),
        ("process numbers (kernel.pid_max)", count * THREADS, number_in("/proc/sys/kernel/pid_max")),
        ("pseudo-terminals (kernel.pty.max)", count * TERMINALS, free),
        ("bytes of memory", count * MEMORY, memory),
    ]
    missing = [f"{needed:,} {name} are needed and {allowed:,} are there"
               for name, needed, allowed in needs if allowed is not None and allowed < needed]
    if missing:
        raise Failure(f"{count:,} guards: {'; '.join(missing)}. Raise the limits, or give smaller numbers with --guards")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count + 200, files)) if soft >= 0 else soft, hard))


# Terminals


class Crowd:
    """Many terminals with the same command, which are all read here."""

    def __init__(self, settings, command, count, name):
        self.home = os.path.join(settings.work, name)
        os.makedirs(self.home, exist_ok=True)
        self.poll, self.terminals, self.seen = select.epoll(), {}, {}
        try:
            while len(self.terminals) < count:
                batch = [self.add(command) for _ in range(min(BATCH, count - len(self.terminals)))]
                self.wait(batch, lambda text: READY in text, 60)
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def add(self, command):
        terminal = Terminal(command, self.home)
        os.set_blocking(terminal.master, False)
        self.terminals[terminal.master], self.seen[terminal.master] = terminal, b""
        self.poll.register(terminal.master, select.EPOLLIN)
        return terminal.master

    def read(self, master):
        try:
            piece = os.read(master, 65536)
        except BlockingIOError:
            return
        except OSError:
            raise Failure(f"a program ended: {self.seen[master][-400:]!r}") from None
        self.seen[master] = self.seen[master][-16384:] + piece
        if CURSOR_QUERY in piece:
            os.write(master, CURSOR_REPORT)

    def wait(self, masters, is_there, seconds):
        """Reads until what each of the terminals has got is enough, and returns the time of each, in order."""
        left, times, end = set(masters), [], time.monotonic() + seconds
        while left:
            ready = self.poll.poll(1, 64)
            for master, _ in ready:
                self.read(master)
                if master in left and is_there(self.seen[master]):
                    left.remove(master)
                    times.append(time.monotonic())
            if time.monotonic() > end:
                text = self.seen[next(iter(left))]
                raise Failure(f"{len(left)} of {len(masters)} terminals have not shown it within {seconds} s: {text[-400:]!r}")
        return times

    def settle(self, quiet=1.5, seconds=60):
        """Reads until nothing has come for a while. A cover counts seconds."""
        end = time.monotonic() + seconds
        while ready := self.poll.poll(quiet):
            for master, _ in ready:
                self.read(master)
            if time.monotonic() > end:
                raise Failure(f"the terminals did not become quiet within {seconds} s")
        self.forget()

    def forget(self):
        self.seen = dict.fromkeys(self.seen, b"")

    def processes(self):
        """All processes of the crowd, as (identifier, name). Only they have the folder in their environment."""
        marker, found = f"HOME={self.home}\0".encode(), []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if marker not in file.read() + b"\0":
                        continue
                with open(f"/proc/{entry}/comm") as file:
                    found.append((int(entry), file.read().strip()))
            except OSError:
                continue  # It has just ended.
        return found

    def stop(self):
        # A guard that ends would pass the end on to its program; both are ended here at once.
        for pid, _ in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for master, terminal in self.terminals.items():
            os.waitpid(terminal.pid, 0)
            os.close(master)
        self.terminals = {}
        self.poll.close()
        shutil.rmtree(self.home, ignore_errors=True)


# Measurements


def spread(times, start):
    """The half, 99 % and the last of the times after the start, in microseconds."""
    waits = sorted((one - start) * 1e6 for one in times)
    return [waits[len(waits) // 2], waits[min(len(waits) - 1, len(waits) * 99 // 100)], waits[-1]]


def groups_folder():
    """Where the control groups are, or None without them."""
    with open("/proc/mounts") as file:
        return next((fields[1] for line in file if (fields := line.split())[2] == "cgroup2"), None)


GROUPS = groups_folder()


def is_stopped(pid):
    """Whether a process is stopped, by a signal or with its control group."""
    with open(f"/proc/{pid}/stat") as file:
        if file.read().rpartition(")")[2].split()[0] == "T":
            return True
    with open(f"/proc/{pid}/cgroup") as file:
        group = next((line.strip()[3:] for line in file if line.startswith("0::")), "/")
    try:
        with open(f"{GROUPS}{group}/cgroup.events") as file:
            return "frozen 1" in file.read()
    except OSError:
        return False  # The root group has no such file.


def wait_until_stopped(programs, seconds=10):
    """The time at which the last of the programs was seen stopped."""
    left, end = set(programs), time.monotonic() + seconds
    while left := {pid for pid in left if not is_stopped(pid)}:
        if time.monotonic() > end:
            raise Failure(f"{len(left)} of {len(programs)} programs run on {seconds} s after the kill")
    return time.monotonic()


def kill_once(settings, server, crowd, guards, programs):
    """One kill and its end: times until the covers are painted, processor seconds of guards and server."""
    word = "".join(random.choices(string.ascii_letters, k=16)).encode()

    def is_painted(text):
        return END_OF_UPDATE in text[text.index(word):] if word in text else False

    before, server_before = processor_seconds(guards), processor_seconds([server.program.pid])
    publishing = threading.Thread(target=server.kill, args=(word.decode(),))
    start = time.monotonic()
    publishing.start()
    times = crowd.wait(list(crowd.terminals), is_painted, 60)
    stopped = wait_until_stopped(programs) - start if settings.guards_on_kill == "pause" else None
    cpu = processor_seconds(guards) - before
    server_cpu = processor_seconds([server.program.pid]) - server_before
    publishing.join()
    server.restore()
    crowd.settle()
    return spread(times, start), cpu, server_cpu, stopped


def measure_guards(settings, server, count):
    command = [settings.client, "guard", "--status-url", f"http://127.0.0.1:{server.port}/status", "--start-timeout", "60",
               "--on-kill", settings.guards_on_kill, "--", *GUARDED]
    begin = time.monotonic()
    with Crowd(settings, command, count, f"guards-{count}") as crowd:
        started = time.monotonic() - begin
        crowd.settle()
        processes = crowd.processes()
        guards = [pid for pid, name in processes if name != "sleep"]
        programs = [pid for pid, name in processes if name == "sleep"]
        if len(programs) != count:
            raise Failure(f"{len(programs)} programs run under {count} guards")
        rounds = [kill_once(settings, server, crowd, guards, programs) for _ in range(settings.rounds + 1)][1:]
        sizes = memory_figures(guards)
        threads = sum(len(os.listdir(f"/proc/{pid}/task")) for pid in guards)
    return {"started": started, "rounds": rounds, "sizes": sizes, "processes": len(guards), "threads": threads}


def measure_signals(settings, count):
    """The least that telling so many programs costs: a signal for each, and a word on its terminal."""
    rounds = []
    with Crowd(settings, SIGNALLED, count, f"signals-{count}") as crowd:
        crowd.settle(0.3)
        for _ in range(settings.rounds + 1):
            start = time.monotonic()
            for terminal in crowd.terminals.values():
                os.kill(terminal.pid, signal.SIGUSR1)
            rounds.append(spread(crowd.wait(list(crowd.terminals), lambda text: b"STOPPED" in text, 60), start))
            crowd.settle(0.3)
    return rounds[1:]


def medians(rounds):
    return [statistics.median(column) for column in zip(*rounds)]


def measure(settings):
    for count in settings.guards:
        check_limits(count)
    times, uses = [], []
    for count in settings.guards:
        with Bellerophon(settings, f"guards-server-{count}") as server:
            server.restore()
            found = measure_guards(settings, server, count)
        ours, floor = medians([one[0] for one in found["rounds"]]), medians(measure_signals(settings, count))
        worst = max(one[0][2] for one in found["rounds"])
        times.append([f"{count:,}"] + [milliseconds(one) for one in ours] + [milliseconds(worst)]
                     + [milliseconds(one) for one in floor] + [f"{ours[2] / floor[2]:.1f}×"])
        cpu, server_cpu = (statistics.median(one[index] for one in found["rounds"]) for index in (1, 2))
        stops = [one[3] for one in found["rounds"] if one[3] is not None]
        uses.append([f"{count:,}", f"{cpu / count * 1000:.1f} ms", f"{server_cpu / count * 1000:.2f} ms",
                     *(f"{size / count / 2**20:.1f} MiB" for size in found["sizes"]),
                     f"{found['processes'] / count:.1f}", f"{found['threads'] / count:.1f}",
                     f"{found['started'] / count * 1000:.0f} ms", f"{statistics.median(stops) * 1000:.0f} ms" if stops else "-"])
    show(f"Publish to painted covers, --on-kill {settings.guards_on_kill}",
         ["guards", "p50", "p99", "last", "worst last", "signals p50", "p99", "last", "ratio of the last"], times,
         [f"Medians of {settings.rounds} kills. From the first byte of the publishing request until the message and the end of its "
          "update are on the terminal of a guard, each guard with a stream and a terminal of its own. Guards, server and the "
          "reader of all terminals share the cores. Signals: as many shells without a guard, each on a terminal of its own, get "
          "SIGUSR1 from one process and print a word."])
    show("What a guard of these costs",
         ["guards", "processor time per kill", "of the server", "resident", "proportional", "anonymous", "processes", "threads",
          "start", "last program stopped"], uses,
         ["Per guard, without its program. Processor time until the last cover is painted. The start is the time until all "
          f"programs run, {BATCH} at the same time, divided by the guards."])
