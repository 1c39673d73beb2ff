"""Programs that the benchmark starts, and ends again by their own identifiers."""

import os
import signal
import socket
import subprocess
import time


class Failure(Exception):
    """What could not be measured, and why."""


class Program:
    """A program in a process group of its own, whose output goes to a file."""

    def __init__(self, arguments, log, environment=None, folder=None, pipes=False):
        self.log = log
        output = open(log, "ab")
        self.process = subprocess.Popen(
            arguments, env={**os.environ, **(environment or {})}, cwd=folder, start_new_session=True,
            stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
            stdout=subprocess.PIPE if pipes else output, stderr=output, text=pipes, bufsize=1 if pipes else -1,
        )
        output.close()

    @property
    def pid(self):
        return self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends the whole group: politely, after five seconds by force."""
        for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(timeout=patience)
                break
            except ProcessLookupError:
                self.process.wait()
                break
            except subprocess.TimeoutExpired:
                continue
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()

    def cpu_seconds(self):
        """CPU time of the whole group so far, user and system."""
        total = 0
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue  # It has just ended.
            if int(fields[2]) == self.process.pid:
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def wait_for_port(self, port, seconds=30):
        """Returns once the port takes connections."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise Failure(f"nothing listens on port {port}: {tail(self.log)}")


class Running:
    """What has a program, which a `with` statement ends."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()


def tail(path, size=2000):
    """The end of a log."""
    try:
        with open(path, "rb") as file:
            return file.read()[-size:].decode(errors="replace").strip() or "no output"
    except OSError:
        return "no output"


def free_port():
    """A port of the loopback interface that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory(pid):
    """Proportional set size of a process in bytes."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    raise Failure(f"no memory figures for process {pid}")
