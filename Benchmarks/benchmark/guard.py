"""What `bellerophon guard` adds to a program's output, echo, memory and idle time, compared with other relays."""

import gc
import os
import select
import shlex
import statistics
import sys
import time

from .processes import Failure
from .relays import (DONE, READY, LiveStatus, Session, memory_figures, peers, processor_seconds, screen_file, text_file,
                     versions, voluntary_switches)
from .table import show, thousands

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


# Output


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
        ratios += [ratio["guard"], ratio["own guard"]]
        rows.append([name, f"{seconds['directly']:.2f} s"])
        for peer in ("script", "tmux", "guard", "own guard"):
            rows[-1] += [f"{seconds[peer]:.2f} s", f"{ratio[peer]:.2f}×"]
        for peer, results in found.items():
            received = statistics.median(one[1] for one in results)
            cpu = statistics.median(one[2] for one in results)
            spread = max(one[0] for one in results) / min(one[0] for one in results)
            details.append([f"{name}: {peer}", f"{received / 1e6:.1f} MB", f"{cpu:.2f} s", f"{spread:.2f}"])
    show("Output through a guard, script and tmux",
         ["output", "directly", "script", "ratio", "tmux", "ratio", "guard", "ratio", "own guard", "ratio"], rows,
         [versions(), f"Medians of {settings.rounds} alternating rounds, from the key that starts the output to its last byte on the "
          "terminal. The terminal is the benchmark, which only reads. script and the guards pass all bytes on. tmux sends what "
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
    medians = {
        peer: {percent: statistics.median(found) for percent, found in rounds.items()} for peer, rounds in percentiles.items()
    }
    direct = medians["directly"][50]
    rows = []
    for peer, one in medians.items():
        rows.append([peer] + [f"{one[percent]:.0f} µs" for percent in (50, 90, 99)])
        rows[-1] += [f"{one[50] - direct:+.0f} µs", f"{one[50] / direct:.2f}×"]
    added = medians["guard"][50] - direct
    show(f"Echo of a key, {thousands(settings.keys)} keys with pauses of 1 ms",
         ["peer", "p50", "p90", "p99", "added to the p50", "vs. directly"], rows,
         [f"Medians of {settings.rounds} alternating rounds. The program reads a byte in raw mode and writes it back. The "
          "own guard is that of a program which starts itself under it (`ProgramGuard`). "
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


# Start


def measure_first(settings):
    """The time until a program's first output."""
    command = ["/bin/sh", "-c", f"printf {READY.decode()}; read go"]
    found = {peer: [] for peer in peers(settings)}
    for turn in range(settings.starts + 1):
        for peer, start in peers(settings).items():
            begin = time.monotonic()
            session = Session(settings, start, command)
            if turn > 0:
                found[peer].append(time.monotonic() - begin)
            session.stop()
    show("From the start of a peer to the first output of its program", ["peer", "median", "slowest"],
         [[peer, f"{statistics.median(times) * 1000:.0f} ms", f"{max(times) * 1000:.0f} ms"] for peer, times in found.items()],
         [f"{settings.starts} alternating starts. A guard asks the status first. The own guard is that of a program which is loaded "
          "twice, and its status comes from a server."])


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
          "The guards also check the status: one a simulated one, the program's own one that of a server."])


def drain_all(sessions, seconds):
    """Reads what comes, without waking up otherwise."""
    masters, end = [session.master for session, _ in sessions.values()], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for master in select.select(masters, [], [], left)[0]:
            os.read(master, 65536)


def verdict(target, is_met):
    return f"Target: {target}; {'met' if is_met else 'missed'}."


def measure(settings):
    with LiveStatus() as settings.status_url:
        measure_first(settings)
        measure_output(settings)
        measure_echo(settings)
        measure_idle(settings)
