"""What the programs are made of: Swift packages, Swift's own libraries, and libraries of the system."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

from .project import PROGRAMS, ROOT, Failure, run, text

SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"
# The lines at the top of a source file, or of a notice, that say whose it is.
COPYRIGHT = re.compile(r"Copyright\s*(?:\(c\)|©)?\s*((?:\d{4}(?:[-–, ]|and )*)+)(?:by )?(\S.*?)[.\s*/]*$", re.IGNORECASE | re.MULTILINE)
TRAILING = re.compile(r"\.?\s*(All rights reserved|and other contributors)\.?$", re.IGNORECASE)
SOURCES = (".swift", ".c", ".cc", ".h", ".S")


@dataclass
class Component:
    """Code of others in a program."""

    name: str
    version: str
    url: str
    licence: str  # An SPDX expression.
    licence_text: str
    notices: list = field(default_factory=list)  # Texts that must be passed on.
    copyrights: list = field(default_factory=list)
    revision: str = ""
    programs: tuple = ()  # The programs that contain code of it.


def licence_of(name, licence):
    """The SPDX expression of a licence's text."""
    if "Apache License" in licence:
        return SWIFT_LICENCE if "Runtime Library Exception" in licence else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in licence:
        return "MIT"
    raise Failure(f"the licence of {name} is not known to Scripts/dist/dependencies.py; read it, and add it there")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def copyrights(texts):
    """Holders with the first and the last year that any of the texts names, such as '2017-2024 The SwiftNIO Project'."""
    years = {}
    for found in texts:
        for match in COPYRIGHT.finditer(found):
            holder = TRAILING.sub("", match[2].strip())
            holder = re.sub(r"\s+", " ", holder).rstrip(",. )")
            if holder and "[" not in holder:
                years.setdefault(holder, set()).update(re.findall(r"\d{4}", match[1]))
    lines = []
    for holder, found in sorted(years.items()):
        first, last = min(found), max(found)
        lines.append(f"{first if first == last else f'{first}-{last}'} {holder}")
    return lines


def linked_objects(folder):
    """For each program the modules it is linked of, each with the names of its sources."""
    programs = {}
    for name in PROGRAMS:
        path = os.path.join(folder, f"{name}.product", "Objects.LinkFileList")
        try:
            listed = read(path)
        except OSError:
            raise Failure(f"{path} is missing; --products is the folder that 'swift build --show-bin-path' prints") from None
        modules = {}
        for module, source in re.findall(r"/([^/\n]+)\.build/([^\n]+)\.o'?$", listed, re.MULTILINE):
            modules.setdefault(module, set()).add(os.path.basename(source))
        programs[name] = modules
    return programs


def module_folder(checkout, module, sources):
    """The folder of a package with a module's sources; None if the module is not of this package.

    A module's folder has its name, or stands in the manifest.
    """
    manifest = read(os.path.join(checkout, "Package.swift"))
    stated = re.search(rf'name: "{re.escape(module)}",[^()]*?path: "([^"]+)"', manifest)
    candidates = [os.path.join(checkout, stated[1])] if stated else []
    for place, folders, _ in os.walk(checkout):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ("Tests", "Benchmarks", "Examples"))
        candidates += [os.path.join(place, folder) for folder in folders if folder.lstrip("_") == module.lstrip("_")]
    for candidate in candidates:
        if any(not sources.isdisjoint(names) for _, _, names in os.walk(candidate)):
            return candidate
    return None


def resolved_packages(scratch):
    """Every package that SwiftPM has checked out for a build: its identity, location, state and folder.

    Package.resolved has the packages of the last build only, and another build may have had other traits.
    """
    path = os.path.join(scratch, "workspace-state.json")
    try:
        entries = json.loads(read(path))["object"]["dependencies"]
        return [
            {
                "identity": entry["packageRef"]["identity"], "location": entry["packageRef"]["location"],
                "state": entry["state"]["checkoutState"], "folder": os.path.join(scratch, "checkouts", entry["subpath"]),
            }
            for entry in entries
        ]
    except OSError:
        raise Failure(f"{path} is missing; build first, or say --scratch-path") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path} is not as SwiftPM 6.2 and 6.3 write it: {error!r}") from None


def swift_packages(products, scratch):
    """Every package that was resolved, with the programs that contain its code."""
    pins = resolved_packages(scratch)
    objects = linked_objects(products)
    ours = {entry.name for entry in os.scandir(os.path.join(ROOT, "Sources"))}
    components = []
    located = set()
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        name = os.path.basename(pin["location"]).removesuffix(".git")
        checkout = pin["folder"]
        if not os.path.isdir(checkout):
            raise Failure(f"{checkout} is missing; build first")
        folders, programs = set(), []
        for program, modules in objects.items():
            found = {module: module_folder(checkout, module, names) for module, names in modules.items() if module not in ours}
            found = {module: folder for module, folder in found.items() if folder}
            located.update(found)
            folders.update(found.values())
            if found:
                programs.append(program)
        components.append(component(pin, name, checkout, folders, tuple(programs)))
    unknown = {module for modules in objects.values() for module in modules} - located - ours
    if unknown:
        raise Failure(f"no package has the sources of {', '.join(sorted(unknown))}")
    return components


def component(pin, name, checkout, folders, programs):
    """A package with its licence, its notices and its copyright lines."""
    entries = sorted(os.listdir(checkout))
    licences = [read(os.path.join(checkout, entry)) for entry in entries if entry.upper().startswith("LICEN")]
    notices = [read(os.path.join(checkout, entry)) for entry in entries if entry.upper().startswith("NOTICE")]
    if not licences:
        raise Failure(f"{checkout} has no licence")
    headers = []
    for folder in sorted(folders):
        for place, _, names in os.walk(folder):
            for file in sorted(names):
                if file.upper().startswith("LICEN"):
                    notices.append(read(os.path.join(place, file)))
                elif file.endswith(SOURCES):
                    headers.append(read(os.path.join(place, file))[:2000])
    state = pin["state"]
    return Component(
        name=name, version=state.get("version") or state["revision"], url=pin["location"].removesuffix(".git"),
        licence=licence_of(name, licences[0]), licence_text=licences[0], notices=notices,
        copyrights=copyrights(notices + licences + headers), revision=state["revision"], programs=programs)


def swift_libraries(swift, licence_text):
    """Swift's own libraries, which --static-swift-stdlib puts into both programs."""
    said = run(swift, "--version", stdin=subprocess.DEVNULL).decode()
    found = re.search(r"Swift version (\S+)", said)
    if not found:
        raise Failure(f"'{swift} --version' names no version: {said.strip()}")
    return [
        Component(
            "swift", found[1], "https://github.com/swiftlang/swift", SWIFT_LICENCE, licence_text,
            copyrights=["2014-2026 Apple Inc. and the Swift project authors"], programs=PROGRAMS),
        Component(
            "swift-foundation-icu", found[1], "https://github.com/swiftlang/swift-foundation-icu", "Unicode-3.0",
            text("packaging/licences/Unicode-3.0.txt"), copyrights=["2016-2024 Unicode, Inc. and others"], programs=PROGRAMS),
    ]


def debian_libraries(program):
    """The Debian packages with the libraries of a program, with the least versions that it needs."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian/control"), "w", encoding="utf-8") as file:
            file.write("Source: bellerophon\n\nPackage: bellerophon\nArchitecture: any\n")
        said = run("dpkg-shlibdeps", "-O", "-e" + os.path.abspath(program), cwd=folder).decode()
    found = re.search(r"^shlibs:Depends=(.*)$", said, re.MULTILINE)
    if not found:
        raise Failure(f"dpkg-shlibdeps names no libraries of {program}")
    return sorted(item.strip() for item in found[1].split(","))
