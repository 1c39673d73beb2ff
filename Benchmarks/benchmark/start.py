"""From the start of a program to its first frame on a terminal."""

import os
import shutil
import statistics
import time

from .processes import free_port
from .table import show
from .terminal import Terminal


def measure(settings):
    home = os.path.join(settings.work, "start")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    url = f"http://127.0.0.1:{free_port()}/status"
    programs = [
        ("a bare program, as `swift build` links it", [settings.shared_bare], b"BARE SCREEN"),
        ("a bare program, linked as bellerophon is", [settings.bare], b"BARE SCREEN"),
        ("bellerophon run", [settings.client, "run", "--status-url", url, "--forget"], b"bellerophon"),
        ("bellerophon demo", [settings.client, "demo"], b"SIMULATED"),
    ]
    times = {name: [] for name, _, _ in programs}
    for turn in range(settings.starts + 1):
        for name, arguments, marker in programs:
            start = time.monotonic()
            terminal = Terminal(arguments, home)
            took = terminal.read_until(marker, 20) - start
            terminal.stop()
            # The first of each warms up.
            if turn > 0:
                times[name].append(took * 1000)
    medians = {name: statistics.median(found) for name, found in times.items()}
    shared, alike = (medians[name] for name, _, _ in programs[:2])
    rows = [
        [name, f"{medians[name]:.1f} ms", f"{min(found):.1f} ms", f"{medians[name] / shared:.2f}×", f"{medians[name] / alike:.2f}×"]
        for name, found in times.items()
    ]
    show("From the start to the first frame", ["program", "median", "least", "to the first", "to the second"], rows,
         [f"{settings.starts} starts of each, in turn. The bare program opens ncurses, makes a `URLSession` and a timer, and "
          "draws one frame. bellerophon carries Swift's libraries with it."])
