#!/usr/bin/env python3
"""Names the public declarations of a symbol graph that have no documentation, and fails where there are any.

    check-documented.py Bellerophon.symbols.json
"""
import json
import sys

# What the compiler makes or a protocol of the standard library documents.
IMPLICIT = "::SYNTHESIZED::"


def undocumented(graph):
    requirements = {
        edge["source"] for edge in graph["relationships"]
        if edge["kind"] in ("defaultImplementationOf", "overrides") or edge.get("sourceOrigin")
    }
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if IMPLICIT in identifier or identifier in requirements or "location" not in symbol:
            continue
        if not symbol.get("docComment"):
            place = symbol["location"]
            path = place["uri"].rsplit("/Sources/", 1)[-1]
            yield f"Sources/{path}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main():
    missing = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            missing += undocumented(json.load(file))
    for line in sorted(missing):
        print(f"{line}: no documentation")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
