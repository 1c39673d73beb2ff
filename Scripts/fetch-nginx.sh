#!/bin/sh
# Prints the path of an nginx that tests and benchmarks may start by themselves.
#
#   Scripts/fetch-nginx.sh [FOLDER]
#
# An nginx on the PATH is taken as it is. Otherwise Debian's package is downloaded and unpacked into FOLDER
# (.build/nginx), and not installed: no service starts, nothing outside of FOLDER changes.
set -eu

folder=${1:-$(dirname "$0")/../.build/nginx}
unpacked=$folder/usr/sbin/nginx

runs() {
    "$1" -v >/dev/null 2>&1
}

fail() {
    echo "error: $1" >&2
    echo "       $2" >&2
    exit 1
}

# /usr/sbin is not on everybody's PATH.
for found in "$(command -v nginx || true)" /usr/sbin/nginx "$unpacked"; do
    if [ -n "$found" ] && [ -x "$found" ] && runs "$found"; then
        case $found in
            /*) echo "$found" ;;
            *) echo "$(cd "$(dirname "$found")" && pwd)/nginx" ;;
        esac
        exit 0
    fi
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    fail "no nginx on the PATH" "Install nginx 1.22 or later from your system's packages, then try again."
fi

# The lists of a fresh machine are empty; only root can refresh them.
refresh() {
    if [ "$(id -u)" -eq 0 ]; then
        apt-get update -qq
    elif command -v sudo >/dev/null; then
        sudo apt-get update -qq
    else
        return 1
    fi
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
log=$(mktemp)
download=$(mktemp -d "$folder/download.XXXXXX")
trap 'rm -rf "$log" "$download"' EXIT

download() {
    (cd "$download" && apt-get download -qq nginx) >"$log" 2>&1
}
if ! download && ! { refresh >>"$log" 2>&1 && download; }; then
    cat "$log" >&2
    fail "Debian's nginx could not be downloaded" "Try 'apt-get update' as root, or install nginx yourself."
fi
dpkg-deb -x "$download"/nginx_*.deb "$folder"

if ! runs "$folder/usr/sbin/nginx"; then
    # Its libraries; most systems have them already.
    "$(dirname "$0")/install-packages.sh" libpcre2-8-0 libssl3 zlib1g >&2
    "$folder/usr/sbin/nginx" -v >/dev/null || fail "$folder/usr/sbin/nginx does not start" "See the message above."
fi
echo "$folder/usr/sbin/nginx"
