"""First frame and size of the installed program, beside other full-screen programs of Debian."""

import os
import shutil
import statistics
import subprocess
import time

from .processes import Failure, free_port
from .table import show
from .terminal import Terminal

INSTALL = os.path.join(os.path.dirname(__file__), "../../Scripts/install-files.sh")
# The Debian package of a peer, and a text that it draws last in its first frame with figures on 80×24.
PEERS = {"htop": b"Quit", "btop": b"elect"}


def size_of(paths):
    """Bytes of the files; a link counts as itself."""
    return sum(os.lstat(path).st_size for path in paths if os.path.isfile(path) or os.path.islink(path))


def installed(settings, home):
    """The program as `make install` and the packages install it, with its manual and completions."""
    folder = os.path.join(home, "installed")
    said = subprocess.run([INSTALL, "install", "bellerophon", settings.client, folder], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise Failure(f"bellerophon could not be installed: {said.stderr.strip()}")
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return os.path.join(folder, "bin/bellerophon"), size_of(files)


def peer(name):
    """The path, version and size of a program that Debian has installed."""
    path = shutil.which(name)
    listed = subprocess.run(["dpkg", "-L", name], capture_output=True, text=True, check=False)
    if not path or listed.returncode != 0:
        raise Failure(f"{name} is not installed; run: apt-get install {name}")
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True, check=True).stdout
    return path, version, size_of(listed.stdout.split("\n"))


def measure(settings):
    home = os.path.join(settings.work, "peers")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    program, size = installed(settings, home)
    url = f"http://127.0.0.1:{free_port()}/status"
    programs = [
        ("bellerophon demo", [program, "demo"], b"SIMULATED", size),
        ("bellerophon run", [program, "run", "--status-url", url, "--forget"], b"bellerophon", size),
    ]
    for name, marker in PEERS.items():
        path, version, size = peer(name)
        programs.append((f"{name} {version}", [path], marker, size))
    times = {name: [] for name, _, _, _ in programs}
    for turn in range(settings.starts + 1):
        for name, arguments, marker, _ in programs:
            start = time.monotonic()
            terminal = Terminal(arguments, home)
            took = terminal.read_until(marker, 20) - start
            terminal.stop()
            # The first of each warms up.
            if turn > 0:
                times[name].append(took * 1000)
    rows = [
        [name, f"{statistics.median(times[name]):.1f} ms", f"{min(times[name]):.1f} ms", f"{size / 1e6:.1f} MB"]
        for name, _, _, size in programs
    ]
    show("First frame and size, beside other programs", ["program", "median", "minimum", "size of its files"], rows,
         [f"{settings.starts} starts of each, in turn, in the same terminal of 80×24, to the first frame with figures."
          " The size is that of all installed files, without libraries of the system."])
