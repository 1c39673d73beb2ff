"""Programs that stand between a terminal and a command, and what they use."""

import http.server
import os
import random
import select
import shlex
import shutil
import signal
import string
import subprocess
import threading
import time

from .processes import Failure
from .terminal import Terminal

READY, DONE = b"READY-TO-WRITE", b"ALL-IS-WRITTEN"
CURSOR_QUERY, CURSOR_REPORT = b"\x1b[6n", b"\x1b[1;1R"


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
        "own guard": lambda command, home: [settings.own_guard, settings.status_url, *command],
    }


class LiveStatus:
    """A server on the loopback interface whose status lets everything run."""

    class Handler(http.server.BaseHTTPRequestHandler):
        body = b'{"apiInactive":false,"forceUpdate":false,"retryInterval":600,"userMessage":null}'

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(self.body)))
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, *_):
            pass

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}/status"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def versions():
    """The versions and settings of the other peers."""
    names = [subprocess.run([name, option], capture_output=True, text=True).stdout.strip() for name, option in
             (("script", "--version"), ("tmux", "-V"))]
    linux = names[0].removeprefix("script from ")
    return f"Peers: {linux} (`script -qec COMMAND /dev/null`), {names[1]} (a new server, `-f /dev/null`)."


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
        # A terminal answers where its cursor is. The guard asks twice, because this one does not report modes.
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


# What the commands write


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
