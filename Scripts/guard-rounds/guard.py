"""One guard: on a pseudo-terminal that answers its questions, or in a pipeline."""

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import threading

# The user of the rounds in which the guard gets no control group. It owns nothing.
NOBODY = 65534
# What a terminal says to questions about its cursor and its alternate screen.
REPLIES = [(b"\x1b[?1049$p", b"\x1b[?1049;2$y"), (b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?62c")]
ALTERNATE = re.compile(rb"\x1b\[\?(1049|25)([hl])")


class Guard:
    """A running guard."""

    def __init__(self, command: list[str], home: str, *, has_terminal: bool, replies: bool, as_nobody: bool):
        self.has_terminal, self.replies = has_terminal, replies
        self.output = b""
        self.reader: subprocess.Popen | None = None
        if as_nobody:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        environment = {name: text for name, text in os.environ.items() if not name.startswith(("BELLEROPHON_", "XDG_"))}
        environment |= {"HOME": home, "XDG_RUNTIME_DIR": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        if has_terminal:
            self._start_on_terminal(command, home, environment, as_nobody)
        else:
            self._start_in_pipeline(command, home, environment)
        self.pid = self.process.pid
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _start_on_terminal(self, command: list[str], home: str, environment: dict, as_nobody: bool):
        self.source, terminal = os.openpty()
        if as_nobody:
            os.chown(os.ttyname(terminal), NOBODY, NOBODY)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.modes = termios.tcgetattr(terminal)
        # setsid runs the command by exec, as setpriv does, so that the process is the guard's.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal, cwd=home, env=environment)
        # The terminal stays open, so that its modes can be read after the guard's end.
        self.terminal = terminal

    def _start_in_pipeline(self, command: list[str], home: str, environment: dict):
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home, env=environment,
            process_group=0)
        # The next program of the pipeline is in the same process group, and no part of the guard's tree.
        self.reader = subprocess.Popen(
            ["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            process_group=self.process.pid)
        self.process.stdout.close()
        self.source = self.process.stderr.fileno()

    def _read(self):
        answered = 0
        while True:
            try:
                block = os.read(self.source, 65536)
            except OSError:
                return
            if not block:
                return
            self.output += block
            if self.has_terminal and self.replies:
                answered = self._answer(answered)

    def _answer(self, start: int) -> int:
        """Answers the questions after a place in the output, and returns the place after the last one."""
        found = sorted((place, question, reply) for question, reply in REPLIES
                       if (place := self.output.find(question, start)) >= 0)
        if not found:
            return max(start, len(self.output) - 16)
        place, question, reply = found[0]
        os.write(self.source, reply)
        return self._answer(place + len(question))

    # What the person sees

    def kill(self):
        self.process.send_signal(signal.SIGKILL)

    def terminal_problem(self) -> str | None:
        """What the guard has left of the terminal's state, after its end."""
        if not self.has_terminal:
            return None
        if termios.tcgetattr(self.terminal) != self.modes:
            return f"the terminal's modes are {termios.tcgetattr(self.terminal)} and were {self.modes}"
        switches = {number: switch for number, switch in ALTERNATE.findall(self.output)}
        if switches.get(b"1049") == b"h":
            return "the terminal still shows the alternate screen"
        if switches.get(b"25") == b"l":
            return "the terminal still hides the cursor"
        return None

    def tail(self) -> str:
        return ascii(self.output[-600:])

    def close(self):
        """Ends the guard and what belongs to it."""
        for process in filter(None, (self.process, self.reader)):
            if process.poll() is None:
                process.kill()
            process.wait()
        if self.has_terminal:
            # The last process with the terminal has ended, so this ends the thread, too.
            os.close(self.terminal)
        self.thread.join(10)
        if self.has_terminal:
            os.close(self.source)
        else:
            self.process.stderr.close()
