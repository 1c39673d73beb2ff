"""What a publish, a command and a start cost as the journal, its tokens and the number of files grow."""

import hashlib
import json
import os
import sqlite3
import statistics
import subprocess
import time

from .servers import Bellerophon
from .table import show

SCOPES = 20


def fill(rows, scopes=SCOPES, tokens=0, pruned=0):
    """Writes so many rows into a store that nobody has open. They are not chained; nothing here verifies them.

    The first ones are about tokens and about versions of resources that were removed since; the others are statuses.
    """
    def prepare(folder):
        database = sqlite3.connect(os.path.join(folder, "store.sqlite"))
        document = json.dumps({"apiInactive": False, "forceUpdate": False, "retryInterval": 60, "userMessage": None})
        start = int(time.time() * 1000) - rows - 1000
        database.executemany(
            "INSERT INTO journal (at, who, action, token, body) VALUES (?, 'load', 'token-create', ?, ?)",
            ((start + n, f"load{n}", compact({"token": {
                "hash": hashlib.sha256(b"%d" % n).hexdigest(), "person": f"load{n}", "scopes": "publish"}})) for n in range(tokens)))
        database.executemany(
            "INSERT INTO journal (at, who, action, resource, version, body) VALUES (?, 'load', 'resource', ?, ?, ?)",
            ((start + tokens + n, f"pruned{n % 100}", n // 100 + 1, compact({"version": {
                "md5": "0" * 32, "sha256": hashlib.sha256(b"%d" % n).hexdigest(), "size": 1}})) for n in range(pruned)))
        database.executemany(
            "INSERT INTO journal (at, who, action, resource, body) VALUES (?, 'load', 'resource-prune', ?, ?)",
            ((start + tokens + pruned, f"pruned{n}", compact({"removal": {"contents": [], "versions": []}}))
             for n in range(100 if pruned else 0)))
        database.executemany(
            "INSERT INTO journal (at, who, action, app, channel, document, published) VALUES (?, 'load', 'restore', ?, 'main', ?, ?)",
            ((start + n, f"app{n % scopes}", document, start + n) for n in range(tokens + pruned, rows)))
        database.commit()
        database.close()
    return prepare


def compact(body):
    """A body as the store writes it."""
    return json.dumps(body, separators=(",", ":"), sort_keys=True)


def files(count):
    """Puts so many files where the resources' bytes are."""
    def prepare(folder):
        fill(1)(folder)
        for n in range(count):
            name = f"{n:064x}"[::-1]
            shard = os.path.join(folder, "content", name[:2])
            os.makedirs(shard, exist_ok=True)
            with open(os.path.join(shard, name), "wb"):
                pass
    return prepare


def milliseconds(work, times):
    taken = []
    for _ in range(times):
        start = time.monotonic()
        work()
        taken.append((time.monotonic() - start) * 1000)
    return statistics.median(taken)


def measure(settings):
    cases = [(f"{rows:,} rows", fill(rows)) for rows in (1_000, 100_000, 1_000_000)]
    cases += [("30,000 files", files(30_000)), ("1,000 rows, 10,000 tokens", fill(11_000, tokens=10_000)),
              ("1,000,000 rows, 2,000 scopes, 10,000 tokens", fill(1_000_000, 2_000, tokens=10_000)),
              ("the same, 900,000 of them of pruned resources", fill(1_000_000, 2_000, 10_000, pruned=900_000))]
    found = []
    for name, prepare in cases:
        with Bellerophon(settings, "growth", prepare=prepare) as server:
            publish = milliseconds(lambda: server.kill("Closed."), 40)
            command = [settings.server, "status", "--store", server.store]
            status = milliseconds(lambda: subprocess.run(command, check=True, capture_output=True, timeout=60), 10)
            found.append((name, publish, status, milliseconds(server.start_again, 5)))
    rows = [[name] + [cell for one, first in zip(figures, found[0][1:]) for cell in (f"{one:.1f} ms", f"{one / first:.2f}×")]
            for name, *figures in found]
    show("As a store grows", ["store", "publish", "to the first", "status command", "to the first", "start", "to the first"], rows,
         ["Medians of 40 publishes over HTTP, each on the disk, of 10 runs of a command, and of 5 starts of the server until it says "
          "that it is ready, in one run of the benchmark."])
