"""Takes parts of a cluster away at random while clients publish and read, and checks what they have seen.

    Scripts/chaos BELLEROPHON-SERVER BELLEROPHON [--rounds N] [--seed N] [--case NAME | --rounds-only]

Three servers share a store in PostgreSQL with a synchronous standby, all on this machine. First come the faults of cases.py, one
after the other. Then, in each round, a server is killed or stopped, its connections to the database are cut, delayed, slowed down,
silenced, or accepted and closed, its clock is set, or the primary database is killed and the standby promoted. Afterwards the
journal, the copies, every reply and what our own client has shown must agree. At last, faults are planted in what was recorded, and
the check must find each of them.

A case that can't be made here is skipped, and says why; with CI=true in the environment that is an error. The same seed makes the
same faults in the same order.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from cases import cases
from clients import APPS, WINDOWS, Inspector, Poller, Publisher, Stream, TimedPublisher, Watcher, WindowPublisher
from history import History, Row, faults, verify
from network import Network
from processes import Clock, Origin, Postgres, eventually


class Cluster:
    def __init__(self, work: str, server: str):
        self.work, self.server = work, server
        self.network = Network()
        self.databases = [Postgres(work, "first"), Postgres(work, "second")]
        self.primary = 0
        self.count = 2
        self.key = f"{work}/key.jwk"
        Clock.build(work)
        subprocess.run([server, "keygen", self.key], check=True, capture_output=True)
        shown = subprocess.run([server, "keygen", "--public", self.key], check=True, capture_output=True, text=True)
        self.public = shown.stdout.split()[-1]
        self.origins = [
            Origin(work, name, server, [self.network.proxy(lambda place=place: self.databases[place].port) for place in (0, 1)],
                   self.key)
            for name in "abc"
        ]

    def start(self):
        self.databases[0].make()
        self.databases[1].follow(self.databases[0])
        self.run("store", "migrate")
        for origin in self.origins:
            origin.start()

    def run(self, *command) -> str:
        origin = self.origins[0]
        done = subprocess.run(
            [self.server, *command, "--store", origin.address], capture_output=True, text=True,
            env={**os.environ, "BELLEROPHON_SERVER_COPY": origin.copy})
        if done.returncode:
            raise SystemExit(f"error: {' '.join(command)}: {done.stderr}")
        return done.stdout

    def fail_over(self):
        """The primary dies, the standby is promoted, and a new standby takes the dead one's place."""
        dead, self.primary = self.primary, 1 - self.primary
        self.databases[dead].kill()
        self.databases[self.primary].promote()
        self.new_standby(dead)

    def new_standby(self, place: int):
        self.count += 1
        self.databases[place] = Postgres(self.work, f"database{self.count}")
        self.databases[place].follow(self.databases[self.primary])

    def limit_disk(self, origin: Origin) -> bool:
        """Gives the copy of a server a small file system, where that is possible."""
        os.makedirs(origin.copy, mode=0o700)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m,mode=700", "tmpfs", origin.copy], capture_output=True)
        return done.returncode == 0

    def sql(self, text: str) -> str:
        return self.databases[self.primary].sql(text)

    def end(self):
        for origin in self.origins:
            if origin.process is not None:
                if origin.stopped:
                    origin.go_on()
                origin.kill()
            if os.path.ismount(origin.copy):
                subprocess.run(["umount", origin.copy], check=False)
        for database in self.databases:
            if database.process is not None and database.process.poll() is None:
                database.kill()


def disturb(cluster: Cluster, chance: random.Random, number: int, takeovers: list[float]) -> str:
    """One fault, and its end."""
    origin = chance.choice(cluster.origins)
    if number % 20 == 5:
        cluster.fail_over()
        return "the primary database died"
    kind = chance.choice(["kill", "kill the leader", "stop", "cut", "delay", "silence", "flicker", "close", "crawl", "clock"])
    pause = 0.2 + chance.random() * 0.8
    match kind:
        case "kill":
            origin.kill()
            time.sleep(pause / 2)
            origin.start()
        case "kill the leader":
            leader = next((origin for origin in cluster.origins if origin.leads()), None)
            if leader is None:
                return "nobody led"
            others = [origin for origin in cluster.origins if origin is not leader]
            leader.kill()
            began = time.monotonic()
            eventually("another leader", lambda: any(origin.leads() for origin in others))
            takeovers.append(time.monotonic() - began)
            leader.start()
        case "stop":
            origin.stop()
            time.sleep(pause * (12 if chance.random() < 0.1 else 1))
            origin.go_on()
        case "cut":
            for proxy in origin.proxies:
                proxy.cut()
        case "delay":
            for proxy in origin.proxies:
                proxy.delay = pause / 10
            time.sleep(pause)
        case "silence":
            for proxy in origin.proxies:
                proxy.silent = True
            time.sleep(pause * (12 if chance.random() < 0.1 else 1))
        case "close":
            for proxy in origin.proxies:
                proxy.closes = True
                proxy.cut()
            time.sleep(pause)
        case "crawl":
            for proxy in origin.proxies:
                proxy.speed = 100_000
            time.sleep(pause)
        case "clock":
            origin.clock.set(chance.choice([-7200, 7200, -3, 60]))
            time.sleep(pause)
            origin.clock.set(0)
        case "flicker":
            for _ in range(5):
                for each in cluster.origins:
                    for proxy in each.proxies:
                        proxy.cut()
                time.sleep(pause / 5)
    for proxy in origin.proxies:
        proxy.heal()
    return f"{kind} {origin.name}"


def journal(cluster: Cluster) -> list[Row]:
    columns = "id, action, app, document, ends_at, ends, at, published, request, body"
    text = cluster.sql(
        f"SELECT coalesce(json_agg(t ORDER BY t.id), '[]') FROM (SELECT {columns} FROM bellerophon.journal) t")
    return [Row(**row) for row in json.loads(text)]


def settle(cluster: Cluster, history: History):
    """Waits until every server has every row, and notes how the journal and the copies end."""
    def heads():
        head = cluster.sql("SELECT id || ' ' || digest FROM bellerophon.journal ORDER BY id DESC LIMIT 1")
        found = {"the journal": head}
        for origin in cluster.origins:
            with sqlite3.connect(f"file:{origin.copy}/store.sqlite?mode=ro", uri=True) as copy:
                row = copy.execute("SELECT id || ' ' || digest FROM journal ORDER BY id DESC LIMIT 1").fetchone()
            found[origin.name] = row[0] if row else ""
        return found

    end = time.monotonic() + 120
    while len(set(heads().values())) > 1 and time.monotonic() < end:
        time.sleep(0.1)
    history.heads = heads()
    history.rows = journal(cluster)


def delays(history: History) -> list[float]:
    """The time from a reply to a publisher until another server was seen with the row, for rows that some server served."""
    found = []
    for item in history.acknowledged:
        times: dict[str, float] = {}
        for seen in history.seen:
            if seen.app == item.app and seen.serial >= item.row and seen.origin not in times:
                times[seen.origin] = seen.when
        found += [max(0.0, when - item.when) for when in times.values()]
    return sorted(found)


def make_cluster(options) -> tuple[str, Cluster]:
    work = tempfile.mkdtemp(prefix="bellerophon-chaos.", dir="/tmp")
    os.chmod(work, 0o711)
    return work, Cluster(work, os.path.realpath(options.server))


def run_cases(options) -> list[str]:
    work, cluster = make_cluster(options)
    try:
        cluster.limit_disk(cluster.origins[2])
        cluster.start()
        return cases(cluster, options.case)
    except SystemExit:
        tails(work)
        raise
    finally:
        cluster.end()
        shutil.rmtree(work, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("client")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--case", help="only the cases whose name has this text, and no rounds")
    parser.add_argument("--rounds-only", action="store_true", help="no cases")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    # Ends what was started also when this is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    skipped = [] if options.rounds_only else run_cases(options)
    if skipped and os.environ.get("CI") == "true":
        print(f"error: skipped with CI=true: {', '.join(skipped)}", file=sys.stderr)
        return 1
    if options.case is not None:
        return 0
    print(f"{options.rounds} rounds with the seed {seed}", flush=True)
    chance = random.Random(seed)
    work, cluster = make_cluster(options)
    history = History()
    clients = []
    try:
        cluster.start()
        token = cluster.run("token", "create", "--name", "chaos", "--scope", "publish").split()[-1]
        for origin in cluster.origins:
            # A token works on the other servers once they have its row.
            eventually("the token", lambda origin=origin: "\nbellerophon_snapshot_serial 1\n" in origin.get("/metrics"))
        ways = random.Random(seed + 4)
        front = cluster.network.proxy(lambda: ways.choice(cluster.origins).port)
        publishers = [Publisher(history, cluster.origins, token, seed + number) for number in range(2)]
        publishers.append(TimedPublisher(history, cluster.origins, token, seed + 2))
        publishers.append(WindowPublisher(history, cluster.origins, token, seed + 3))
        clients = publishers + [Poller(history, origin) for origin in cluster.origins]
        clients += [Stream(history, origin, app) for origin in cluster.origins for app in (APPS[0], WINDOWS)]
        clients += [Inspector(history, origin) for origin in cluster.origins]
        for client in clients:
            client.start()
        eventually("the first rows", lambda: len({item.app for item in history.acknowledged}) > len(APPS) + 1)
        watcher = Watcher(history, os.path.realpath(options.client), front.port, APPS[0], cluster.public)
        watcher.start()
        clients.append(watcher)

        takeovers: list[float] = []
        for number in range(1, options.rounds + 1):
            what = disturb(cluster, chance, number, takeovers)
            # Our client moves to another server.
            front.cut()
            print(f"round {number}: {what}; {len(history.acknowledged)} publishes", flush=True)
            time.sleep(chance.random() * 0.3)
        before = len(history.acknowledged)
        eventually("more publishes after the last fault", lambda: len(history.acknowledged) >= before + 5)
        for client in clients:
            client.end()
        # The last timed kills and windows end.
        eventually("the end of what is timed", lambda: not due(journal(cluster)))
        settle(cluster, history)
        return report(history, clients, publishers, takeovers)
    except SystemExit:
        tails(work)
        raise
    finally:
        for client in clients:
            client.is_over.set()
        cluster.end()
        shutil.rmtree(work, ignore_errors=True)


def due(rows: list[Row]) -> bool:
    newest = {row.app: row for row in rows if row.app}
    return any(row.ends_at is not None or json.loads(row.body or "{}").get("next") for row in newest.values())


def tails(work: str):
    for name in sorted(os.listdir(work)):
        if name.endswith(".log"):
            with open(f"{work}/{name}", errors="replace") as log:
                sys.stderr.write(f"--- {name}\n{''.join(log.readlines()[-15:])}")


def report(history: History, clients, publishers, takeovers) -> int:
    problems = [client.problem for client in clients if client.problem] + verify(history)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    if problems:
        return 1
    ends = sum(row.ends is not None for row in history.rows)
    print(f"ok: {len(history.acknowledged)} acknowledged publishes are in the journal once and in order; "
          f"{sum(item.refused for item in publishers)} were refused before, and of {sum(item.unknown for item in publishers)} "
          "the outcome was unknown at first")
    print(f"ok: {ends} timed statuses ended once")
    print(f"ok: {sum(row.action == 'phase' for row in history.rows)} phases of rules happened once, in order, and none early")
    print(f"ok: servers that said they are ready served each of {len(history.ready)} times what was acknowledged")
    print(f"ok: {len(history.seen)} replies and events of {len(set(item.origin for item in history.seen))} sources never went "
          f"back; {len(history.signed)} signed documents were the same on every server")
    print(f"ok: the client has shown {len(history.shown)} messages in the order of the journal")
    found = delays(history)
    if found:
        print(f"publish to another server's reply: half within {statistics.median(found) * 1000:.0f} ms, 99 % within "
              f"{found[int(len(found) * 0.99)] * 1000:.0f} ms, faults included")
    if takeovers:
        print(f"another server led after {statistics.median(takeovers):.1f} s (median), {max(takeovers):.1f} s (longest)")
    missed = [name for name, faulty in faults(history).items() if not verify(faulty)]
    if missed:
        print(f"error: the check has not found these planted faults: {', '.join(missed)}", file=sys.stderr)
        return 1
    print(f"ok: the check finds {len(faults(history))} planted faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
