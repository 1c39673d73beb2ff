#!/usr/bin/env bash
# Covers real programs under the guard many times at random moments, and prints for each how many covers changed anything.
#
#   Scripts/guard-matrix.sh [COVERS]
#
# COVERS is the number of covers for each program, 25 by default. A program that is not installed is skipped, with the reason.
# The exit status is not 0 if anything differs. SCRATCH is the build folder.
set -euo pipefail

cd "$(dirname "$0")/.."
covers=${1:-25}
case $covers in
'' | *[!0-9]* | 0*)
    echo "guard-matrix: expected a number of covers, found \"$covers\"" >&2
    exit 64
    ;;
esac

log=$(mktemp)
trap 'rm -f "$log"' EXIT
result=0
GUARD_COVERS=$covers "${SWIFT:-swift}" test --scratch-path "${SCRATCH:-.build/client}" --filter GuardMatrixTests >"$log" 2>&1 || result=$?
if ! grep -aE '^[a-z0-9]+: [0-9]+ covers, |skipped|^✘|: error: |^  (cover|row|[a-z_]+:)' "$log"; then
    cat "$log"
    [ "$result" -ne 0 ] || result=1
fi
exit "$result"
