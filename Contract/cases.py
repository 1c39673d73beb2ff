"""Random cases for the contract: documents, clients and times near every bound, whole and broken.

The same seed makes the same cases. Every few thousand cases a new stock of parts is made, and a case picks from the stock. That
is fast, and parts of different kinds meet often.
"""

import importlib
import json
import random
import time
import unicodedata
from email.utils import formatdate

signing = importlib.import_module("make-signed")

STOCK, CASES_PER_STOCK = 1500, 40000
IDS = ["a", "b", "c", "d", "e", "f", "g", "h", "mw-1", "mw-2", "b.1", "x" * 64, "7", "9_"]
BAD_IDS = ["A", "", "a b", "-a", "x" * 65, None, 5, "apiInactive", "\u00e4", "a\n"]
PRERELEASES = ["alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1", "rc.01", "0", "-", "1-a", "Z"]
VERSIONS = [
    "0",
    "1",
    "1.5",
    "1.5.0",
    "1.5.0.0",
    "v1.5",
    "1.5.0+b",
    "1.5.2",
    "1.5.2-rc.1",
    "24.04",
    "24.4",
    "1.2.3.4",
    "1.2.3.5",
    "2.0.0",
    "18446744073709551615",
    "18446744073709551616",
    "9" * 64,
    "1.0.0-36893488147419103232",
    "1-2-3",
    "1.0.0-" + "a" * 58,
]
BAD_VERSIONS = [
    "",
    "v",
    "V1",
    "1.x",
    "1..0",
    "1.",
    " 1.5",
    "1.5\n",
    "1.2.3.4.5",
    "9" * 65,
    "1.0-",
    "1.0+",
    "1.0-a..b",
    "1+a+b",
    "\u0661",
    None,
    5,
    [],
    "1.0-\u00e9",
    "1.5\u00a0",
    "\u200b1.5",
    "1.\u200b5.0",
    "\ufeff1.5",
    "1.5\u2028",
    "\u30001.5",
    "1.5\t",
    "\u000b1.5",
    "1.5\u00ad",
]
ODD_SPACE = ["\u00a0", "\u200b", "\u2028", "\ufeff", "\u000b", "\u0085", "\u3000", "\t", "\r\n"]
TIMES = [
    "2026-12-04T22:00:00Z",
    "2026-12-04T22:00:01Z",
    "2026-12-05T21:59:59Z",
    "2026-12-05T22:00:00Z",
    "2026-12-05T22:00:01Z",
    "2026-12-05T23:30:00Z",
    "2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
]
BAD_TIMES = [
    "2026-12-05T22:00:60Z",
    "2026-02-29T00:00:00Z",
    "2026-12-05T24:00:00Z",
    "2026-12-05 22:00:00Z",
    "2026-12-05T22:00:00",
    "",
    None,
    0,
    "2026-12-05T22:00:00Z ",
    "0000-01-01T00:00:00Z",
    "2026-12-05T22:00:00z",
    "2100-02-29T00:00:00Z",
]
SHARES = ["0%", "0.01%", "2.5%", "10%", "33.33%", "50%", "99.99%", "100%", "100.00%", "7.50%"]
BAD_SHARES = ["50", "05%", "100.01%", "5.%", ".5%", "1.234%", "-1%", "", None, 50]
NAMES = ["os", "arch", "ci", "site", "version", "\u00e9", "e\u0301", "n" * 64]
BAD_NAMES = ["", "n" * 65, "\u00e9" * 33]
VALUES = ["linux", "macos", "true", "false", "", "unknown", "K\u00f6ln", "Ko\u0308ln", "\U0001f680", "v" * 256, "a\tb"]
BAD_VALUES = ["v" * 257, None, 5, True, [], "\u00e9" * 129]
INSTALLS = ["i%d" % number for number in range(40)] + ["", None, "x" * 128, "x" * 129, "\u00fc", 7]
NOISE = ["x", 5, 1.5, -0.0, None, True, [], {}, [[]], {"a": 1}, "\u2028", "\ufffd"]
CHARACTERS = list('{}[]",:\\ \n\t\x00\x1fntf019eE.+-u') + [
    "\u00e9",
    "\U0001f680",
    '\\"',
    "\\u0061",
    "\\ud83d",
    '"a":',
    "null",
    "[" * 120,
    "1e400",
]

# What people read: texts, links and languages
TEXTS = ["Back at noon.", "  Z\u00fcrich \n", "a\nb", "", " \n", "\U0001f680"]
LINKS = ["https://a.example/x", "http://a.example", "HTTPS://A.example:8080/p?q=1#f", "https://[::1]/", "https://a.example/%20"]
NO_TEXTS = ["x", 5, None, True, [], {}, {"de": 1}]
BAD_LINKS = [
    "ftp://a.example/", "https://u@a.example/", "javascript:x", "https://", "https://a b/", "//a.example/", "a.example",
    "https://a.example/<", "https://a%41.example/", "https://a.example/" + "x" * 2031, "", None, 5,
]  # fmt: skip
LANGUAGES = [
    "de", "DE", "de-AT", "en", "en-GB", "pt-BR", "pt", "zh", "zh-TW", "zh-Hant", "zh-Hans-CN", "sr-Latn", "iw", "he", "en-x-a",
    "x", "1-2", "de-1996",
]  # fmt: skip
BAD_LANGUAGES = ["", "de_AT", "d" * 36, "d\u00e9"]
WISHES = LANGUAGES + ["zh-HK", "zh-SG", "zh-Hant-TW", "de-CH-1996", "en-GB-x-a-b", "C", "POSIX", "fr", "d" * 36, "in", "de-a"]

# The wire
SERIALS = [3, 4, 4, 5, 9]
WIRE_START = signing.ISSUED
WIRE_DOCUMENTS = [
    '{"apiInactive":false,"forceUpdate":false,"retryInterval":60}',
    '{"apiInactive":false,"forceUpdate":false,"retryInterval":60}',
    '{"apiInactive":true,"forceUpdate":false,"retryInterval":60}',
    '{"apiInactive":true,"forceUpdate":false,"retryInterval":60,"userMessage":"x"}',
    '{"apiInactive":false,"forceUpdate":true,"retryInterval":60}',
    '{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"requiredVersion":"1.4"}',
    '{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[{"id":"a","effect":"pause"}]}',
    '{"apiInactive":true}',
    "<html>",
    "",
]
STREAM_TYPES = ["text/event-stream"] * 5 + ["Text/Event-Stream; charset=utf-8", "text/plain", ""]
FRAMING_FIELDS = [
    ["Content-Encoding", "gzip"], ["Content-Encoding", "identity"], ["Content-Encoding", "utf-8"], ["Transfer-Encoding", "gzip, chunked"],
    ["Content-Length", "-1"], ["Content-Length", "65537"], ["Content-Length", "5, 6"], ["Transfer-Encoding", "chunked"],
]  # fmt: skip
FRAMING = {"Content-Encoding", "Transfer-Encoding", "Content-Length"}
LOCATIONS = [
    "/b", "c?d=1", "https://status.example/e", "https://status.example:443/f", "https://other.example/", "http://status.example/",
    "", "//status.example/g", "https:h", "https://user@status.example/", "\\i", "https://status.example.evil/",
]  # fmt: skip


def client_time(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def http_date(seconds):
    return formatdate(seconds, usegmt=True)


class Maker:
    """Makes texts of JSON, so that a name can stand twice and a text can be broken."""

    def __init__(self, chance):
        self.chance = chance

    def one_of(self, good, bad, share_of_bad=0.04):
        return self.chance.choice(bad if self.chance.random() < share_of_bad else good)

    def some(self, make, least, most):
        return [make() for _ in range(self.chance.randint(least, most))]

    def object(self, members, noise=NOISE):
        """The text of an object of pairs of a name and a text. Sometimes a name stands twice, is unknown, or has a bad value."""
        dice = self.chance.random()
        if members and dice < 0.02:
            members = members + [self.chance.choice(members)]
        elif dice < 0.04:
            members = members + [
                (self.chance.choice(["x", "country", "from", "is", "id", "share"]), json.dumps(self.chance.choice(noise)))
            ]
        elif members and dice < 0.06:
            place = self.chance.randrange(len(members))
            members = [
                (name, json.dumps(self.chance.choice(noise)) if at == place else text)
                for at, (name, text) in enumerate(members)
            ]
        if self.chance.random() < 0.3:
            self.chance.shuffle(members)
        return "{" + ",".join(f"{self.name(name)}:{text}" for name, text in members) + "}"

    def name(self, text):
        quoted = json.dumps(text)
        return (
            f'"\\u{ord(text[0]):04x}{quoted[2:]}'
            if self.chance.random() < 0.01 and text and text[0].isalpha() and text.isascii()
            else quoted
        )

    def array(self, texts):
        return "[" + ",".join(texts) + "]"

    def version(self):
        dice = self.chance.random()
        if dice < 0.03:
            return self.chance.choice(BAD_VERSIONS)
        if dice < 0.4:
            return self.chance.choice(VERSIONS)
        number = ".".join(str(self.chance.randint(0, 2)) for _ in range(self.chance.choice([1, 2, 3, 3, 3, 4])))
        return number + (f"-{self.chance.choice(PRERELEASES)}" if dice > 0.75 else "") + ("+7" if dice > 0.95 else "")

    def interval(self):
        kinds = self.chance.choice([["is"], ["from"], ["below"], ["below"], ["from", "below"], ["from", "below"]])
        if self.chance.random() < 0.02:
            kinds = self.chance.choice([[], ["is", "from"], ["is", "below", "from"]])
        return self.object([(kind, json.dumps(self.version())) for kind in kinds])

    def intervals(self):
        return self.array(
            self.some(
                self.interval,
                *((0, 0) if self.chance.random() < 0.01 else (33, 33) if self.chance.random() < 0.01 else (1, 3)),
            )
        )

    def facts(self):
        least, most = (0, 0) if self.chance.random() < 0.01 else (1, 2)
        names = {self.one_of(NAMES, BAD_NAMES, 0.02) for _ in range(self.chance.randint(least, most))}
        return self.object(
            [
                (
                    name,
                    self.array(
                        [
                            json.dumps(self.one_of(VALUES, BAD_VALUES, 0.02))
                            for _ in range(self.chance.choice([1, 1, 2, 3, 16 if name == "os" else 1]))
                        ]
                    ),
                )
                for name in sorted(names)
            ]
        )

    def set(self, is_only):
        members = []
        for name, make, odds in [
            ("versions", self.intervals, 0.6),
            ("osVersions", self.intervals, 0.15),
            ("is", self.facts, 0.4),
        ]:
            if self.chance.random() < odds:
                members.append((name, make()))
        if self.chance.random() < (0.3 if is_only else 0.03):
            members.append(("share", json.dumps(self.one_of(SHARES, BAD_SHARES))))
        if self.chance.random() < (0.2 if is_only else 0.02):
            members.append(("draw", json.dumps(self.one_of(["17", "a", "d" * 64, "\u00e9"], ["", "d" * 65, None, 5]))))
        return self.object(members)

    def times(self):
        names = self.chance.choice(
            [
                [],
                [],
                ["from"],
                ["until"],
                ["from", "until"],
                ["announce", "from"],
                ["announce", "from", "until"],
                ["announce", "from", "until"],
            ]
        )
        names = self.chance.choice([["announce"], ["announce", "until"]]) if self.chance.random() < 0.02 else names
        times = self.some(lambda: self.one_of(TIMES, BAD_TIMES, 0.03), len(names), len(names))
        if self.chance.random() < 0.9:
            times.sort(key=str)
        return [(name, json.dumps(time)) for name, time in zip(names, times)]

    def rule(self):
        if self.chance.random() < 0.02:
            return json.dumps(self.chance.choice(NOISE))
        members = [
            ("id", json.dumps(self.one_of(IDS, BAD_IDS))),
            (
                "effect",
                json.dumps(
                    self.one_of(["notice", "offer", "pause", "update", "update"], ["stop", "", None, 1, "PAUSE"], 0.03)
                ),
            ),
        ]
        if self.chance.random() < 0.6:
            members.append(
                ("only", self.set(True) if self.chance.random() < 0.97 else self.chance.choice(["null", "[]", "{}", '"x"']))
            )
        if self.chance.random() < 0.3:
            sets = self.some(
                lambda: self.set(False) if self.chance.random() < 0.95 else json.dumps(self.chance.choice(NOISE)), 0, 2
            )
            members.append(
                (
                    "except",
                    self.array(sets if self.chance.random() < 0.97 else sets * 9) if self.chance.random() < 0.97 else "null",
                )
            )
        if self.chance.random() < 0.5:
            members.append(("to", json.dumps(self.version())))
        if self.chance.random() < 0.3:
            members.append(("level", json.dumps(self.one_of(["info", "warn", "warn"], ["WARN", None, 5], 0.1))))
        if self.chance.random() < 0.1:
            members.append((self.chance.choice(["message", "messages", "link"]), json.dumps(self.chance.choice(NOISE))))
        members += self.times()
        if self.chance.random() < 0.06:
            unknown = self.chance.choice(["conceal", "x", "\u00e9", "onyl"])
            named = self.chance.choice([[unknown], [unknown, "until"], ["e\u0301", "y"], ["until"], [], [unknown] * 2, [5], [""], None])
            members += [(unknown, json.dumps(self.chance.choice(NOISE))), ("optional", json.dumps(named))]
        return self.object(members)

    def base(self):
        """The members beside the rules, each once in the order of a usual document."""
        chance = self.chance
        flags = ["true"] + ["false"] * 6
        members = [
            ("apiInactive", chance.choice(flags)),
            ("forceUpdate", chance.choice(flags)),
            ("retryInterval", chance.choice(["60", "60", "0", "-1.5", "1e999"])),
        ]
        if chance.random() < 0.3:
            version = self.version()
            members.append(
                (
                    "requiredVersion",
                    json.dumps(
                        f" {version}{chance.choice(ODD_SPACE + [chr(10)] * 9)}"
                        if isinstance(version, str) and chance.random() < 0.2
                        else version
                    ),
                )
            )
        if chance.random() < 0.3:
            ids = self.some(lambda: self.one_of(IDS, BAD_IDS, 0.02), 0 if chance.random() < 0.05 else 1, 2)
            members.append(("mirrors", json.dumps(ids * (20 if chance.random() < 0.01 else 1))))
        return self.object(members)[1:-1]

    def client(self):
        chance = self.chance
        facts = {name: self.one_of(VALUES, BAD_VALUES, 0.02) for name in NAMES if chance.random() < 0.5}
        # A client has a fact once; in some languages both spellings of a letter are the same name.
        names = {unicodedata.normalize("NFC", name): name for name in facts}
        facts = {name: facts[name] for name in names.values()}
        client = {
            "version": self.version(),
            "osVersion": self.version(),
            "installID": chance.choice(INSTALLS),
            "facts": facts,
        }
        return json.dumps({name: value for name, value in client.items() if chance.random() < 0.95})

    def now(self):
        return "null" if self.chance.random() < 0.05 else json.dumps(self.chance.choice(TIMES))


    # Texts

    def text(self):
        return self.one_of(TEXTS, [None, 5, [], {}], 0.05)

    def texts(self):
        languages = {self.one_of(LANGUAGES, BAD_LANGUAGES, 0.04) for _ in range(self.chance.choice([1, 2, 2, 3, 4, 17]))}
        texts = [(name, json.dumps(self.text() if self.chance.random() < 0.1 else name.upper())) for name in sorted(languages)]
        return self.object(texts, NO_TEXTS)

    def worded(self, names):
        """Members for people, under these names."""
        one, many, link = names
        members = []
        if self.chance.random() < 0.6:
            members.append((one, json.dumps(self.text())))
        if self.chance.random() < 0.6:
            members.append((many, self.texts() if self.chance.random() < 0.95 else json.dumps(self.chance.choice(NO_TEXTS))))
        if self.chance.random() < 0.5:
            members.append((link, json.dumps(self.one_of(LINKS, BAD_LINKS, 0.4))))
        return members

    def worded_rule(self, number):
        effect = self.chance.choice(["pause", "update", "update", "notice", "offer"])
        members = [("id", f'"w{number}"'), ("effect", json.dumps(effect))] + self.worded(["message", "messages", "link"])
        return self.object(members, NO_TEXTS)

    def worded_document(self):
        chance = self.chance
        members = [
            ("apiInactive", chance.choice(["true", "false", "false"])),
            ("forceUpdate", chance.choice(["true", "false", "false"])),
            ("retryInterval", "60"),
        ]
        members += self.worded(["userMessage", "userMessages", "updateURL"])
        if chance.random() < 0.4:
            members.append(("backAt", json.dumps(self.one_of(TIMES, BAD_TIMES, 0.3))))
        if chance.random() < 0.7:
            members.append(("rules", self.array([self.worded_rule(number) for number in range(chance.randint(0, 3))])))
        return self.object(members, NO_TEXTS)


class Stock:
    def __init__(self, chance):
        make, self.chance = Maker(chance), chance
        self.make = make
        self.signed = [self.signed_document(serial) for serial in SERIALS]
        self.rules = [make.rule() for _ in range(STOCK)]
        self.bases = [make.base() for _ in range(STOCK // 3)]
        self.clients = [make.client() for _ in range(STOCK // 3)]
        self.nows = [make.now() for _ in range(40)]

    def document(self):
        pick, dice = self.chance.random, self.chance.random()
        rules, bases = self.rules, self.bases
        count = int(pick() * 6) if dice < 0.97 else 30 + int(pick() * 6)
        plan = "[" + ",".join([rules[int(pick() * STOCK)] for _ in range(count)]) + "]"
        base = bases[int(pick() * len(bases))]
        text = f'{{{base},"rules":{plan}}}' if dice < 0.9 or dice >= 0.97 else f'{{"rules":{plan},{base}}}'
        if pick() > 0.06:
            return text
        return self.broken(text, base, plan)

    def broken(self, text, base, plan):
        kind = self.chance.randrange(6)
        if kind == 0:
            return "\ufeff" + text
        if kind == 1:
            return f'{{{base},"rules":{plan},"rul\\u0065s":{plan}}}'
        if kind == 2:
            return f'{{{base},"rules":{self.chance.choice(["{}", "null", "5", "false", json.dumps(plan)])}}}'
        at = self.chance.randrange(len(text) + 1)
        if kind == 3:
            return text[:at] + text[at + self.chance.randint(1, 3) :]
        if kind == 4:
            return text[:at] + self.chance.choice(CHARACTERS) + text[at:]
        levels = self.chance.randint(124, 130)
        return f'{{{base},"deep":{"[" * levels}{self.chance.choice(["", "0", "{}"])}{"]" * levels},"rules":{plan}}}'

    def rules_case(self, name):
        pick, clients, nows = self.chance.random, self.clients, self.nows
        return (
            f'{{"level":"rules","name":"{name}","document":{json.dumps(self.document())},'
            f'"client":{clients[int(pick() * len(clients))]},"now":{nows[int(pick() * len(nows))]}}}'
        )

    def fields_case(self, name):
        """A document without rules, often broken."""
        pick, base = self.chance.random, self.chance.choice(self.bases)
        document = "{" + base + "}" if pick() < 0.8 else self.broken("{" + base + "}", base, "null")
        return (
            f'{{"level":"fields","name":"{name}","document":{json.dumps(document)},'
            f'"client":{self.chance.choice(self.clients)},"now":{self.chance.choice(self.nows)}}}'
        )

    def texts_case(self, name):
        wishes = [self.chance.choice(WISHES) for _ in range(self.chance.randint(0, 3))]
        return (
            f'{{"level":"texts","name":"{name}","document":{json.dumps(self.make.worded_document())},"client":{{}},'
            f'"now":{self.chance.choice(self.nows)},"languages":{json.dumps(wishes)}}}'
        )

    # Signed documents

    def signed_document(self, serial):
        inactive = self.chance.choice([True, False])
        rules = self.chance.choice([..., [signing.RULE], [signing.RULE, {"id": "s", "effect": "stop"}]])
        return signing.signed(signing.payload(serial=serial, apiInactive=inactive, rules=rules))

    def signed_case(self, name):
        chance, document = self.chance, self.chance.choice(self.signed)
        at = chance.randrange(len(document))
        dice = chance.random()
        if dice < 0.15:
            document = signing.flipped(document, at)
        elif dice < 0.2:
            document = document[:at] + document[at + 1 :]
        elif dice < 0.25:
            document += chance.choice(["\n", "\r\n", " ", "=", "\n\n", "."])
        now = chance.choice(["2026-12-05T21:58:59Z", "2026-12-05T21:59:00Z", "2026-12-06T21:59:59Z", "2026-12-06T22:00:00Z", None])
        keys = chance.choice([[signing.KEY]] * 6 + [[], [signing.OTHER_KEY], [signing.OTHER_KEY, signing.KEY]])
        case = {"level": "signed", "name": name, "document": document, "keys": keys, "client": {"version": "1.4"}, "now": now}
        if chance.random() < 0.1:
            case["audience"] = chance.choice(["default/main", "default/beta", "", "x", "/"])
        return json.dumps(case)

    # The wire

    def wire_case(self, name):
        """Replies and events around one evening, of servers and caches whose clocks and statuses differ."""
        chance, at, steps, wall, is_open = self.chance, 0, [], WIRE_START, False
        is_signed = chance.random() < 0.04
        case = {"level": "wire", "name": name, "client": {"version": "1.4.0"}}
        if is_signed:
            case["keys"] = [signing.KEY]
        if chance.random() < 0.4:
            case["whenUnknown"] = chance.choice(["stay", "open", "closed"])
        if chance.random() < 0.4:
            case["maximumAge"] = chance.choice([1, 60, 3600, 86400])
        for _ in range(chance.randint(2, 9)):
            passed = chance.choice([0, 1, 30, 31, 60, 119, 120, 121, 3600, 86399, 86400, 90000])
            at, wall = at + passed, wall + passed
            if chance.random() < 0.15:
                wall += chance.choice([-90000, -3600, -61, -60, 60, 61, 3600, 90000])
            wall = max(wall, WIRE_START) if is_signed else wall
            step = {"at": at, "wall": client_time(wall)}
            dice = chance.random()
            if dice < 0.55:
                step["reply"] = self.wire_reply(wall, is_signed)
            elif dice < 0.65:
                step["open"] = self.wire_head(wall, [["Content-Type", chance.choice(STREAM_TYPES)]], [200] * 8 + [204, 404, 302])
                is_open = step["open"]["status"] == 200 and step["open"]["headers"][0][1] in STREAM_TYPES[:6]
                is_open = is_open and not any(name in FRAMING for name, _ in step["open"]["headers"])
            elif dice < 0.85 and is_open:
                step["stream"] = self.wire_events(wall, is_signed)
            elif dice < 0.93:
                step["restart"] = True
                is_open = False
            steps.append(step)
        return json.dumps({**case, "steps": steps})

    def wire_document(self, is_signed):
        return self.chance.choice(self.signed if is_signed else WIRE_DOCUMENTS)

    def wire_head(self, wall, fields, statuses):
        chance, fields = self.chance, list(fields)
        if chance.random() < 0.5:
            date = wall + chance.choice([0, 0, 0, -1, 5, -3600, 86400 * 365])
            fields.append([chance.choice(["Date", "date"]), chance.choice([http_date(date)] * 9 + ["today", "", "Sat, 5 Dec 2026"])])
            if chance.random() < 0.3:
                fields.append(["Age", chance.choice(["0", "3600", "-5", "1.5", "", "1234567890"])])
        if chance.random() < 0.05:
            fields.append(chance.choice(FRAMING_FIELDS))
        return {"status": chance.choice(statuses), "headers": fields}

    def publication(self, wall):
        """The text of a date of publication, often one that an earlier step had."""
        offset = self.chance.choice([0, 0, -1, -60, -3600, -86400, 59, 61, 3600, 86400, 90000, 180000])
        begin = self.chance.choice([WIRE_START, WIRE_START, wall])
        return self.chance.choice([str((begin + offset) * 1000)] * 12 + ["", "x", "-1", "12345678901234", "1.5"])

    def wire_reply(self, wall, is_signed):
        chance = self.chance
        head = self.wire_head(wall, [], [200] * 14 + [304] * 4 + [203, 204, 302, 404, 500])
        if chance.random() < 0.7:
            head["headers"].append(["Bellerophon-Published", self.publication(wall)])
            if chance.random() < 0.03:
                head["headers"].append(["bellerophon-published", self.publication(wall)])
        if chance.random() < 0.4:
            head["headers"].append(["ETag", chance.choice(['"a"', 'W/"b"', ""])])
        if head["status"] == 302 or chance.random() < 0.02:
            head["headers"].append(["Location", chance.choice(LOCATIONS)])
        return {**head, "document": self.wire_document(is_signed)}

    def wire_events(self, wall, is_signed):
        chance, end, text = self.chance, self.chance.choice(["\n", "\n", "\r\n", "\r"]), ""
        for _ in range(chance.randint(1, 3)):
            lines = [f"event: {chance.choice(['status'] * 8 + ['resources', ''])}"]
            lines += [f"data: {self.wire_document(is_signed)}"] if chance.random() < 0.9 else []
            if chance.random() < 0.6:
                lines.append(f"id:{chance.choice([' 1', '2', '', ' x', ' ' + chr(228)])}")
            for _ in range(chance.choice([0, 1, 1, 1, 2])):
                lines.append(f"published: {self.publication(wall)}")
            lines += chance.choice([[], [], [": ping"], ["retry: 5"], ["data"], ["unknown: x"]])
            chance.shuffle(lines)
            text += end.join(lines) + end + (end if chance.random() < 0.9 else "")
        return chance.choice(["", "", "", "\ufeff"]) + text

    def sequence_case(self, name):
        """Steps around one evening. Each document is like the one before, with some rules replaced."""
        chance, at, steps = self.chance, 0, []
        rules = [chance.choice(self.rules) for _ in range(3)]
        for _ in range(chance.randint(2, 10)):
            at += chance.choice([0, 0, 1, 60, 3600, 5399, 5400, 86400])
            dice = chance.random()
            if dice < 0.55:
                rules = [chance.choice(self.rules) if chance.random() < 0.3 else rule for rule in rules]
                plan = "[" + ",".join(rules) + "]" if chance.random() < 0.9 else "{}"
                is_inactive = "true" if chance.random() < 0.1 else "false"
                document = f'{{"apiInactive":{is_inactive},"forceUpdate":false,"retryInterval":60,"rules":{plan}}}'
                reply = {
                    "document": document if chance.random() < 0.95 else document[1:],
                    "date": chance.choice(TIMES[:6] + [None, None]),
                }
                steps.append({"at": at, "reply": reply, "wall": chance.choice(TIMES[:7])})
            else:
                steps.append({"at": at, "restart": True} if dice < 0.7 else {"at": at})
        return f'{{"level":"sequence","name":"{name}","client":{chance.choice(self.clients)},"steps":{json.dumps(steps)}}}'


# How many of a hundred random cases have each level
LEVELS = {"fields": 10, "rules": 50, "texts": 13, "sequence": 10, "signed": 2, "wire": 15}


def random_cases(seed, count, level=None):
    """The lines of `count` cases, of one level or of all."""
    stock, levels = None, [level] if level else [name for name, share in LEVELS.items() for _ in range(share)]
    for number in range(count):
        if number % CASES_PER_STOCK == 0:
            stock = Stock(random.Random(f"{seed}:{number}"))
        make = getattr(stock, f"{stock.chance.choice(levels)}_case")
        yield make(f"random-{seed}-{number}")
