"""A new TLS connection for each check, as clients that check rarely make it: against nginx."""

import os
import subprocess

from . import load
from .processes import Failure
from .servers import MEMORY, Bellerophon, Nginx
from .status import best_nginx, medians, row
from .table import show

PROTOCOL = "ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache off;"


class SecureNginx(Nginx):
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

    def __init__(self, settings, variant, files, body, fields):
        self.files = files
        super().__init__(settings, variant, body, fields)

    def start(self, settings, body, fields, workers, tls, listen):  # pylint: disable=arguments-differ
        certificate, key = self.files
        self.settings = f"worker_processes {workers}; {tls} listen … ssl{listen};"
        super().start(settings, body, fields, MEMORY, "tcp_nodelay on;", "", workers, tls, f" ssl{listen}",
                      f"ssl_certificate {certificate}; ssl_certificate_key {key};")

    @property
    def described(self):
        return " ".join(f"{self.settings} {self.performance} {self.location}".split())


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


def measure(settings):
    files = pair(settings)
    variables = {"BELLEROPHON_SERVER_TLS_CERTIFICATE": files[0], "BELLEROPHON_SERVER_TLS_KEY": files[1]}
    rows = []
    with Bellerophon(settings, "tls", variables=variables) as ours:
        body, fields = load.document(ours.port, "/status", "https")
        best = best_nginx("Configurations of nginx with TLS, checks per second",
                          [SecureNginx(settings, variant, files, body, fields) for variant in SecureNginx.VARIANTS], body,
                          settings.connections[:1], keep_alive=False, threads=2)
        with SecureNginx(settings, best, files, body, fields) as nginx:
            for connections in settings.connections[:2]:
                results = load.compare({"nginx": nginx, "ours": ours}, "/status", connections, settings.rounds,
                                       settings.seconds, keep_alive=False, threads=2)
                rows.append(row(f"{connections:,}", results["nginx"], results["ours"]))
            described = nginx.described
    show("A new TLS connection for each check, checks per second",
         ["at the same time", "nginx", "bellerophon-server", "ratio", "p99 nginx", "p99 ours", "CPU nginx", "CPU ours", "CPU ratio",
          "failed nginx", "failed ours"], rows,
         [medians(settings) + " Each check is a full handshake with ECDSA (P-256), one GET and the reply. wrk has two threads.",
          f"nginx is '{best}': `{described}`"])
