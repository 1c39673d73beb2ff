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


def measure(settings):
    home = os.path.join(settings.work, "paint-home")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    waits = []
    with Bellerophon(settings, "paint") as server, Holder(settings, server, settings.watchers, "watchers") as holder:
        terminal = Terminal([settings.client, "run", "--status-url", f"http://127.0.0.1:{server.port}/status",
                             "--transport", "stream"], home)
        try:
            terminal.read_until(b"LIVE", 20)
            terminal.drain()
            for _ in range(settings.paints):
                word = "".join(random.choices(string.ascii_letters, k=16))
                # The publisher's reply comes when it comes; the terminal is read meanwhile.
                publisher = threading.Thread(target=server.kill, args=(word,))
                start = time.monotonic()
                publisher.start()
                waits.append((terminal.read_until(word.encode(), 10) - start) * 1e6)
                publisher.join()
                terminal.drain()
                server.restore()
                terminal.read_until(b"LIVE", 10)
                terminal.drain()
            left = holder.still_open()
        finally:
            terminal.stop()
    waits.sort()
    late = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
    show(f"Publish to painted overlay, {settings.watchers:,} other streams held",
         ["kills", "p50", "p99", "worst"],
         [[len(waits), milliseconds(statistics.median(waits)), milliseconds(late), milliseconds(waits[-1])]],
         ["From the first byte of the publishing request to the message's last byte on the terminal of a running "
          f"`bellerophon run --transport stream`. Streams lost meanwhile: {settings.watchers - left}."])
