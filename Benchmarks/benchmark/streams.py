"""Many held streams: what one costs the server, and how long a publish takes to reach them."""

import json
import os
import re
import statistics
import time

from .processes import Failure, Program, memory
from .servers import Bellerophon
from .table import milliseconds, show


class Holder:
    """hold-streams with a number of open streams."""

    def __init__(self, settings, server, count, name="holder"):
        self.program = Program(
            [settings.holder, str(server.port), "/events", str(count)], os.path.join(settings.work, f"{name}.log"),
            {"BELLEROPHON_TOKEN": server.token}, pipes=True,
        )
        self.expect(f"ready {count}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()

    def expect(self, pattern):
        line = self.program.process.stdout.readline().strip()
        found = re.fullmatch(pattern, line)
        if not found:
            self.program.stop()
            with open(self.program.log) as log:
                raise Failure(f"hold-streams said '{line}' {log.read().strip()}")
        return found

    def tell(self, line, pattern):
        self.program.process.stdin.write(line + "\n")
        return self.expect(pattern)

    def publish(self, body):
        """Publishes and waits for every stream; returns (ack, p50, p99, last, received), in microseconds."""
        found = self.tell(f"publish /status {json.dumps(body)}",
                          r"published (\d+) (-?\d+) (-?\d+) (-?\d+) (-?\d+) (\d+)")
        status, *numbers = map(int, found.groups())
        if status != 201:
            raise Failure(f"publishing gave {status}")
        return numbers

    def still_open(self):
        return int(self.tell("count", r"open (\d+)").group(1))


def settled(pid):
    """The memory of a process once it no longer grows."""
    last = memory(pid)
    for _ in range(20):
        time.sleep(0.5)
        size = memory(pid)
        if abs(size - last) < 65536:
            return size
        last = size
    return last


def measure(settings):
    count = settings.streams
    with Bellerophon(settings, "streams") as server:
        with Holder(settings, server, 100):
            pass  # What the first streams bring once and for all is not counted.
        empty = settled(server.program.pid)
        start = time.monotonic()
        with Holder(settings, server, count) as holder:
            opened = time.monotonic() - start
            held = settled(server.program.pid)
            waits = []
            for number in range(settings.publishes):
                action = "kill" if number % 2 == 0 else "restore"
                waits.append(holder.publish({"action": action, "message": f"publish {number}"}
                                            if action == "kill" else {"action": action}))
                time.sleep(0.2)
            after = settled(server.program.pid)
            left = holder.still_open()
    columns = list(zip(*waits))

    def line(label, column):
        return [label, milliseconds(statistics.median(column)), milliseconds(max(column))]

    show(f"{count:,} streams held",
         ["publish to", f"median of {len(waits)} publishes", "worst publish"],
         [line("reply to the publisher", columns[0]), line("half of the streams (p50)", columns[1]),
          line("99 % of the streams (p99)", columns[2]), line("the last stream", columns[3])],
         [f"Memory of the server per stream: {(held - empty) / count / 1024:.1f} KiB when opened, "
          f"{(after - empty) / count / 1024:.1f} KiB after the publishes (proportional set size, "
          f"{empty / 2**20:.1f} MiB before, {held / 2**20:.1f} MiB with them).",
          f"Opened in {opened:.1f} s; streams lost: {count - left}; events lost: "
          f"{sum(count - one[4] for one in waits)}. The tool that holds the streams reads them on the same machine "
          "and in one thread, so its own time is in these figures."])
