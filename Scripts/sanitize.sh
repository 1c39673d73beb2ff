#!/bin/sh
# Runs the tests under a sanitizer, with the programs that they start built likewise.
#
#   Scripts/sanitize.sh address|thread [swift build arguments…]
#
# What is suppressed, and what is skipped, stands in Tests/Sanitizers with its reason. Anything else that a sanitizer
# finds is printed where it was found and makes this fail.
set -eu

sanitizer=${1:?"usage: $0 address|thread [swift build arguments]"}
shift
folder=$(cd "$(dirname "$0")/../Tests/Sanitizers" && pwd)
swift=${SWIFT:-swift}

# A crash stays the signal that it is, which tests look for.
case $sanitizer in
address)
    export ASAN_OPTIONS="detect_leaks=1:handle_segv=0:quarantine_size_mb=16:${ASAN_OPTIONS:-}"
    export LSAN_OPTIONS="suppressions=$folder/leaks.supp:print_suppressions=0:${LSAN_OPTIONS:-}"
    ;;
thread)
    export TSAN_OPTIONS="suppressions=$folder/thread.supp:halt_on_error=0:exitcode=66:handle_segv=0:${TSAN_OPTIONS:-}"
    ;;
*)
    echo "$0: expected address or thread, found $sanitizer" >&2
    exit 64
    ;;
esac

# Bounds on processor time are wider there.
export BELLEROPHON_SANITIZER=$sanitizer

skips=$(sed -n 's/^\([^#[:space:]]*\).*/\1/p' "$folder/skipped" | sed '/^$/d; s/^/--skip /')
scratch=.build/$sanitizer
"$swift" build --build-tests --sanitize="$sanitizer" --scratch-path "$scratch" "$@"
# shellcheck disable=SC2086 # one word each
exec "$(dirname "$0")/run-tests.py" \
    "$("$swift" build --sanitize="$sanitizer" --scratch-path "$scratch" "$@" --show-bin-path)/bellerophonPackageTests.xctest" $skips
