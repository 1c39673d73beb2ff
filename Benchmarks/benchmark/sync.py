"""Sync of a large resource with CloudBox: memory, time, and the bytes of an unchanged one."""

import hashlib
import json
import os
import re
import shutil
import socket
import threading

from .processes import Failure, Program, tail
from .servers import Bellerophon
from .table import show


class CountingProxy:
    """Passes connections through and keeps what comes back, so that no claim of either end is believed."""

    def __init__(self, target):
        self.target = target
        self.replies = []  # by connection
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            self.replies.append(bytearray())
            threading.Thread(target=copy, args=(client, server), daemon=True).start()
            threading.Thread(target=copy, args=(server, client, self.replies[-1]), daemon=True).start()

    def stop(self):
        self.listener.close()

    def counts(self):
        """Bytes of all bodies, and of all else."""
        bodies = sum(body_bytes(bytes(reply)) for reply in self.replies)
        return bodies, sum(map(len, self.replies)) - bodies


def copy(source, target, kept=None):
    try:
        while data := source.recv(1 << 18):
            if kept is not None:
                kept += data
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def body_bytes(replies):
    """Body bytes of the replies of one connection."""
    count = 0
    while replies:
        head, _, rest = replies.partition(b"\r\n\r\n")
        found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        has_body = found and b" 304 " not in head.split(b"\r\n")[0]
        size = min(int(found.group(1)), len(rest)) if has_body else 0
        count += size
        replies = rest[size:]
    return count


class Client:
    """sync-resource with a folder."""

    def __init__(self, settings, port, folder):
        self.program = Program(
            [settings.sync, f"http://127.0.0.1:{port}", folder], os.path.join(settings.work, "sync-resource.log"),
            pipes=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()

    def sync(self, name, expected):
        self.program.process.stdin.write(name + "\n")
        line = self.program.process.stdout.readline()
        if not line:
            raise Failure(f"sync-resource: {tail(self.program.log)}")
        report = json.loads(line)
        if report["outcome"] != expected:
            raise Failure(f"'{expected}' was expected of the sync of {name}: {report}")
        return report


def make_file(path, size):
    """A file of bytes that do not compress; returns its SHA-256."""
    block = os.urandom(1 << 20)
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        for number in range(size >> 20):
            piece = number.to_bytes(8, "big") + block[8:]
            file.write(piece)
            digest.update(piece)
    return digest.hexdigest()


def digest_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def measure(settings):
    source = os.path.join(settings.work, "resource.bin")
    cache = os.path.join(settings.work, "resource-cache")
    digest = make_file(source, settings.megabytes << 20)
    with Bellerophon(settings, "sync") as server:
        with open(source, "rb") as file:
            server.put(f"/v1/resources/large.bin?sha256={digest}", file, "application/octet-stream")
        server.put("/v1/resources/small.txt", b"small", "application/octet-stream")
        os.remove(source)
        with Client(settings, server.port, cache) as client:
            client.sync("small.txt", "updated")
            first = client.sync("large.bin", "updated")
            if digest_of(first["file"]) != digest:
                raise Failure("the synced file has another digest than the published one")
        proxy = CountingProxy(server.port)
        with Client(settings, proxy.port, cache) as client:
            restarted = client.sync("large.bin", "unchanged")
            after_restart = proxy.counts()
            again = client.sync("large.bin", "unchanged")
            after_again = proxy.counts()
        proxy.stop()
    shutil.rmtree(cache, ignore_errors=True)

    def line(label, report, bodies, heads, rate=""):
        return [label, f"{report['seconds']:.3f}", rate, f"{report['growth'] / 2**20:.1f} MiB", f"{bodies:,}", heads]

    show(f"Sync of a resource of {settings.megabytes:,} MiB with CloudBox",
         ["", "seconds", "MiB per second", "memory growth", "body bytes", "header bytes"],
         [line("first sync", first, first["received"], "", f"{settings.megabytes / first['seconds']:,.0f}"),
          line("unchanged, program started anew", restarted, after_restart[0], f"{after_restart[1]:,}"),
          line("unchanged, asked again", again, after_again[0] - after_restart[0],
               f"{after_again[1] - after_restart[1]:,}")],
         ["Memory growth is how far the program's peak resident size rose during the sync; before the first one it "
          "had synced five bytes. The bytes of the unchanged resource were counted on the wire, its manifest's too."])
