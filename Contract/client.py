#!/usr/bin/env python3
"""A client of the status document, with nothing but the standard library of Python 3.9.

`evaluate(document, client, now)` says what a document means for a client at a time. As a program it reads one case per line
and writes one reply per line, see README.md. It shares no code with the package; the document is what both have in common.
"""
import base64, hashlib, json, re, sys
from datetime import datetime, timedelta
from itertools import accumulate
import ed25519  # beside this file

EPOCH, NEVER = datetime(1970, 1, 1), float("inf")
STRING = r'"(?:[^"\\]|\\.)*"'
ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
SHARE = re.compile(r"(100(?:\.0{1,2})?|(?:0|[1-9][0-9]?)(?:\.[0-9]{1,2})?)%")
NAMES = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = re.compile(rf"v?([0-9]+(?:\.[0-9]+){{0,3}})(?:-({NAMES}))?(?:\+{NAMES})?")
TWICE = object()  # the value of a name that stands twice in an object; no reader accepts it

def need(condition):
    if not condition:
        raise ValueError("not understood")

def attempt(reader, *arguments):
    try:
        return reader(*arguments)
    except (ValueError, RecursionError):
        return None

# JSON, times and versions
def mended(string):
    """A string of a JSON text with U+FFFD in place of control characters and of halves of surrogate pairs."""
    high, low = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    pair, half = high + low, rf"{high}|{low}|[\x00-\x1f\ud800-\udfff]"
    return re.sub(rf"{pair}|({half})|\\.", lambda found: "\ufffd" if found[1] else found[0], string[0], flags=re.S)

def read_json(text, names_stand_once=False):
    def members(pairs):
        value, names = dict(pairs), [name for name, _ in pairs]
        need(len(value) == len(names) or not names_stand_once)
        return {**value, **{name: TWICE for name in value if len(value) < len(names) and names.count(name) > 1}}
    number = lambda digits: int(digits) if digits.isdigit() and len(digits) <= 16 else float(digits)
    if re.search(r"[\x00-\x1f\ud800-\udfff]|\\u[dD]", text):
        text = re.sub(STRING, mended, text, flags=re.S)
    if text.count("[") + text.count("{") >= 128:  # at most 128 values inside each other
        brackets = re.sub(rf"{STRING}|[^][{{}},:\s]+", "[]", text, flags=re.S)
        need(max(accumulate(1 if mark in "[{" else -1 for mark in brackets if mark in "[]{}")) <= 128)
    return json.loads(text, object_pairs_hook=members, parse_int=number, parse_constant=lambda name: need(False))

def read_time(text):
    """The seconds since 1970 of a time such as 2026-12-05T22:00:00Z."""
    need(isinstance(text, str) and TIME.fullmatch(text))
    return round((datetime(*map(int, TIME.fullmatch(text).groups())) - EPOCH).total_seconds())

def time_text(seconds):
    return None if abs(seconds) == NEVER else (EPOCH + timedelta(seconds=seconds)).isoformat() + "Z"

def read_version(text):
    """What compares as the precedence of versions does; None if the text is no version."""
    found = isinstance(text, str) and len(text) <= 64 and VERSION.fullmatch(text)
    if not found:
        return None
    parts = [int(part) for part in found[1].split(".")]
    before = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in (found[2] or "").split(".") if part)
    return tuple(parts + [0] * (4 - len(parts))), not before, before

def read(value, kind, least, most):
    need(isinstance(value, kind) and least <= len(value.encode() if kind is str else value) <= most)
    return value

# Rules. A condition is the name of a fact, and a test of its value.
def read_client(client):
    """The facts of a client by name. One that is missing or not readable is None."""
    facts, install = client.get("facts") or {}, client.get("installID")
    return {**{f"is {name}": value for name, value in facts.items() if isinstance(value, str)},
            "version": read_version(client.get("version")), "osVersion": read_version(client.get("osVersion")),
            "installID": install if isinstance(install, str) and 1 <= len(install.encode()) <= 128 else None}

def read_interval(value):
    need(isinstance(value, dict) and set(value) in ({"is"}, {"from"}, {"below"}, {"from", "below"}))
    bounds = {name: read_version(text) for name, text in value.items()}
    need(None not in bounds.values())
    return lambda version: (version == bounds.get("is", version) and version >= bounds.get("from", version)
                            and ("below" not in bounds or version < bounds["below"]))

def read_share(text, draw):
    need(isinstance(text, str) and SHARE.fullmatch(text))
    whole, _, decimals = text[:-1].partition(".")
    share = int(whole) * 100 + int(decimals.ljust(2, "0"))  # in hundredths of a percent
    def test(install):
        digest = hashlib.sha256(f"{draw}:{install}".encode()).digest()
        return int.from_bytes(digest[:4], "big") * 10000 >> 32 < share
    return [] if share == 10000 else [("installID", test)]

def read_set(value, draw=None):
    """The conditions of a set. Only the set `only` has a draw."""
    need(isinstance(value, dict) and set(value) <= {"versions", "osVersions", "is"} | ({"share", "draw"} if draw else set()))
    conditions = []
    for name, fact in ("versions", "version"), ("osVersions", "osVersion"):
        if name in value:
            intervals = [read_interval(item) for item in read(value[name], list, 1, 32)]
            conditions.append((fact, lambda version, intervals=intervals: any(one(version) for one in intervals)))
    for name, values in read(value["is"], dict, 1, 16).items() if "is" in value else ():
        known = {read(text, str, 0, 256) for text in read(values, list, 1, 16)}
        conditions.append((f"is {read(name, str, 1, 64)}", known.__contains__))
    draw = read(value["draw"], str, 1, 64) if "draw" in value else draw
    return conditions + (read_share(value["share"], draw) if "share" in value else [])

def holds(conditions, client):
    """True, False, or None if it depends on a fact that is missing."""
    found = [None if client.get(fact) is None else test(client[fact]) for fact, test in conditions]
    return False if False in found else None if None in found else True

class Rule:
    MEMBERS = set("id effect only except to link level announce from until message messages optional".split())

    def __init__(self, id, value):
        need(all(member is not TWICE for member in value.values()))
        # A member that is not known may narrow the rule, unless `optional` names it.
        optional = [read(name, str, 1, 64) for name in read(value["optional"], list, 1, 8)] if "optional" in value else []
        need(len(set(optional)) == len(optional) and set(value) <= self.MEMBERS | set(optional))
        self.id, self.effect, self.level = id, value.get("effect"), value.get("level")
        need(self.effect in ("notice", "offer", "pause", "update"))
        self.only = read_set(value.get("only", {}), draw=id)
        # A set that is not understood exempts everybody, as one without conditions does.
        self.exempt = [attempt(read_set, item) or [] for item in read(value.get("except", []), list, 0, 8)]
        self.announce, self.start, self.end = (
            read_time(value[name]) if name in value else missing
            for name, missing in (("announce", NEVER), ("from", -NEVER), ("until", NEVER)))
        need((self.announce <= self.start or "announce" not in value) and self.start < self.end)
        self.to = value.get("to") if read_version(value.get("to")) else None

class Document:
    def __init__(self, text):
        value = read(read_json(text[1:] if text.startswith("\ufeff") else text), dict, 3, NEVER)
        self.inactive, self.forced = value.get("apiInactive"), value.get("forceUpdate")
        need(type(self.inactive) is bool and type(self.forced) is bool and type(value.get("retryInterval")) in (int, float))
        required = value.get("requiredVersion")
        self.required = required.strip(" \t\r\n") if isinstance(required, str) else None
        rules, ids = [] if value.get("rules") is None else value["rules"], set()
        self.unreadable = not isinstance(rules, list)
        def read_rule(value, label):
            id = value.get("id") if isinstance(value, dict) else None
            if not isinstance(id, str) or not ID.fullmatch(id) or id in ids:
                return label, None
            ids.add(id)
            return id, attempt(Rule, id, value)
        items = enumerate([] if self.unreadable else rules[:32], 1)
        self.rules = [read_rule(item, f"#{position}") for position, item in items]  # labels with rules; None if undecided
        mirrors, decided = value.get("mirrors"), [label for label, rule in self.rules if rule]
        if isinstance(mirrors, list) and 1 <= len(mirrors) <= 32 and all(id in decided for id in mirrors):
            self.inactive = False

    def verdict(self, client, now, held=None):
        """The reply for the facts of a client at a time in seconds. `held` is a rule that stands in for an undecided one."""
        best, notices, boundaries = [(0, (), False, 0, 0, None, None)], [], []
        def restrict(is_update, by, to=None, end=NEVER, position=0):  # the greatest entry is the strongest
            rank = is_update and read_version(to) or ()
            best.append((2 if is_update else 1, rank, position == 0, end, -position, by, to))
        required = read_version(self.required)
        if self.forced and not (required and client["version"] and client["version"] >= required):
            restrict(True, "forceUpdate", self.required if required else None)
        if self.inactive:
            restrict(False, "apiInactive")
        rules = [rule or (held if held and held.id == label else None) for label, rule in self.rules]
        for position, rule in enumerate(rules + [held] * self.unreadable, 1):
            if (not rule or now >= rule.end or holds(rule.only, client) is not True
                    or any(holds(conditions, client) is not False for conditions in rule.exempt)):
                continue
            boundaries.append(min(time for time in (rule.announce, rule.start, rule.end) if now < time or time == NEVER))
            if now < rule.start:
                notices += [(0, rule.start, {"id": rule.id, "phase": "announced"})] * (now >= rule.announce)
            elif rule.effect in ("update", "pause"):
                restrict(rule.effect == "update", rule.id, rule.to, rule.end, position)
            else:
                group = 1 if (rule.effect, rule.level) == ("notice", "warn") else 2
                notices.append((group, 0, {"id": rule.id, "phase": "holding"}))
        kind, *_, by, to = max(best, key=lambda one: one[:5])
        return {"valid": True, "stage": ("active", "killed", "updateRequired")[kind], "by": by, "to": to,
                "notices": [notice for _, _, notice in sorted(notices, key=lambda one: one[:2])],
                "undecided": [label for label, rule in self.rules if not rule], "planUnreadable": self.unreadable,
                "next": time_text(min(boundaries, default=NEVER))}

def evaluate(document, client, now):
    """What the text of a document means for a client at a time such as 2026-12-05T22:00:00Z, or None."""
    found = attempt(Document, document)
    return found.verdict(read_client(client), -NEVER if now is None else read_time(now)) if found else {"valid": False}

# Signed documents: compact JWS with Ed25519
def base64url(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text)  # exactly one text for the bytes
    return data

def open_signed(text, keys, audience, now, date):
    """The payload of a document that one of the keys has signed for the audience, and that is valid at the time.

    If it is valid only by the `Date` of its reply, because the client's clock is slow, the second value is its `iat`, otherwise None.
    """
    lines = {key["x"]: f'{{"crv":"Ed25519","kty":"OKP","x":"{key["x"]}"}}' for key in keys}
    known = {hashlib.sha256(line.encode()).digest(): base64url(x) for x, line in lines.items()}  # by thumbprint, RFC 7638
    need(known and not any(map(ed25519.is_weak, known.values())))
    parts = re.sub(r"\r?\n\Z", "", text).split(".")
    need(len(parts) == 3 and len(text) <= 128 * 1024)
    header, payload, signature = map(base64url, parts)
    fields = read_json(header.decode(errors="replace"), names_stand_once=True)
    need(fields == {"alg": "EdDSA", "kid": fields["kid"], "typ": "bellerophon-status+jws"})
    need(ed25519.is_valid(known[base64url(fields["kid"])], ".".join(parts[:2]).encode(), signature))
    claims = read_json(payload.decode(errors="replace"), names_stand_once=True)
    serial, issued, expires = (claims[name] for name in ("serial", "iat", "exp"))
    need(claims["aud"] == audience and type(serial) is type(issued) is type(expires) is int)
    need(serial < 2**53 and issued < expires <= 253402300799 and (now is None or read_time(now) < expires))
    is_early, date = now is not None and read_time(now) < issued - 60, -NEVER if date is None else read_time(date)
    need(not is_early or issued - 60 <= date < expires)
    return payload.decode(errors="replace"), issued if is_early else None

def evaluate_signed(case):
    """What a signed document means for a client that shows a stage, at a time of its clock."""
    audience = case.get("audience", "default/main")
    document, early = open_signed(case["document"], case["keys"], audience, case["now"], case.get("date"))
    stages = "unknown", "active", "killed", "updateRequired"
    shown = stages.index(case.get("stage", "unknown"))
    reply = evaluate(document, case["client"], case["now"])
    if early is not None:  # it covers at least as strictly as what is shown, when it was signed and now
        for stage in evaluate(document, case["client"], time_text(early))["stage"], reply["stage"]:
            need(stages.index(stage) >= max(2, shown))
    return reply

# Documents one after another: a clock that never goes back, and a rule that covers while it is undecided
def sequence(client, steps):
    now, saved, server, wall, has_date = -NEVER, -NEVER, -NEVER, -NEVER, False  # nothing is known
    confirmed, saved_confirmed = False, False  # whether a date of any run has confirmed the time
    client, at, document, held, verdict = read_client(client), 0, None, None, None
    def look(is_confirmed=False):
        nonlocal now, saved, saved_confirmed, verdict
        now = max(now, server if wall == -NEVER else min(server, wall) if has_date else wall)
        is_due = verdict and verdict["next"] and (time_text(now) or "") >= verdict["next"]
        saved, saved_confirmed = (now, confirmed) if is_confirmed or is_due else (saved, saved_confirmed)
        verdict = document and document.verdict(client, now, held)
    for step in steps:
        need(at <= step["at"] <= 1e11)  # seconds of a clock that never goes back
        server, wall, at = server + step["at"] - at, wall + step["at"] - at, step["at"]
        look()
        arrived = attempt(Document, step["reply"]["document"]) if "reply" in step else None
        if step.get("restart"):
            now, server, wall, has_date, confirmed = saved, saved, saved, False, saved_confirmed
            look()
        elif arrived:
            covering = [rule for _, rule in document.rules if rule and rule.id == verdict["by"]] if document else []
            undecided = [label for label, rule in arrived.rules if not rule]
            held = next((rule for rule in covering + [held] if rule and (arrived.unreadable or rule.id in undecided)), None)
            date, shown, document = step["reply"].get("date"), read_time(step["wall"]), arrived
            date = -NEVER if date is None else read_time(date)
            if not confirmed and date < now and abs(date - shown) <= 60:  # a clock that was fast told the time
                now, server, wall = -NEVER, -NEVER, -NEVER
            has_date, confirmed = has_date or date > -NEVER, confirmed or -NEVER < date >= now
            server, wall = max(server, date), max(wall, shown)
            look(is_confirmed=True)
        yield {"stage": verdict["stage"] if verdict else "unknown", "by": verdict and verdict["by"], "now": time_text(now)}

def reply_to(case):
    if case["level"] == "sequence":
        return {"steps": list(sequence(case["client"], case["steps"]))}
    if case["level"] == "signed":
        return evaluate_signed(case)
    return evaluate(case["document"], case["client"], case["now"])

if __name__ == "__main__":
    for line in sys.stdin.buffer:
        try:
            reply = reply_to(json.loads(line))
        except Exception:  # not trusted, or not a case
            reply = {"valid": False}
        print(json.dumps(reply, separators=(",", ":")), flush=True)
