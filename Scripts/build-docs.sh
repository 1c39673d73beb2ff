#!/bin/sh
# Builds the documentation of the public libraries into a folder, with the toolchain's docc.
#
#   Scripts/build-docs.sh .build/docs
#
# It is a step of its own: a plain build neither makes symbol graphs nor runs docc. A warning of docc, such as a link that
# leads nowhere, is an error, and so is a public declaration without documentation.
set -eu

folder=${1:?the folder for the documentation}
swift=${SWIFT:-swift}
libraries=${LIBRARIES:-"Bellerophon BellerophonCurses TerminalGuard Barricade CloudBox"}
docc=$(command -v docc || echo "$(dirname "$(command -v "$swift")")/docc")
"$docc" --help >/dev/null 2>&1 || { echo "error: the toolchain has no docc; it comes with the toolchains of swift.org." >&2; exit 1; }

scratch=.build/documentation
graphs=$scratch/graphs
# The compiler writes the graph of a module only when it compiles the module: an up-to-date build has none.
rm -rf "$scratch"
mkdir -p "$graphs" "$folder"
for library in $libraries; do
    "$swift" build --scratch-path "$scratch" --target "$library" \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" >/dev/null
done

failed=0
for library in $libraries; do
    own=$scratch/graphs-of/$library
    rm -rf "$own"
    mkdir -p "$own"
    # Extensions of other modules' types have the module's name before an "@".
    cp "$graphs/$library.symbols.json" "$own/"
    for extension in "$graphs/$library@"*.symbols.json; do
        test -e "$extension" && cp "$extension" "$own/"
    done
    python3 Scripts/check-documented.py "$own/$library.symbols.json" || failed=1
    "$docc" convert "Sources/$library/$library.docc" --warnings-as-errors --output-path "$folder/$library.doccarchive" \
        --fallback-display-name "$library" --fallback-bundle-identifier "bellerophon.$library" \
        --additional-symbol-graph-dir "$own" || failed=1
done
exit $failed
