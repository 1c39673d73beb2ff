#!/usr/bin/env bash
# Runs commands one after the other, and repeats at the end what failed: a thousand lines may follow a failure.
#
#   Scripts/test.sh "swift build" "swift test --traits Server"
#
# Every command runs, also after one that failed. The exit code is that of the last one that failed, else 0.
set -uo pipefail

log=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$failures"' EXIT

result=0
for command in "$@"; do
    printf '\n$ %s\n' "$command"
    bash -c "$command" 2>&1 | tee "$log"
    code=${PIPESTATUS[0]}
    [ "$code" -eq 0 ] && continue
    result=$code
    {
        printf '\nFailed with exit code %s: %s\n' "$code" "$command"
        # A compiler's errors, issues and failed tests, and a process that was ended by a signal.
        grep -aE '^✘|: error: |^error: ' "$log" | cut -c 1-400 | head -n 60
    } >>"$failures"
done
cat "$failures"
exit "$result"
