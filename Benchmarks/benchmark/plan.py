"""What a publish costs beside 32 rules: a kill, and a change of one of them."""

import json
import statistics
import time

from .servers import Bellerophon
from .table import show

COUNT = 60


def rule(number):
    return {"id": f"min-{number}", "effect": "update", "to": f"1.5.{number + 1}", "except": [{"is": {"ci": ["true"]}}],
            "only": {"versions": [{"below": f"1.5.{number}"}], "is": {"os": ["linux"]}}, "from": "2099-01-01T00:00:00Z",
            "message": "Please update."}


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def measure(settings):
    with Bellerophon(settings, "plan") as server:
        def publish(app, body):
            server.put(f"/v1/apps/{app}/status?new=true", json.dumps(body))

        def change(first):
            return {"action": "rules", "rules": {"put": [rule(number) for number in range(first, 32)]}}

        kill = {"action": "kill", "message": "Closed."}
        publish("none", kill)
        publish("rules", change(0))
        found = {"a kill": [], "a kill beside 32 rules": [], "a change of one of 32 rules": []}
        # In turn, so that all have the same disk and the same machine.
        for _ in range(COUNT):
            found["a kill"].append(seconds(lambda: publish("none", kill)))
            found["a kill beside 32 rules"].append(seconds(lambda: publish("rules", kill)))
            found["a change of one of 32 rules"].append(seconds(lambda: publish("rules", change(31))))
        base = statistics.median(found["a kill"])
        rows = [[name, f"{statistics.median(times) * 1000:.1f} ms", f"{statistics.median(times) / base:.2f}×"]
                for name, times in found.items()]
        show("Publishing with rules", ["publish", "median", "to a kill"], rows,
             [f"Medians of {COUNT} publishes of each kind over HTTP, in turn, each on the disk."])
