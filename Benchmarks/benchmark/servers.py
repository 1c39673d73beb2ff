"""The servers that are measured."""

import http.client
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from .processes import Failure, Program, Running, free_port

HERE = os.path.dirname(os.path.abspath(__file__))


class Bellerophon(Running):
    """bellerophon-server on a new store, with a token to publish.

    `prepare` is called with the store's folder before anything is served; `variables` are further settings.
    """

    def __init__(self, settings, name, streams=12000, prepare=None, variables=None):
        self.scheme = "https" if variables and "BELLEROPHON_SERVER_TLS_KEY" in variables else "http"
        self.port = free_port()
        self.store = os.path.join(settings.work, f"{name}-store")
        shutil.rmtree(self.store, ignore_errors=True)
        subprocess.run([settings.server, "init", "--store", self.store], check=True, capture_output=True, timeout=60)
        if prepare:
            prepare(self.store)
        command = [settings.server, "token", "create", "--name", "benchmark", "--scope", "publish",
                   "--store", self.store, "--json"]
        made = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if made.returncode != 0:
            raise Failure(f"no token: {made.stderr.strip()}")
        self.token = json.loads(made.stdout)["token"]
        self.start = lambda: Program(
            [settings.server, "serve", "--store", self.store, "--port", str(self.port)],
            os.path.join(settings.work, f"{name}.log"),
            {"BELLEROPHON_SERVER_LIMITS_STREAMS": str(streams), **(variables or {})},
        )
        self.program = self.start()
        self.program.wait_for_port(self.port)

    def start_again(self):
        """Ends the server at once and starts it; returns when it is ready."""
        self.program.process.kill()
        self.program.process.wait()
        self.program = self.start()
        self.program.wait_for_port(self.port)
        while True:
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=60).close()
            except urllib.error.HTTPError:
                time.sleep(0.01)

    def put(self, path, body, kind="application/json"):
        """Publishes; a file as the body is streamed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("PUT", path, body, {"Authorization": f"Bearer {self.token}", "Content-Type": kind})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        if reply.status != 201:
            raise Failure(f"publishing to {path} gave {reply.status}: {text}")
        return text

    def kill(self, message):
        self.put("/status", json.dumps({"action": "kill", "message": message, "retryInterval": 15}))

    def restore(self):
        self.put("/status", json.dumps({"action": "restore", "retryInterval": 60}))


FILE = "{fields}"
MEMORY = "etag off; {fields} return 200 '{body}';"

PERFORMANCE = """access_log off;
    open_file_cache max=16 inactive=1h;
    open_file_cache_valid 1h;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    reset_timedout_connection on;
    server_tokens off;
    {http}"""

CONFIGURATION = """
{user}
daemon off;
worker_processes {workers};
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log stderr error;
events {{ use epoll; accept_mutex off; worker_connections 8192; {events} }}
http {{
    {performance}
    {tls}
    client_body_temp_path {folder}/t1;
    proxy_temp_path {folder}/t2;
    fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4;
    scgi_temp_path {folder}/t5;
    server {{
        listen 127.0.0.1:{port} backlog=4096{listen};
        {pair}
        root {folder}/files;
        default_type "{kind}";
        location = /status {{ {location} }}
    }}
}}
"""


class Nginx(Running):
    """nginx with one worker, which sends one document with the header fields of ours, in one of several configurations."""

    scheme = "http"

    # Every one is a known way to make nginx fast; which is the fastest depends on the system, so that all are tried.
    VARIANTS = {
        "file with sendfile": (FILE, "sendfile on; tcp_nodelay on;", ""),
        "file with sendfile and tcp_nopush": (FILE, "sendfile on; tcp_nopush on; tcp_nodelay on;", ""),
        "file without sendfile": (FILE, "sendfile off; tcp_nodelay on;", ""),
        "return 200": (MEMORY, "tcp_nodelay on;", ""),
        "return 200, multi_accept": (MEMORY, "tcp_nodelay on;", "multi_accept on;"),
        "return 200, no tcp_nodelay": (MEMORY, "tcp_nodelay off;", ""),
    }

    def __init__(self, settings, variant, body, fields):
        self.port = free_port()
        self.variant = variant
        self.start(settings, body, fields, *self.VARIANTS[variant])

    def start(self, settings, body, fields, location, http, events, workers=1, tls="", listen="", pair=""):
        folder = os.path.join(settings.work, f"nginx-{self.scheme}-" + "".join(c if c.isalnum() else "-" for c in self.variant))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f"{folder}/files")
        with open(f"{folder}/files/status", "wb") as file:
            file.write(body)
        # A file has an entity tag of its own.
        added = [(name, value) for name, value in fields
                 if name not in ("Date", "Content-Type", "Content-Length", "Connection")
                 and (name != "ETag" or location is MEMORY)]
        self.location = location.format(
            fields=" ".join(f"add_header {name} '{value}';" for name, value in added), body=body.decode())
        self.performance = PERFORMANCE.format(http=http)
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, port=self.port, kind=dict(fields).get("Content-Type", "text/plain"), workers=workers, tls=tls,
                listen=listen, pair=pair, performance=self.performance, location=self.location, events=events,
                user="user root;" if os.geteuid() == 0 else ""))
        self.program = Program(
            [settings.nginx, "-p", folder, "-c", f"{folder}/nginx.conf"], os.path.join(settings.work, "nginx.log")
        )
        self.program.wait_for_port(self.port)

    @property
    def described(self):
        """What of the configuration concerns speed, for the reader of the table."""
        events = self.VARIANTS[self.variant][2]
        return " ".join(f"""worker_processes 1; events {{ use epoll; accept_mutex off; worker_connections 8192; {events} }}
            {self.performance}
            location = /status {{ {self.location} }}""".split())


class Original(Running):
    """The original Ruby server from a checkout."""

    scheme = "http"

    def __init__(self, settings, keep_alive):
        self.port = free_port()
        ruby = os.path.join(os.path.dirname(HERE), "Ruby")
        self.program = Program(
            ["rainbows", "-c", f"{ruby}/rainbows.rb", "-E", "none", f"{ruby}/config.ru"],
            os.path.join(settings.work, "rainbows.log"),
            {"GBCLOUDBOX_RUBY": os.path.abspath(settings.ruby), "PORT": str(self.port), "APP_ENV": "production",
             "KEEPALIVE": "60" if keep_alive else "0"},
            folder=settings.ruby,
        )
        self.program.wait_for_port(self.port)
