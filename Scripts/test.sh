#!/usr/bin/env bash
# Runs the tests, and says at the end once more what failed: a thousand lines may follow a failure.
#
#   Scripts/test.sh swift test [arguments…]
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}
if [ "$code" -ne 0 ]; then
    printf '\nWhat failed (exit code %s):\n' "$code"
    # A compiler's errors, issues and failed tests, and a process that was ended by a signal.
    grep -aE '^✘|: error: |^error: ' "$log" | cut -c 1-400 | head -n 60
fi
exit "$code"
