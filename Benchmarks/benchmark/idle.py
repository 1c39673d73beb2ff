"""What a client costs that has nothing to do: processor time while it waits, polls and listens."""

import os
import shutil
import socket
import threading
import time

from .table import show
from .terminal import Terminal

LIVE = b'{"apiInactive":false,"forceUpdate":false,"retryInterval":%d,"userMessage":null}'
KILLED = b'{"apiInactive":true,"forceUpdate":false,"retryInterval":%d,"userMessage":"Back soon."}'


class Server:
    """Answers one request a connection, or never, on a thread for each."""

    def __init__(self, answer):
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.held = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.held.append(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            while True:
                request = connection.recv(65536)
                if not request or not self.answer(connection, request.split(b" ")[1]):
                    return connection.close()
        except OSError:
            connection.close()

    def stop(self):
        self.listener.close()
        for connection in self.held:
            connection.close()


def document(body, close=False):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n" % (len(body), b"Connection: close\r\n" if close else b"")
    return head + body


def poll(body):
    def answer(connection, path):
        connection.sendall(document(body))
        return True
    return answer


def stream(closes_after_head):
    """Events for those who listen; a proxy that closes gives the head only."""
    def answer(connection, path):
        if path != b"/events":
            connection.sendall(document(LIVE % 60, close=True))
            return False
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nBellerophon-Heartbeat: 15\r\n\r\n")
        if closes_after_head:
            return False
        connection.sendall(b"event: status\ndata: " + LIVE % 60 + b"\n\n")
        while True:
            time.sleep(15)
            connection.sendall(b": beat\n\n")
    return answer


def hang(connection, path):
    time.sleep(3600)


CASES = [
    ("poll, live, every 5 s", poll(LIVE % 5), ["--transport", "poll"], b"LIVE"),
    ("poll, killed, every 5 s", poll(KILLED % 5), ["--transport", "poll"], b"SERVICE PAUSED"),
    ("stream held", stream(False), ["--transport", "auto", "--events-url", "EVENTS"], b"LIVE"),
    ("stream behind a proxy that closes", stream(True), ["--transport", "auto", "--events-url", "EVENTS"], b"LIVE"),
    ("a server that hangs", hang, ["--transport", "poll"], b"STARTING"),
]


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(settings):
    """All cases at once: each is idle."""
    rows, running = [], []
    for index, (name, answer, flags, marker) in enumerate(CASES):
        home = os.path.join(settings.work, f"idle-{index}")
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        server = Server(answer)
        base = f"http://127.0.0.1:{server.port}"
        flags = [flag.replace("EVENTS", f"{base}/events") for flag in flags]
        terminal = Terminal([settings.client, "run", "--status-url", f"{base}/status", "--forget", *flags], home)
        if marker != b"STARTING":
            terminal.read_until(marker, 20)
        running.append((name, server, terminal))
    try:
        drain(running, 3)
        before = [cpu_seconds(terminal.pid) for _, _, terminal in running]
        start = time.monotonic()
        drain(running, settings.idle)
        span = time.monotonic() - start
        for (name, _, terminal), earlier in zip(running, before):
            share = (cpu_seconds(terminal.pid) - earlier) / span
            rows.append([name, f"{share * 100:.2f} %"])
    finally:
        for _, server, terminal in running:
            terminal.stop()
            server.stop()
    show(f"Processor time of an idle client over {settings.idle} s", ["client", "of a core"], rows,
         ["`bellerophon run` in a terminal of 80×24 that is read meanwhile; its countdown is drawn every second."])


def drain(running, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _, _, terminal in running:
            terminal.drain(quiet=0.02)
        time.sleep(0.1)
