#!/usr/bin/env bash
# Runs a command several times beside processes that only use the processor, then once on a single core.
#
#   Scripts/test-busy.sh RUNS LOOPS COMMAND...
#
# A line is printed for each run, and the output of a failed run. The exit code is 0 if all succeeded. All output is in
# .build/busy.
set -uo pipefail

usage() {
    echo "usage: Scripts/test-busy.sh RUNS LOOPS COMMAND...; RUNS and LOOPS are numbers from 0" >&2
    exit 2
}
[[ ${1-} =~ ^[0-9]+$ && ${2-} =~ ^[0-9]+$ && $# -ge 3 ]] || usage
runs=$1 loops=$2
shift 2
logs=.build/busy
mkdir -p "$logs"

busy=()
start_loops() {
    for ((i = 0; i < loops; i++)); do
        # The loop ends by itself if this script was killed.
        (while kill -0 $$ 2>/dev/null; do :; done) &
        busy+=($!)
    done
}
stop_loops() {
    [ ${#busy[@]} -eq 0 ] && return
    kill "${busy[@]}" 2>/dev/null
    wait "${busy[@]}" 2>/dev/null
    busy=()
}
trap stop_loops EXIT
trap 'exit 130' INT TERM HUP

failures=0
run() { # NAME COMMAND...
    local name=$1 log="$logs/$1.log" start=$SECONDS code
    shift
    "$@" >"$log" 2>&1 </dev/null
    code=$?
    if [ "$code" -eq 0 ]; then
        echo "$name: succeeded after $((SECONDS - start)) s"
    else
        failures=$((failures + 1))
        # Scripts/run-tests.py names at the end what failed.
        tail -n 60 "$log"
        echo "$name: failed with exit code $code after $((SECONDS - start)) s; $log has its output"
    fi
}

start_loops
for ((n = 1; n <= runs; n++)); do run "run-$n-beside-$loops-loops" "$@"; done
stop_loops
if command -v taskset >/dev/null; then
    core=$(taskset -cp $$ | sed 's/.*: *//; s/[^0-9].*//')
    run run-on-one-core taskset -c "$core" "$@"
else
    echo "no run on one core: taskset is not installed (on Debian: util-linux)" >&2
fi
[ "$failures" -eq 0 ]
