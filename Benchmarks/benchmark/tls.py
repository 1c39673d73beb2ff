"""A new TLS connection for each check, as clients that check rarely make it: against nginx."""

import os
import shutil
import ssl
import subprocess
import urllib.request

from . import load
from .processes import Failure, Program, free_port
from .servers import MEMORY, PERFORMANCE, Bellerophon
from .status import medians, row
from .table import show, thousands

CONFIGURATION = """
{user}
daemon off;
worker_processes {workers};
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log stderr error;
events {{ use epoll; accept_mutex off; worker_connections 8192; }}
http {{
    {performance}
    {tls}
    client_body_temp_path {folder}/t1;
    proxy_temp_path {folder}/t2;
    fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4;
    scgi_temp_path {folder}/t5;
    server {{
        listen 127.0.0.1:{port} ssl backlog=4096{listen};
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        default_type "{kind}";
        location = /status {{ {location} }}
    }}
}}
"""

PROTOCOL = "ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache off;"


class Nginx:
    """nginx with TLS, which sends one document with the header fields of ours, in one of several configurations."""

    scheme = "https"
    # Number of workers, settings of TLS, and a suffix of the listening socket's settings.
    VARIANTS = {
        "1 worker": (1, PROTOCOL, ""),
        "a worker on each core": (os.cpu_count(), PROTOCOL, ""),
        "a worker on each core, reuseport": (os.cpu_count(), PROTOCOL, " reuseport"),
        "a worker on each core, no tickets, small buffer":
            (os.cpu_count(), f"{PROTOCOL} ssl_session_tickets off; ssl_buffer_size 4k;", ""),
        "a worker on each core, no tickets, small buffer, X25519":
            (os.cpu_count(), f"{PROTOCOL} ssl_session_tickets off; ssl_buffer_size 4k; ssl_ecdh_curve X25519;", ""),
    }

    def __init__(self, settings, variant, pair, body, fields):
        self.port = free_port()
        self.variant = variant
        workers, self.tls, listen = self.VARIANTS[variant]
        folder = os.path.join(settings.work, "nginx-tls-" + "".join(c if c.isalnum() else "-" for c in variant))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        added = [(name, value) for name, value in fields
                 if name not in ("Date", "Content-Type", "Content-Length", "Connection")]
        self.location = MEMORY.format(
            fields=" ".join(f"add_header {name} '{value}';" for name, value in added), body=body.decode())
        self.performance = PERFORMANCE.format(http="tcp_nodelay on;")
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, port=self.port, workers=workers, tls=self.tls, listen=listen, certificate=pair[0],
                key=pair[1], kind=dict(fields).get("Content-Type", "text/plain"), performance=self.performance,
                location=self.location, user="user root;" if os.geteuid() == 0 else ""))
        self.described = " ".join(
            f"worker_processes {workers}; {self.performance} {self.tls} listen … ssl{listen}; {self.location}".split())
        self.program = Program(
            [settings.nginx, "-p", folder, "-c", f"{folder}/nginx.conf"], os.path.join(settings.work, "nginx.log"))
        self.program.wait_for_port(self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stop()


def pair(settings):
    """The files of a certificate and its key: ECDSA with P-256, which is the fastest that clients accept."""
    certificate, key = (os.path.join(settings.work, name) for name in ("certificate.pem", "key.pem"))
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
         "-out", certificate, "-days", "2", "-subj", "/CN=localhost"], capture_output=True, text=True, timeout=60)
    if made.returncode != 0:
        raise Failure(f"no certificate: {made.stderr.strip()}")
    os.chmod(key, 0o600)
    return certificate, key


def document(port):
    """The body of one reply, and the fields of its head in their order."""
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    try:
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/status", timeout=10, context=trusting) as reply:
            return reply.read(), list(reply.headers.items())
    except OSError as error:
        raise Failure(f"port {port}: {error}") from None


def measure(settings):
    files = pair(settings)
    variables = {"BELLEROPHON_SERVER_TLS_CERTIFICATE": files[0], "BELLEROPHON_SERVER_TLS_KEY": files[1]}
    rows = []
    with Bellerophon(settings, "tls", variables=variables) as ours:
        body, fields = document(ours.port)
        best = best_nginx(settings, files, body, fields)
        with Nginx(settings, best, files, body, fields) as nginx:
            for connections in settings.connections[:2]:
                results = load.compare({"nginx": nginx, "ours": ours}, "/status", connections, settings.rounds,
                                       settings.seconds, keep_alive=False, threads=2)
                rows.append(row(f"{connections:,}", results["nginx"], results["ours"]))
            described = nginx.described
    show("A new TLS connection for each check, checks per second",
         ["at the same time", "nginx", "bellerophon-server", "ratio", "p99 nginx", "p99 ours", "CPU nginx", "CPU ours",
          "failed nginx", "failed ours"], rows,
         [medians(settings) + " Each check is a full handshake with ECDSA (P-256), one GET and the reply. wrk has two threads.",
          f"nginx is '{best}': `{described}`"])


def best_nginx(settings, files, body, fields):
    """The name of the configuration with which nginx answers most checks per second here."""
    tried = [Nginx(settings, variant, files, body, fields) for variant in Nginx.VARIANTS]
    try:
        for nginx in tried:
            if document(nginx.port)[0] != body:
                raise Failure(f"nginx does not send the same bytes: {nginx.variant}")
        results = load.compare({one.variant: one for one in tried}, "/status", settings.connections[0], rounds=3, seconds=2,
                               keep_alive=False, threads=2)
    finally:
        for nginx in tried:
            nginx.program.stop()
    best = max(Nginx.VARIANTS, key=lambda name: load.rate(results[name]))
    show("Configurations of nginx with TLS, checks per second",
         ["configuration", f"{settings.connections[0]} at the same time", "CPU"],
         [[name, thousands(load.rate(results[name])), f"{load.cpu(results[name]):.1f} µs"] for name in Nginx.VARIANTS],
         [f"Medians of 3 alternating rounds of 2 s. The comparison uses '{best}'."])
    return best
