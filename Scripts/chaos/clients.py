"""Clients that publish and clients that read, each on a thread of its own."""

import http.client
import json
import random
import re
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid

from history import Acknowledged, Ready, Seen

APPS = ["one", "two", "three"]
# Its kills have the time to end.
TIMED = "timed"
# Its windows are announced, begin and end.
WINDOWS = "windows"


class Client(threading.Thread):
    def __init__(self, history):
        super().__init__(daemon=True)
        self.history = history
        self.is_over = threading.Event()
        self.problem = None

    def run(self):
        try:
            while not self.is_over.is_set():
                self.turn()
        except Exception as problem:  # pylint: disable=broad-except
            self.problem = f"{type(self).__name__}: {problem!r}"

    def end(self):
        self.is_over.set()
        self.join(60)


class Outdated(Exception):
    """What was to be published makes no sense any more."""


class Publisher(Client):
    """Publishes on any server, and tries again with the same key until the outcome is known."""

    def __init__(self, history, origins, token, seed):
        super().__init__(history)
        self.origins, self.token = origins, token
        self.random = random.Random(seed)
        self.name_ = seed
        self.count = 0
        self.unknown = self.refused = 0

    def turn(self):
        self.count += 1
        app, status = self.choose()
        request = str(uuid.uuid4())
        while not self.is_over.is_set():
            try:
                row = self.put(app, request, status)
            except Outdated:
                break
            if row is not None:
                self.history.acknowledged.append(Acknowledged(request, row, app, time.monotonic()))
                break
            self.is_over.wait(0.05)
        self.is_over.wait(self.pause())

    def choose(self):
        action = self.random.choice(["kill", "kill", "update", "restore"])
        status = {"action": action, "message": f"{self.name_} has published {self.count}"}
        if action == "update":
            status["requiredVersion"] = "2"
        if action != "restore" and self.random.random() < 0.3:
            status["endsAfter"] = self.random.choice([1, 2])
        return self.random.choice(APPS), status

    def pause(self):
        return self.random.random() * 0.2

    def put(self, app, request, status):
        """The row that was acknowledged; None if the publish must be tried again."""
        origin = self.random.choice(self.origins)
        message = urllib.request.Request(
            f"http://127.0.0.1:{origin.port}/v1/apps/{app}/status?new=true", method="PUT", data=json.dumps(status).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": request})
        try:
            with urllib.request.urlopen(message, timeout=20) as reply:
                return json.load(reply)["id"]
        except urllib.error.HTTPError as error:
            if error.code == 412:
                # Another kill stands that this one would lift.
                raise Outdated from error
            text = error.read().decode()
            # A server whose clock is not the database's refuses an end, and another one takes it.
            if error.code not in (503, 504) and not (error.code == 409 and "the end can't be computed" in text):
                raise RuntimeError(f"{error.code} {text}") from error
            if error.code == 504:
                self.unknown += 1
            else:
                self.refused += 1
        except (OSError, http.client.HTTPException):
            self.unknown += 1
        return None


class TimedPublisher(Publisher):
    """Publishes kills that end by themselves before the next one."""

    def choose(self):
        return TIMED, {"action": "kill", "message": f"{self.name_} has published {self.count}", "endsAfter": 1}

    def pause(self):
        return 1.2 + self.random.random()


class WindowPublisher(Publisher):
    """Publishes windows, of which some overlap."""

    def choose(self):
        def after(seconds):
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start + seconds))

        start = int(time.time()) + 2
        rule = {"id": f"w{self.count}", "effect": "pause", "from": after(1), "until": after(self.random.choice([2, 3, 4]))}
        if self.random.random() < 0.7:
            rule["announce"] = after(0)
        if self.random.random() < 0.3:
            rule["only"] = {"versions": [{"below": "2"}]}
        return WINDOWS, {"action": "rules", "rules": {"put": [rule], "everyone": True}}

    def pause(self):
        return 1.0 + self.random.random() * 3

    def put(self, app, request, status):
        try:
            return super().put(app, request, status)
        except RuntimeError as problem:
            if "400" not in str(problem):
                raise
            # The window was over before a server could take it.
            raise Outdated from problem


class Poller(Client):
    """Polls one server for all apps."""

    def __init__(self, history, origin):
        super().__init__(history)
        self.origin = origin

    def turn(self):
        for app in [*APPS, TIMED, WINDOWS]:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.origin.port}/v1/apps/{app}/status", timeout=5) as reply:
                    serial, body = int(reply.headers["ETag"].strip('"').split("-")[0]), reply.read().decode()
                self.history.seen.append(Seen(self.origin.name, app, serial, body, time.monotonic()))
                path = f"http://127.0.0.1:{self.origin.port}/v1/apps/{app}/status.jws"
                with urllib.request.urlopen(path, timeout=5) as reply:
                    published, text = reply.headers["Bellerophon-Published"], reply.read().decode()
                self.history.signed.append((app, int(published or 0), text))
            except (OSError, http.client.HTTPException):
                # Nothing was published for the app yet, or the server is away.
                pass
        self.is_over.wait(0.05)


class Inspector(Client):
    """Asks a server whether it is ready, and holds it to its word."""

    def __init__(self, history, origin):
        super().__init__(history)
        self.origin = origin

    def turn(self):
        try:
            asked = time.monotonic()
            if not self.origin.reasons():
                # Everything that was acknowledged this long before the reply is served.
                metrics = self.origin.get("/metrics")
                lag = float(re.search(r"^bellerophon_shared_store_lag_seconds (\S+)$", metrics, re.M).group(1))
                limit = asked - lag
                owed: dict[str, int] = {}
                for item in list(self.history.acknowledged):
                    if item.when < limit:
                        owed[item.app] = max(item.row, owed.get(item.app, 0))
                for app, row in owed.items():
                    self.history.ready.append(Ready(self.origin.name, app, self.served(app), row))
        except (OSError, http.client.HTTPException):
            # The server is away.
            pass
        self.is_over.wait(0.2)

    def served(self, app) -> int:
        try:
            return self.origin.status(app)[0]
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return 0
            raise


class Stream(Client):
    """Holds a stream to one server."""

    def __init__(self, history, origin, app):
        super().__init__(history)
        self.origin, self.app = origin, app

    def turn(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.origin.port, timeout=40)
        try:
            connection.request("GET", f"/v1/apps/{self.app}/events")
            reply = connection.getresponse()
            event, serial = "", 0
            while reply.status == 200 and not self.is_over.is_set():
                line = reply.readline().decode()
                if not line:
                    break
                name, _, value = line.rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "id":
                    serial = int(value.split("-")[0])
                elif name == "data" and event == "status":
                    self.history.seen.append(Seen(f"{self.origin.name} (stream)", self.app, serial, value, time.monotonic()))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            connection.close()
        self.is_over.wait(0.2)


class Watcher(Client):
    """Our own client, whose connections reach any server."""

    def __init__(self, history, program, port, app, keys):
        super().__init__(history)
        self.process = subprocess.Popen(
            [program, "watch", "--json", "--forget", "--status-url", f"http://127.0.0.1:{port}/v1/apps/{app}/status.jws",
             "--trust-key", keys, "--interval", "1", "--timeout", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def turn(self):
        line = self.process.stdout.readline()
        if not line:
            self.is_over.set()
        for message in re.findall(r'"(?:userMessage|message)":"([^"]* has published \d+)"', line):
            if not self.history.shown or self.history.shown[-1] != message:
                self.history.shown.append(message)

    def end(self):
        self.process.terminate()
        super().end()
