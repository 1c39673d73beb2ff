#!/usr/bin/env bash
# Two servers that share a store in PostgreSQL with a synchronous standby, and nginx in front of them, on this machine.
#
#   deploy/cluster.sh BELLEROPHON-SERVER NGINX BELLEROPHON    starts all of it, with a client in the foreground
#   deploy/cluster.sh BELLEROPHON-SERVER NGINX --check        takes its parts away one after the other, and checks what holds
#
# Everything is in a temporary folder and listens on this machine only. It ends with the client or with the check. PostgreSQL
# refuses to run as root; it then runs as the user of Debian's package.
set -euo pipefail

server=$(realpath "${1:?the path of bellerophon-server}")
nginx=$(realpath "${2:?the path of nginx}")
client=${3:?the path of bellerophon, or --check}
[ "$client" = --check ] || client=$(realpath "$client")

tools=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
[ -x "${tools:-/nowhere}/initdb" ] || { echo "error: PostgreSQL is missing: install the package postgresql" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/bellerophon-cluster.XXXXXX")
chmod 711 "$work"
front=8640
# Several checks may run at the same time. From 32768 on the system gives ports to connections.
[ "$client" != --check ] || front=$((21000 + RANDOM % 11000))
a=$((front + 1)) b=$((front + 2))
pids=()

as_postgres() {
    if [ "$(id -u)" -eq 0 ]; then (cd "$work" && runuser -u postgres -- "$@"); else "$@"; fi
}

finish() {
    trap - EXIT
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    for name in primary standby; do
        [ ! -f "$work/$name/postmaster.pid" ] || kill -INT "$(head -n 1 "$work/$name/postmaster.pid")" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
    echo "error: $*" >&2
    tail -n 5 "$work"/*.log >&2 || true
    exit 1
}

# Waits for two minutes at most until a command succeeds.
until_true() {
    local turn
    for turn in {1..1200}; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    return 1
}

# PostgreSQL has no port of the network here, only sockets: one folder for each server of it.
start_postgres() {
    mkdir -p "$work/$1.socket"
    [ "$(id -u)" -ne 0 ] || chown postgres "$work/$1.socket"
    as_postgres "$tools/postgres" -D "$work/$1" -k "$work/$1.socket" -c listen_addresses= -c unix_socket_permissions=0777 \
        "${@:2}" >>"$work/$1.log" 2>&1 &
    until_true "$tools/pg_isready" -q -h "$work/$1.socket" -U bellerophon -d postgres || fail "PostgreSQL ($1) did not start"
}

start_database() {
    [ "$(id -u)" -ne 0 ] || install -d -m 700 -o postgres -g postgres "$work/primary" "$work/standby"
    as_postgres "$tools/initdb" -D "$work/primary" -A trust -U bellerophon -E UTF8 --no-locale >"$work/initdb.log"
    start_postgres primary
    "$tools/createdb" -h "$work/primary.socket" -U bellerophon bellerophon
    as_postgres "$tools/pg_basebackup" -h "$work/primary.socket" -U bellerophon -D "$work/standby" -R -X stream --checkpoint fast \
        >"$work/basebackup.log" 2>&1
    start_postgres standby
    # From now on a commit is acknowledged once the standby has it.
    sql primary "ALTER SYSTEM SET synchronous_standby_names = '*'"
    sql primary 'SELECT pg_reload_conf()' >/dev/null
}

sql() { "$tools/psql" -h "$work/$1.socket" -U bellerophon -d bellerophon -qtAc "$2"; }

# Both servers of PostgreSQL; libpq takes the one that can be written.
address="postgresql://bellerophon@/bellerophon?host=$work/primary.socket,$work/standby.socket&target_session_attrs=read-write"

start_server() {
    BELLEROPHON_SERVER_COPY="$work/copy-$1" "$server" serve --store "$address" --port "$2" >>"$work/server-$1.log" 2>&1 &
    pids+=($!)
    eval "pid_$1=$!"
    until_true curl -sf -o /dev/null "http://127.0.0.1:$2/alive" || fail "the server $1 did not start"
}

start_nginx() {
    mkdir -p "$work/nginx"
    [ "$(id -u)" -ne 0 ] || chmod 777 "$work/nginx"
    cat >"$work/nginx.conf" <<CONF
daemon off;
pid $work/nginx/pid;
error_log $work/nginx.log;
events {}
http {
    access_log off;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;
    upstream origins {
        server 127.0.0.1:$a max_fails=1 fail_timeout=1s;
        server 127.0.0.1:$b max_fails=1 fail_timeout=1s;
    }
    server {
        listen 127.0.0.1:$front;
        location / {
            proxy_pass http://origins;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host status.example.com;
            proxy_next_upstream error timeout http_502 http_503;
            proxy_buffering off;
            proxy_read_timeout 1h;
        }
    }
}
CONF
    "$nginx" -c "$work/nginx.conf" -p "$work/nginx" -e "$work/nginx.log" &
    pids+=($!)
    until_true curl -sf -o /dev/null "http://127.0.0.1:$front/status" || fail "nginx did not start"
}

# publish kill --message TEXT
publish() { BELLEROPHON_SERVER_COPY="$work/copy-${copy:-a}" "$server" "$@" --store "$address" --yes; }

start_database
"$server" store migrate --store "$address" >"$work/migrate.log"
start_server a $a
start_server b $b
start_nginx

if [ "$client" != --check ]; then
    echo "Publish from another terminal:"
    echo "  export BELLEROPHON_SERVER_STORE='$address' BELLEROPHON_SERVER_COPY='$work/copy-a'"
    echo "  $server kill --message 'Back soon.'"
    echo "  $server restore"
    echo "Take something away: kill $pid_a    # one of the two servers"
    if [ -t 0 ]; then read -rp 'Enter starts the client. ' _; fi
    "$client" run --forget --status-url "http://127.0.0.1:$front/status"
    exit
fi

# MARK: The check

says() { curl -sf "http://127.0.0.1:$1/status" | grep -q "$2"; }
tag() { curl -sfi "http://127.0.0.1:$1/status" | tr -d '\r' | sed -n 's/^ETag: //p'; }
is_ready() { curl -sf -o /dev/null "http://127.0.0.1:$1/ready"; }
is_not_ready() { ! is_ready "$1"; }
step() { echo "ok: $*"; }
has_standby() { [ "$(sql primary "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; }

publish kill --message first >/dev/null
until_true says $a first && until_true says $b first || fail "a kill is not on both servers"
[ "$(tag $a)" = "$(tag $b)" ] || fail "the servers have different entity tags"
step "a kill is the same document on both servers"

# Without the shell's remark that a job was killed.
disown "$pid_a"
kill -KILL "$pid_a"
copy=b publish kill --message second >/dev/null || fail "nothing can be published without the server a"
until_true says $b second && until_true says $front second || fail "a second kill is not served without the server a"
step "one of two servers publishes and serves while the other is away"

start_server a $a
until_true says $a second || fail "the server a has not caught up"
[ "$(tag $a)" = "$(tag $b)" ] || fail "the servers have different entity tags after a restart"
step "a server that comes back catches up"

kill -QUIT "$(head -n 1 "$work/standby/postmaster.pid")"
until_true bash -c "! '$tools/pg_isready' -q -h '$work/standby.socket'"
until_true is_not_ready $a && until_true is_not_ready $b || fail "a server that can't publish says that it is ready"
if publish kill --message waiting >/dev/null 2>"$work/unknown"; then fail "a publish was acknowledged without the standby"; fi
grep -q 'is unknown' "$work/unknown" || fail "the command does not say that the outcome is unknown: $(cat "$work/unknown")"
sql primary "ALTER SYSTEM SET synchronous_standby_names = ''"
sql primary 'SELECT pg_reload_conf()' >/dev/null
until_true says $a waiting && until_true says $b waiting || fail "what was committed is not served once the standby is not waited for"
publish kill --message second >/dev/null || fail "nothing can be published without the standby"
start_postgres standby
sql primary "ALTER SYSTEM SET synchronous_standby_names = '*'"
sql primary 'SELECT pg_reload_conf()' >/dev/null
until_true has_standby || fail "the standby has not come back"
until_true says $a second && until_true says $b second || fail "a second kill is not on both servers"
until_true is_ready $a && until_true is_ready $b || fail "a server is not ready again"
step "without the standby the outcome of a publish is unknown, and publishing goes on once nobody waits for it"

kill -QUIT "$(head -n 1 "$work/primary/postmaster.pid")"
until_true bash -c "! '$tools/pg_isready' -q -h '$work/primary.socket'"
says $a second && says $b second || fail "what is published is not served without the database"
if publish restore >/dev/null 2>"$work/refused"; then fail "something was published without the database"; fi
grep -q 'can.t be reached' "$work/refused" || fail "the refusal does not say why: $(cat "$work/refused")"
step "without the database both servers serve what is published, and publishing is refused"

as_postgres "$tools/pg_ctl" promote -w -D "$work/standby" >/dev/null
publish kill --message third >/dev/null || fail "nothing can be published after the standby was promoted"
until_true says $a third && until_true says $b third || fail "a kill is not on both servers after the standby was promoted"
[ "$(sql standby 'SELECT count(*) FROM bellerophon.journal')" = 5 ] || fail "a row is lost, or is there twice"
step "after the standby was promoted, publishing continues and no row is lost"
