#!/usr/bin/env python3
"""Checks what needs no build: format, documents, the manifest, and that the client can be built without the server.

    lint.py --swift swift --formatter 6.3 --sources "--recursive Package.swift Sources"

Prints `file:line: what is wrong; what to do`. The exit code is 1 if something is wrong, or if CI=true and a tool is missing.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Without the package's traits these targets are empty. All others are built by packages that depend on the client.
SERVER = {"BellerophonServer", "BellerophonServerCommand", "BellerophonStore", "CPostgres", "StoreLoad"}
# The modules that come with Swift or the system.
SYSTEM = {"CDispatch", "CryptoKit", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Musl",
          "Synchronization", "Testing", "UIKit"}
IMPORT = re.compile(r"(?:(?:@\w+(?:\(\w+\))?|public|package|internal|private|fileprivate)\s+)*import\s+"
                    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)")

counts = Counter()


def complain(text):
    print(text, file=sys.stderr, flush=True)
    counts["problems"] += 1


def problem(path, line, what):
    complain(f"{path.relative_to(ROOT)}:{line}: {what}")


def files(folder, *suffixes):
    """The files below a folder, without hidden ones and the output of `make dist`."""
    for parent, folders, names in os.walk(ROOT / folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and Path(parent, name) != ROOT / "dist")
        for name in sorted(names):
            if not name.startswith(".") and name.endswith(suffixes or ("",)):
                yield Path(parent, name)


def read(path):
    return path.read_text(encoding="utf-8")


def lines(path):
    return list(enumerate(read(path).split("\n"), 1))


def line_of(text, index):
    return text.count("\n", 0, index) + 1


# Documents


def prose(path):
    """The lines of a document outside of its blocks of code."""
    fence = None
    for number, line in lines(path):
        mark = re.match(r"\s*(```+)", line)
        if fence is None and mark:
            fence = mark[1]
        elif fence is None:
            yield number, line
        elif line.strip() == fence:
            fence = None


def anchors(path):
    """The anchors that GitHub makes of a document's headings."""
    found = Counter()
    for _, line in prose(path):
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            yield f"{title}-{found[title]}" if found[title] else title
            found[title] += 1


def check_links(path):
    for number, line in prose(path):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            name, _, anchor = target.partition("#")
            if ":" in name:
                continue
            counts["links"] += 1
            file = path.parent / name if name else path
            if not file.exists():
                problem(path, number, f"{target} does not exist; correct the link")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                problem(path, number, f"{name or path.name} has no heading #{anchor}; correct the link")


def check_named_files(guides):
    """A name without a folder is that of a file below the document's folder, or else anywhere in the repository."""
    names = {path.name for path in files(".")}
    for guide in guides:
        for number, line in prose(guide):
            for name in re.findall(r"`([\w.+/-]+)`", line):
                is_here = (guide.parent / name).exists()
                is_path = "/" in name and (ROOT / name.split("/")[0]).exists()
                is_name = re.fullmatch(r"[\w+-]+\.(swift|c|h|py|sh|json|css|js|html)", name)
                counts["named files"] += bool(is_here or is_path or is_name)
                if not is_here and (is_path and not (ROOT / name).exists() or is_name and name not in names):
                    problem(guide, number, f"no file is named {name}; name the one that is meant, or remove it")


def check_shown_files(path):
    """A block below `<!-- from FILE -->` has lines of that file in its order; their comments may differ."""
    def code(line):
        return line.split("//")[0].strip()

    rest_of_document = iter(lines(path))
    for number, line in rest_of_document:
        mark = re.fullmatch(r"<!-- from (\S+) -->", line.strip())
        if not mark:
            continue
        counts["shown files"] += 1
        if not (ROOT / mark[1]).is_file():
            problem(path, number, f"{mark[1]} does not exist; correct the comment")
            continue
        rest = [code(line) for _, line in lines(ROOT / mark[1])]
        is_in_block = False
        for number, line in rest_of_document:
            if line.strip().startswith("```"):
                if is_in_block:
                    break
                is_in_block = True
            elif is_in_block and code(line):
                if code(line) not in rest:
                    problem(path, number, f"{mark[1]} does not have this line here; change one of both")
                    break
                rest = rest[rest.index(code(line)) + 1:]


def check_status_fields():
    """The table of the README has every field of the status document."""
    source = ROOT / "Sources/StatusModel/StatusFacts.swift"
    names = re.search(r"var documentName: String \{\s*switch self \{(.*?)\}", read(source), re.S)
    cases = re.findall(r"case \.(\w+): (?:rawValue|\"(\w+)\")", names[1]) if names else []
    fields = [second or first for first, second in cases]
    fields += json.loads(read(ROOT / "Contract/status.schema.json"))["properties"]
    readme = ROOT / "README.md"
    text = read(readme)
    start = text.find("| field | meaning |")
    first_cells = "".join(row.split("|")[1] for row in text[start:].split("\n\n")[0].split("\n"))
    for field in sorted(set(fields)):
        counts["status fields"] += bool(cases) and start >= 0
        if f"`{field}`" not in first_cells:
            problem(readme, line_of(text, start), f"the table of the status document has no row for {field}; add one")


def check_version():
    path = ROOT / "Sources/BellerophonBase/Text/PackageVersion.swift"
    version = re.search(r'text = "(.*)"', read(path))[1]
    changelog = ROOT / "CHANGELOG.md"
    for number, line in lines(changelog):
        release = re.fullmatch(r"## \[([0-9.]+)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}", line)
        if release:
            if release[1] != version:
                problem(changelog, number, f"the latest release is {release[1]}, but PackageVersion.swift has {version}; "
                                           "give both the same version")
            return
    problem(changelog, 1, "there is no release; add a heading such as ## [0.1.0] - 2026-11-01")


# The manifest


class Target:
    """A target of Package.swift, which is read as text: `swift package dump-package` takes seconds."""

    def __init__(self, kind, text, line):
        self.line, self.text, self.is_test = line, text, kind == "testTarget"
        self.name = re.search(r'name: "(\w+)"', text)[1]
        path = re.search(r'\bpath: "([^"]+)"', text)
        self.folder = path[1] if path else f"{'Tests' if self.is_test else 'Sources'}/{self.name}"
        start = text.find("dependencies: [")
        listed = bracketed(text, start + len("dependencies: ")) if start >= 0 else ""
        listed = re.sub(r'(\.product\(name: |server\()("\w+"),[^)]*\)+', r"\2", listed)
        self.dependencies = set(re.findall(r'"(\w+)"', listed))

    @property
    def sources(self):
        return list(files(self.folder, ".swift", ".c", ".h"))


def bracketed(text, start):
    """The text from an opening bracket to its closing one; the manifest has no bracket in a string."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] in "([") - (text[index] in ")]")
        if depth == 0:
            return text[start:index + 1]
    return text[start:]


def check_imports(target, modules):
    """Without a declared dependency it depends on chance whether a module is built before it is imported."""
    for path in target.sources:
        for number, line in lines(path):
            found = IMPORT.match(line.strip()) if path.suffix == ".swift" else re.match(r"#include <(\w+)\.h>", line)
            name = found[1] if found else None
            if name and name not in target.dependencies | SYSTEM and (path.suffix == ".swift" or name in modules):
                problem(path, number, f"{name} is not a dependency of {target.name}; add it in Package.swift, or remove the import")


def check_client(target, manifest, conditions):
    """Nothing of a target of the client depends on a trait."""
    counts["targets of the client"] += 1
    for name in sorted(target.dependencies & SERVER):
        problem(manifest, target.line, f"{target.name} is a target of the client, and depends on {name} of the server; "
                                       "move what both need to a target of its own")
    if re.search(r"\bserver\(|\btraits:", target.text):
        problem(manifest, target.line, f"{target.name} is a target of the client, and depends on a trait; remove the condition")
    for path in target.sources:
        for number, line in lines(path):
            words = set(re.findall(r"\w+", line)) if re.match(r"\s*#\s*(if|elif|elseif|ifdef|ifndef)\b", line) else set()
            external = set(re.findall(r"canImport\((\w+)\)", line)) - SYSTEM
            for name in sorted(words & conditions | external):
                problem(path, number, f"{target.name} is a target of the client, and has a condition on {name}; "
                                      "remove it, or move the code to a target of the server")


def check_waits(target):
    """A timed wait on a semaphore ends by the clock of the machine, which may be set back meanwhile."""
    for path in target.sources:
        if "DispatchSemaphore(" in read(path):
            for number, line in lines(path):
                if ".wait(timeout:" in line:
                    problem(path, number, "the wait depends on the clock of the machine; use Latch in place of DispatchSemaphore")


def check_manifest():
    manifest = ROOT / "Package.swift"
    text = re.sub(r"(?m)^[ \t]*//.*$", "", read(manifest))
    conditions = set(re.findall(r'\.trait\(\s*name: "(\w+)"', text))
    conditions |= set(re.findall(r'\.define\("(\w+)", \.when\(traits:', text))
    targets = [
        Target(found[1], bracketed(text, found.end() - 1), line_of(text, found.start()))
        for found in re.finditer(r"\.(target|executableTarget|testTarget)\(", text)
    ]
    modules = {target.name for target in targets}
    folders = {path.name for path in (ROOT / "Sources").iterdir() if path.is_dir()}
    for name in sorted(SERVER | folders - modules):
        if name not in modules:
            problem(manifest, 1, f"no target is named {name}; add it, or remove the name from Sources or Scripts/lint.py")
    for target in targets:
        if target.is_test:
            continue
        check_imports(target, modules)
        check_waits(target)
        if target.name not in SERVER:
            check_client(target, manifest, conditions)


# Tools


def run(what, command, **options):
    """A tool prints its own messages."""
    if subprocess.run(command, cwd=ROOT, check=False, **options).returncode != 0:
        complain(f"make lint: {what}: see above")


def skip(what, need):
    text = f"make lint: {what} was not checked; that needs {need}"
    if os.environ.get("CI") == "true":
        complain(text)
    else:
        print(text, file=sys.stderr)


def check_format(swift, release, sources):
    """The formatter of another release breaks lines differently."""
    version = subprocess.run([swift, "format", "--version"], capture_output=True, text=True, check=False).stdout
    if version.startswith(release):
        run("the format", [swift, "format", "lint", "--strict"] + sources)
    else:
        skip("the format", f"the formatter of Swift {release}")


def check_console():
    script = "".join(read(path) for path in files("Sources/BellerophonServer/Console", ".js"))
    if shutil.which("node"):
        run("the console's script", ["node", "--input-type=module", "--check", "-"], input=script, text=True)
    else:
        skip("the console's script", "node")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--formatter", help="the release of Swift whose formatter is used; without it no tool runs")
    parser.add_argument("--sources", default="", help="what is given to the formatter")
    options = parser.parse_args()

    documents = list(files(".", ".md"))
    for path in documents:
        check_links(path)
        check_shown_files(path)
    check_named_files([
        path for path in documents
        if path.name in ("ARCHITECTURE.md", "CONTRIBUTING.md") or path.is_relative_to(ROOT / "Sources")
        or path.parent == ROOT / "Tests/FaultTests"
    ])
    check_status_fields()
    check_version()
    check_manifest()
    for kind in ("links", "named files", "shown files", "status fields", "targets of the client"):
        if not counts[kind]:
            complain(f"Scripts/lint.py: found no {kind}; correct the check")
    if options.formatter:
        check_format(options.swift, options.formatter, options.sources.split())
        check_console()
        if (ROOT / "Tests/PlantedFaults").exists():
            run("the planted faults", ["Scripts/planted-faults.sh", "--check"])
    return 1 if counts["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
