#!/usr/bin/env bash
# Installs what `make dist` wrote in a bare Debian 12, starts the programs, upgrades them and removes them again.
#
#   Scripts/test-dist.sh [DIST]
#
# It needs root (for chroot and mounts), debootstrap and a Debian mirror: the machine's own, or the one in MIRROR. The bare
# system is kept in .build/debian-12. Nothing is started or mounted outside of the namespaces that the script makes, so no
# process and no mount stays when it ends, however it ends.
set -euo pipefail

fail() {
    echo "error: $1" >&2
    [ $# -lt 2 ] || echo "       $2" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "a bare Debian needs root" "Run: sudo Scripts/test-dist.sh"
command -v debootstrap >/dev/null || fail "debootstrap is missing" "Run: apt-get install debootstrap"

if [ "${1:-}" != --inside ]; then
    exec unshare --mount --pid --fork --kill-child --mount-proc "$0" --inside "${1:-dist}"
fi

project=$(cd "$(dirname "$0")/.." && pwd)
dist=$(cd "$2" 2>/dev/null && pwd) || fail "$2 is missing" "Run: make dist"
client=$(ls "$dist"/bellerophon_*.deb) server=$(ls "$dist"/bellerophon-server_*.deb)
archive=$(ls "$dist"/bellerophon-*-linux-"$(uname -m)".tar.gz)
version=$(dpkg-deb -f "$client" Version)
version=${version%-1}
cache=$project/.build/debian-12
mkdir -p "$cache/archives"
work=$(mktemp -d "$project/.build/dist-test.XXXXXX")
log=$work/log

finish() {
    code=$?
    [ $code -eq 0 ] || { echo "The last lines of the log:"; tail -n 40 "$log"; } >&2
    # The mounts are seen in this namespace only, and are left to it if a process still uses one.
    stop_system
    for root in "$work"/*/; do
        umount -l "$root/proc" "$root/dev/pts" 2>/dev/null || true
    done
    rm -rf --one-file-system "$work"
    # `make clean` is not run by root.
    [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-}" "$cache"
    exit $code
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { printf '  %s\n' "$1"; printf '\n== %s\n' "$1" >>"$log"; }
check() { "$@" >>"$log" 2>&1 || fail "failed: $*"; }
inside() { chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm-256color \
    LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_server() { inside runuser -u bellerophon -- "$@"; }
apt() { inside apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@"; }
# What a command says must contain a text, and its exit code must be the given one.
says() {
    expected=$1 words=$2
    shift 2
    code=0
    output=$("$@" 2>&1) || code=$?
    printf '%s\n' "$output" >>"$log"
    [ "$code" -eq "$expected" ] || fail "exit code $code in place of $expected: $*" "$output"
    case $output in *"$words"*) ;; *) fail "'$words' is not in the output of $*" "$output" ;; esac
}
# Tries a command again until it succeeds, for a minute.
eventually() {
    for _ in $(seq 300); do
        "$@" >>"$log" 2>&1 && return
        sleep 0.2
    done
    fail "no success within a minute: $*"
}

# A server sees within a moment what another process publishes in its store.
is_paused() {
    code=0
    "$@" bellerophon check --status-url "$url/status" || code=$?
    [ "$code" -eq 10 ]
}

bare_system() {
    [ ! -e "$cache/bare.tar" ] || return 0
    step "make a bare Debian 12 with debootstrap"
    mirror=${MIRROR:-$(apt-get indextargets --format '$(RELEASE) $(SITE)' 2>/dev/null | awk '$1 == "bookworm" { print $2; exit }')}
    debootstrap --variant=minbase bookworm "$work/bare" ${mirror:+"$mirror"} >>"$log" 2>&1 || fail "debootstrap failed"
    tar -C "$work/bare" --numeric-owner -cf "$cache/bare.tar.new" .
    mv "$cache/bare.tar.new" "$cache/bare.tar"
    rm -rf "$work/bare"
}

# Unpacks a bare system that can reach the packages that this machine can reach.
new_root() {
    root=$work/$1
    mkdir "$root"
    tar -C "$root" --numeric-owner -xf "$cache/bare.tar"
    if grep -q '^VERSION_CODENAME=bookworm' /etc/os-release; then
        rm -f "$root/etc/apt/sources.list"
        cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$root/etc/apt/"
        # Images for containers throw downloads away.
        rm -f "$root/etc/apt/apt.conf.d/docker-clean"
    fi
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    mount -t proc proc "$root/proc"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    ln -sf pts/ptmx "$root/dev/ptmx"
    cp "$cache/archives/"*.deb "$root/var/cache/apt/archives/" 2>/dev/null || true
    check apt update
}

no_swift() {
    found=$(find "$root" -xdev \( -name 'libswift*' -o -name swiftc -o -name 'libFoundation*' \) -print -quit)
    [ -z "$found" ] || fail "the system has a part of a Swift toolchain: ${found#"$root"}"
}

# Without caches, logs, and what the programs write for the person who runs them.
files() { (cd "$root" && find . -xdev \( -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./tmp -o -path ./root -o -path ./run \) -prune -o -print | sort); }

# The program in a pseudo-terminal until its first frame, then its end by the key q.
first_frame() {
    PYTHONPATH=$project/Benchmarks python3 - "$root" "$@" <<'PYTHON'
import os, sys
from benchmark.terminal import Terminal
terminal = Terminal(["/usr/sbin/chroot", *sys.argv[1:]], "/root")
terminal.read_until(b"SIMULATED", 60)
os.write(terminal.master, b"q")
while True:
    try:
        if not os.read(terminal.master, 65536):
            break
    except OSError:
        break
sys.exit(os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]))
PYTHON
}

running() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/exe" 2>/dev/null)" != "$root/usr/bin/bellerophon-server" ] || echo "${process#/proc/}"
    done
}
stopped() { [ -z "$(running)" ]; }

# A Debian package with a higher version and the same files.
newer() {
    local tree=$work/newer
    dpkg-deb -R "$1" "$tree"
    sed -i "s/^Version: .*/Version: $version-2/" "$tree/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone -b "$tree" "$2" >>"$log"
    rm -rf "$tree"
}

test_packages() {
    echo "The Debian packages:"
    new_root packages
    cp "$client" "$server" "$root/tmp/"
    local debs=("/tmp/$(basename "$client")" "/tmp/$(basename "$server")")

    step "install the dependencies that the packages name"
    check apt satisfy "$(dpkg-deb -f "$client" Depends), $(dpkg-deb -f "$server" Depends)"
    cp "$root/var/cache/apt/archives/"*.deb "$cache/archives/" 2>/dev/null || true
    files >"$work/before"

    step "install the packages, with nothing else"
    says 0 "" inside dpkg -i "${debs[@]}"
    no_swift
    says 0 "$version" inside bellerophon --version
    says 0 "$version" inside bellerophon-server --version
    for name in bellerophon bellerophon-server; do
        check test -s "$root/usr/share/man/man1/$name.1.gz"
        check inside bash -nc "$(cat "$root/usr/share/bash-completion/completions/$name")"
        for shell in zsh fish; do
            case $shell in zsh) file=zsh/vendor-completions/_$name ;; *) file=fish/vendor_completions.d/$name.fish ;; esac
            check test -s "$root/usr/share/$file"
            ! command -v $shell >/dev/null || check $shell -n "$root/usr/share/$file"
        done
        check test -s "$root/usr/share/doc/$name/copyright"
    done

    step "the service has its user, its store and its unit"
    says 0 "/var/lib/bellerophon" inside getent passwd bellerophon
    says 0 "700 bellerophon bellerophon" inside stat -c '%a %U %G' /var/lib/bellerophon
    says 0 "600 bellerophon bellerophon" inside stat -c '%a %U %G' /var/lib/bellerophon/store.sqlite
    for unit in service socket; do
        says 0 "" inside systemd-analyze verify --man=no "bellerophon-server.$unit"
        case $output in *bellerophon*) fail "systemd-analyze complains" "$output" ;; esac
    done
    says 0 enabled inside systemctl is-enabled bellerophon-server.service
    says 1 disabled inside systemctl is-enabled bellerophon-server.socket

    step "a published kill reaches a check"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    url=http://127.0.0.1:$port
    as_server bellerophon-server serve --config /etc/bellerophon/server.config.json --port "$port" >>"$log" 2>&1 &
    # The container's check of its health.
    eventually inside bellerophon-server status --server "$url" --json
    says 0 "" inside bellerophon check --status-url "$url/status"
    says 0 "" as_server bellerophon-server kill --store /var/lib/bellerophon --message "Back soon." --yes
    eventually is_paused inside
    says 10 "Back soon." inside bellerophon check --status-url "$url/status"

    step "an upgrade keeps settings and store, and the server moves over to the new program"
    sed -i 's/"port": 8080/"port": 8081/' "$root/etc/bellerophon/server.config.json"
    newer "$client" "$root/tmp/newer-bellerophon.deb"
    newer "$server" "$root/tmp/newer-bellerophon-server.deb"
    says 0 "" inside dpkg -i /tmp/newer-bellerophon.deb /tmp/newer-bellerophon-server.deb
    says 0 8081 inside cat /etc/bellerophon/server.config.json
    says 0 enabled inside systemctl is-enabled bellerophon-server.service
    says 0 "" as_server bellerophon-server restart --store /var/lib/bellerophon
    says 10 "Back soon." inside bellerophon check --status-url "$url/status"

    step "a program is guarded beside the server"
    mkdir -p "$root/etc/bellerophon/guard.d"
    echo '{"program": "/bin/echo", "wrapper": "/usr/local/bin/say", "config": {"status": {"url": "http://127.0.0.1:1/"}}}' \
        >"$root/etc/bellerophon/guard.d/say.json"
    says 0 installed inside bellerophon guard install say
    says 0 removed inside bellerophon guard uninstall say
    rm -r "$root/etc/bellerophon/guard.d" "$root/var/lib/bellerophon-guard"

    step "the demo draws its first frame"
    check first_frame /usr/bin/bellerophon demo

    step "removing keeps settings and store; purging keeps the store, and says so"
    for process in $(running); do kill "$process"; done
    eventually stopped
    says 0 "" inside dpkg --remove bellerophon bellerophon-server
    says 0 8081 inside cat /etc/bellerophon/server.config.json
    says 0 "store.sqlite" inside ls /var/lib/bellerophon
    says 0 "/var/lib/bellerophon and its user were kept" inside dpkg --purge bellerophon bellerophon-server
    says 0 "store.sqlite" inside ls /var/lib/bellerophon
    check test ! -e "$root/etc/bellerophon"

    step "an empty folder is not made a store; a store that is there is served again"
    mv "$root/var/lib/bellerophon" "$root/var/lib/elsewhere"
    mkdir "$root/var/lib/bellerophon"
    says 0 "it may be a volume that is not mounted" inside dpkg -i "${debs[@]}"
    says 0 "" inside dpkg --purge bellerophon bellerophon-server
    rmdir "$root/var/lib/bellerophon"
    mv "$root/var/lib/elsewhere" "$root/var/lib/bellerophon"
    says 0 "" inside dpkg -i "${debs[@]}"
    says 0 "Back soon." as_server bellerophon-server status --store /var/lib/bellerophon

    step "nothing else stays after a purge"
    says 0 "" inside dpkg --purge bellerophon bellerophon-server
    rm -r "$root/var/lib/bellerophon"
    says 0 "" inside userdel bellerophon
    files >"$work/after"
    # Copies that dpkg and the tools for users make of their own files, and the folder for the states of units.
    diff "$work/before" "$work/after" | grep '^[<>]' | grep -vE ' \./(etc/(passwd|group|shadow|gshadow|subuid|subgid)-|var/lib/dpkg/|var/lib/systemd/deb-systemd-helper-[a-z]+$)' \
        >"$work/left" || true
    [ ! -s "$work/left" ] || fail "files stayed or are missing" "$(cat "$work/left")"
    umount "$root/proc" "$root/dev/pts"
}

# Starts systemd as the first process of namespaces of its own, with $root as its root and a loopback interface of its own.
# Its control group is below the first hierarchy that is for systemd.
start_system() {
    group=/sys/fs/cgroup
    [ ! -d /sys/fs/cgroup/systemd ] || group=/sys/fs/cgroup/systemd
    group=$group/$(basename "$work")
    mkdir "$group" 2>>"$log" || return 1
    cat >"$work/boot" <<'BOOT'
set -e
root=$1 group=$2
echo $$ >"$group/cgroup.procs"
exec unshare --mount --pid --cgroup --net --uts --ipc --fork --kill-child bash -ec '
    root=$1
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount -o remount,bind,ro "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    if [ -d /sys/fs/cgroup/systemd ]; then
        mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
        mkdir "$root/sys/fs/cgroup/systemd"
        mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
    else
        mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    fi
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    python3 -c "
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack(\"16sH14s\", b\"lo\", 0x49, b\"\"))"
    mkdir -p "$root/oldroot"
    cd "$root"
    pivot_root . oldroot
    umount -l oldroot
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --log-target=journal \
        --show-status=no --unit=multi-user.target
' boot "$root"
BOOT
    bash "$work/boot" "$root" "$group" </dev/null >>"$log" 2>&1 &
    local starter=$!
    for _ in $(seq 300); do
        sleep 0.2
        system=$(tr -d ' ' 2>/dev/null <"/proc/$starter/task/$starter/children") || return 1
        [ -z "$system" ] || case $(booted systemctl is-system-running 2>/dev/null) in running | degraded) return 0 ;; esac
    done
    return 1
}

# A command in the system that was started.
booted() { nsenter --target "$system" --all env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 "$@"; }

stop_system() {
    [ -z "${system:-}" ] || kill -KILL "$system" 2>/dev/null || true
    system=
    [ -n "${group:-}" ] || return 0
    for _ in $(seq 50); do
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
        [ -d "$group" ] || return 0
        sleep 0.1
    done
}

test_service() {
    echo "The service:"
    new_root service
    cp "$client" "$server" "$root/root/"
    newer "$server" "$root/root/newer.deb"
    check apt satisfy "$(dpkg-deb -f "$client" Depends), $(dpkg-deb -f "$server" Depends)"
    # Here the packages start their service.
    rm "$root/usr/sbin/policy-rc.d"
    umount "$root/proc" "$root/dev/pts"
    step "start systemd in namespaces"
    if ! start_system; then
        echo "  skipped: systemd does not start in namespaces of this machine"
        return
    fi
    step "an installation starts the service, and a published kill reaches a check"
    says 0 "" booted dpkg -i "/root/$(basename "$client")" "/root/$(basename "$server")"
    says 0 active booted systemctl is-active bellerophon-server
    url=http://127.0.0.1:8080
    says 0 "" booted bellerophon check --status-url $url/status
    says 0 "" booted runuser -u bellerophon -- bellerophon-server kill --store /var/lib/bellerophon --message "Back soon." --yes
    eventually is_paused booted
    step "a reload, a restart by the server itself and an upgrade keep it running"
    says 0 "" booted systemctl reload bellerophon-server
    says 0 "" booted runuser -u bellerophon -- bellerophon-server restart --store /var/lib/bellerophon
    says 0 active booted systemctl is-active bellerophon-server
    before=$(booted systemctl show -p ExecMainStartTimestampMonotonic bellerophon-server)
    says 0 "" booted dpkg -i /root/newer.deb
    says 0 active booted systemctl is-active bellerophon-server
    [ "$before" != "$(booted systemctl show -p ExecMainStartTimestampMonotonic bellerophon-server)" ] \
        || fail "the upgrade did not restart the service"
    says 10 "Back soon." booted bellerophon check --status-url $url/status
    step "with the socket, a connection waits while the service is away"
    says 0 "" booted systemctl stop bellerophon-server
    says 0 "" booted systemctl enable --now bellerophon-server.socket
    says 10 "Back soon." booted bellerophon check --status-url $url/status
    says 0 active booted systemctl is-active bellerophon-server
    step "removing stops the service; purging forgets it"
    says 0 "" booted dpkg --remove bellerophon-server
    says 3 inactive booted systemctl is-active bellerophon-server
    says 3 inactive booted systemctl is-active bellerophon-server.socket
    says 0 "were kept" booted dpkg --purge bellerophon bellerophon-server
    check test ! -e "$root/etc/systemd/system/sockets.target.wants/bellerophon-server.socket"
    says 1 "0 unit files" booted systemctl list-unit-files --no-pager 'bellerophon*'
    stop_system
}

test_archive() {
    echo "The archive:"
    new_root archive
    step "install the libraries that its INSTALL names, and unpack it"
    tar -C "$root/tmp" -xzf "$archive"
    folder=/tmp/$(basename "$archive" .tar.gz)
    libraries=$(sed -n 's/^ *sudo apt install //p' "$root$folder/INSTALL")
    # shellcheck disable=SC2086 # The list is words.
    check apt install $libraries
    check inside cp -R "$folder/bin" "$folder/share" /usr/local/
    no_swift
    step "the programs run"
    says 0 "$version" inside bellerophon --version
    echo '{"apiInactive": true, "forceUpdate": false, "retryInterval": 60, "userMessage": "Back soon."}' >"$root/tmp/status.json"
    says 0 "Back soon." inside bellerophon render --status /tmp/status.json --size 80x24
    says 0 "" inside bellerophon-server init --store /tmp/store
    says 0 "" inside bellerophon-server status --store /tmp/store
    check first_frame /usr/local/bin/bellerophon demo
    umount "$root/proc" "$root/dev/pts"
}

(cd "$dist" && sha256sum --quiet -c SHA256SUMS) || fail "the checksums in $dist do not match"
bare_system
test_packages
test_service
test_archive
if command -v lintian >/dev/null; then
    step "lintian names no error"
    check lintian --allow-root --fail-on error "$client" "$server"
fi
echo "The packages of $version install, run, upgrade and go away again."
