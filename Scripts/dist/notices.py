"""Licences in words: THIRD-PARTY.txt, and Debian's machine-readable copyright file."""

import textwrap

from .project import COPYRIGHT, text

# Debian's names, and the text where the system brings none (its /usr/share/common-licenses).
DEBIAN_NAMES = {
    "MIT": "Expat", "Apache-2.0": "Apache-2.0", "Apache-2.0 WITH Swift-exception": "Apache-2.0 with Swift exception",
    "Unicode-3.0": "Unicode-3.0",
}
COMMON = "On Debian systems, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0."


def plain(words):
    """A text without differences in white space, to compare licences by."""
    return " ".join(words.split())


def third_party(components, programs):
    """Name, origin, notices and licences of all code of others in the programs."""
    used = [component for component in components if set(component.programs) & set(programs)]
    rule = "=" * 78
    parts = [
        "Code of other projects in " + " and ".join(programs) + "\n\n"
        "The programs are linked statically with the packages below. Each is listed with its version, its origin, its\n"
        "licence and its notices. The texts of the licences follow at the end.\n"
    ]
    licences = {}
    for component in used:
        licences.setdefault((component.licence, plain(component.licence_text)), []).append(component)
        lines = [f"{component.name} {component.version}", component.url, f"Licence: {component.licence}"]
        lines += [f"Copyright {line}" for line in component.copyrights]
        parts.append("\n".join([rule, *lines]) + "\n")
        parts += [notice.strip("\n") + "\n" for notice in component.notices]
    for (licence, _), components_with in licences.items():
        names = ", ".join(component.name for component in components_with)
        heading = textwrap.fill(f"Licence {licence}, of {names}", 78)
        parts.append(f"{rule}\n{heading}\n\n" + components_with[0].licence_text.strip("\n") + "\n")
    return "\n".join(parts)


def debian_copyright(components, program):
    """Debian's copyright file, format 1.0."""
    used = [component for component in components if program in component.programs]
    paragraphs = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Bellerophon for the terminal\n"
        f"Comment: {program} is linked statically with the packages below that are not its own. Their notices\n"
        f" and licences are in /usr/share/doc/{program}/THIRD-PARTY.txt.gz.",
        f"Files: *\nCopyright: {COPYRIGHT}\nLicense: Expat",
    ]
    for component in used:
        holders = component.copyrights or [f"the authors of {component.name}"]
        paragraphs.append(
            f"Files: {component.name}/*\nCopyright: " + "\n           ".join(holders) + "\n"
            f"License: {DEBIAN_NAMES[component.licence]}\n"
            f"Comment: {component.name} {component.version}, {component.url}")
    paragraphs.append("License: Expat\n" + indented(text("LICENSE").split("\n\n", 2)[2]))
    written = {"Expat"}
    for component in used:
        name = DEBIAN_NAMES[component.licence]
        if name in written:
            continue
        written.add(name)
        words = COMMON
        if component.licence == "Unicode-3.0":
            words = component.licence_text
        elif component.licence != "Apache-2.0":
            words += "\n\n" + component.licence_text[component.licence_text.rindex("As an exception"):].strip()
        paragraphs.append(f"License: {name}\n" + indented(words))
    return "\n\n".join(paragraphs) + "\n"


def indented(words):
    """A text as a field's continuation: an empty line is a dot."""
    return "\n".join(f" {line.strip()}" if line.strip() else " ." for line in words.strip().splitlines())
