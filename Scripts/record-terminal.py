#!/usr/bin/env python3
"""Records what terminal programs write, for the tests of TerminalShadow. Linux, as root.

  Scripts/record-terminal.py              records every session of the table below
  Scripts/record-terminal.py vim less     records the named ones

Each session runs in a pseudo-terminal of 100 columns and 30 rows, in namespaces of its own: the host name is "demo", only
the session's own processes exist, /tmp is empty but for the home folder /tmp/demo with made-up files. The recordings then
contain nothing of the machine. The raw bytes go to Tests/TerminalShadowTests/Recordings/NAME.bin.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

COLUMNS, ROWS = 100, 30
QUIET = 0.7  # seconds without output after which the next keys are typed
LONGEST = 5.0  # seconds after which they are typed in any case
END = 20.0  # seconds that a program has to end after the last keys
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
RECORDINGS = REPOSITORY / "Tests/TerminalShadowTests/Recordings"
DEMOS = REPOSITORY / "Scripts/terminal-demos.py"

UP, DOWN, RIGHT, LEFT = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD"
F3, F5, F9, F10 = "\x1bOR", "\x1b[15~", "\x1b[20~", "\x1b[21~"
PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"
ESC, TAB, ENTER = "\x1b", "\t", "\r"
BASH = "bash --noprofile --rcfile bashrc"

TMUX = f"tmux -L demo -f tmux.conf new-session -s demo '{BASH}'"
TMUX_KEYS = [
    "ls --color\r", "\x02\"", "seq 1 30\r", "\x02%", "cat program.c\r", "\x02o", "\x02[", PAGE_UP, PAGE_UP, "q", "\x02c",
    "less -R colors.txt\r", " ", "\x02p", "\x02w", "q", "\x02z", "\x02z", "\x02:", "kill-server", ENTER,
]

# Each session: the command, and the keys. An entry is typed at once; then the program has time to answer.
SESSIONS = {
    "vim": ("vim program.c", [
        "gg", "oint added = 1; /* new */" + ESC, "yyp", "5j", "A // end of line" + ESC, "u", "\x12", "/return\r", "n",
        ":%s/count/total/g\r", "dd", "p", "V3j", ">", ":set list\r", ":set nolist\r", "\x06", "\x02", "ggI" + "wide 漢字 " + ESC,
        "zz", "G", ":q!\r",
    ]),
    "vim-splits": ("vim program.c", [
        ":split notes.txt\r", "\x17w", ":vsplit\r", "\x05\x05\x05", "\x17w", "Gk", ":help scroll\r", "\x04", "\x04", "\x15",
        "\x17=", ":q\r", ":!ls\r", ENTER, ":set termguicolors\r", ":colorscheme desert\r", "\x17w\x06", ":only\r", "zf3j", "zo",
        ":qa!\r",
    ]),
    "less": ("less -R colors.txt", [
        " ", " ", "b", "j", "j", "k", "k", "/line 5\r", "n", "N", "&line 7\r", "&\r", "h", " ", "q", "G", "g", "50%", "-S\r",
        RIGHT, LEFT, "-N\r", "\x1b" + "u", "q",
    ]),
    "nano": ("nano notes.txt", [
        "A new first line\r", DOWN * 12, DOWN * 12, DOWN * 12, "inserted ", "\x0b", "\x0b", "\x15", PAGE_DOWN, PAGE_DOWN,
        PAGE_UP, "\x17needle\r", "\x07", "\x18", "\x1bx", "\x18", "n",
    ]),
    "htop": ("htop -d 20", [
        DOWN, DOWN, "t", "t", "\x1bOQ", DOWN, RIGHT, ESC + ESC, F9, ESC + ESC, F3, "ba", ENTER, "h", "q", "q",
    ]),
    "mc": ("mc -a -b files .", [
        DOWN, DOWN, F3, PAGE_DOWN, F10, "+", ENTER, TAB, DOWN, DOWN, F9, RIGHT, DOWN, DOWN, ESC + ESC, TAB, F5, ESC + ESC, F10,
    ]),
    "mc-color": ("mc files .", [DOWN, DOWN, F3, PAGE_DOWN, F10, F9, RIGHT, DOWN, DOWN, ESC + ESC, "\x0f", "\x0f", F10]),
    "bash": (BASH, [
        "ls --color\r", "echo one two three", "\x01", "printf x; ", "\x05", "\x17\x17", "\x15", "echo first\r", "echo second\r",
        "\x12fir", ENTER, "ls fi" + TAB, "/" + TAB + TAB, "\x15", "cat program.c\r", "seq 1 60\r",
        "echo a long command line that does not fit into one row of the terminal and therefore wraps to the next one" + "\x01",
        "\x1bf\x1bf\x1bf" + "inserted ", "\x0b", "\x15", "clear\r", "cat notes.txt | tail -5\r", "exit\r",
    ]),
    "bash-screens": (BASH, [
        "seq 1 40\r", "less notes.txt\r", " ", "q", "echo between\r", "vim program.c\r", "jjdd", ":q!\r", "tput smcup\r",
        "echo on the alternate screen\r", "tput rmcup\r", "echo back\r", "nano notes.txt\r", DOWN * 3, "\x18", "exit\r",
    ]),
    "python": ("/usr/bin/python3 -q", [
        "1 + 1\r", "for i in range(5):\r    print(i, 'x' * i)\r\r", "import sys\r", "sys.vers" + TAB + TAB, "\x15",
        "'wide 漢字 and é'.upper()\r", "1 / 0\r", UP, UP + "\x01print(\x05)\r", "\x0c", "help(divmod)\r", "q", "print('a' * 250)\r",
        "exit()\r",
    ]),
    "tmux": (TMUX, TMUX_KEYS),
    "tmux-margins": (TMUX, TMUX_KEYS),
    "top": ("top -d 2", ["1", "z", "c", "V", "h", "q", "q"]),
    "sqlite3": ("sqlite3 demo.db", [
        ".mode box\r", "create table moons(name text, radius real);\r",
        "insert into moons values('Io',1821.6),('Europa',1560.8);\r",
        "select * from moons;\r", "select nam" + TAB + TAB, "\x15", ".help\r", ".quit\r",
    ]),
    "psql": (BASH, ["psql --help\r", "psql -h 127.0.0.1 -p 1 -U demo\r", "psql --version\r", "exit\r"]),
    "man": ("man ls", [" ", " ", "/sort\r", "n", "N", "b", "G", "q"]),
    "git": (BASH, [
        "cd repository\r", "git log --stat\r", " ", " ", "b", "q", "git log --oneline --graph --color | cat\r",
        "git diff HEAD~1\r", "q", "git status\r", "git add -p\r", "n\r", "exit\r",
    ]),
    "dialog": ("sh dialogs.sh", [DOWN, DOWN, ENTER, "typed text", ENTER, " ", DOWN, " ", ENTER, DOWN, PAGE_DOWN, ENTER]),
    "build": ("DEMO build", []),
    "wide": ("DEMO wide", [ENTER, ENTER]),
    "styles": ("DEMO styles", [ENTER, ENTER]),
    "regions": ("DEMO regions", [ENTER] * 12),
    "modes": ("DEMO modes", [ENTER] * 8),
}

ENVIRONMENT = {
    "HOME": "/tmp/demo", "USER": "demo", "LOGNAME": "demo", "SHELL": "/bin/bash", "TERM": "xterm-256color", "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin", "TZ": "UTC", "LESSHISTFILE": "-", "MANPAGER": "less",
    "GIT_CONFIG_NOSYSTEM": "1", "PSQL_HISTORY": "/dev/null",
}

# Runs as the first process of the namespaces. Arguments: the demo script, then the command as one shell word.
INSIDE = r"""
set -e
hostname demo
demos=$(cat "$1")
mount -t tmpfs -o mode=1777 tmpfs /tmp
mkdir /tmp/demo && cd /tmp/demo
printf '%s' "$demos" > /tmp/.demos.py
python3 /tmp/.demos.py home
exec sh -c "$2"
"""


class Answers:
    """Answers a program's queries as xterm does, so that the program does not wait for them."""

    QUERY = re.compile(
        rb"\x1b\[(?P<cpr>\??6n)|\x1b\[(?P<dsr>5n)|\x1b\[0?(?P<da1>c)|\x1b\[>0?(?P<da2>c)|\x1b\[>0?(?P<version>q)"
        rb"|\x1b\[\?(?P<mode>\d+)\$p|\x1b\](?P<color>1[0-2]|4;\d+);\?(?:\x07|\x1b\\)|\x1bP\$q(?P<setting>[^\x1b]*)\x1b\\"
        rb"|\x1bP\+q(?P<capability>[^\x1b]*)\x1b\\|\x1b\[(?P<size>18)t"
    )
    # For the cursor's place: the last absolute position, and the printed text behind it.
    PLACE = re.compile(rb"\x1b\[(\d*);?(\d*)H((?:(?!\x1b\[\d*;?\d*H).)*)$", re.S)
    INVISIBLE = re.compile(rb"\x1b\[[0-9;?>$ ]*[@-~]|\x1bP.*?\x1b\\|\x1b\].*?(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f]|[\x80-\xbf]", re.S)

    def __init__(self, has_margins):
        self.taken = 0
        # xterm is a VT420 and has left and right margins. Many other terminals say that they are a VT220, and have none.
        self.version = b"\x1bP>|XTerm(379)\x1b\\" if has_margins else b""
        self.secondary = b"\x1b[>41;379;0c" if has_margins else b"\x1b[>1;10;0c"
        self.attributes = b"\x1b[?64;1;2;6;9;15;18;21;22c" if has_margins else b"\x1b[?62;1;2;6;9;15;22c"

    def new(self, output):
        """The answers to the queries in `output` that were not answered yet."""
        replies = b""
        for match in self.QUERY.finditer(output, self.taken):
            self.taken = match.end()
            replies += self.reply(match, output[:match.start()])
        return replies

    def reply(self, match, before):
        kind, value = match.lastgroup, match[match.lastgroup]
        if kind == "cpr":
            return b"\x1b[%s%d;%dR" % ((b"?" if value[:1] == b"?" else b"",) + self.place(before))
        if kind == "mode":
            return b"\x1b[?%s;%d$y" % (value, 2)
        if kind == "color":
            return b"\x1b]%s;rgb:%s\x1b\\" % (value, b"ffff/ffff/ffff" if value == b"10" else b"0000/0000/0000")
        if kind == "setting":
            return b"\x1bP1$r2 q\x1b\\" if value == b" q" else b"\x1bP0$r\x1b\\"
        fixed = {
            "dsr": b"\x1b[0n", "da1": self.attributes, "da2": self.secondary,
            "version": self.version, "capability": b"\x1bP0+r\x1b\\", "size": b"\x1b[8;%d;%dt" % (ROWS, COLUMNS),
        }
        return fixed[kind]

    def place(self, before):
        match = self.PLACE.search(before)
        if not match:
            return (ROWS, 1)
        printed = len(self.INVISIBLE.sub(b"", match[3]))
        return (int(match[1] or 1), min(int(match[2] or 1) + printed, COLUMNS))


def start(command):
    """Starts the command in a pseudo-terminal; returns its process and the controlling end."""
    command = command.replace("DEMO", "/usr/bin/python3 /tmp/.demos.py")
    arguments = [
        "unshare", "--uts", "--pid", "--mount", "--ipc", "--fork", "--mount-proc", "--kill-child",
        "/bin/sh", "-c", INSIDE, "sh", str(DEMOS), command,
    ]
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execve("/usr/bin/unshare", arguments, ENVIRONMENT)
    return process, terminal


def record(command, keys, has_margins):
    """Everything that the command wrote while the keys were typed."""
    process, terminal = start(command)
    output, answers = bytearray(), Answers(has_margins)

    def listen(quiet, longest):
        """Reads until the program is quiet or the time is over; false once the program has ended."""
        begin = heard = time.monotonic()
        while (now := time.monotonic()) < min(heard + quiet, begin + longest):
            if not select.select([terminal], [], [], 0.05)[0]:
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:  # The last program has closed the terminal.
                return False
            heard = now
            output.extend(data)
            os.write(terminal, answers.new(bytes(output)))
        return True

    running = listen(3 * QUIET, LONGEST)
    for entry in keys:
        if not running:
            raise SystemExit(f"{command} ended before {entry!r} was typed")
        os.write(terminal, entry.encode())
        running = listen(QUIET, LONGEST)
    ended = not running or not listen(END, END)
    os.close(terminal)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    if not ended:
        raise SystemExit(f"{command} did not end; it wrote last: {bytes(output[-300:])}")
    return bytes(output)


def main():
    names = sys.argv[1:] or list(SESSIONS)
    for name in names:
        command, keys = SESSIONS[name]
        output = record(command, keys, has_margins=name.endswith("margins"))
        (RECORDINGS / f"{name}.bin").write_bytes(output)
        print(f"{name}: {len(output)} bytes", flush=True)


if __name__ == "__main__":
    main()
