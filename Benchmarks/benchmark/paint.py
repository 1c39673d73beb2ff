"""From a publish to the overlay's bytes on a terminal, while other streams are held."""

import fcntl
import os
import pty
import random
import select
import shutil
import signal
import statistics
import string
import struct
import termios
import threading
import time

from .processes import Failure
from .servers import Bellerophon
from .streams import Holder
from .table import milliseconds, show


class Terminal:
    """The real program in a terminal of 80×24, whose output is read here."""

    def __init__(self, arguments, home):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8",
                           "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config",
                           "XDG_CACHE_HOME": f"{home}/cache"}
            os.execve(arguments[0], arguments, environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read_until(self, marker, seconds):
        """Returns the time at which the marker was complete, in seconds of the monotonic clock."""
        seen = b""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise Failure(f"'{marker.decode()}' did not show within {seconds} s: {seen[-400:]!r}")
            if not select.select([self.master], [], [], left)[0]:
                continue
            try:
                seen = seen[-8192:] + os.read(self.master, 65536)
            except OSError:
                raise Failure(f"the program ended: {seen[-400:]!r}") from None
            if marker in seen:
                return time.monotonic()

    def drain(self, quiet=0.3):
        """Reads until nothing came for a while."""
        while select.select([self.master], [], [], quiet)[0]:
            os.read(self.master, 65536)

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                break
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    os.read(self.master, 65536)
                except OSError:
                    pass
        else:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)


def measure(settings):
    home = os.path.join(settings.work, "paint-home")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    waits = []
    with Bellerophon(settings, "paint") as server, Holder(settings, server, settings.watchers, "watchers") as holder:
        terminal = Terminal([settings.client, "run", "--status-url", f"http://127.0.0.1:{server.port}/status",
                             "--transport", "stream"], home)
        try:
            terminal.read_until(b"LIVE", 20)
            terminal.drain()
            for _ in range(settings.paints):
                word = "".join(random.choices(string.ascii_letters, k=16))
                # The publisher's reply comes when it comes; the terminal is read meanwhile.
                publisher = threading.Thread(target=server.kill, args=(word,))
                start = time.monotonic()
                publisher.start()
                waits.append((terminal.read_until(word.encode(), 10) - start) * 1e6)
                publisher.join()
                terminal.drain()
                server.restore()
                terminal.read_until(b"LIVE", 10)
                terminal.drain()
            left = holder.still_open()
        finally:
            terminal.stop()
    waits.sort()
    late = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
    show(f"Publish to painted overlay, {settings.watchers:,} other streams held",
         ["kills", "p50", "p99", "worst"],
         [[len(waits), milliseconds(statistics.median(waits)), milliseconds(late), milliseconds(waits[-1])]],
         ["From the first byte of the publishing request to the message's last byte on the terminal of a running "
          f"`bellerophon run --transport stream`. Streams lost meanwhile: {settings.watchers - left}."])
