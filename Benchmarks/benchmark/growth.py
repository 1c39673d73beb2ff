"""What a publish and a command cost as the journal and the number of files grow."""

import json
import os
import sqlite3
import statistics
import subprocess
import time

from .servers import Bellerophon
from .table import show

SCOPES = 20


def fill(rows):
    """Writes so many rows into a store that nobody has open. They are not chained; nothing here verifies them."""
    def prepare(folder):
        database = sqlite3.connect(os.path.join(folder, "store.sqlite"))
        document = json.dumps({"apiInactive": False, "forceUpdate": False, "retryInterval": 60, "userMessage": None})
        start = int(time.time() * 1000) - rows - 1000
        database.executemany(
            "INSERT INTO journal (at, who, action, app, channel, document, published) VALUES (?, 'load', 'restore', ?, 'main', ?, ?)",
            ((start + n, f"app{n % SCOPES}", document, start + n) for n in range(rows)))
        database.commit()
        database.close()
    return prepare


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
    cases = [(f"{rows:,} rows", fill(rows)) for rows in (1_000, 100_000, 1_000_000)] + [("30,000 files", files(30_000))]
    found = []
    for name, prepare in cases:
        with Bellerophon(settings, "growth", prepare=prepare) as server:
            publish = milliseconds(lambda: server.kill("Closed."), 40)
            command = [settings.server, "status", "--store", server.store]
            status = milliseconds(lambda: subprocess.run(command, check=True, capture_output=True, timeout=60), 10)
            found.append((name, publish, status))
    _, publish, status = found[0]
    rows = [
        [name, f"{one:.1f} ms", f"{one / publish:.2f}×", f"{other:.1f} ms", f"{other / status:.2f}×"]
        for name, one, other in found
    ]
    show("As a store grows", ["store", "publish", "to the first", "status command", "to the first"], rows,
         ["Medians of 40 publishes over HTTP, each on the disk, and of 10 runs of a command, in one run of the benchmark."])
