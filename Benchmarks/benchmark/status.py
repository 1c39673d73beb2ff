"""A status document at many connections: against nginx, and against the original."""

import math
import os
import shutil

from . import load
from .processes import Failure
from .servers import Bellerophon, Nginx, Original
from .table import show, thousands

RESOURCE = "/GBCloudBoxResourcesMeta/MyResource.js"


def against_nginx(settings):
    rows = []
    with Bellerophon(settings, "status") as ours:
        document, fields = load.document(ours.port, "/status")
        sizes = load.wire_sizes(ours.port, "/status")
        best = best_nginx("Configurations of nginx, one worker, requests per second",
                          [Nginx(settings, variant, document, fields) for variant in Nginx.VARIANTS], document,
                          settings.connections[:2])
        with Nginx(settings, best, document, fields) as nginx:
            described = nginx.described
            servers = {"nginx": nginx, "ours": ours}
            # The largest number also with two threads, because one is the limit there.
            for connections, threads in [(count, 1) for count in settings.connections] + [(settings.connections[-1], 2)]:
                results = load.compare(
                    servers, "/status", connections, settings.rounds, settings.seconds, threads=threads)
                label = f"{connections:,}" if threads == 1 else f"{connections:,}, {threads} threads of wrk"
                rows.append(row(label, results["nginx"], results["ours"])
                            + [f"{load.generator(results[name]):.2f}" for name in servers])
    show(f"Status document of {len(document)} bytes, keep-alive, requests per second",
         ["connections", "nginx, 1 worker", "bellerophon-server", "ratio", "p99 nginx", "p99 ours", "CPU nginx", "CPU ours", "CPU ratio",
          "failed nginx", "failed ours", "wrk, nginx", "wrk, ours"], rows,
         [medians(settings) + " The last two columns are the cores that wrk used: one thread can't use more than 1.", sizes,
          f"nginx is '{best}': `{described}`"])


def best_nginx(title, tried, document, counts, **options):
    """The name of the configuration with which nginx answers most requests per second here."""
    try:
        for nginx in tried:
            if load.document(nginx.port, "/status", nginx.scheme)[0] != document:
                raise Failure(f"nginx does not send the same bytes: {nginx.variant}")
        results = [load.compare({one.variant: one for one in tried}, "/status", count, rounds=3, seconds=2, **options)
                   for count in counts]
    finally:
        for nginx in tried:
            nginx.program.stop()
    best = max(results[0], key=lambda name: math.prod(load.rate(one[name]) for one in results))
    show(title, ["configuration"] + [f"{count} connections" for count in counts] + [f"CPU, {count}" for count in counts],
         [[name] + [thousands(load.rate(one[name])) for one in results]
          + [f"{load.cpu(one[name]):.1f} µs" for one in results] for name in results[0]],
         [f"Medians of 3 alternating rounds of 2 s. The comparison uses '{best}'."])
    return best


def against_original(settings):
    if not settings.ruby:
        print("\nThe original Ruby server: skipped. Set GBCLOUDBOX_RUBY to a checkout of "
              "GBCloudBoxServer-Ruby to compare with it.", flush=True)
        return
    if not shutil.which("rainbows") or not os.path.exists(os.path.join(settings.ruby, "lib", "cloud_box.rb")):
        print("\nThe original Ruby server: skipped. It needs Debian's rainbows, ruby-sinatra and ruby-eventmachine, "
              "and lib/cloud_box.rb in the checkout.", flush=True)
        return
    rows = []
    with Bellerophon(settings, "original") as ours:
        ours.put("/v1/resources/MyResource.js?version=4", b"function resource() {}\n", "application/octet-stream")
        for keep_alive in (True, False):
            with Original(settings, keep_alive) as original:
                load.document(original.port, RESOURCE)
                servers = {"original": original, "ours": ours}
                for connections in settings.connections:
                    results = load.compare(
                        servers, RESOURCE, connections, settings.rounds, settings.seconds, keep_alive)
                    kind = "keep-alive" if keep_alive else "connection per request"
                    rows.append(row(f"{connections}, {kind}", results["original"], results["ours"]))
    show("Manifest of a resource, requests per second",
         ["connections", "original Ruby, 12 workers", "bellerophon-server", "ratio", "p99 original", "p99 ours",
          "CPU original", "CPU ours", "CPU ratio", "failed original", "failed ours"], rows, [medians(settings)])


def row(label, other, ours):
    ratio = f"{load.rate(ours) / load.rate(other):.2f}×" if load.rate(other) else "—"
    return [label, thousands(load.rate(other)), thousands(load.rate(ours)), ratio,
            f"{load.late(other):.0f} ms", f"{load.late(ours):.0f} ms",
            f"{load.cpu(other):.1f} µs", f"{load.cpu(ours):.1f} µs", load.cost_ratio(other, ours),
            thousands(load.failed(other)), thousands(load.failed(ours))]


def medians(settings):
    return (f"Medians of {settings.rounds} rounds of {settings.seconds} s each, in turn. CPU is what the server spent "
            "on a request, the kernel's share included; its ratio is the median of the rounds' ratios, with half of the range of their "
            "middle half. Failed requests are the sum over all rounds.")
