"""The evaluation of 32 rules, compared with the decoding of their document."""

import json
import os
import subprocess

from .processes import Failure
from .table import show

CLIENT = ["1.4.0", "2026-12-05T22:30:00Z", "os=linux", "arch=x86_64", "ci=false", "terminal=xterm", "source=apt"]


def document(rule):
    return {"apiInactive": False, "forceUpdate": False, "retryInterval": 60, "userMessage": None,
            "rules": [rule(number) for number in range(32)]}


# Rules whose conditions are all looked at, and that all match.
KINDS = {
    "versions": lambda number: {
        "id": f"min-{number}", "effect": "update", "only": {"versions": [{"below": f"1.5.{number}"}]}, "to": f"1.5.{number}"},
    "versions, facts, an exception": lambda number: {
        "id": f"min-{number}", "effect": "update", "to": f"1.5.{number}", "except": [{"is": {"ci": ["true"]}}],
        "only": {"versions": [{"below": f"1.5.{number}"}, {"from": "1.6.0", "below": "1.6.4"}], "is": {"os": ["macos", "linux"]}}},
    "windows that have not begun": lambda number: {
        "id": f"window-{number}", "effect": "pause", "announce": "2026-12-04T22:00:00Z",
        "from": f"2026-12-{number % 20 + 10}T22:00:00Z", "until": f"2026-12-{number % 20 + 11}T22:00:00Z"},
    "shares, each with a draw of its own": lambda number: {
        "id": f"offer-{number}", "effect": "offer", "only": {"versions": [{"below": "1.7.0"}], "share": "99.99%"}, "to": "1.7.0"},
}


def measure(chosen):
    rows = []
    for name, rule in KINDS.items():
        path = os.path.join(chosen.work, "rules.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document(rule), file, separators=(",", ":"))
        done = subprocess.run([chosen.rules, path, *CLIENT], capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise Failure(f"evaluate-rules: {done.stderr.strip()}")
        figures = json.loads(done.stdout)
        if figures["rules"] != 32:
            raise Failure(f"{name}: {figures['rules']} of 32 rules were understood")
        rows.append([name, f"{figures['bytes']:,}", f"{figures['decode'] / 1000:.1f} µs",
                     f"{figures['evaluate'] / 1000:.2f} µs", f"{figures['evaluate'] / figures['decode']:.3f}×"])
    show("32 rules: the evaluation beside the decoding of their document",
         ["rules", "bytes", "decode", "evaluate", "evaluate / decode"], rows)
