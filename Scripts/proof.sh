#!/usr/bin/env bash
# The proof: what is too long, or needs too much of a machine, for every change. It is run every night and before a release, and
# .ci/run runs one part of it after the tests.
#
#   Scripts/proof.sh [PART [SEED]]
#
# PART is a number from 1 to 8, or `all`. SEED is what random choices follow from; without it a new one is drawn. Every step runs, also
# after one that failed. At the end a table says what passed, with the command that repeats it; .build/proof has the output of each step.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

part=${1:-all}
seed=${2:-$(($(date +%s) % 1000000 + 1))}
if ! [[ $part =~ ^([1-8]|all)$ && $seed =~ ^[1-9][0-9]{0,8}$ ]]; then
    echo "usage: Scripts/proof.sh [PART [SEED]]; PART is 1 to 8 or all, SEED a number from 1 to 999999999" >&2
    exit 2
fi

# A part, what it shows, and the command. A part takes at most a quarter of an hour on two cores.
steps="
1|clusters with faults at random|make cluster-test ROUNDS=40 SEED=$seed
1|the console in Chromium|make console-test
1|guarded trees of processes|make guard-test ROUNDS=40 SEED=$seed
2|ten minutes against a hostile server|make soak MINUTES=10 SEED=$seed
2|suites with new seeds|make random-tests SEED=$seed
3|20,000 mutated replies for each client|make mutations COUNT=20000
3|random plans and two clients|make plans COUNT=2000 SEED=$seed
3|20,000 seeded inputs for each parser|env BELLEROPHON_FUZZ_CASES=20000 make test FILTER=SurfaceTests
3|the suites of the proof|make proof-suites SEED=$seed
4|packages in a bare Debian 12|make dist-test
5|the address sanitizer|make sanitize SANITIZERS=address
6|the thread sanitizer|make sanitize SANITIZERS=thread
7|every parser under libFuzzer, a minute each|make fuzz SECONDS=60
7|the libraries without the server|make client
8|planted faults|make planted-faults
"

logs=.build/proof
mkdir -p "$logs"
table="" result=0 number=0
while IFS='|' read -r owner name command; do
    number=$((number + 1))
    [ "$part" = all ] || [ "$part" = "$owner" ] || continue
    log="$logs/$number.log" start=$SECONDS
    printf '\n$ %s\n' "$command"
    # shellcheck disable=SC2086 # The command is words.
    $command >"$log" 2>&1 </dev/null
    code=$? outcome=passed
    if [ "$code" -ne 0 ]; then
        outcome="failed ($code)" result=1
        tail -n 80 "$log"
    else
        tail -n 3 "$log"
    fi
    table+=$(printf '%-4s  %-12s  %6d s  %-42s  %s' "$owner" "$outcome" "$((SECONDS - start))" "$name" "$command")$'\n'
done < <(sed '/^$/d' <<<"$steps")

printf '\n%-4s  %-12s  %8s  %-42s  %s\n%s' part outcome time "what it shows" "to repeat it" "$table"
exit "$result"
