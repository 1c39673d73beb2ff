"""The Debian packages: one for each program."""

import datetime
import os
import re

from . import archives, notices
from .project import ROOT, Failure, text

PACKAGING = "packaging/debian"
CONFIGURATION = "etc/bellerophon/server.config.json"


def replaced(words, values):
    """A template with a value in place of each @NAME@."""
    for name, value in values.items():
        words = words.replace(f"@{name}@", value)
    left = re.search("@[A-Z0-9_]+@", words)
    if left:
        raise Failure(f"a template has {left[0]}, which nothing replaces")
    return words


def changed(path, place, replacement):
    """A file of the checkout with another text in one place, which must be there."""
    words = text(path)
    if place not in words:
        raise Failure(f"{path} has no '{place}'")
    return words.replace(place, replacement)


def changelog(name, version, maintainer, moment):
    """The changes of the package; those of the program are in a file of their own."""
    date = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return (f"{name} ({version}-1) unstable; urgency=medium\n\n"
            f"  * Release {version}; its changes are in changelog.gz.\n\n"
            f" -- {maintainer}  {date}\n")


def write_documents(tree, name, build):
    """What every package has below /usr/share/doc."""
    folder = f"{tree}/usr/share/doc/{name}"
    archives.write(f"{folder}/copyright", notices.debian_copyright(build.components, name))
    archives.write(f"{folder}/THIRD-PARTY.txt.gz", archives.compress(notices.third_party(build.components, [name]).encode()))
    archives.write(f"{folder}/changelog.gz", archives.compress(text("CHANGELOG.md").encode()))
    words = changelog(name, build.version, build.maintainer, build.moment)
    archives.write(f"{folder}/changelog.Debian.gz", archives.compress(words.encode()))


def write_service(tree):
    """The server's service with its user, settings and examples."""
    documents = f"{tree}/usr/share/doc/bellerophon-server"
    for unit in ("service", "socket"):
        words = text(f"deploy/bellerophon-server.{unit}").replace(
            "See README.md in this folder.", "See /usr/share/doc/bellerophon-server/README.Debian.")
        if unit == "service":
            words = words.replace("/usr/local/bin/", "/usr/bin/")
        archives.write(f"{tree}/usr/lib/systemd/system/bellerophon-server.{unit}", words)
    archives.write(
        f"{tree}/usr/lib/sysusers.d/bellerophon-server.conf", text("deploy/bellerophon-server.sysusers.conf"))
    archives.write(f"{tree}/{CONFIGURATION}", text(f"{PACKAGING}/bellerophon-server/server.config.json"))
    archives.write(f"{documents}/README.Debian", text(f"{PACKAGING}/bellerophon-server/README.Debian"))
    for example in ("nginx.conf", "server.config.example.json"):
        archives.write(f"{documents}/examples/{example}", changed_comment(example))


def changed_comment(example):
    return text(f"deploy/{example}").replace("Tests/DeployTests runs", "The tests of Bellerophon run")


def write_control(tree, name, build):
    """The folder DEBIAN: fields, scripts, configuration files and digests."""
    files, size = [], 0
    for place, folders, names in os.walk(tree):
        size += len(folders)
        files += [os.path.relpath(os.path.join(place, entry), tree) for entry in names]
    size += sum(-(-os.path.getsize(f"{tree}/{file}") // 1024) for file in files)
    control = replaced(text(f"{PACKAGING}/{name}/control"), {
        "VERSION": build.version, "ARCHITECTURE": build.architecture, "MAINTAINER": build.maintainer,
        "SIZE": str(size), "LIBRARIES": ", ".join(build.libraries[name]),
    })
    if build.homepage:
        control = control.replace("Description:", f"Homepage: {build.homepage}\nDescription:")
    archives.write(f"{tree}/DEBIAN/control", control)
    sums = [f"{archives.digest(f'{tree}/{file}', 'md5')}  {file}\n" for file in sorted(files) if not file.startswith("etc/")]
    archives.write(f"{tree}/DEBIAN/md5sums", "".join(sums))
    if CONFIGURATION in files:
        archives.write(f"{tree}/DEBIAN/conffiles", f"/{CONFIGURATION}\n")
    for script in ("postinst", "prerm", "postrm"):
        source = os.path.join(ROOT, PACKAGING, name, script)
        if os.path.exists(source):
            archives.copy(source, f"{tree}/DEBIAN/{script}", 0o755)


def package(name, build):
    """Writes one package and returns its path."""
    tree = os.path.join(build.work, f"deb-{name}")
    build.install(name, f"{tree}/usr", zsh="share/zsh/vendor-completions")
    write_documents(tree, name, build)
    if name == "bellerophon":
        archives.write(f"{tree}/usr/share/doc/{name}/examples/config.example.json", text("config.example.json"))
    else:
        write_service(tree)
    write_control(tree, name, build)
    path = os.path.join(build.output, f"{name}_{build.version}-1_{build.architecture}.deb")
    archives.debian_package(tree, path, build.moment)
    return path
