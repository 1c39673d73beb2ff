"""Connections that can be cut, delayed and silenced."""

import asyncio
import threading


class Network:
    """Runs every proxy on a thread of its own."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def proxy(self, target) -> "Proxy":
        proxy = Proxy(self, target)
        asyncio.run_coroutine_threadsafe(proxy.start(), self.loop).result(10)
        return proxy

    def call(self, work):
        done = threading.Event()

        def run():
            work()
            done.set()

        self.loop.call_soon_threadsafe(run)
        done.wait(10)


class Proxy:
    """Passes connections of a port on to the port that `target` returns."""

    def __init__(self, network: Network, target):
        self.network, self.target = network, target
        self.port = 0
        self.delay = 0.0
        self.silent = False
        # Accepts and closes, as a load balancer does whose server is gone.
        self.closes = False
        # In bytes a second; None without a limit.
        self.speed: int | None = None
        self.writers: set[asyncio.StreamWriter] = set()

    async def start(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    def cut(self):
        """Resets all connections."""
        self.network.call(lambda: [writer.transport.abort() for writer in list(self.writers)])

    def heal(self):
        # What was silenced is lost: a connection without some of its bytes can't continue.
        if self.silent:
            self.cut()
        self.delay, self.silent, self.closes, self.speed = 0.0, False, False, None

    async def _serve(self, reader, writer):
        self.writers.add(writer)
        other = None
        try:
            if self.closes:
                return
            while self.silent:
                await asyncio.sleep(0.05)
            far, other = await asyncio.open_connection("127.0.0.1", self.target())
            self.writers.add(other)
            await asyncio.wait(
                [asyncio.create_task(self._pump(reader, other)), asyncio.create_task(self._pump(far, writer))],
                return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            pass
        finally:
            for end in (writer, other):
                if end is not None:
                    self.writers.discard(end)
                    end.transport.abort()

    async def _pump(self, reader, writer):
        try:
            while data := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.speed:
                    await asyncio.sleep(len(data) / self.speed)
                if self.silent:
                    continue
                writer.write(data)
                await writer.drain()
        except (OSError, RuntimeError):
            pass
