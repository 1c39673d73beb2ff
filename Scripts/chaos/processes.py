"""Servers of PostgreSQL and bellerophon-server as processes of this machine."""

import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request


held: list[socket.socket] = []


def free_port() -> int:
    """A port that the system gives to nobody else, also while its server is away: a socket that does not listen keeps it."""
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind(("127.0.0.1", 0))
    held.append(keeper)
    return keeper.getsockname()[1]


def eventually(what: str, condition, limit: float = 120):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            if value := condition():
                return value
        except (OSError, subprocess.SubprocessError):
            pass
        time.sleep(0.05)
    raise SystemExit(f"error: {what}: not within {limit} s")


def tools() -> str:
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]))
    if not folders:
        raise SystemExit("error: PostgreSQL is missing: install the package postgresql")
    return folders[-1]


class Postgres:
    """One server of PostgreSQL. It refuses to run as root; it then runs as the user of Debian's package."""

    def __init__(self, work: str, name: str):
        self.work, self.name = work, name
        self.data = f"{work}/{name}"
        self.port = free_port()
        self.process = None

    def _as_postgres(self, *command) -> list[str]:
        return (["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []) + list(command)

    def _run(self, *command):
        subprocess.run(self._as_postgres(*command), cwd=self.work, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def _folder(self):
        shutil.rmtree(self.data, ignore_errors=True)
        os.mkdir(self.data, 0o700)
        if os.geteuid() == 0:
            shutil.chown(self.data, "postgres", "postgres")

    def make(self):
        self._folder()
        self._run(f"{tools()}/initdb", "-D", self.data, "-A", "trust", "-U", "bellerophon", "-E", "UTF8", "--no-locale")
        self.start()
        self._run(f"{tools()}/createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bellerophon", "bellerophon")

    def follow(self, primary: "Postgres"):
        """Becomes a new standby of another server, which then waits for this one before it acknowledges."""
        self._folder()
        self._run(f"{tools()}/pg_basebackup", "-h", "127.0.0.1", "-p", str(primary.port), "-U", "bellerophon", "-D",
                  self.data, "-R", "-X", "stream", "--checkpoint", "fast")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")

    def start(self):
        # pg_basebackup copies the setting of the primary, which a promoted standby must not have: it would wait for itself.
        log = open(f"{self.work}/{self.name}.log", "a")
        self.process = subprocess.Popen(
            self._as_postgres(f"{tools()}/postgres", "-D", self.data, "-p", str(self.port), "-k", "", "-c",
                              "listen_addresses=127.0.0.1"),
            cwd=self.work, stdout=log, stderr=log, start_new_session=True)
        eventually(f"PostgreSQL ({self.name})", lambda: self.sql("SELECT 1") == "1")

    def kill(self):
        """Ends all processes at once, as a machine that loses power does."""
        with open(f"{self.data}/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGQUIT)
        self.process.wait()

    def promote(self):
        # What was acknowledged is here; the former primary does not come back as one.
        self._run(f"{tools()}/pg_ctl", "promote", "-w", "-t", "120", "-D", self.data)
        self.sql("ALTER SYSTEM RESET synchronous_standby_names")
        self.sql("SELECT pg_reload_conf()")

    def sql(self, text: str) -> str:
        return subprocess.run(
            [f"{tools()}/psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bellerophon", "-d",
             "bellerophon" if "bellerophon." in text else "postgres", "-qtAc", text],
            check=True, capture_output=True, text=True, timeout=120).stdout.strip()


class Clock:
    """A wall clock that processes started with it see, and that can be set."""

    preload = ""

    def __init__(self, work: str, name: str):
        self.path = f"{work}/clock-{name}"
        self.set(0)

    @classmethod
    def build(cls, work: str):
        """Makes what processes are started with. The compiler of Swift for C will do."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
        swift = os.path.dirname(os.path.realpath(shutil.which("swift") or "/usr/bin/swift"))
        for compiler in filter(None, map(shutil.which, ["cc", "clang", "gcc", f"{swift}/clang"])):
            done = subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", f"{work}/clock.so", source], capture_output=True)
            if done.returncode == 0:
                cls.preload = f"{work}/clock.so"
                return
        raise SystemExit("error: a compiler for C is missing: install gcc or clang")

    def set(self, seconds: int):
        """By how much the clock is ahead."""
        with open(f"{self.path}.new", "w") as file:
            file.write(f"{seconds}\n")
        os.replace(f"{self.path}.new", self.path)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": self.preload, "CHAOS_CLOCK": self.path}


class Origin:
    """One bellerophon-server with its own copy of the store, behind proxies to both servers of PostgreSQL."""

    def __init__(self, work: str, name: str, program: str, proxies: list, key: str):
        self.work, self.name, self.program, self.proxies, self.key = work, name, program, proxies, key
        self.port = free_port()
        self.copy = f"{work}/copy-{name}"
        ports = [proxy.port for proxy in proxies]
        self.address = (f"postgresql://bellerophon@127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/bellerophon"
                        "?target_session_attrs=read-write&sslmode=disable")
        self.process = None
        self.stopped = False
        self.clock = Clock(work, name)

    def start(self):
        log = open(f"{self.work}/{self.name}.log", "a")
        self.process = subprocess.Popen(
            [self.program, "serve", "--store", self.address, "--port", str(self.port), "--signing-key", self.key],
            env={**os.environ, "BELLEROPHON_SERVER_COPY": self.copy, **self.clock.environment}, stdout=log, stderr=log)
        eventually(f"the server {self.name}", lambda: self.get("/alive"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)
        self.stopped = True

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)
        self.stopped = False

    def get(self, path: str, timeout: float = 60) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=timeout) as reply:
            return reply.read().decode()

    def status(self, app: str) -> tuple[int, dict]:
        """The row that made a status effective, and its document."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/apps/{app}/status", timeout=60) as reply:
            return int(reply.headers["ETag"].strip('"').split("-")[0]), json.load(reply)

    def reasons(self) -> list[str]:
        """Why the server is not ready; empty if it is."""
        try:
            return json.loads(self.get("/ready")).get("reasons", [])
        except urllib.error.HTTPError as error:
            return json.load(error)["reasons"]

    def put(self, path: str, body: bytes, token: str, **fields: str) -> tuple[int, dict]:
        """The code of the reply, and what it says."""
        headers = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in fields.items()}}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method="PUT", data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def publish(self, app: str, token: str, status: dict, **fields: str) -> tuple[int, dict]:
        return self.put(f"/v1/apps/{app}/status?new=true", json.dumps(status).encode(), token, **fields)

    def leads(self) -> bool:
        try:
            return "\nbellerophon_shared_store_leader 1\n" in self.get("/metrics")
        except OSError:
            return False
