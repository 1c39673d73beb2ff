#!/bin/sh
# Installs those of the named Debian packages that are missing; says nothing when none is.
#
#   Scripts/install-packages.sh libncurses-dev tmux
#
# Without apt it looks for what each package brings, and says what to install where that is missing.
set -eu

is_installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q ' installed$'
}

# What a package brings is there, from wherever.
is_present() {
    case $1 in
        libncurses-dev) echo '#include <curses.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        libcurl4-openssl-dev) test "$(uname)" = Darwin || echo '#include <curl/curl.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        libssl-dev) test "$(uname)" = Darwin || echo '#include <openssl/evp.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        libsqlite3-dev) echo '#include <sqlite3.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        libpq-dev) printf '#if __has_include(<postgresql/libpq-fe.h>)\n#else\n#include <libpq-fe.h>\n#endif\n' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        postgresql) command -v pg_ctl >/dev/null || test -d /usr/lib/postgresql ;;
        libvterm-dev) echo '#include <vterm.h>' | ${CC:-cc} -E - >/dev/null 2>&1 ;;
        dpkg-dev) command -v dpkg-shlibdeps >/dev/null ;;
        binutils) command -v strip >/dev/null ;;
        xvfb) command -v Xvfb >/dev/null ;;
        imagemagick) command -v import >/dev/null ;;
        fonts-dejavu-core) fc-list 2>/dev/null | grep -q 'DejaVu Sans Mono' ;;
        fonts-noto-cjk) fc-list 2>/dev/null | grep -q 'Noto Sans.*CJK' ;;
        fonts-unifont) fc-list 2>/dev/null | grep -qi 'unifont' ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

missing_by() {
    test=$1
    shift
    for package in "$@"; do
        "$test" "$package" || printf ' %s' "$package"
    done
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    missing=$(missing_by is_present "$@")
    [ -z "$missing" ] && exit 0
    echo "error: missing:$missing" >&2
    echo "       These are Debian's names; install the same from your system's packages, then try again." >&2
    exit 1
fi

missing=$(missing_by is_installed "$@")
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "error: missing:$missing" >&2
        echo "       Run as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

install() {
    # shellcheck disable=SC2086 # The list is words.
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $missing
}

# The lists of a fresh machine are empty or old; refresh them only where the install needs it.
echo "Installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install >"$log" 2>&1 && exit 0
$as_root apt-get update -qq >"$log" 2>&1 && install >"$log" 2>&1 && exit 0
cat "$log" >&2
echo "error: could not install$missing" >&2
exit 1
