"""The bill of materials, as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/)."""

import datetime
import json
import re
import uuid

from .project import COPYRIGHT, PROGRAMS, run


def identifier(*parts):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.-]", "-", part) for part in parts)


def purl(kind, name, version):
    locator = f"pkg:{kind}/{name}@{version}"
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]


def package(spdx, name, version, purpose, **fields):
    """An element with every field that the format requires; NOASSERTION for what this script does not know."""
    return {
        "SPDXID": spdx, "name": name, "versionInfo": version, "primaryPackagePurpose": purpose, "filesAnalyzed": False,
        "downloadLocation": "NOASSERTION", "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION", **fields,
    }


def link(subject, kind, related, **fields):
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": related, **fields}


def swift_package(component):
    """A Swift package, or a part of Swift itself, by its repository and commit."""
    place = component.url + (f"@{component.revision}" if component.revision else "")
    return package(
        identifier("Swift", component.name), component.name, component.version, "LIBRARY",
        downloadLocation=f"git+{place}" if component.revision else "NOASSERTION",
        homepage=component.url, licenseConcluded=component.licence, licenseDeclared=component.licence,
        copyrightText="\n".join(f"Copyright {line}" for line in component.copyrights) or "NOASSERTION",
        externalRefs=purl("swift", component.url.removeprefix("https://"), component.version))


def debian_package(name):
    """A library of the system, in the version that the programs were linked with."""
    version = run("dpkg-query", "-W", "-f=${Version}", name).decode()
    return package(identifier("Debian", name), name, version, "LIBRARY", externalRefs=purl("deb/debian", name, version))


def bill(version, digests, components, libraries, moment):
    """The document.

    - digests: the SHA-256 of each program.
    - libraries: for each program the dependencies that dpkg-shlibdeps computed.
    """
    document = "SPDXRef-DOCUMENT"
    packages, relationships = [], []
    for program in PROGRAMS:
        own = identifier("Program", program)
        packages.append(package(
            own, program, version, "APPLICATION", packageFileName=f"bin/{program}",
            checksums=[{"algorithm": "SHA256", "checksumValue": digests[program]}],
            licenseConcluded="MIT", licenseDeclared="MIT", copyrightText=f"Copyright {COPYRIGHT}",
            supplier="Organization: The Bellerophon for the terminal authors"))
        relationships.append(link(document, "DESCRIBES", own))
    for component in components:
        packages.append(swift_package(component))
        spdx = identifier("Swift", component.name)
        for program in component.programs:
            relationships.append(link(identifier("Program", program), "STATIC_LINK", spdx))
        if not component.programs:
            relationships.append(link(
                spdx, "OPTIONAL_DEPENDENCY_OF", identifier("Program", PROGRAMS[-1]),
                comment="A dependency of a dependency; the programs contain no code of it."))
    names = {program: sorted({item.split()[0] for item in found}) for program, found in libraries.items()}
    packages += [debian_package(name) for name in sorted({name for found in names.values() for name in found})]
    for program, found in names.items():
        relationships += [link(identifier("Program", program), "DYNAMIC_LINK", identifier("Debian", name)) for name in found]
    unique = uuid.uuid5(uuid.NAMESPACE_URL, " ".join([version, *digests.values()]))
    created = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": document, "name": f"bellerophon-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/bellerophon-{version}-{unique}",
        "creationInfo": {"created": created, "creators": [
            "Organization: The Bellerophon for the terminal authors", f"Tool: make-dist.py-{version}"]},
        "packages": packages, "relationships": relationships,
    }, indent=2, ensure_ascii=False) + "\n"
