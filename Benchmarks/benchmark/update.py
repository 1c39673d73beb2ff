"""From the end of an update's command to the first output of the new version, under a guard and in a shell script."""

import json
import os
import statistics
import time

from .guard import verdict
from .relays import READY, LiveStatus, Session
from .table import show

NEW = b"THE-NEW-VERSION"
REQUIRED = b'{"apiInactive":false,"forceUpdate":true,"requiredVersion":"1.5.2","retryInterval":1,"userMessage":null}'
LIMIT = 2

PROGRAM = """if [ "$1" = --version ]; then echo notes {version}; exit; fi
stty -echo
printf {marker}
read line
"""
INSTALL = """cp "$HOME/new" "$HOME/copy" && mv "$HOME/copy" "$HOME/notes"
date +%s.%N >"$HOME/installed"
"""


class SwitchedStatus(LiveStatus):
    """A status that lets everything run until it requires an update."""

    class Handler(LiveStatus.Handler):
        body = LiveStatus.Handler.body.replace(b"600", b"1")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def prepare(home):
    script = write(home, "notes", PROGRAM.format(version="1.4.0", marker=READY.decode()))
    write(home, "new", PROGRAM.format(version="1.5.2", marker=NEW.decode()))
    write(home, "install", INSTALL)
    return script


def guarded(settings, url):
    def start(command, home):
        script = prepare(home)
        update = {"command": f"sh {home}/install", "availableCommand": ["echo", "1.5.2"], "versionCommand": ["sh", script, "--version"]}
        config = write(home, "config.json", json.dumps({"update": update}))
        return [settings.client, "guard", "--status-url", url, "--config", config, "--version-command", f"sh {script} --version",
                "--on-update", "restart=2", "--", "sh", script]
    return start


def in_a_shell(command, home):
    prepare(home)
    return ["sh", "-c", f"sh {home}/notes; sh {home}/install; exec sh {home}/notes"]


def seconds_after_install(session):
    session.read_through(NEW, 60)
    now = time.time()
    with open(os.path.join(session.home, "installed"), encoding="utf-8") as file:
        return now - float(file.read())


def time_guard(settings):
    SwitchedStatus.Handler.body = LiveStatus.Handler.body.replace(b"600", b"1")
    with SwitchedStatus() as url:
        session = Session(settings, guarded(settings, url), [])
        try:
            SwitchedStatus.Handler.body = REQUIRED
            session.read_through(b"is ready", 30)
            session.read_through(b"details", 30)
            os.write(session.master, b"u")
            session.read_through(b"run it", 30)
            os.write(session.master, b"y")
            return seconds_after_install(session)
        finally:
            session.stop()


def time_shell(settings):
    session = Session(settings, in_a_shell, [])
    try:
        os.write(session.master, b"\n")
        return seconds_after_install(session)
    finally:
        session.stop()


def measure(settings):
    found = {"shell script": [], "guard": []}
    for turn in range(settings.rounds + 1):
        for name, one in (("shell script", time_shell), ("guard", time_guard)):
            seconds = one(settings)
            if turn > 0:
                found[name].append(seconds)
    shell = statistics.median(found["shell script"])
    rows = [[name, f"{statistics.median(times) * 1000:.0f} ms", f"{max(times) * 1000:.0f} ms",
             f"{statistics.median(times) / shell:.1f}×"] for name, times in found.items()]
    worst = max(found["guard"])
    show("From the end of the update's command to the first output of the new version",
         ["", "median", "slowest", "ratio"], rows,
         [f"{settings.rounds} alternating rounds. The guard reads the installed version, ends the program, replaces itself, asks for "
          "the version again and starts the program. "
          + verdict(f"at most {LIMIT} s beyond the manager's own time", worst <= LIMIT)])
