"""Servers that share a store in PostgreSQL with a synchronous standby, beside a server with a store in a folder."""

import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from . import growth, paint
from .processes import Failure, Program, free_port
from .servers import Bellerophon
from .streams import Holder
from .table import milliseconds, show, thousands

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "chaos"))
from network import Network  # noqa: E402  pylint: disable=wrong-import-position
from processes import Postgres, tools  # noqa: E402  pylint: disable=wrong-import-position


class Databases:
    """A primary and its synchronous standby."""

    def __init__(self):
        # The user of PostgreSQL must be able to enter it.
        self.work = tempfile.mkdtemp(prefix="bellerophon-benchmark.", dir="/tmp")
        os.chmod(self.work, 0o711)
        self.primary, self.standby = Postgres(self.work, "primary"), Postgres(self.work, "standby")
        self.primary.make()
        self.standby.follow(self.primary)
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.standby.kill()
        self.primary.kill()
        shutil.rmtree(self.work, ignore_errors=True)

    def new(self):
        """The address of a new database."""
        self.count += 1
        self.primary.sql(f"CREATE DATABASE benchmark{self.count}")
        return f"postgresql://bellerophon@127.0.0.1:{self.primary.port}/benchmark{self.count}?sslmode=disable"

    def settle(self, address):
        """Does now what PostgreSQL does in the background after many rows were written."""
        subprocess.run([f"{tools()}/psql", "-qc", "VACUUM ANALYZE", address], check=True, capture_output=True, timeout=600)
        for server in (self.primary, self.standby):
            server.sql("CHECKPOINT")


class Origin(Bellerophon):
    """A server with its own copy of a shared store."""

    def __init__(self, settings, name, address, token=None):  # pylint: disable=super-init-not-called
        self.settings, self.port, self.store = settings, free_port(), address
        self.copy = os.path.join(settings.work, f"copy-{name}")
        # Of another copy, so that this one is empty when the server starts.
        made = None if token else self.run(
            "token", "create", "--name", "benchmark", "--scope", "publish", "--json", copy=f"{self.copy}-token")
        self.token = token or json.loads(made)["token"]
        shutil.rmtree(f"{self.copy}-token", ignore_errors=True)
        shutil.rmtree(self.copy, ignore_errors=True)
        self.began = time.monotonic()
        self.program = Program(
            [settings.server, "serve", "--store", address, "--port", str(self.port)], os.path.join(settings.work, f"{name}.log"),
            {"BELLEROPHON_SERVER_COPY": self.copy, "BELLEROPHON_SERVER_LIMITS_STREAMS": "12000"})
        self.program.wait_for_port(self.port, 600)

    def run(self, *command, copy=None):
        done = subprocess.run(
            [self.settings.server, *command, "--store", self.store], capture_output=True, text=True, timeout=600,
            env={**os.environ, "BELLEROPHON_SERVER_COPY": copy or self.copy})
        if done.returncode:
            raise Failure(f"{command[0]}: {done.stderr.strip()}")
        return done.stdout

    def figure(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as reply:
            return float(re.search(rf"^{name} (\S+)$", reply.read().decode(), re.MULTILINE).group(1))


def migrate(settings, address):
    subprocess.run([settings.server, "store", "migrate", "--store", address], check=True, capture_output=True, timeout=60)


def wait(what, condition, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return time.monotonic()
        except OSError:
            pass
        time.sleep(0.01)
    raise Failure(f"{what}: not within {seconds} s")


def measure(settings):
    with Databases() as databases:
        paints(settings, databases)
        rates(settings, databases)
        crowds(settings, databases)
        takeovers(settings, databases)
        sizes(settings, databases)


def paints(settings, databases):
    address = databases.new()
    migrate(settings, address)
    rows = []
    with Origin(settings, "a", address) as near, Origin(settings, "b", address, near.token) as far:
        rows.append(["another server, idle", *paint.waits(settings, near, far)])
        with Holder(settings, near, settings.watchers, "near"), Holder(settings, far, settings.watchers, "far"):
            rows.append([f"another server, {settings.watchers:,} streams on each", *paint.waits(settings, near, far)])
    with Bellerophon(settings, "one") as server:
        rows.append(["a store in a folder, idle", *paint.waits(settings, server, server)])
    show("Publish on one server to painted overlay of a client of another", ["client of", "kills", "p50", "p99", "worst"],
         [[name, len(waits), *(milliseconds(wait) for wait in (statistics.median(waits), paint.late(waits), waits[-1]))]
          for name, waits in ((row[0], sorted(row[1:])) for row in rows)],
         ["From the first byte of the publishing request to the message's last byte on the terminal. A publish is acknowledged by "
          "a synchronous standby. Databases, servers, client and streams share the machine."])


def rates(settings, databases):
    def rate(servers, publishers):
        counts = [0] * publishers
        end = time.monotonic() + settings.seconds

        def publish(number):
            while time.monotonic() < end:
                servers[number % len(servers)].kill(f"{number} {counts[number]}")
                counts[number] += 1

        threads = [threading.Thread(target=publish, args=(number,)) for number in range(publishers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts) / settings.seconds

    address = databases.new()
    migrate(settings, address)
    with Origin(settings, "a", address) as first, Origin(settings, "b", address, first.token) as second:
        shared = [rate([first], 1), rate([first, second], 8)]
    with Bellerophon(settings, "one") as server:
        own = [rate([server], 1), rate([server], 8)]
    show("Publishes per second", ["publishers", "shared store", "store in a folder", "ratio"],
         [[name, thousands(there), thousands(here), f"{there / here:.2f}"]
          for name, there, here in zip(("1", "8, on two servers where there are two"), shared, own)],
         ["Each publish is acknowledged once it is durable, in the shared store on the standby too. They happen one after the other."])


def crowds(settings, databases):
    """Fifty publishers on three servers, one of which is far from the database."""
    proxy = Network().proxy(lambda: databases.primary.port)
    # There and back.
    proxy.delay = 0.04
    address = databases.new()
    migrate(settings, address)
    distant = address.replace(f":{databases.primary.port}/", f":{proxy.port}/")
    with Origin(settings, "a", address) as first, Origin(settings, "b", address, first.token) as second, \
            Origin(settings, "c", distant, first.token) as third:
        servers = {"near the database": first, "near it too": second, "80 ms away": third}
        waits = {name: [] for name in servers}
        failures = dict.fromkeys(servers, 0)
        end = time.monotonic() + max(20, settings.seconds)

        def publish(number, name):
            while time.monotonic() < end:
                start = time.monotonic()
                try:
                    servers[name].kill(f"{number}")
                    waits[name].append(time.monotonic() - start)
                except (Failure, OSError):
                    failures[name] += 1

        threads = [threading.Thread(target=publish, args=(number, list(servers)[number % 3])) for number in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    show("Fifty publishers of kills on three servers",
         ["server", "kills", "median wait", "longest wait", "failed"],
         [[name, len(found), f"{statistics.median(found or [0]):.2f} s", f"{max(found or [0]):.2f} s", failures[name]]
          for name, found in waits.items()],
         ["Each publisher begins the next kill when one was acknowledged, on a standby too, over a connection of its own."])


def takeovers(settings, databases):
    address = databases.new()
    migrate(settings, address)
    taken = []
    token = None
    for number in range(10):
        with Origin(settings, f"first{number}", address, token) as first:
            token = first.token
            wait("a leader", lambda: first.figure("bellerophon_shared_store_leader"))
            with Origin(settings, f"second{number}", address, token) as second:
                # At any point between two questions for the lead.
                time.sleep(random.uniform(2, 4))
                first.program.process.kill()
                start = time.monotonic()
                taken.append(wait("another leader", lambda: second.figure("bellerophon_shared_store_leader")) - start)
    show("Time until another server leads", ["ends of the leader", "median", "longest"],
         [[len(taken), f"{statistics.median(taken):.2f} s", f"{max(taken):.2f} s"]],
         ["The process is killed. Servers ask for the lead every two seconds, and at each publish."])


def sizes(settings, databases):
    found = []
    for count in (1_000, 10_000, 1_000_000):
        folder = os.path.join(settings.work, "filled")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([settings.server, "init", "--store", folder], check=True, capture_output=True, timeout=60)
        growth.fill(count)(folder)
        address = databases.new()
        migrate(settings, address)
        start = time.monotonic()
        subprocess.run([settings.server, "store", "copy", "--from", folder, "--to", address], check=True, capture_output=True,
                       timeout=1800)
        copied = time.monotonic() - start
        databases.settle(address)
        with Origin(settings, "sized", address) as server:
            caught = wait("all rows", lambda: server.figure("bellerophon_snapshot_serial") >= count) - server.began
            publish = growth.milliseconds(lambda: server.kill("Closed."), 40)
            look = growth.milliseconds(lambda: server.run("status"), 10)
            found.append((count, copied, caught, publish, look))
    _, _, _, publish, look = found[0]
    show("As a shared store grows", ["rows", "copy from a folder", "a new server has all", "publish", "to the first",
                                     "status command", "to the first"],
         [[f"{count:,}", f"{copied:.1f} s", f"{caught:.1f} s", f"{one:.1f} ms", f"{one / publish:.2f}×", f"{other:.1f} ms",
           f"{other / look:.2f}×"] for count, copied, caught, one, other in found],
         ["Medians of 40 publishes over HTTP and of 10 runs of a command, after VACUUM and CHECKPOINT. The command looks for new "
          "rows in the database. A new server begins with an empty copy."])
