"""Many held streams: what one costs the server, and how long a publish takes to reach them."""

import json
import os
import re
import socket
import statistics
import time

from .processes import Failure, Program, Running, free_port, memory
from .servers import Bellerophon
from .table import milliseconds, show


class Holder(Running):
    """hold-streams with a number of open streams."""

    def __init__(self, settings, server, count, name="holder"):
        self.program = Program(
            [settings.holder, str(server.port), "/events", str(count)], os.path.join(settings.work, f"{name}.log"),
            {"BELLEROPHON_TOKEN": server.token}, pipes=True,
        )
        self.expect(f"ready {count}")

    def expect(self, pattern):
        line = self.program.process.stdout.readline().strip()
        found = re.fullmatch(pattern, line)
        if not found:
            self.program.stop()
            with open(self.program.log) as log:
                raise Failure(f"hold-streams said '{line}' {log.read().strip()}")
        return found

    def request(self, line, pattern):
        self.program.process.stdin.write(line + "\n")
        return self.expect(pattern)

    def publish(self, body):
        """Publishes and waits for every stream; returns (ack, p50, p99, last, received), in microseconds."""
        found = self.request(f"publish /status {json.dumps(body)}",
                          r"published (\d+) (-?\d+) (-?\d+) (-?\d+) (-?\d+) (\d+)")
        status, *numbers = map(int, found.groups())
        if status != 201:
            raise Failure(f"publishing gave {status}")
        return numbers

    def still_open(self):
        return int(self.request("count", r"open (\d+)").group(1))


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


class PlainWriter(Running):
    """write-streams, which only writes one event to every stream: the least that telling them costs."""

    def __init__(self, settings, event):
        self.port = free_port()
        self.token = ""
        path = os.path.join(settings.work, "event")
        with open(path, "wb") as file:
            file.write(event)
        self.program = Program([settings.writer, str(self.port), path], os.path.join(settings.work, "writer.log"))
        self.program.wait_for_port(self.port)


def first_event(port):
    """The bytes of the event with which a stream begins."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        while b"event: status\n" not in received or not received.endswith(b"\n\n"):
            piece = connection.recv(65536)
            if not piece:
                raise Failure(f"the stream ended with {received[-200:]!r}")
            received += piece
    return received[received.index(b"event: status\n"):]


def measure(settings):
    count = settings.streams
    with Bellerophon(settings, "streams") as server:
        server.kill("publish 0")
        event = first_event(server.port)
        with Holder(settings, server, 100):
            pass  # What the first streams bring once and for all is not counted.
        empty = settled(server.program.pid)
        start = time.monotonic()
        with Holder(settings, server, count) as holder, PlainWriter(settings, event) as writer, \
                Holder(settings, writer, count, "plain-holder") as plain:
            opened = time.monotonic() - start
            held = settled(server.program.pid)
            waits, floor = [], []
            for number in range(settings.publishes):
                body = ({"action": "restore"} if number % 2 == 0
                        else {"action": "kill", "message": f"publish {number}"})
                waits.append(holder.publish(body))
                time.sleep(0.2)
                floor.append(plain.publish(body))
                time.sleep(0.2)
            after = settled(server.program.pid)
            left = holder.still_open()
    ours, plain = list(zip(*waits)), list(zip(*floor))

    def line(label, column):
        one, other = statistics.median(ours[column]), statistics.median(plain[column])
        return [label, milliseconds(one), milliseconds(max(ours[column])), milliseconds(other),
                milliseconds(max(plain[column])), f"{one / other:.2f}×"]

    show(f"{count:,} streams held",
         ["publish to", f"median of {len(waits)} publishes", "worst", "the same in C", "worst in C", "ratio"],
         [line("reply to the publisher", 0), line("half of the streams (p50)", 1),
          line("99 % of the streams (p99)", 2), line("the last stream", 3)],
         [f"Memory of the server per stream: {(held - empty) / count / 1024:.1f} KiB when opened, "
          f"{(after - empty) / count / 1024:.1f} KiB after the publishes (proportional set size, "
          f"{empty / 2**20:.1f} MiB before, {held / 2**20:.1f} MiB with them).",
          f"Both servers opened their streams in {opened:.1f} s; streams lost: {count - left}; events lost: "
          f"{sum(count - one[4] for one in waits)}. The tool that holds the streams reads them on the same machine "
          "and in one thread, so its own time is in these figures.",
          f"In C: `write-streams` with as many open streams, which writes the same {len(event)} bytes to each socket, one "
          "after the other, and then replies; it stores, parses and checks nothing. Publishes alternate."])
