"""From a publish to the overlay's bytes on a terminal, while other streams are held."""

import os
import random
import shutil
import statistics
import string
import threading
import time

from .servers import Bellerophon
from .streams import Holder
from .table import milliseconds, show
from .terminal import Terminal


def waits(settings, publisher, server):
    """Publishes kills on one server, and returns the times until a client of another one has painted them, in microseconds."""
    home = os.path.join(settings.work, "paint-home")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    found = []
    terminal = Terminal([settings.client, "run", "--status-url", f"http://127.0.0.1:{server.port}/status",
                         "--transport", "stream"], home)
    try:
        terminal.read_until(b"LIVE", 20)
        terminal.drain()
        for _ in range(settings.paints):
            word = "".join(random.choices(string.ascii_letters, k=16))
            # The publisher's reply comes when it comes; the terminal is read meanwhile.
            publishing = threading.Thread(target=publisher.kill, args=(word,))
            start = time.monotonic()
            publishing.start()
            found.append((terminal.read_until(word.encode(), 10) - start) * 1e6)
            publishing.join()
            terminal.drain()
            publisher.restore()
            terminal.read_until(b"LIVE", 10)
            terminal.drain()
    finally:
        terminal.stop()
    return sorted(found)


def late(found):
    """The 99th percentile of sorted times."""
    return found[min(len(found) - 1, int(len(found) * 0.99))]


def measure(settings):
    with Bellerophon(settings, "paint") as server, Holder(settings, server, settings.watchers, "watchers") as holder:
        found = waits(settings, server, server)
        left = holder.still_open()
    show(f"Publish to painted overlay, {settings.watchers:,} other streams held",
         ["kills", "p50", "p99", "worst"],
         [[len(found), milliseconds(statistics.median(found)), milliseconds(late(found)), milliseconds(found[-1])]],
         ["From the first byte of the publishing request to the message's last byte on the terminal of a running "
          f"`bellerophon run --transport stream`. Streams lost meanwhile: {settings.watchers - left}."])
