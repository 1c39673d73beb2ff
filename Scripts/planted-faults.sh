#!/usr/bin/env bash
# Shows that each planted fault turns its suites red: a test that can't fail holds no promise.
#
#   Scripts/planted-faults.sh [NUMBER...]   build a copy with all faults, and run the suites of each, or of these
#   Scripts/planted-faults.sh --check       only try whether every patch still fits
#
# Each patch in Tests/PlantedFaults changes one line of a copy of the sources, which has an effect only with FAULT=NUMBER. All are
# built together, once. Without FAULT the suites pass; with it, each suite of the patch fails. The exit code is 1 if one does not.
# SWIFT is the compiler, and BELLEROPHON_NGINX the nginx, as for the tests. All output is in .build/faults.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

patches=(Tests/PlantedFaults/*.patch)
swift=${SWIFT:-swift}
work=$PWD/.build/faults
# A fault that is found at all is found by the first inputs.
export BELLEROPHON_FUZZ_CASES=${BELLEROPHON_FUZZ_CASES:-300}
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}
options=(--package-path "$work/source" --scratch-path "$work/build" --traits Postgres)

check() {
    git apply --check "${patches[@]}" && return
    for patch in "${patches[@]}"; do
        git apply --check "$patch" 2>/dev/null || echo "$patch: it does not fit; rewrite it together with the code" >&2
    done
    return 1
}

# The suites of a patch, a regular expression in each line.
suites() { sed -n '/^diff /q; s/^Suite: //p' "$1"; }

build() {
    rm -rf "$work/source"
    mkdir -p "$work/source"
    # With the times of the files, so that another build compiles only what has changed. A file may have been deleted.
    git ls-files -z | while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
        tar --null -T - -cf - | tar -xf - -C "$work/source"
    if [ -f Package.resolved ]; then cp -p Package.resolved "$work/source/"; fi
    # The copy is no repository, also if it is inside one.
    (cd "$work/source" && GIT_CEILING_DIRECTORIES=$work git apply "${patches[@]/#/$work/../../}") || return 1
    "$swift" build --build-tests "${options[@]}"
}

# Runs suites. The process of the tests ends with 1 if a test has failed.
run() { # LOG REGEX...
    local log=$1 filters=()
    shift
    for suite in "$@"; do filters+=(--filter "$suite"); done
    "$tests" --testing-library swift-testing "${filters[@]}" >"$log" 2>&1
}

if [ "${1-}" = --check ]; then
    check
    exit
fi
check || exit 1
chosen=()
for patch in "${patches[@]}"; do
    number=${patch##*/}
    number=${number%%-*}
    [ -n "$(suites "$patch")" ] || continue
    if [ $# -gt 0 ]; then case " $* " in *" $number "*) ;; *) continue ;; esac; fi
    chosen+=("$patch")
done
[ ${#chosen[@]} -gt 0 ] || { echo "no patch has such a number" >&2; exit 2; }
build || exit 1
unset FAULT
# `swift test` would start the program of the tests twice, for XCTest with all tests.
tests=$("$swift" build "${options[@]}" --show-bin-path)/bellerophonPackageTests.xctest || exit 1

mapfile -t all < <(for patch in "${chosen[@]}"; do suites "$patch"; done | sort -u)
if ! run "$work/none.log" "${all[@]}"; then
    echo "without a fault the suites are red; see $work/none.log" >&2
    exit 1
fi

missed=0
printf '%-6s  %-50s  %s\n' fault suite result
for patch in "${chosen[@]}"; do
    number=${patch##*/}
    number=${number%%-*}
    while IFS= read -r suite; do
        log=$work/$number-$(tr -dc 'A-Za-z' <<<"$suite").log
        FAULT=$number run "$log" "$suite" </dev/null
        code=$?
        # A crash by the fault is a finding too.
        if [ $code -ge 128 ] || { [ $code -ne 0 ] && grep -q 'recorded an issue' "$log"; }; then
            result="red ($(grep -c 'recorded an issue' "$log") issues)"
        else
            result="NOT FOUND (exit code $code); see $log"
            missed=$((missed + 1))
        fi
        printf '%-6s  %-50s  %s\n' "$number" "$suite" "$result"
    done < <(suites "$patch")
done
if [ $missed -gt 0 ]; then
    echo "$missed suites do not find their fault"
    exit 1
fi
