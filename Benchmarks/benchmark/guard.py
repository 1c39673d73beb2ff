"""What `bellerophon guard` adds to a program's output, echo, memory and idle time, compared with other relays."""

import gc
import os
import random
import select
import shlex
import shutil
import signal
import statistics
import string
import sys
import time

from .processes import Failure
from .table import show, thousands
from .terminal import Terminal

READY, DONE = b"READY-TO-WRITE", b"ALL-IS-WRITTEN"
CURSOR_QUERY, CURSOR_REPORT = b"\x1b[6n", b"\x1b[1;1R"

# These letters are in no sequence that a peer sends, and programs that echo them need no other bytes.
KEYS = b"jvwyz"

# Echoes each byte in raw mode. 0x04 ends it.
ECHO = f"""
import os, tty
tty.setraw(0)
os.write(1, {READY!r})
while (byte := os.read(0, 1)) not in (b"", b"\\x04"):
    os.write(1, byte)
"""


def peers(settings):
    """The ways to run a command, each a function from the command and a folder to arguments."""
    tmux, script = shutil.which("tmux"), shutil.which("script")
    if not tmux or not script:
        raise Failure("install tmux and script (Debian: tmux, bsdutils)")
    return {
        "directly": lambda command, home: command,
        "script": lambda command, home: [script, "-qec", f"exec {shlex.join(command)}", "/dev/null"],
        "tmux": lambda command, home: [tmux, "-S", f"{home}/socket", "-f", "/dev/null", "new-session",
                                       f"exec {shlex.join(command)}"],
        "guard": lambda command, home: [settings.client, "guard", "--scenario", "live", "--", *command],
    }


class Session(Terminal):
    """A command under a peer. This class is the terminal, and reads as fast as it can."""

    count = 0

    def __init__(self, settings, start, command):
        Session.count += 1
        self.home = os.path.join(settings.work, f"guard-{Session.count}")
        os.makedirs(self.home)
        super().__init__(start(command, self.home), self.home)
        os.set_blocking(self.master, False)
        self.received = 0
        # A terminal answers where its cursor is; the guard asks once.
        if CURSOR_QUERY in self.read_through(READY, 20):
            os.write(self.master, CURSOR_REPORT)

    def read_through(self, marker, seconds):
        """Reads until the marker, and returns the last bytes read."""
        seen, end = b"", time.monotonic() + seconds
        while marker not in seen:
            if CURSOR_QUERY in seen:
                seen = seen.replace(CURSOR_QUERY, b"")
                os.write(self.master, CURSOR_REPORT)
            try:
                piece = os.read(self.master, 1 << 20)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise Failure(f"'{marker.decode()}' did not appear within {seconds} s: {seen[-400:]!r}") from None
                select.select([self.master], [], [], 1)
                continue
            except OSError:
                raise Failure(f"the program ended: {seen[-400:]!r}") from None
            self.received += len(piece)
            seen = seen[-64:] + piece
        return seen

    def added_processes(self, command_name):
        """All processes of the peer. Only they and the command have the folder in their environment."""
        marker = f"HOME={self.home}\0".encode()
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if marker not in file.read() + b"\0":
                        continue
                with open(f"/proc/{entry}/comm") as file:
                    name = file.read().strip()
            except OSError:
                continue  # It has just ended.
            if name != command_name:
                found.append(int(entry))
        return found

    def stop(self):
        for pid in [*self.added_processes(None)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.pid, 0)
        os.close(self.master)
        shutil.rmtree(self.home, ignore_errors=True)


# What a peer's processes use


def processor_seconds(pids):
    """The processor time of all threads so far, also of those that have ended."""
    # clock_getcpuclockid(3) returns this number, and Python has no function for another process.
    return sum(time.clock_gettime(~pid << 3 | 2) for pid in pids)


def voluntary_switches(pids):
    """Of all threads that have not ended."""
    total = 0
    for pid in pids:
        for thread in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{thread}/status") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
            except OSError:
                continue  # It has just ended.
    return total


def memory_figures(pids):
    """Bytes: resident, proportional, and what of the latter is not a file."""
    sums = {"Rss:": 0, "Pss:": 0, "Pss_Anon:": 0}
    for pid in pids:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                field = line.split()
                if field[0] in sums:
                    sums[field[0]] += int(field[1]) * 1024
    return tuple(sums.values())


# Output


def text_file(path, megabytes):
    """Lines of words in ASCII, as a log has them."""
    source = random.Random(1)
    words = ["".join(source.choices(string.ascii_lowercase, k=source.randint(2, 10))) for _ in range(500)]
    lines = "".join(" ".join(source.choices(words, k=source.randint(3, 14))) + "\n" for _ in range(20000))
    repeat(path, b"", lines.encode(), b"", megabytes)


def screen_file(path, megabytes):
    """Pictures of 80×24 cells in 256 colours on the alternate screen, each drawn over the one before."""
    source = random.Random(2)
    pictures = []
    for _ in range(60):
        pictures.append("\x1b[H")
        for row in range(1, 25):
            pictures.append(f"\x1b[{row};1H")
            column = 0
            while column < 80:
                length = min(source.randint(1, 12), 80 - column)
                pictures.append(f"\x1b[{source.choice(['0', '1', '0;4', '0;7'])};38;5;{source.randrange(256)};"
                                f"48;5;{source.randrange(256)}m"
                                + "".join(source.choices(string.ascii_letters + "  │─", k=length)))
                column += length
    repeat(path, b"\x1b[?1049h", "".join(pictures).encode(), b"\x1b[0m\x1b[?1049l", megabytes)


def repeat(path, start, block, end, megabytes):
    with open(path, "wb") as file:
        file.write(start)
        for _ in range(max(1, megabytes * 1_000_000 // len(block))):
            file.write(block)
        file.write(end)


def time_output(settings, start, command):
    """Seconds from the key that starts the output to its end on the terminal, received bytes, and the peer's processor time."""
    script = f"stty -echo; printf {READY.decode()}; read go; {command}; printf {DONE.decode()}; read go"
    session = Session(settings, start, ["/bin/sh", "-c", script])
    try:
        session.drain()
        added = session.added_processes("sh")
        cpu, session.received = processor_seconds(added), 0
        begin = time.monotonic()
        os.write(session.master, b"\n")
        session.read_through(DONE, 300)
        took = time.monotonic() - begin
        return took, session.received, processor_seconds(added) - cpu
    finally:
        session.stop()


def measure_output(settings):
    text, screen = os.path.join(settings.work, "text"), os.path.join(settings.work, "screen")
    text_file(text, settings.guard_megabytes)
    screen_file(screen, max(1, settings.guard_megabytes // 4))
    numbers = settings.guard_megabytes * 50_000
    workloads = [
        (f"text, {settings.guard_megabytes} MB", f"cat {shlex.quote(text)}"),
        (f"`seq 1 {numbers}`", f"seq 1 {numbers}"),
        (f"full screen in colours, {max(1, settings.guard_megabytes // 4)} MB", f"cat {shlex.quote(screen)}"),
    ]
    rows, details, ratios = [], [], []
    for name, command in workloads:
        found = {peer: [] for peer in peers(settings)}
        for turn in range(settings.rounds + 1):
            for peer, start in peers(settings).items():
                result = time_output(settings, start, command)
                if turn > 0:
                    found[peer].append(result)
        seconds = {peer: statistics.median(one[0] for one in results) for peer, results in found.items()}
        ratio = {peer: value / seconds["directly"] for peer, value in seconds.items()}
        ratios.append(ratio["guard"])
        rows.append([name, f"{seconds['directly']:.2f} s"]
                    + [cell for peer in ("script", "tmux", "guard") for cell in (f"{seconds[peer]:.2f} s", f"{ratio[peer]:.2f}×")])
        for peer, results in found.items():
            received = statistics.median(one[1] for one in results)
            cpu = statistics.median(one[2] for one in results)
            spread = max(one[0] for one in results) / min(one[0] for one in results)
            details.append([f"{name}: {peer}", f"{received / 1e6:.1f} MB", f"{cpu:.2f} s", f"{spread:.2f}"])
    show("Output through a guard, script and tmux",
         ["output", "directly", "script", "ratio", "tmux", "ratio", "guard", "ratio"], rows,
         [f"Medians of {settings.rounds} alternating rounds, from the key that starts the output to its last byte on the "
          "terminal. The terminal is the benchmark, which only reads. script and guard pass all bytes on. tmux sends what "
          f"changes on its screen, so it may leave out most of the output. {verdict('guard at most 3× directly', max(ratios) <= 3)}"])
    show("Bytes and processor time of the same rounds",
         ["output and peer", "received", "processor time of the peer", "slowest to fastest round"], details)


# Keys


def echo_times(session, keys):
    """Microseconds from each key to its echo."""
    waits, poll = [], select.poll()
    poll.register(session.master, select.POLLIN)
    gc.disable()
    for index in range(keys):
        key = KEYS[index % len(KEYS):][:1]
        begin = time.perf_counter_ns()
        os.write(session.master, key)
        while True:
            if not poll.poll(5000):
                raise Failure("a key was not echoed within 5 s")
            try:
                if key in os.read(session.master, 65536):
                    break
            except BlockingIOError:
                continue
        waits.append((time.perf_counter_ns() - begin) / 1000)
        time.sleep(0.001)
    gc.enable()
    return waits


def start_echo(settings, start):
    session = Session(settings, start, [os.path.realpath(sys.executable), "-c", ECHO])
    session.drain()
    return session, session.added_processes(os.path.basename(os.path.realpath(sys.executable))[:15])


def measure_echo(settings):
    percentiles = {peer: {50: [], 90: [], 99: []} for peer in peers(settings)}
    memory = {peer: [] for peer in peers(settings)}
    for turn in range(settings.rounds + 1):
        for peer, start in peers(settings).items():
            session, added = start_echo(settings, start)
            try:
                waits = sorted(echo_times(session, settings.keys))
                use = memory_figures(added)
            finally:
                session.stop()
            if turn > 0:
                memory[peer].append((len(added), *use))
                for percent, list_of_rounds in percentiles[peer].items():
                    list_of_rounds.append(waits[min(len(waits) - 1, len(waits) * percent // 100)])
    medians = {peer: {percent: statistics.median(found) for percent, found in one.items()} for peer, one in percentiles.items()}
    direct = medians["directly"][50]
    rows = [[peer] + [f"{one[percent]:.0f} µs" for percent in (50, 90, 99)] + [f"{one[50] - direct:+.0f} µs", f"{one[50] / direct:.2f}×"]
            for peer, one in medians.items()]
    added = medians["guard"][50] - direct
    show(f"Echo of a key, {thousands(settings.keys)} keys with pauses of 1 ms",
         ["peer", "p50", "p90", "p99", "added to the p50", "vs. directly"], rows,
         [f"Medians of {settings.rounds} alternating rounds. The program reads a byte in raw mode and writes it back. "
          + verdict("guard not slower than tmux", medians["guard"][50] <= medians["tmux"][50]) + " "
          + verdict("it adds less than 100 µs to the median", added < 100)])
    rows = []
    for peer, found in memory.items():
        if peer != "directly":
            count, *sizes = (statistics.median(figures) for figures in zip(*found))
            rows.append([peer, f"{count:.0f}"] + [f"{size / (1 << 20):.1f} MiB" for size in sizes])
    show("Memory of all processes that a peer adds, after the keys",
         ["peer", "processes", "resident", "proportional", "anonymous"], rows,
         ["Medians of the same rounds. Anonymous memory is the part of the proportional one that is not a file. The rest is "
          "mostly the program's code, which several guards share."])


# Idle


def measure_idle(settings):
    sessions = {peer: start_echo(settings, start) for peer, start in peers(settings).items() if peer != "directly"}
    found = {peer: [] for peer in sessions}
    try:
        drain_all(sessions, 3)
        for _ in range(settings.rounds):
            before = {peer: (voluntary_switches(added), processor_seconds(added)) for peer, (_, added) in sessions.items()}
            drain_all(sessions, 10)
            for peer, (_, added) in sessions.items():
                found[peer].append((voluntary_switches(added) - before[peer][0], processor_seconds(added) - before[peer][1]))
    finally:
        for session, _ in sessions.values():
            session.stop()
    rows = [[peer, f"{statistics.median(one[0] for one in results):.0f}",
             f"{statistics.median(one[1] for one in results) * 1000:.2f} ms"] for peer, results in found.items()]
    show("A program that waits for a key, per 10 s", ["peer", "voluntary context switches", "processor time"], rows,
         [f"All processes and threads that the peer adds. Medians of {settings.rounds} periods, all peers at the same time. "
          "The guard also checks the status, here a simulated one."])


def drain_all(sessions, seconds):
    """Reads what comes, without waking up otherwise."""
    masters, end = [session.master for session, _ in sessions.values()], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for master in select.select(masters, [], [], left)[0]:
            os.read(master, 65536)


def verdict(target, is_met):
    return f"Target: {target}; {'met' if is_met else 'missed'}."


def measure(settings):
    measure_output(settings)
    measure_echo(settings)
    measure_idle(settings)
