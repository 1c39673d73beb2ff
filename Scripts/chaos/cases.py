"""Faults one after the other, each with what must hold during it and after it."""

import hashlib
import http.client
import json
import os
import subprocess
import threading
import uuid

from processes import Clock, Origin, eventually

MESSAGE = "Back soon."


class Skipped(Exception):
    """A fault that can't be made here, and why."""


def expect(holds: bool, what: str):
    if not holds:
        raise SystemExit(f"error: {what}")


def shows(origin, app: str, killed: bool) -> bool:
    return origin.status(app)[1]["apiInactive"] == killed


def ready(*origins):
    for origin in origins:
        eventually(f"{origin.name} is ready", lambda origin=origin: not origin.reasons())


def publish(origin, token: str, app: str, action: str, message: str = MESSAGE, **more) -> int:
    """Publishes once, and asks again while the outcome is not known."""
    key = str(uuid.uuid4())
    status = {"action": action, "message": message, **more}

    def attempt():
        code, reply = origin.publish(app, token, status, Idempotency_Key=key)
        return code not in (503, 504) and (code, reply)

    code, reply = eventually(f"{action} of {app} on {origin.name}", attempt)
    expect(code in (200, 201), f"{action} of {app} on {origin.name}: {code} {reply}")
    return reply["id"]


def a_full_disk_on_one_server(cluster, token):
    """A server whose disk is full shows each kill, and says that it is not ready once nothing fits any more."""
    a, c = cluster.origins[0], cluster.origins[2]
    if not os.path.ismount(c.copy):
        raise Skipped("it needs the right to mount a file system")

    def fill(name: str):
        with open(f"{c.copy}/{name}", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"0" * 4096)
            except OSError:
                pass

    def kills():
        for number in range(60):
            last = publish(a, token, "disk", "kill", f"{number} {'long ' * 100}")
        eventually("the last kill on the server with the full disk", lambda: c.status("disk")[0] == last)

    publish(a, token, "disk", "restore")
    ready(c)
    fill("first")
    kills()
    # The reserve was used. What is left of it is taken too.
    fill("second")
    kills()
    kills()
    eventually("the server with the full disk is not ready", lambda: any("is full" in reason for reason in c.reasons()))
    for name in ("first", "second"):
        os.remove(f"{c.copy}/{name}")
    ready(c)
    return "180 kills were shown"


def a_lift_that_no_standby_has(cluster, token):
    """A primary that was started again shows a lift that nobody was told of. It is not shown, and is lost with the primary."""
    a, b, c = cluster.origins
    primary, standby = cluster.databases[cluster.primary], cluster.databases[1 - cluster.primary]
    publish(a, token, "lift", "kill")
    for origin in cluster.origins:
        eventually("the kill", lambda origin=origin: shows(origin, "lift", True))
    standby.kill()
    code = eventually(
        "an answer to the lift", lambda: (code := a.publish("lift", token, {"action": "restore"})[0]) != 503 and code)
    expect(code == 504, f"a lift that no standby has is not acknowledged, but {code}")
    primary.kill()
    primary.start()
    eventually("the lift in the journal", lambda: primary.sql(
        "SELECT count(*) FROM bellerophon.journal WHERE app = 'lift' AND action = 'restore'") == "1")
    for origin in cluster.origins:
        eventually(f"{origin.name} says that no standby confirms", lambda origin=origin: any(
            "standby" in reason for reason in origin.reasons()))
        expect(shows(origin, "lift", True), f"{origin.name} shows a lift that no standby has")
    primary.kill()
    standby.start()
    standby.promote()
    cluster.primary = 1 - cluster.primary
    ready(*cluster.origins)
    for origin in cluster.origins:
        expect(shows(origin, "lift", True), f"{origin.name} shows a lift that is not in the journal")
    publish(c, token, "lift", "restore")
    for origin in (a, b):
        eventually("what was published after the failover", lambda origin=origin: not shows(origin, "lift", True))
    cluster.new_standby(1 - cluster.primary)
    return "the kill was shown all the time, and every server follows the promoted standby"


def an_address_that_accepts_and_closes(cluster, token):
    """Servers go on to the next address of the database."""
    other = 1 - cluster.primary
    for origin in cluster.origins:
        origin.proxies[other].closes = True
        for proxy in origin.proxies:
            proxy.cut()
    for origin in cluster.origins:
        publish(origin, token, "closes", "kill")
    ready(*cluster.origins)
    for origin in cluster.origins:
        origin.proxies[other].heal()
    return "each server has published"


def content_on_a_slow_link(cluster, token):
    """A kill does not wait for the bytes of a resource, and the bytes arrive."""
    a, c = cluster.origins[0], cluster.origins[2]
    content = os.urandom(20 << 20)
    # The bytes would take more than three minutes.
    for proxy in c.proxies:
        proxy.speed = 100_000
    code, reply = a.put("/v1/resources/film", content, token)
    expect(code == 201, f"the upload: {code} {reply}")
    publish(a, token, "slow", "kill")
    eventually("the kill on the slow link", lambda: shows(c, "slow", True))
    expect(any("bytes of resources" in reason for reason in c.reasons()), "the server misses bytes and says that it is ready")
    for proxy in c.proxies:
        proxy.speed = 1_500_000
    ready(c)
    with_bytes = http.client.HTTPConnection("127.0.0.1", c.port, timeout=60)
    with_bytes.request("GET", "/GBCloudBoxResourcesData/film")
    expect(with_bytes.getresponse().read() == content, "the bytes on the slow link are others")
    with_bytes.close()
    for proxy in c.proxies:
        proxy.heal()
    return "the kill came before 20 MiB, which came too"


def late_requests(cluster, token):
    """Lifts whose clients have given up do not run after a kill that was acknowledged elsewhere."""
    a, c = cluster.origins[0], cluster.origins[2]
    publish(a, token, "late", "update", requiredVersion="2")
    eventually("the update on the other server", lambda: c.status("late")[1]["forceUpdate"])
    for proxy in c.proxies:
        proxy.silent = True

    def give_up():
        connection = http.client.HTTPConnection("127.0.0.1", c.port, timeout=2)
        try:
            connection.request("PUT", "/v1/apps/late/status", json.dumps({"action": "restore"}),
                               {"Authorization": f"Bearer {token}"})
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    requests = [threading.Thread(target=give_up) for _ in range(10)]
    for request in requests:
        request.start()
    for request in requests:
        request.join()
    # Each event loop counts for this, after it has seen which clients have gone.
    c.get("/metrics")
    kill = publish(a, token, "late", "kill")
    for proxy in c.proxies:
        proxy.heal()
    ready(c)
    # Publishes of one server happen one after the other: when this one is done, so are those before it.
    publish(c, token, "other", "kill")
    expect(a.status("late")[0] == kill and shows(a, "late", True), "a late lift has run after the kill")
    return "10 lifts were not carried out"


def clocks_that_are_two_hours_off(cluster, token):
    """Where the clock is not the database's no kill with an end is published, and nothing ends; elsewhere kills end in time."""
    def newest(app: str) -> tuple[str, int, int]:
        action, ends_at, now = cluster.sql(
            "SELECT action || ' ' || coalesce(ends_at, 0) || ' ' || (extract(epoch FROM clock_timestamp()) * 1000)::bigint "
            f"FROM bellerophon.journal WHERE app = '{app}' ORDER BY id DESC LIMIT 1").split()
        return action, int(ends_at), int(now)

    leader = eventually("a leader", lambda: next((origin for origin in cluster.origins if origin.leads()), None))
    other = next(origin for origin in cluster.origins if origin is not leader)
    publish(other, token, "hour", "kill", endsAfter=3600)
    for hours in (2, -2):
        leader.clock.set(hours * 3600)
        eventually("the leader says that its clock is wrong", lambda: any("clock" in reason for reason in leader.reasons()))
        # A server and a command on a machine with this clock refuse an end, and publish without one.
        code, reply = leader.publish(f"server{hours}", token, {"action": "kill", "endsAfter": 3600})
        expect(code == 409 and "clock" in str(reply), f"a kill with an end on the leader: {code} {reply}")
        publish(leader, token, f"server{hours}", "kill")
        command = Clock(cluster.work, "command")
        command.set(hours * 3600)
        done = subprocess.run(
            [cluster.server, "kill", "--app", f"command{hours}", "--new", "--for", "1h", "--yes", "--store", leader.address],
            capture_output=True, text=True,
            env={**os.environ, **command.environment, "BELLEROPHON_SERVER_COPY": f"{cluster.work}/copy-command"})
        expect(done.returncode != 0 and "clock" in done.stderr, f"kill --for 1h: {done.returncode} {done.stderr}")
        publish(other, token, f"short{hours}", "kill", endsAfter=1)
        eventually("the end of a short kill", lambda hours=hours: newest(f"short{hours}")[0] == "end")
        expect(newest("hour")[0] == "kill", "a wrong clock has ended a kill of an hour")
        expect(shows(leader, "hour", True) and shows(other, "hour", True), "a wrong clock has lifted a kill of an hour")
        leader.clock.set(0)
        ready(leader)
    return "ends were refused there, a kill of an hour stood, and short ones ended"


def a_row_of_a_newer_version(cluster, _token):
    """A kill after a row that the servers don't understand is shown, and they say that they are not ready."""
    head = int(cluster.sql("SELECT max(id) FROM bellerophon.journal"))
    digest = cluster.sql(f"SELECT digest FROM bellerophon.journal WHERE id = {head}")
    document = {"apiInactive": True, "forceUpdate": False, "retryInterval": 15, "userMessage": None}
    kill = {"app": "newer", "channel": "main", "document": json.dumps(document, separators=(",", ":"))}
    for number, (action, rest) in enumerate([("freeze", {}), ("kill", kill)], head + 1):
        now = cluster.sql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        fields = {"id": str(number), "at": now, "who": "newer", "action": action} | rest
        if rest: fields["published"] = now
        text = "".join(f"{name} {len(value.encode())} {value}\n" for name, value in fields.items())
        digest = hashlib.sha256(f"{digest}\n{text}".encode()).hexdigest()
        fields["digest"] = digest
        values = ", ".join(f"'{value}'" for value in fields.values())
        cluster.sql(f"INSERT INTO bellerophon.journal ({', '.join(fields)}) VALUES ({values})")
    for origin in cluster.origins:
        eventually("the kill after the row", lambda origin=origin: origin.status("newer")[0] == head + 2)
        eventually("not ready", lambda origin=origin: any("newer bellerophon-server" in reason for reason in origin.reasons()))
    cluster.sql(f"DELETE FROM bellerophon.journal WHERE id > {head}")
    ready(*cluster.origins)
    return "the kill was shown by servers that are not ready"


CASES = [a_full_disk_on_one_server, a_lift_that_no_standby_has, an_address_that_accepts_and_closes, content_on_a_slow_link,
         late_requests, clocks_that_are_two_hours_off, a_row_of_a_newer_version]


def cases(cluster, only: str | None) -> list[str]:
    """Runs all cases, or those whose name has a text.

    Returns those that can't be made here.
    """
    skipped = []
    token = cluster.run("token", "create", "--name", "cases", "--scope", "publish", "--scope", "resources").split()[-1]
    for origin in cluster.origins:
        eventually("the token", lambda origin=origin: "\nbellerophon_snapshot_serial 1\n" in origin.get("/metrics"))
    for case in CASES:
        if only is not None and only not in case.__name__:
            continue
        name = case.__name__.replace("_", " ")
        try:
            print(f"ok: {name}: {case(cluster, token)}", flush=True)
        except Skipped as reason:
            print(f"skipped: {name}: {reason}", flush=True)
            skipped.append(name)
    return skipped
