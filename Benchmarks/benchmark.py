#!/usr/bin/env python3
"""Measures bellerophon-server and its clients on this machine, and prints tables.

`make benchmark` builds what is measured and calls this; see Benchmarks/README.md.
"""

import argparse
import os
import resource
import shutil
import sys
import tempfile

from benchmark import cluster, growth, guard, guards, idle, paint, peers, plan, rules, start, status, streams, sync, tls, update
from benchmark.processes import Failure

PARTS = {
    "status": status.against_nginx,
    "tls": tls.measure,
    "original": status.against_original,
    "streams": streams.measure,
    "paint": paint.measure,
    "sync": sync.measure,
    "start": start.measure,
    "peers": peers.measure,
    "idle": idle.measure,
    "growth": growth.measure,
    "cluster": cluster.measure,
    "guard": guard.measure,
    "guards": guards.measure,
    "rules": rules.measure,
    "plan": plan.measure,
    "update": update.measure,
}


def settings():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)}; all unless named")
    parser.add_argument("--server", required=True, help="bellerophon-server, built for release")
    parser.add_argument("--client", required=True, help="bellerophon, built for release")
    parser.add_argument("--nginx", required=True, help="nginx")
    parser.add_argument("--holder", required=True, help="hold-streams")
    parser.add_argument("--writer", required=True, help="write-streams")
    parser.add_argument("--sync", required=True, help="sync-resource")
    parser.add_argument("--bare", required=True, help="bare-screen, linked as the client is")
    parser.add_argument("--own-guard", required=True, help="own-guard, built for release")
    parser.add_argument("--rules", required=True, help="evaluate-rules, built for release")
    parser.add_argument("--shared-bare", required=True, help="bare-screen, linked to the toolchain's libraries")
    parser.add_argument("--ruby", default=os.environ.get("GBCLOUDBOX_RUBY"), help="a checkout of the original")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4, help="length of a round")
    parser.add_argument("--connections", type=int, nargs="+", default=[64, 1000, 4000])
    parser.add_argument("--streams", type=int, default=10000)
    parser.add_argument("--publishes", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=4000)
    parser.add_argument("--paints", type=int, default=200, help="kills; of fewer than 101 the p99 is the worst")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--idle", type=int, default=60, help="seconds")
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--guard-megabytes", type=int, default=200, help="text through a guard")
    parser.add_argument("--keys", type=int, default=2000, help="keys through a guard")
    parser.add_argument("--guards", type=int, nargs="+", default=[1, 100, 1000], help="guarded programs at the same time")
    parser.add_argument("--guards-on-kill", choices=["cover", "pause"], default="cover", help="what a kill does to them")
    chosen = parser.parse_args()
    unknown = [part for part in chosen.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]}: choose from {', '.join(PARTS)}")
    for name in ("server", "client", "nginx", "holder", "writer", "sync", "bare", "own_guard", "rules", "shared_bare"):
        path = os.path.abspath(getattr(chosen, name))
        setattr(chosen, name, path)
        if not os.access(path, os.X_OK):
            parser.error(f"--{name}: {path} is no program")
    return chosen


def allow_descriptors(needed):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        sys.exit(f"error: {needed} open files are needed and {hard} allowed; raise 'ulimit -Hn' or lower --streams")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed) if soft != resource.RLIM_INFINITY else soft, hard))


def main():
    chosen = settings()
    allow_descriptors(max(chosen.streams, chosen.watchers, *chosen.connections) + 200)
    chosen.work = tempfile.mkdtemp(prefix="bellerophon-benchmark.")
    print(f"{os.cpu_count()} cores shared by server and load, loopback, load average {os.getloadavg()[0]:.1f} "
          "at the start.")
    failures = 0
    try:
        for name in chosen.parts or PARTS:
            try:
                PARTS[name](chosen)
            except Failure as failure:
                failures += 1
                print(f"\nerror: {name}: {failure}", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(chosen.work, ignore_errors=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
