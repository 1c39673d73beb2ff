#!/usr/bin/env python3
"""A client of the status document, with nothing but the standard library of Python 3.9.

`evaluate(document, client, now)` says what a document means for a client at a time. As a program it reads one case per line
and writes one reply per line, see README.md. It shares no code with the package; the document is what both have in common.
"""
import base64, hashlib, json, re, sys
from datetime import datetime, timedelta
from itertools import accumulate
from urllib.parse import urljoin, urlsplit
import ed25519  # beside this file

EPOCH, NEVER, LAST = datetime(1970, 1, 1), float("inf"), 253402300799  # the last second of the year 9999
STRING = r'"(?:[^"\\]|\\.)*"'
ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
SHARE = re.compile(r"(100(?:\.0{1,2})?|(?:0|[1-9][0-9]?)(?:\.[0-9]{1,2})?)%")
NAMES = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = re.compile(rf"v?([0-9]+(?:\.[0-9]+){{0,3}})(?:-({NAMES}))?(?:\+{NAMES})?")
LEVELS = "fields rules texts sequence signed wire".split()
TWICE = object()  # the value of a name that stands twice in an object; no reader accepts it

class NotUnderstood(ValueError):
    """Something that a client does not understand, with the code of the reason, see README.md."""

def need(condition, code="badRule"):
    if not condition:
        raise NotUnderstood(code)

def naming(code, reader, *arguments, **more):
    """What the reader reads. What is wrong in it has this code."""
    try:
        return reader(*arguments, **more)
    except (ValueError, RecursionError):
        raise NotUnderstood(code) from None

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

def need_depth(text):
    """At most 128 values inside each other."""
    if text.count("[") + text.count("{") >= 128:
        brackets = re.sub(rf"{STRING}|[^][{{}},:\s]+", "[]", text, flags=re.S)
        need(max(accumulate(1 if mark in "[{" else -1 for mark in brackets if mark in "[]{}")) <= 128)

def read_json(text, names_stand_once=False):
    def members(pairs):
        value, names = dict(pairs), [name for name, _ in pairs]
        need(len(value) == len(names) or not names_stand_once)
        return {**value, **{name: TWICE for name in value if len(value) < len(names) and names.count(name) > 1}}
    number = lambda digits: int(digits) if digits.isdigit() and len(digits) <= 16 else float(digits)
    if re.search(r"[\x00-\x1f\ud800-\udfff]|\\u[dD]", text):
        text = re.sub(STRING, mended, text, flags=re.S)
    need_depth(text)
    return json.loads(text, object_pairs_hook=members, parse_int=number, parse_constant=lambda name: need(False))

def read_time(text):
    """The seconds since 1970 of a time such as 2026-12-05T22:00:00Z."""
    need(isinstance(text, str) and TIME.fullmatch(text))
    return round((datetime(*map(int, TIME.fullmatch(text).groups())) - EPOCH).total_seconds())

def time_text(seconds):
    return None if abs(seconds) == NEVER else (EPOCH + timedelta(seconds=min(seconds, LAST))).isoformat() + "Z"

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
    facts, install = client.get("facts"), client.get("installID")
    facts = facts.items() if isinstance(facts, dict) else ()
    return {**{f"is {name}": value for name, value in facts if isinstance(value, str)},
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
        need(all(member is not TWICE for member in value.values()), "twice")
        # A member that is not known may narrow the rule, unless `optional` names it.
        optional = naming("badOptional", self.read_optional, value["optional"]) if "optional" in value else []
        need(set(value) <= self.MEMBERS | set(optional), "badMember")
        self.id, self.effect, self.level, self.value = id, value.get("effect"), value.get("level"), value
        need(self.effect in ("notice", "offer", "pause", "update"), "badEffect")
        self.only = naming("badOnly", read_set, value.get("only", {}), draw=id)
        # A set that is not understood is None, and exempts everybody.
        self.exempt = [attempt(read_set, item) for item in naming("badExcept", read, value.get("except", []), list, 0, 8)]
        self.announce, self.start, self.end = (
            naming("badTime", read_time, value[name]) if name in value else missing
            for name, missing in (("announce", NEVER), ("from", -NEVER), ("until", NEVER)))
        need((self.announce <= self.start or "announce" not in value) and self.start < self.end, "badTime")
        self.to = value.get("to") if read_version(value.get("to")) else None

    @staticmethod
    def read_optional(value):
        names = [read(name, str, 1, 64) for name in read(value, list, 1, 8)]
        need(len(set(names)) == len(names))
        return names

    def reason(self, client, now):
        """What the rule is for a client at a time, by its code."""
        is_for = holds(self.only, client)
        if is_for is not True:
            return "noMatch" if is_for is False else "unknown"
        for conditions in self.exempt:
            if conditions is None:
                return "exemptUnclear"
            exempts = holds(conditions, client)
            if exempts is not False:
                return "exempt" if exempts else "exemptUnknown"
        if now >= self.end:
            return "over"
        return "holds" if now >= self.start else "announced" if now >= self.announce else "waits"

class Document:
    MEMBERS = set("apiInactive forceUpdate retryInterval userMessage userMessages requiredVersion updateURL backAt rules mirrors".split())

    def __init__(self, text):
        value = read(read_json(text[1:] if text.startswith("\ufeff") else text), dict, 3, NEVER)
        self.value, self.inactive, self.forced = value, value.get("apiInactive"), value.get("forceUpdate")
        need(type(self.inactive) is bool and type(self.forced) is bool and type(value.get("retryInterval")) in (int, float))
        required = value.get("requiredVersion")
        self.required = required.strip(" \t\r\n") if isinstance(required, str) else None
        rules, ids = [] if value.get("rules") is None else value["rules"], set()
        self.unreadable = not isinstance(rules, list)
        self.problems = {}  # the codes of the undecided rules, by their labels
        def read_rule(value, label):
            try:
                need(isinstance(value, dict))
                id = value.get("id")
                need(isinstance(id, str) and ID.fullmatch(id) and id not in ids, "badID")
                ids.add(id)
                label = id
                return id, Rule(id, value)
            except NotUnderstood as problem:
                self.problems[label] = problem.args[0]
                return label, None
        items = enumerate([] if self.unreadable else rules[:32], 1)
        self.rules = [read_rule(item, f"#{position}") for position, item in items]  # labels with rules; None if undecided
        mirrors, decided = value.get("mirrors"), [label for label, rule in self.rules if rule]
        if isinstance(mirrors, list) and 1 <= len(mirrors) <= 32 and all(id in decided for id in mirrors):
            self.inactive = False

    def meaning(self):
        """What two documents are compared by: the members that this contract knows."""
        return {name: value for name, value in self.value.items() if name in self.MEMBERS}

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
            if not rule or rule.reason(client, now) not in ("waits", "announced", "holds"):
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
                "reasons": [rule.reason(client, now) if rule else self.problems[label] for label, rule in self.rules],
                "undecided": [label for label, rule in self.rules if not rule], "planUnreadable": self.unreadable,
                "next": time_text(min(boundaries, default=NEVER))}

def evaluate(document, client, now):
    """What the text of a document means for a client at a time such as 2026-12-05T22:00:00Z, or None."""
    found = attempt(Document, document)
    return found.verdict(read_client(client), -NEVER if now is None else read_time(now)) if found else {"valid": False}

# Texts: what a person reads, in the first language that has a text (lookup, RFC 4647, section 3.4)
FORMER, SCRIPTS = {"iw": "he", "in": "id", "ji": "yi"}, {"TW": "hant", "HK": "hant", "MO": "hant", "CN": "hans", "SG": "hans"}
LINK = re.compile(r"https?://(?:[0-9a-z._~-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][!-~]*)?", re.I)

def language(name, is_wish):
    """A tag in small letters, with the script that a Chinese one means; the name itself if it is no tag."""
    parts = name.lower().split("-")
    if not (re.fullmatch("[a-z]{2,8}", parts[0]) and all(re.fullmatch("[0-9a-z]{1,8}", part) for part in parts[1:])):
        return None if is_wish else name.lower()
    parts[0] = FORMER.get(parts[0], parts[0])
    if parts[0] == "zh" and not re.fullmatch("[a-z]...", parts[1] if len(parts) > 1 else ""):
        script = SCRIPTS.get(parts[1].upper()) if len(parts) > 1 else "hans" if is_wish else None
        parts[1:1] = [script] if script else []
    return "-".join(parts)

def choose(texts, wishes):
    known = {language(name, False): texts[name] for name in sorted(texts)}
    for wish in wishes:
        parts = (language(wish, True) or "").split("-")
        while parts:
            if "-".join(parts) in known:
                return known["-".join(parts)]
            parts.pop()
            while parts and len(parts[-1]) == 1:  # the beginning of an extension means nothing at the end
                parts.pop()

def read_text(value):
    return (value.strip(" \t\r\n") or None) if isinstance(value, str) else None

def read_texts(value):
    """Texts by language; none if one of the names or texts is not right."""
    is_right = isinstance(value, dict) and 1 <= len(value) <= 16 and all(
        isinstance(text, str) and re.fullmatch("[0-9A-Za-z-]{1,35}", name) for name, text in value.items())
    return {name: read_text(text) for name, text in value.items() if read_text(text)} if is_right else {}

def read_link(value):
    is_right = isinstance(value, str) and len(value) <= 2048 and LINK.fullmatch(value) and not re.search(r'[\\"<>`]', value)
    return value if is_right else None

def texts(text, client, now, wishes):
    need(all(isinstance(wish, str) for wish in wishes))
    document = Document(text)
    verdict = document.verdict(read_client(client), -NEVER if now is None else read_time(now))
    rules = {rule.id: rule.value for _, rule in document.rules if rule}
    def message(value, one="message", many="messages"):
        return choose(read_texts(value.get(many)), wishes) or read_text(value.get(one))
    base, rule = document.value, rules.get(verdict["by"], {})
    link = read_link(rule.get("link")) or read_link(base.get("updateURL"))
    back = attempt(read_time, base.get("backAt"))
    return {"valid": True, "by": verdict["by"], "message": message(rule) or message(base, "userMessage", "userMessages"),
            "link": link if verdict["stage"] == "updateRequired" else None,
            "backAt": None if back is None else time_text(back),
            "notices": [{"id": one["id"], "message": message(rules[one["id"]]), "link": read_link(rules[one["id"]].get("link"))}
                        for one in verdict["notices"]]}

# Signed documents: compact JWS with Ed25519
def base64url(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text)  # exactly one text for the bytes
    return data

def read_keys(keys, audience):
    """The trusted keys by their thumbprints (RFC 7638)."""
    lines = {key["x"]: f'{{"crv":"Ed25519","kty":"OKP","x":"{key["x"]}"}}' for key in keys}
    known = {hashlib.sha256(line.encode()).digest(): base64url(x) for x, line in lines.items()}
    need(known and not any(map(ed25519.is_weak, known.values())) and re.fullmatch(r"[^/]+/[^/]+", audience))
    return known

def open_signed(text, keys, audience, now, date):
    """The payload of a document that one of the keys has signed for the audience, and that is valid at the time.

    If it is valid only by the `Date` of its reply, because the client's clock is slow, the second value is its `iat`, otherwise None.
    """
    known = read_keys(keys, audience)
    text = re.sub(r"\r?\n\Z", "", text)
    parts = text.split(".")
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

STAGES = "unknown", "active", "killed", "updateRequired"

def need_strict(stage, shown):
    """A stage that covers at least as strictly as the one that is shown."""
    need(STAGES.index(stage) >= max(2, STAGES.index(shown)))

def evaluate_signed(case):
    """What a signed document means for a client that shows a stage, at a time of its clock."""
    audience = case.get("audience", "default/main")
    document, early = open_signed(case["document"], case["keys"], audience, case["now"], case.get("date"))
    reply = evaluate(document, case["client"], case["now"])
    STAGES.index(case.get("stage", "unknown"))
    if early is not None:  # when it was signed, and now
        for stage in evaluate(document, case["client"], time_text(early))["stage"], reply["stage"]:
            need_strict(stage, case.get("stage", "unknown"))
    return reply

def need_step(step, at):
    """Whole seconds of a clock that never goes back."""
    need(type(step["at"]) is int and at <= step["at"] <= 10**11)

class Time:
    """The time of rules, which goes back once at most."""

    def __init__(self):
        self.at, self.saved, self.saved_confirmed, self.has_date = 0, -NEVER, False, False
        self.forget()

    def forget(self):
        self.now = self.server = self.wall = -NEVER  # nothing is known
        self.confirmed = False  # whether a date of any run has confirmed it

    def move(self, at):
        self.server, self.wall, self.at = self.server + at - self.at, self.wall + at - self.at, at
        self.advance()

    def advance(self):
        told = self.server if self.wall == -NEVER else min(self.server, self.wall) if self.has_date else self.wall
        self.now = max(self.now, told)

    def receive(self, date, wall):
        """Takes the date of a reply, or None, and the wall clock. Whether they have replaced the time: a clock that was fast told it."""
        date, is_replaced = -NEVER if date is None else date, False
        if not self.confirmed and date < self.now and abs(date - wall) <= 60:
            is_replaced = True
            self.forget()
        self.has_date, self.confirmed = self.has_date or date > -NEVER, self.confirmed or -NEVER < date >= self.now
        self.server, self.wall = max(self.server, date), max(self.wall, wall)
        self.advance()
        return is_replaced

    def save(self):
        self.saved, self.saved_confirmed = self.now, self.confirmed

    def restart(self):
        self.now = self.server = self.wall = self.saved
        self.has_date, self.confirmed = False, self.saved_confirmed

# Documents one after another: a rule that covers goes on while it is undecided
def sequence(client, steps):
    client, time, document, held, verdict = read_client(client), Time(), None, None, None
    for step in steps:
        need_step(step, time.at)
        if "reply" in step:
            need(isinstance(step["reply"]["document"], str) and "restart" not in step)
            read_time(step["wall"]), step["reply"].get("date") is None or read_time(step["reply"]["date"])
        else:
            need(step.get("restart", True) is True)
        time.move(step["at"])
        arrived = attempt(Document, step["reply"]["document"]) if "reply" in step else None
        if verdict and verdict["next"] and (time_text(time.now) or "") >= verdict["next"]:
            time.save()
        if "restart" in step:
            time.restart()
        elif arrived:
            verdict = document and document.verdict(client, time.now, held)
            covering = [rule for _, rule in document.rules if rule and rule.id == verdict["by"]] if document else []
            undecided = [label for label, rule in arrived.rules if not rule]
            held = next((rule for rule in covering + [held] if rule and (arrived.unreadable or rule.id in undecided)), None)
            date, document = step["reply"].get("date"), arrived
            time.receive(None if date is None else read_time(date), read_time(step["wall"]))
            time.save()
        verdict = document and document.verdict(client, time.now, held)
        yield {"stage": verdict["stage"] if verdict else "unknown", "by": verdict and verdict["by"], "now": time_text(time.now)}

# The wire: what counts of the replies of servers and of the events of streams
ADDRESS, BODY, EVENT = "https://status.example/app/status", 64 * 1024, 256 * 1024
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
HTTP_DATE = re.compile(r"[^ ]{3}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9:]{8}) GMT")
COVERED = "killed", "updateRequired"
# IANA's registry of HTTP content codings without identity
CONTENT_CODINGS = {"aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd"}

class Refused(Exception):
    """A reply or an event of which nothing counts, with the code of the reason."""

def fields_of(reply):
    """The fields of a head by their names in small letters. A head whose body two readers could read differently is refused."""
    fields = {}
    for name, value in reply["headers"]:
        fields.setdefault(name.lower(), []).append(value.strip(" \t"))
    def values(name):
        return [part.strip(" \t").lower() for value in fields.get(name, []) for part in value.split(",")]
    lengths, codings = set(values("content-length")), values("transfer-encoding")
    is_framed = (not lengths or len(lengths) == 1 and re.fullmatch("[0-9]{1,18}", *lengths)) and (
        not codings or codings == ["chunked"] and not lengths)
    if reply["status"] == 204 and (codings or lengths - {"0"}) or not is_framed:
        raise Refused("head")
    if set(values("content-encoding")) & CONTENT_CODINGS:
        raise Refused("head")
    return {name: ", ".join(values) for name, values in fields.items()}

def server_date(fields):
    """The time of the server: its `Date`, and the `Age` that a cache adds."""
    found, age = HTTP_DATE.fullmatch(fields.get("date", "")), fields.get("age", "")
    month = found and found[2] in MONTHS and MONTHS.index(found[2]) + 1
    date = month and attempt(read_time, f"{found[3]}-{month:02}-{found[1]}T{found[4]}Z")
    return None if not month or date is None else date + (int(age) if re.fullmatch("[0-9]{1,9}", age) else 0)

def publication(text):
    """The milliseconds of a date of publication; None if there is none, and NEVER if it can't be read."""
    return None if text is None else int(text) if re.fullmatch("[0-9]{1,13}", text.strip(" \t")) else NEVER

class EventStream:
    """Server-sent events: WHATWG HTML, section 9.2."""

    def __init__(self):
        self.rest, self.is_first, self.id, self.skips_feed = b"", True, "", False
        self.begin()

    def begin(self):
        self.name, self.data, self.published = "", None, []

    def parse(self, text):
        """The events that the text completes."""
        data = text.encode()
        if self.skips_feed and data:
            data, self.skips_feed = data.removeprefix(b"\n"), False
        *lines, self.rest = re.split(b"\r\n|\r|\n", self.rest + data)
        self.skips_feed = self.skips_feed or data.endswith(b"\r")
        for line in lines:
            if self.is_first:
                line, self.is_first = line.removeprefix(b"\xef\xbb\xbf"), False
            if not line:
                if self.data is not None:
                    yield self.name or "message", self.data, self.id, ", ".join(self.published) if self.published else None
                self.begin()
                continue
            name, _, value = line.partition(b":")
            value = value[1:] if value.startswith(b" ") else value
            if name == b"data":
                self.data = value if self.data is None else self.data + b"\n" + value
            elif name == b"event":
                self.name = value.decode(errors="replace")
            elif name == b"id" and b"\0" not in value:
                self.id = value.decode(errors="replace")
            elif name == b"published":
                self.published.append(value.decode(errors="replace"))

class Wire:
    """A client that gets replies one after another."""

    def __init__(self, case):
        self.case, self.client, self.kept, self.now, self.wall, self.time = case, read_client(case["client"]), None, 0, 0, Time()
        self.policy, self.limit = case.get("whenUnknown", "stay"), case.get("maximumAge", NEVER)
        need(self.policy in ("stay", "open", "closed") and type(self.limit) in (int, float))
        need(1 <= self.limit <= 1e11 or "maximumAge" not in case)
        if "keys" in case:
            read_keys(case["keys"], case.get("audience", "default/main"))
        self.begin()
        self.apply_policy()

    def begin(self):
        self.stage, self.by, self.document, self.known, self.stream, self.push = "unknown", None, None, None, None, None
        self.newest, self.local, self.serial, self.signed = None, None, -1, None
        self.confirmed, self.is_settled, self.address, self.redirects = None, False, ADDRESS, 0

    # The order
    def set_clock(self, date):
        """Sees the wall clock, which never goes back here, and the date of a reply, if it has one."""
        if self.time.receive(date, self.wall):
            self.local = None
        self.local = max(self.wall - self.now, -NEVER if self.local is None else self.local)

    def is_older(self, found, published):
        newest, is_other = self.newest, found.meaning() != self.document.meaning()
        if published in (None, NEVER):
            return is_other and not newest["replaced"]
        return published < newest["published"] or published == newest["published"] and is_other and newest["replaced"]

    def outdated(self, found, published, stage):
        newest = self.newest
        if not self.document or not newest or not self.is_older(found, published):
            return False
        has_date, local = published not in (None, NEVER), self.now + self.local
        is_short = stage in COVERED and self.stage not in COVERED or has_date and published == newest["published"]
        if has_date and local - self.wall <= 60 and published / 1000 - local <= 60:
            is_short |= newest["published"] / 1000 - local > 86400 or (
                published / 1000 >= local - (self.now - newest["first"]) and published > newest["previous"])
        return self.now - newest["heard"] < (120 if is_short else 86400)

    def record_newest(self, found, published):
        newest = self.newest
        if published not in (None, NEVER):
            same = newest and newest["published"] == published
            earlier = [date for date in (newest["published"], newest["previous"]) if date < published] if newest else []
            self.newest = {"published": published, "previous": (earlier + [-NEVER])[0], "heard": self.now,
                           "first": newest["first"] if same else self.now, "replaced": False}
        elif newest and (newest["replaced"] or not self.document or found.meaning() != self.document.meaning()):
            newest.update(replaced=True, heard=self.now)

    def accept(self, text, published, date, is_pushed=False):
        """Takes the text of a document, or says why it does not count. `date` is that of its reply or stream, or None."""
        serial, early = None, None
        if "keys" in self.case:
            try:
                text, early = open_signed(text, self.case["keys"], self.case.get("audience", "default/main"), time_text(self.wall),
                                          None if date is None else time_text(date))
            except Exception:  # a key that is not known, another type, broken text
                return "untrusted"
            serial = read_json(text)["serial"]
        found = attempt(Document, text)
        if not found:
            return "noDocument"
        self.set_clock(None if early is not None or is_pushed else date)
        if serial is not None and (serial < self.serial or serial == self.serial and self.signed
                                   and self.signed.meaning() != found.meaning()):
            return "replay"
        verdict = found.verdict(self.client, -NEVER)
        if early is not None and not attempt(lambda: need_strict(verdict["stage"], self.stage) or True):
            return "untrusted"
        if serial is None and self.outdated(found, published, verdict["stage"]):
            return "older"
        if serial is None:
            self.record_newest(found, published)
        elif serial > self.serial or not self.signed:
            self.serial, self.signed = serial, found
        self.document, self.stage, self.by = found, verdict["stage"], verdict["by"]
        self.confirmed, self.is_settled = self.now, False
        self.time.save()
        self.kept = {"document": found, "newest": self.newest and dict(self.newest), "wall": self.wall,
                     "local": self.now + self.local, "serial": self.serial, "signed": self.signed}
        return "counts"

    # Age and restarts
    def apply_policy(self):
        is_covered = self.stage in COVERED
        if self.policy == "closed" and not is_covered or self.policy == "open" and is_covered:
            self.stage, self.by, self.document = ("killed" if self.policy == "closed" else "unknown"), None, None

    def is_stale(self, after=0):
        return self.confirmed is not None and not self.is_settled and self.now >= self.confirmed + self.limit + after

    def settle(self, after=0):
        if self.is_stale(after):
            self.is_settled = True
            self.apply_policy()

    def restart(self):
        self.begin()
        self.time.restart()
        if not self.kept:
            return self.apply_policy()
        kept, self.local = self.kept, max(self.wall, self.kept["local"]) - self.now
        self.time.wall = self.now + self.local
        self.serial, self.signed = kept["serial"], kept["signed"]
        if kept["newest"]:
            self.newest = {**kept["newest"], "first": self.now, "heard": self.now}
        verdict = kept["document"].verdict(self.client, -NEVER)
        if verdict["stage"] not in COVERED and self.policy != "closed":
            return None
        self.confirmed = self.now - max(self.wall - kept["wall"], 0)
        is_covered, is_stale = verdict["stage"] in COVERED, self.is_stale()
        self.is_settled = is_stale
        if is_stale and (self.policy == "open" or self.policy == "closed" and not is_covered):
            return self.apply_policy()
        self.document, self.stage, self.by = kept["document"], verdict["stage"], verdict["by"]

    # Replies
    def take_reply(self, reply):
        date = None
        try:
            fields = fields_of(reply)
            target = reply["status"] in (301, 302, 303, 307, 308) and fields.get("location")
            if target is not False and target is not None:
                return {"took": "follows", "path": self.follow(target)}
            date = server_date(fields)
            took = self.read_reply(reply, fields)
        except Refused as refusal:
            took = refusal.args[0]
            date = date if took != "redirect" else server_date(fields)
        if took not in ("counts", "older"):
            self.settle()
        self.address, self.redirects = ADDRESS, 0
        return {"took": took, "date": None if date is None else time_text(date)}

    def follow(self, target):
        """The path of a redirect in the same origin."""
        found = urlsplit(urljoin(self.address, target))
        is_address = target and re.fullmatch(r"[!-~]+", target) and not re.search(r'["<>\\^`{|}]', target)
        is_address = is_address and (not re.match("[A-Za-z][A-Za-z0-9+.-]*:", target) or re.match("[a-z]+://[^/?#]", target, re.I))
        is_same = found.scheme == "https" and found.netloc.lower().removesuffix(":443") == "status.example"
        if not is_address or not is_same or self.redirects == 3:
            raise Refused("redirect")
        self.address, self.redirects = found.geturl(), self.redirects + 1
        return found.path + ("?" + found.query if found.query else "")

    def read_reply(self, reply, fields):
        status, published = reply["status"], publication(fields.get("bellerophon-published"))
        if int(fields.get("content-length", "0").split(",")[0]) > BODY or len(reply.get("document", "").encode()) > BODY:
            raise Refused("tooLarge")
        if status == 304:
            if not self.known:
                raise Refused("unknown304")
            return self.accept(self.known["text"], self.known["published"] if published is None else published, server_date(fields))
        if not 200 <= status < 300:
            raise Refused("status")
        text, known = reply.get("document", ""), {"tag": fields.get("etag") or None, "text": reply.get("document", ""), "published": published}
        took = self.accept(text, published, server_date(fields))
        if took in ("counts", "older", "replay"):
            self.known = known if known["tag"] is not None and "keys" not in self.case else None
        return took

    def open(self, reply):
        self.stream, date = None, None
        try:
            fields = fields_of(reply)
            if reply["status"] != 200:
                raise Refused("noStream" if reply["status"] == 204 else "status")
            if fields.get("content-type", "").split(";")[0].strip(" \t").lower() != "text/event-stream":
                raise Refused("mediaType")
            date, self.stream, took = server_date(fields), EventStream(), "stream"
            self.stream_lead = None if date is None else date - self.now
            self.set_clock(date)
        except Refused as refusal:
            took = refusal.args[0]
        return {"took": took, "date": None if date is None else time_text(date)}

    def take_stream(self, text):
        took, date = [], None if self.stream_lead is None else self.stream_lead + self.now
        for name, data, id, published in self.stream.parse(text):
            took.append("other" if name != "status" else "tooLarge" if len(data) > BODY
                        else self.accept(data.decode(errors="replace"), publication(published), date, is_pushed=True))
            if took[-1] == "counts" and name == "status":
                self.push = self.document.meaning(), id
        return {"took": took}

    def step(self, step):
        need_step(step, self.now)
        self.now, self.wall = step["at"], read_time(step["wall"])
        self.time.move(step["at"])
        kinds = [kind for kind in ("reply", "open", "stream", "restart") if kind in step]
        need(len(kinds) <= 1)
        self.settle(after=31)  # the time in which a client asks once more
        found = {}
        for kind in kinds:
            if kind in ("reply", "open"):
                reply = step[kind]
                need(type(reply["status"]) is int and 200 <= reply["status"] <= 599 and isinstance(reply.get("document", ""), str))
                need(all(isinstance(part, str) for name, value in reply["headers"] for part in (name, value)))
                found = self.take_reply(reply) if kind == "reply" else self.open(reply)
            elif kind == "stream":
                need(self.stream and isinstance(step["stream"], str))
                found = self.take_stream(step["stream"])
            else:
                need(step["restart"] is True)
                self.restart()
        push = self.push if self.push and self.document and self.push[0] == self.document.meaning() else (None, "")
        is_sent = "keys" not in self.case and re.fullmatch("[ -~]{1,512}", push[1])
        return {**found, "stage": self.stage, "by": self.by, "ifNoneMatch": self.known and self.known["tag"],
                "lastEventID": push[1] if is_sent else None}

def read_line(line):
    """The case of a line: strict JSON in UTF-8, in which no name stands twice."""
    text = line.decode()
    def number(digits):
        need(abs(float(digits)) < NEVER)
        return int(digits) if digits.isdigit() and len(digits) <= 16 else float(digits)
    def members(pairs):
        need(len(dict(pairs)) == len(pairs))
        return dict(pairs)
    need_depth(text)
    case = json.loads(text, object_pairs_hook=members, parse_int=number, parse_float=number,
                      parse_constant=lambda name: need(False))
    json.dumps(case, ensure_ascii=False).encode()  # refuses half of a surrogate pair
    need(isinstance(case, dict) and isinstance(case["client"], dict) and case["level"] in LEVELS)
    return case

def reply_to(case):
    if case["level"] == "sequence":
        return {"steps": list(sequence(case["client"], case["steps"]))}
    if case["level"] == "wire":
        return {"steps": list(map(Wire(case).step, case["steps"]))}
    if case["level"] == "texts":
        return texts(case["document"], case["client"], case["now"], case["languages"])
    if case["level"] == "signed":
        return evaluate_signed(case)
    return evaluate(case["document"], case["client"], case["now"])

if __name__ == "__main__":
    for line in sys.stdin.buffer:
        try:
            reply = reply_to(read_line(line))
        except Exception:  # not trusted, or not a case
            reply = {"valid": False}
        print(json.dumps(reply, separators=(",", ":")), flush=True)
