#!/bin/sh
# The files of an installed program: one list for make install, make uninstall and make dist.
#
#   Scripts/install-files.sh install NAME PROGRAM FOLDER   installs PROGRAM as NAME below FOLDER, with its manual and completions
#   Scripts/install-files.sh list NAME                     prints the installed files, relative to FOLDER
#
# NAME is bellerophon or bellerophon-server. ZSH_FUNCTIONS is the folder for zsh (share/zsh/site-functions).
set -eu

usage() {
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 64
}

[ $# -ge 2 ] || usage
action=$1
name=$2
case $name in
    bellerophon | bellerophon-server) ;;
    *) usage ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
program=bin/$name
manual=share/man/man1/$name.1
bash=share/bash-completion/completions/$name
zsh=${ZSH_FUNCTIONS:-share/zsh/site-functions}/_$name
fish=share/fish/vendor_completions.d/$name.fish

# BSD's install has no -D.
put() {
    mkdir -p "$(dirname "$3")"
    install -m "$1" "$2" "$3"
}

case $action in
    list)
        printf '%s\n' "$program" "$manual" "$bash" "$zsh" "$fish"
        ;;
    install)
        [ $# -eq 4 ] || usage
        source=$3
        folder=$4
        script=$(mktemp)
        trap 'rm -f "$script" "$script.read"' EXIT
        put 755 "$source" "$folder/$program"
        # The symbol table goes too: the names of a crash are found in the file that was built, or in what make dist keeps.
        if [ "$(uname)" = Darwin ]; then strip -S "$folder/$program"; else strip "$folder/$program"; fi
        put 644 "$root/docs/$name.1" "$folder/$manual"
        for shell in bash zsh fish; do
            # bash reads the file; it is no program, as its first line says.
            "$source" --generate-completion-script $shell >"$script"
            sed '1{/^#!/d;}' "$script" >"$script.read"
            mv "$script.read" "$script"
            eval "put 644 \"\$script\" \"\$folder/\$$shell\""
        done
        ;;
    *) usage ;;
esac
