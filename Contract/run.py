#!/usr/bin/env python3
"""Gives the cases of the contract to a program and compares its replies, see README.md.

    run.py [--level LEVEL] [--vectors FOLDER] -- PROGRAM [ARGUMENT…]
    run.py --random COUNT [--seed NUMBER] [--level LEVEL] -- PROGRAM [ARGUMENT…] -- PROGRAM [ARGUMENT…]
    run.py --random COUNT [--seed NUMBER] [--level LEVEL] --emit

The first form compares with the vectors, and prints the line of each case that fails. The second one compares two programs with each
other on random cases, of all levels unless one is named. The third one prints the random cases. Exit status: 0 all equal, 1 a
difference, 2 wrong arguments or a program that does not start.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

from cases import random_cases

SECONDS_PER_LINE = 60
LINES_AT_ONCE = 2000
LEVELS = ["fields", "rules", "texts", "sequence", "signed", "wire"]


class NoReply(Exception):
    """The program has ended, or has not replied in time."""


class Program:
    """A program that replies to each line with a line."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.start()

    def start(self):
        try:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            stop(f"{self.arguments[0]} does not start: {error.strerror}")
        self.received = b""

    def end(self):
        self.process.kill()
        self.process.wait()

    def write(self, lines):
        try:
            data = memoryview("".join(line + "\n" for line in lines).encode())
            while data:
                data = data[self.process.stdin.write(data) :]
        except OSError:
            pass  # The missing reply says so.

    def read(self, count):
        """The next lines. Each must come in time."""
        while self.received.count(b"\n") < count:
            if not select.select([self.process.stdout], [], [], SECONDS_PER_LINE)[0]:
                raise NoReply(f"no reply within {SECONDS_PER_LINE} s")
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise NoReply(f"the program has ended with status {self.process.wait()}")
            self.received += part
        *lines, self.received = self.received.split(b"\n", count)
        return lines

    def ask(self, line):
        self.write([line])
        return reply_of(self.read(1)[0])


def reply_of(line):
    try:
        return json.loads(line)
    except ValueError:
        return f"no JSON: {line[:200].decode(errors='replace')}"


def stop(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


def show(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def differences(expected, found, path=""):
    """One line for each value that differs; a single one if only one of both replies is valid."""
    if not path and is_valid(expected) != is_valid(found):
        yield f"expected {'a reply' if is_valid(expected) else INVALID}, found {show(found)}"
    elif isinstance(expected, dict) and isinstance(found, dict):
        for name in list(expected) + [name for name in found if name not in expected]:
            if name not in found:
                yield f"{path}{name}: expected {show(expected[name])}, missing"
            elif name not in expected:
                yield f"{path}{name}: not expected, found {show(found[name])}"
            else:
                yield from differences(expected[name], found[name], f"{path}{name}.")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found) and path.endswith("steps."):
        for number, pair in enumerate(zip(expected, found), 1):
            yield from differences(*pair, f"{path}{number}.")
    elif type(expected) is not type(found) or expected != found:
        yield f"{path.rstrip('.')}: expected {show(expected)}, found {show(found)}"


INVALID = '{"valid": false}'


def is_valid(reply):
    return not isinstance(reply, dict) or reply.get("valid") is not False


# Vectors


def vectors(folder, level):
    """The cases of all files, each as its level, name, reason, line and expected reply."""
    names = set()
    for file in sorted(Path(folder).glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        for case in content["cases"]:
            if case["name"] in names:
                stop(f"{file.name}: two cases have the name {case['name']}")
            names.add(case["name"])
            if level in (None, content["level"]):
                sent = {
                    "level": content["level"],
                    **{name: value for name, value in case.items() if name not in ("why", "expect")},
                }
                yield content["level"], case["name"], case["why"], case.get("line") or json.dumps(as_text(sent)), case["expect"]
    if not names:
        stop(f"{folder} contains no vectors")


def as_text(value):
    """The value with each document that is given as `json` as text. Spaces fill a document up to `bytes`."""
    if isinstance(value, list):
        return [as_text(item) for item in value]
    if not isinstance(value, dict):
        return value
    sent = {
        ("document" if name == "json" else name): json.dumps(item, ensure_ascii=False) if name == "json" else as_text(item)
        for name, item in value.items()
        if name != "bytes"
    }
    if "bytes" in value:
        sent["document"] += " " * (value["bytes"] - len(sent["document"].encode()))
    return sent


def run_vectors(arguments, folder, level):
    program, counts, silent = Program(arguments), {}, 0
    for level, name, why, line, expected in vectors(folder, level):
        passed, total = counts.get(level, (0, 0))
        try:
            problems = list(differences(expected, program.ask(line)))
            silent = 0
        except NoReply as reason:
            problems, silent = [str(reason)], silent + 1
            program.end()
            if silent < 3:
                program.start()
        counts[level] = (passed + (not problems), total + 1)
        for problem in problems:
            print(f"{level} {name}: {problem}")
        if problems:
            print(f"    {why}\n    {line}")
        if silent == 3:
            print("the program has not replied three times; the rest was not tried")
            break
    program.end()
    for level, (passed, total) in sorted(counts.items(), key=lambda entry: LEVELS.index(entry[0])):
        print(f"{level}: {passed} of {total} passed")
    return 0 if silent < 3 and all(passed == total for passed, total in counts.values()) else 1


# Random cases


def batches(seed, count, level):
    lines = []
    for line in random_cases(seed, count, level):
        lines.append(line)
        if len(lines) == LINES_AT_ONCE:
            yield lines
            lines = []
    if lines:
        yield lines


def run_random(first, second, seed, count, level):
    programs, done, begin = [Program(first), Program(second)], 0, time.monotonic()
    for lines in batches(seed, count, level):
        for program in programs:
            threading.Thread(target=program.write, args=(lines,), daemon=True).start()
        replies = []
        for program in programs:
            try:
                replies.append(program.read(len(lines)))
            except NoReply as reason:
                at = program.received.count(b"\n")
                print(f"seed {seed}, case {done + at}: {program.arguments[0]}: {reason}\n{lines[min(at, len(lines) - 1)]}")
                return 1
        for line, one, other in zip(lines, *replies):
            if one != other and reply_of(one) != reply_of(other):
                report(programs, json.loads(line), f"seed {seed}, case {done}", first, second)
                return 1
            done += 1
    for program in programs:
        program.end()
    print(f"{done} random cases with seed {seed}: equal ({done / (time.monotonic() - begin):.0f} per second)")
    return 0


def report(programs, case, title, first, second):
    case = minimal(programs, case)
    print(f"{title}, made smaller:")
    print(show(case))
    for arguments, program in zip((first, second), programs):
        print(f"{' '.join(arguments)}: {show(program.ask(json.dumps(case)))}")


def minimal(programs, case):
    """A smaller case with a difference: parts of it are left out as long as the programs differ."""

    def differs(candidate):
        line = json.dumps(candidate)
        one, other = (program.ask(line) for program in programs)
        return one != other

    try:
        is_smaller, end = True, time.monotonic() + 30
        while is_smaller and time.monotonic() < end:
            is_smaller = False
            for candidate in smaller(case):
                if differs(candidate):
                    case, is_smaller = candidate, True
                    break
    except NoReply:
        pass
    return case


def smaller(case):
    """The case without one of its parts, for each part: a step, a member of the client, a part of a document."""
    for name, value in case["client"].items():
        yield {**case, "client": {other: case["client"][other] for other in case["client"] if other != name}}
    for at in range(len(case.get("steps", []))):
        yield {**case, "steps": case["steps"][:at] + case["steps"][at + 1 :]}
        for step in smaller_steps(case["steps"][at]):
            yield {**case, "steps": case["steps"][:at] + [step] + case["steps"][at + 1 :]}
    for text in smaller_documents(case["document"]) if "document" in case else ():
        yield {**case, "document": text}


def smaller_steps(step):
    for kind in ("reply", "open"):
        reply = step.get(kind) or {}
        for at in range(len(reply.get("headers", []))):
            yield {**step, kind: {**reply, "headers": reply["headers"][:at] + reply["headers"][at + 1 :]}}
        for text in smaller_documents(reply["document"]) if "document" in reply else ():
            yield {**step, kind: {**reply, "document": text}}
    lines = step.get("stream", "").splitlines(keepends=True)
    for at in range(len(lines)):
        yield {**step, "stream": "".join(lines[:at] + lines[at + 1 :])}


class Pairs(list):
    """The members of an object, with names that stand twice."""


def smaller_documents(text):
    try:
        value = json.loads(text, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        for size in (64, 8, 1):
            yield from (text[:at] + text[at + size :] for at in range(0, len(text), size))
        return
    yield from (written(part) for part in smaller_values(value))


def smaller_values(value):
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield type(value)(value[:at] + value[at + 1 :])
            inner = item[1] if isinstance(value, Pairs) else item
            for part in smaller_values(inner):
                yield type(value)(value[:at] + [(item[0], part) if isinstance(value, Pairs) else part] + value[at + 1 :])


def written(value):
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(name)}:{written(item)}" for name, item in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return "1e999" if value == float("inf") else json.dumps(value)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=True)
    parser.add_argument("--level", choices=LEVELS)
    parser.add_argument("--vectors", default=Path(__file__).parent / "vectors")
    parser.add_argument("--random", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--emit", action="store_true")
    words, programs = sys.argv[1:], []
    while "--" in words:
        at = len(words) - 1 - words[::-1].index("--")
        words, programs = words[:at], [words[at + 1 :]] + programs
    options = parser.parse_args(words)
    if not all(programs):
        stop("a program is missing after --")
    if options.random is None:
        if len(programs) != 1:
            stop("expected one program after --")
        return run_vectors(programs[0], options.vectors, options.level)
    if options.emit:
        for line in random_cases(options.seed, options.random, options.level):
            print(line)
        return 0
    if len(programs) != 2:
        stop("expected two programs, each after --")
    return run_random(*programs, options.seed, options.random, options.level)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(2)
