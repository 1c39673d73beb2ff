"""Archives whose bytes depend on nothing but the packed files and their date."""

import gzip
import hashlib
import os
import shutil
import tarfile

from .project import run


def settle(folder, moment):
    """Gives every file below a folder the date and the mode that it has in a package. Programs stay executable."""
    for place, folders, names in os.walk(folder, topdown=False):
        for name in folders + names:
            path = os.path.join(place, name)
            executable = os.path.isdir(path) or os.stat(path).st_mode & 0o100
            os.chmod(path, 0o755 if executable else 0o644)
            os.utime(path, (moment, moment))
    os.chmod(folder, 0o755)
    os.utime(folder, (moment, moment))


def compress(data):
    """What `gzip -9n` writes."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def write(path, data):
    """Writes a file and the folders to it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def copy(source, path, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(source, path)
    os.chmod(path, mode)


def tarball(folder, path, moment):
    """Packs a folder under its own name: sorted, owned by 0, dated with the moment."""
    settle(folder, moment)
    name = os.path.basename(folder)

    def neutral(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = moment
        return entry

    paths = [name]
    for place, folders, names in os.walk(folder):
        paths += [os.path.join(name, os.path.relpath(os.path.join(place, entry), folder)) for entry in folders + names]
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for entry in sorted(paths):
                archive.add(os.path.join(os.path.dirname(folder), entry), entry, recursive=False, filter=neutral)


def debian_package(folder, path, moment):
    """Packs a tree with its DEBIAN folder, owned by root."""
    settle(folder, moment)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
    # The bytes of xz depend on the number of its threads.
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", folder, path, env=environment)


def digest(path, algorithm="sha256"):
    found = hashlib.new(algorithm)
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()
