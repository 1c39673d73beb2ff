"""Facts about this checkout: its version, its date, and what a run is told."""

import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ("bellerophon", "bellerophon-server")
COPYRIGHT = "2026 The Bellerophon for the terminal authors"


class Failure(Exception):
    """Why no packages are written, and what to do."""


def run(*arguments, **options):
    """The standard output of a command. A command that fails is a Failure with what it said."""
    try:
        result = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)
    except FileNotFoundError:
        raise Failure(f"'{arguments[0]}' is missing; install it, then try again") from None
    if result.returncode != 0:
        said = result.stderr.decode(errors="replace").strip() or f"exit code {result.returncode}"
        raise Failure(f"{arguments[0]} failed: {said}")
    return result.stdout


def text(path):
    """A file of the checkout."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def version():
    """The one place that states the version."""
    return re.search(r'static let text = "([^"]+)"', text("Sources/BellerophonBase/Text/PackageVersion.swift")).group(1)


def git(*arguments):
    """Output of git in this checkout; None where there is no git or no repository."""
    try:
        return run("git", "-c", f"safe.directory={ROOT}", "-C", ROOT, *arguments)
    except Failure:
        return None


def moment():
    """Seconds since 1970 that every packaged file is dated with: SOURCE_DATE_EPOCH, else the last commit."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH")
    if chosen is None:
        chosen = (git("log", "-1", "--format=%ct") or b"").decode().strip()
    if not chosen.isdigit():
        raise Failure("the sources have no date; set SOURCE_DATE_EPOCH to seconds since 1970")
    return int(chosen)


def check_programs(folder):
    """The built programs exist, say the version of these sources, and carry Swift's libraries with them."""
    for name in PROGRAMS:
        path = os.path.join(folder, name)
        if not os.access(path, os.X_OK):
            raise Failure(f"{path} is no program; 'make dist' builds it")
        said = run(path, "--version").decode().split()
        if version() not in said:
            raise Failure(f"{path} says that its version is {' '.join(said)}, and the sources say {version()}; build it again")
        if b"libswiftCore.so" in run("readelf", "-d", path):
            raise Failure(f"{path} needs a Swift toolchain; build it with --static-swift-stdlib")
