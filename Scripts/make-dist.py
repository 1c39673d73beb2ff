#!/usr/bin/env python3
"""Writes what a person downloads: an archive, Debian packages, a formula, checksums and a bill of materials.

`make dist` builds the programs and calls this. The same programs give the same bytes: every file has the date of the last
commit (or SOURCE_DATE_EPOCH) and belongs to root.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile

from dist import archives, bill, debian, dependencies, notices
from dist.project import PROGRAMS, ROOT, Failure, check_programs, git, moment, run, text, version

# Documents that the archive has below share/doc/bellerophon, as they are in the checkout: their links lead from one to another.
DOCUMENTS = ("README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "config.example.json")
PLACEHOLDER = "https://bellerophon.example.org"


def settings():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", required=True, help="the folder of the programs: swift build --show-bin-path")
    parser.add_argument("--output", default="dist", help="the folder to write; its older packages are removed (default: dist)")
    parser.add_argument("--scratch-path", help="the folder of the build, with the packages' sources (default: that of the products)")
    parser.add_argument("--programs", help="the folder of the programs, if they are not with the products")
    parser.add_argument("--source", help="an archive of the sources, in place of one of the last commit")
    parser.add_argument("--swift", default="swift", help="the toolchain that built the programs")
    parser.add_argument("--release-url", default=f"{PLACEHOLDER}/releases", help="where the files will be published, for the formula")
    parser.add_argument("--homepage", help="the address of the project, for packages and the formula")
    parser.add_argument(
        "--maintainer", default="The Bellerophon for the terminal authors <bellerophon@example.org>",
        help="who answers for the Debian packages: Name <address>")
    return parser.parse_args()


class Build:
    """One run: what is packaged, and where it goes."""

    def __init__(self, chosen, work):
        self.work = work
        self.output = os.path.abspath(chosen.output)
        self.products = os.path.abspath(chosen.products)
        self.programs = os.path.abspath(chosen.programs or chosen.products)
        scratch = os.path.abspath(chosen.scratch_path or os.path.join(os.path.realpath(self.products), "../.."))
        self.maintainer, self.homepage, self.release_url = chosen.maintainer, chosen.homepage, chosen.release_url.rstrip("/")
        self.version, self.moment = version(), moment()
        self.architecture = run("dpkg", "--print-architecture").decode().strip()
        self.machine = platform.machine()
        self.name = f"bellerophon-{self.version}"
        check_programs(self.programs)
        packages = dependencies.swift_packages(self.products, scratch)
        licence = next(item.licence_text for item in packages if item.licence == dependencies.SWIFT_LICENCE)
        self.components = packages + dependencies.swift_libraries(chosen.swift, licence)
        self.libraries = {name: dependencies.debian_libraries(os.path.join(self.programs, name)) for name in PROGRAMS}
        self.check_container()

    def library_names(self, name):
        return [item.split()[0] for item in self.libraries[name]]

    def check_container(self):
        """The container is Debian 12 and installs the server's libraries by name; a new one must be added there."""
        if platform.freedesktop_os_release().get("VERSION_CODENAME") != "bookworm":
            return print("note: this is not Debian 12; the packages need this system, and the container file does not fit")
        words = text("deploy/Containerfile").split()
        missing = [name for name in self.library_names("bellerophon-server") if name not in words]
        if missing:
            raise Failure(f"deploy/Containerfile does not install {', '.join(missing)}, which the server needs; add it there")

    def install(self, name, folder, zsh):
        """Installs a program as `make install` does, with a compressed manual."""
        script = os.path.join(ROOT, "Scripts/install-files.sh")
        run(script, "install", name, os.path.join(self.programs, name), folder, env={**os.environ, "ZSH_FUNCTIONS": zsh})
        manual = os.path.join(folder, f"share/man/man1/{name}.1")
        with open(manual, "rb") as file:
            archives.write(manual + ".gz", archives.compress(file.read()))
        os.remove(manual)

    def archive(self):
        """The programs with everything to run and deploy them, for any system with the libraries."""
        tree = os.path.join(self.work, f"{self.name}-linux-{self.machine}")
        for name in PROGRAMS:
            self.install(name, tree, zsh="share/zsh/site-functions")
        documents = os.path.join(tree, "share/doc/bellerophon")
        guides = [f"docs/{name}" for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")]
        deployment = [f"deploy/{name}" for name in os.listdir(os.path.join(ROOT, "deploy"))]
        for path in [*DOCUMENTS, *guides, *deployment]:
            archives.write(os.path.join(documents, path), text(path))
        archives.write(os.path.join(documents, "THIRD-PARTY.txt"), notices.third_party(self.components, PROGRAMS))
        archives.write(os.path.join(tree, "INSTALL"), debian.replaced(text("packaging/INSTALL"), {
            "VERSION": self.version, "MACHINE": self.machine,
            "CLIENT_LIBRARIES": " ".join(self.library_names("bellerophon")),
            "SERVER_LIBRARIES": " ".join(self.library_names("bellerophon-server")),
        }))
        path = os.path.join(self.output, f"{os.path.basename(tree)}.tar.gz")
        archives.tarball(tree, path, self.moment)
        return path

    def debug_files(self):
        """Names and lines for debuggers, found by build ID: unpacked below /usr/lib/debug. None if no program has an ID."""
        tree = os.path.join(self.work, f"{self.name}-linux-{self.machine}-debug")
        for name in PROGRAMS:
            program = os.path.join(self.programs, name)
            words = run("readelf", "--notes", program).decode().partition("Build ID: ")[2].split()
            if words:
                path = os.path.join(tree, ".build-id", words[0][:2], f"{words[0][2:]}.debug")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                run("objcopy", "--only-keep-debug", "--compress-debug-sections", program, path)
        if not os.path.isdir(tree):
            return None
        path = os.path.join(self.output, f"{os.path.basename(tree)}.tar.gz")
        archives.tarball(tree, path, self.moment)
        return path

    def sources(self, given):
        """The sources of the last commit, or the given archive under their name. None without either."""
        path = os.path.join(self.output, f"{self.name}.tar.gz")
        if given:
            shutil.copyfile(given, path)
            return path
        packed = git("archive", "--format=tar", f"--prefix={self.name}/", "HEAD")
        if packed is None:
            return None
        if git("status", "--porcelain", "--untracked-files=no"):
            print("note: there are changes that are not committed; the archive of the sources has the last commit")
        archives.write(path, archives.compress(packed))
        return path

    def formula(self, sources):
        """Homebrew's formula for the archive of the sources."""
        path = os.path.join(self.output, "bellerophon.rb")
        archives.write(path, debian.replaced(text("packaging/bellerophon.rb"), {
            "HOMEPAGE": self.homepage or PLACEHOLDER, "URL": f"{self.release_url}/{os.path.basename(sources)}",
            "SHA256": archives.digest(sources),
        }))
        if PLACEHOLDER in self.release_url:
            print("note: the formula has a placeholder for the address of the sources; see RELEASE_URL in CONTRIBUTING.md")
        return path

    def bill(self):
        """The bill of materials, of the programs as they are packaged."""
        folder = os.path.join(self.work, f"{self.name}-linux-{self.machine}", "bin")
        digests = {name: archives.digest(os.path.join(folder, name)) for name in PROGRAMS}
        path = os.path.join(self.output, f"{self.name}-linux-{self.machine}.spdx.json")
        archives.write(path, bill.bill(self.version, digests, self.components, self.libraries, self.moment))
        return path

    def write(self, source):
        """Writes all files, and their checksums last."""
        os.makedirs(self.output, exist_ok=True)
        for entry in os.listdir(self.output):
            if entry.startswith("bellerophon") or entry == "SHA256SUMS":
                os.remove(os.path.join(self.output, entry))
        paths = [self.archive(), *(debian.package(name, self) for name in PROGRAMS), self.debug_files(), self.bill()]
        sources = self.sources(source)
        if sources:
            paths += [sources, self.formula(sources)]
        else:
            print("note: no archive of the sources and no formula: this is no git repository; name an archive with --source")
        paths = sorted(path for path in paths if path)
        sums = [f"{archives.digest(path)}  {os.path.basename(path)}\n" for path in paths]
        archives.write(os.path.join(self.output, "SHA256SUMS"), "".join(sums))
        for path in paths:
            print(f"{os.path.getsize(path):>12,}  {path}")


def main():
    chosen = settings()
    if platform.system() != "Linux":
        sys.exit("error: packages for Linux are written on Linux; on macOS, install with 'make install' or the formula")
    for command, source in (("dpkg-deb", "dpkg"), ("dpkg-shlibdeps", "dpkg-dev"), ("objcopy", "binutils")):
        if not shutil.which(command):
            sys.exit(f"error: '{command}' is missing; it is in Debian's package {source}")
    with tempfile.TemporaryDirectory(prefix="bellerophon-dist.") as work:
        try:
            Build(chosen, work).write(chosen.source)
        except Failure as failure:
            sys.exit(f"error: {failure}")


if __name__ == "__main__":
    main()
