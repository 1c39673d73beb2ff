"""A tree of processes that Tests/TreeProbe has started, and the facts about it."""

import mmap
import os
import signal
import struct

# The layout of `struct slot` in Tests/TreeProbe/TreeProbe.h.
MOST_SLOTS = 512
SLOT = struct.Struct("=iiQQQQ")
FILE_SIZE = MOST_SLOTS * SLOT.size


class Slot:
    """What a process shows of itself."""

    def __init__(self, values):
        self.pid, self.kind, self.ticks, self.sent, self.received, self.errors = values


class Tree:
    """The shared file of a tree. Its path is in the command line of all its processes, and of their guard and its monitor."""

    def __init__(self, path: str, count: int, user: int | None = None):
        self.path, self.count = path, count
        with open(path, "wb") as file:
            file.truncate(FILE_SIZE)
        if user is not None:
            os.chown(path, user, user)
        with open(path, "rb") as file:
            self.memory = mmap.mmap(file.fileno(), FILE_SIZE, prot=mmap.PROT_READ)

    def slots(self) -> list[Slot]:
        return [Slot(SLOT.unpack_from(self.memory, index * SLOT.size)) for index in range(self.count)]

    def clocks(self) -> bytes:
        """Everything that a process changes while it runs."""
        return self.memory[:self.count * SLOT.size]

    def processes(self) -> dict[int, str]:
        """The names of the tree's living processes, by process."""
        return {pid: name for pid, name in self.related().items() if name == "TreeProbe"}

    def related(self) -> dict[int, str]:
        """The names of all living processes with this file in their command line, by process."""
        pids = map(int, filter(str.isdigit, os.listdir("/proc")))
        return {pid: name for pid in pids if (name := self._name(pid)) is not None}

    def _name(self, pid: int) -> str | None:
        """The name of the program; None for an ended process and for one that has nothing to do with this tree."""
        words = command_line(f"/proc/{pid}")
        if not words:
            # The first thread may have ended while another one works on.
            words = next(filter(None, (command_line(f"/proc/{pid}/task/{task}") for task in tasks(pid))), [])
        # setsid and setpriv run the guard by exec.
        return os.path.basename(words[0]) if self.path in words else None

    def kill(self, pids):
        """Kills processes of this tree, and no other that has got their number meanwhile."""
        for pid in pids:
            try:
                descriptor = os.pidfd_open(pid)
            except OSError:
                continue
            try:
                # The descriptor names one process only, which is looked at once more.
                if self._name(pid) is not None:
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            except OSError:
                pass
            finally:
                os.close(descriptor)

    def close(self):
        self.memory.close()
        os.unlink(self.path)


def tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def command_line(folder: str) -> list[str]:
    try:
        with open(f"{folder}/cmdline", "rb") as file:
            return [word.decode(errors="replace") for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def state(pid: int) -> str:
    """The state of a process as one letter, T for a stopped one; empty if there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except OSError:
        return ""


def group_folder() -> str | None:
    """The folder of this process's control group of version 2, below which guards make theirs."""
    with open("/proc/self/cgroup") as file:
        paths = [line.strip()[len("0::"):] for line in file if line.startswith("0::/")]
    with open("/proc/self/mountinfo") as file:
        mounts = [line.split() for line in file]
    for mount in mounts:
        if paths and mount[mount.index("-") + 1] == "cgroup2" and (paths[0] + "/").startswith(mount[3].rstrip("/") + "/"):
            return os.path.join(mount[4], paths[0][len(mount[3].rstrip("/")):].lstrip("/"))
    return None


def groups(pid: int) -> list[str]:
    """The folders of the control groups that a guard has made and that are still there."""
    folder = group_folder()
    if folder is None:
        return []
    return [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(f"bellerophon-guard-{pid}-")]
