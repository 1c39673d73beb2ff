"""A program in a terminal of its own."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from .processes import Failure


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
