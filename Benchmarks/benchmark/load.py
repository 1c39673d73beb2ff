"""Rounds of wrk against several servers, one after the other and again."""

import re
import resource
import socket
import ssl
import statistics
import subprocess
import urllib.request

from .processes import Failure


class Round:
    """What one run of wrk saw."""

    def __init__(self, text):
        self.rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
        self.requests = int(re.search(r"(\d+) requests in", text).group(1))
        self.cpu = 0
        self.generator = 0
        sockets = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
        refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
        self.failed = sum(map(int, sockets.groups())) if sockets else 0
        self.failed += int(refused.group(1)) if refused else 0
        late = re.search(r"99%\s+([\d.]+)(us|ms|s|m)", text)
        self.p99 = float(late.group(1)) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}[late.group(2)] if late else 0


def children_seconds():
    """Processor time of the programs that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(url, connections, seconds, keep_alive=True, threads=1):
    """One round of wrk."""
    before = children_seconds()
    arguments = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency", url]
    if not keep_alive:
        arguments[1:1] = ["-H", "Connection: close"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0 or "Requests/sec" not in done.stdout:
        raise Failure(f"wrk: {done.stdout}{done.stderr}")
    one = Round(done.stdout)
    one.generator = (children_seconds() - before) / seconds
    return one


def compare(servers, path, connections, rounds, seconds, keep_alive=True, threads=1):
    """Rounds A B A B …; returns the rounds by server. The first round of each warms up and is not counted."""
    results = {name: [] for name in servers}
    for turn in range(rounds + 1):
        for name, server in servers.items():
            before = server.program.cpu_seconds()
            one = run(f"{server.scheme}://127.0.0.1:{server.port}{path}", connections, seconds if turn else 1, keep_alive, threads)
            one.cpu = server.program.cpu_seconds() - before
            if turn:
                results[name].append(one)
    return results


def rate(results):
    return statistics.median(one.rate for one in results)


def failed(results):
    return sum(one.failed for one in results)


def late(results):
    return statistics.median(one.p99 for one in results)


def generator(results):
    """Cores that wrk used. With one thread, 1 means that wrk was the limit."""
    return statistics.median(one.generator for one in results)


def cpu(results):
    """Microseconds of CPU that the server spent on a request."""
    return sum(one.cpu for one in results) * 1e6 / max(1, sum(one.requests for one in results))


def cost_ratio(other, ours):
    """Processor time per request of ours beside the other one's, round by round, because the speed of a machine changes meanwhile: the
    median, and half of the range of the middle half of the rounds, in percent."""
    pairs = sorted(mine.cpu / max(1, mine.requests) / (its.cpu / max(1, its.requests)) for its, mine in zip(other, ours) if its.cpu)
    if len(pairs) < 2:
        return "—"
    low, middle, high = statistics.quantiles(pairs, n=4, method="inclusive")
    return f"{middle:.2f}× ±{(high - low) / 2 / middle * 100:.1f} %"


def document(port, path, scheme="http"):
    """The body of one reply, and the fields of its head in their order."""
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    try:
        with urllib.request.urlopen(f"{scheme}://127.0.0.1:{port}{path}", timeout=10, context=trusting) as reply:
            return reply.read(), list(reply.headers.items())
    except OSError as error:
        raise Failure(f"port {port}, {path}: {error}") from None


def wire_size(port, path, *headers):
    """Bytes of one reply with its head, as they come over the wire."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        reply = connection.recv(65536)
    return len(reply), reply


def wire_sizes(port, path):
    """Bytes of a 200 and of a 304, as a keep-alive client gets them."""
    whole, reply = wire_size(port, path)
    tag = re.search(rb"(?i)\r\netag: *(\S+)", reply)
    if not tag:
        return f"A reply is {whole} bytes."
    unchanged, second = wire_size(port, path, f"If-None-Match: {tag.group(1).decode()}")
    if b" 304 " not in second.split(b"\r\n")[0]:
        raise Failure(f"no 304 to its own entity tag: {second[:200]!r}")
    return f"On the wire: a 200 of ours is {whole} bytes with its head, a 304 {unchanged}."
