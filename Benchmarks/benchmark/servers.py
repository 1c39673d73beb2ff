"""The servers that are measured."""

import http.client
import json
import os
import shutil
import subprocess

from .processes import Failure, Program, free_port

HERE = os.path.dirname(os.path.abspath(__file__))


class Bellerophon:
    """bellerophon-server on a new store, with a token to publish.

    `prepare` is called with the store's folder before anything is served.
    """

    def __init__(self, settings, name, streams=12000, prepare=None):
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
        self.program = Program(
            [settings.server, "serve", "--store", self.store, "--port", str(self.port)],
            os.path.join(settings.work, f"{name}.log"),
            {"BELLEROPHON_SERVER_LIMITS_STREAMS": str(streams)},
        )
        self.program.wait_for_port(self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()

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


class StaticNginx:
    """nginx with one worker, which sends one file."""

    def __init__(self, settings, body):
        self.port = free_port()
        folder = os.path.join(settings.work, "nginx")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f"{folder}/files")
        with open(f"{folder}/files/status", "wb") as file:
            file.write(body)
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(folder=folder, port=self.port, user="user root;" if os.geteuid() == 0 else ""))
        self.program = Program(
            [settings.nginx, "-p", folder, "-c", f"{folder}/nginx.conf"], os.path.join(settings.work, "nginx.log")
        )
        self.program.wait_for_port(self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()


CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log stderr error;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    sendfile on;
    tcp_nodelay on;
    # What a tuned server does: the file stays open, connections stay too.
    open_file_cache max=16;
    open_file_cache_valid 60s;
    keepalive_requests 1000000000;
    client_body_temp_path {folder}/t1;
    proxy_temp_path {folder}/t2;
    fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4;
    scgi_temp_path {folder}/t5;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {folder}/files;
        default_type "application/json; charset=utf-8";
        location = /status {{ add_header Cache-Control "public, max-age=0, s-maxage=1"; }}
    }}
}}
"""


class Original:
    """The original Ruby server from a checkout."""

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

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()
