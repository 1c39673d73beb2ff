#!/usr/bin/env python3
"""Writes vectors/signed.json and vectors/serials.json. The keys and times are fixed, and Ed25519 adds nothing random, so the files
are always the same.

The seed of the first key is that of test 1 in RFC 8032, section 7.1. Never use these keys for anything else.
"""

import base64
import hashlib
import json
from pathlib import Path

import ed25519

SEEDS = [
    bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
    hashlib.sha256(b"second").digest(),
]
ISSUED, EXPIRES = 1796508000, 1796594400  # 2026-12-05T22:00:00Z and 24 hours later
NOW = "2026-12-06T00:00:00Z"
RULE = {"id": "r", "effect": "update", "only": {"versions": [{"below": "2"}]}, "to": "2.0"}
COVERED = {
    "valid": True,
    "stage": "updateRequired",
    "by": "r",
    "to": "2.0",
    "notices": [],
    "reasons": ["holds"],
    "undecided": [],
    "planUnreadable": False,
    "next": None,
}
REFUSED = {"valid": False}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def private(seed):
    """The scalar, the prefix and the public key of a seed (RFC 8032, section 5.1.5)."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, digest[32:], ed25519.encode(ed25519.multiply(scalar, ed25519.BASE))


def sign(seed, text):
    scalar, prefix, public = private(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + text).digest(), "little") % ed25519.ORDER
    point = ed25519.encode(ed25519.multiply(nonce, ed25519.BASE))
    challenge = int.from_bytes(hashlib.sha512(point + public + text).digest(), "little")
    return point + ((nonce + challenge * scalar) % ed25519.ORDER).to_bytes(32, "little")


def jwk(seed):
    return {"kty": "OKP", "crv": "Ed25519", "x": encoded(private(seed)[2])}


def key_id(seed):
    text = '{"crv":"Ed25519","kty":"OKP","x":"%s"}' % jwk(seed)["x"]
    return encoded(hashlib.sha256(text.encode()).digest())


def payload(**members):
    members = {
        "aud": "default/main",
        "serial": 7,
        "iat": ISSUED,
        "exp": EXPIRES,
        "apiInactive": False,
        "forceUpdate": False,
        "retryInterval": 60,
        "rules": [RULE],
        **members,
    }
    return json.dumps({name: value for name, value in members.items() if value is not ...}, separators=(",", ":")).encode()


def signed(body=None, seed=SEEDS[0], header=None, **members):
    members = {"alg": "EdDSA", "kid": key_id(seed), "typ": "bellerophon-status+jws", **members}
    head = (
        header
        or json.dumps({name: value for name, value in members.items() if value is not ...}, separators=(",", ":")).encode()
    )
    text = f"{encoded(head)}.{encoded(payload() if body is None else body)}"
    return f"{text}.{encoded(sign(seed, text.encode()))}"


KEY, OTHER_KEY = jwk(SEEDS[0]), jwk(SEEDS[1])
CASES = []


def case(name, why, document, expect=REFUSED, now=NOW, keys=(jwk(SEEDS[0]),), client=None, **more):
    CASES.append(
        {
            "name": f"signed-{name}",
            "why": why,
            "document": document,
            "keys": list(keys),
            **more,
            "client": client or {"version": "1.4.0"},
            "now": now,
            "expect": expect,
        }
    )


WIRE = []


def serials(name, why, *documents, keys=(KEY,), **more):
    """A case of the level `wire`: a document each minute. A text that is no document is a restart."""
    steps = []
    for minute, (document, took, by, *head) in enumerate(documents):
        wall = f"2026-12-05T23:{minute:02}:00Z"
        answer = {"status": 200, "headers": [], "document": document, **(head[0] if head else {})}
        sent = {"restart": True} if document is None else {"reply": answer}
        reply = {} if document is None else {"took": took, "date": "2026-12-06T00:00:30Z" if head else None}
        stage = {None: "active", "apiInactive": "killed", "unknown": "unknown"}[by]
        by = None if by == "unknown" else by
        steps.append(
            ({"at": minute * 60, "wall": wall, **sent}, {**reply, "stage": stage, "by": by, "ifNoneMatch": None, "lastEventID": None})
        )
    WIRE.append(
        {
            "name": f"serial-{name}",
            "why": why,
            "client": {"version": "1.4.0"},
            "keys": list(keys),
            **more,
            "steps": [step for step, _ in steps],
            "expect": {"steps": [reply for _, reply in steps]},
        }
    )


def serial_cases():
    def status(serial, inactive, seed=SEEDS[0], **members):
        return signed(payload(serial=serial, apiInactive=inactive, rules=..., **members), seed=seed)

    killed, clear = "apiInactive", None
    serials("higher", "A higher serial is a later status.", (status(7, True), "counts", killed), (status(8, False), "counts", clear))
    early = {"headers": [["Date", "Sun, 06 Dec 2026 00:00:30 GMT"]]}
    soon = {"iat": ISSUED + 7200, "exp": EXPIRES + 7200}
    serials(
        "early",
        "A client's clock is slow. The date of a reply makes a document count that covers, and none that does not.",
        (status(7, True, **soon), "untrusted", "unknown"),
        (status(7, True, **soon), "counts", killed, early),
        (status(8, False, **soon), "untrusted", killed, early),
        (status(8, False), "counts", clear),
    )
    serials(
        "lower",
        "A lower serial is a replay, however its times are.",
        (status(7, True), "counts", killed),
        (status(6, False, iat=ISSUED + 60), "replay", killed),
    )
    serials(
        "signed-again",
        "A status that was signed again has its serial, and confirms it.",
        (status(7, True), "counts", killed),
        (status(7, True, iat=ISSUED + 60, exp=EXPIRES + 60), "counts", killed),
    )
    serials(
        "reused",
        "A serial stands for one status. The first one with it keeps it.",
        (status(7, True), "counts", killed),
        (status(7, False), "replay", killed),
        (status(7, True), "counts", killed),
    )
    serials(
        "gap",
        "Serials need not follow each other.",
        (status(7, True), "counts", killed),
        (status(2**53 - 1, False), "counts", clear),
        (status(8, True), "replay", clear),
    )
    serials(
        "restart",
        "The highest serial is kept over a restart, with its status.",
        (status(7, True), "counts", killed),
        (None, None, killed),
        (status(6, False), "replay", killed),
        (status(7, False), "replay", killed),
        (status(8, False), "counts", clear),
    )
    serials(
        "restart-clear",
        "The serial is kept although a status that lets the program run is not used again.",
        (status(7, False), "counts", clear),
        (None, None, "unknown"),
        (status(6, True), "replay", "unknown"),
        (status(7, False), "counts", clear),
    )
    serials(
        "untrusted",
        "A document that is not trusted has no serial.",
        (status(7, True), "counts", killed),
        (status(9, False, seed=SEEDS[1]), "untrusted", killed),
        (status(8, False), "counts", clear),
    )
    serials(
        "other-key",
        "All keys share the serials.",
        (status(7, True), "counts", killed),
        (status(6, False, seed=SEEDS[1]), "replay", killed),
        (status(8, False, seed=SEEDS[1]), "counts", clear),
        keys=(KEY, OTHER_KEY),
    )
    serials(
        "no-document",
        "A signed text that is no status has no serial.",
        (status(7, True), "counts", killed),
        (status(9, False, forceUpdate=...), "noDocument", killed),
        (status(8, False), "counts", clear),
    )
    serials(
        "unsigned",
        "With keys only signed documents count.",
        (status(7, True), "counts", killed),
        (payload(apiInactive=False).decode(), "untrusted", killed),
    )


def write(name, level, about, cases):
    out = [f'{{"level": "{level}",', f' "about": {json.dumps(about)},', ' "cases": [']
    lines = [",\n   ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items()) for entry in cases]
    out.append(",\n".join("  {" + line + "}" for line in lines))
    (Path(__file__).parent / "vectors" / name).write_text("\n".join(out) + "\n ]}\n", encoding="utf-8")


def flipped(text, at):
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def early_cases():
    """A document that is ahead of the client's clock, which is two hours slow here."""
    slow, date = "2026-12-05T20:00:00Z", "2026-12-05T22:00:30Z"
    good, paused = signed(), signed(payload(apiInactive=True, rules=[]))
    stopped = {**COVERED, "stage": "killed", "by": "apiInactive", "to": None, "reasons": []}

    def early(name, why, document, expect, **changes):
        case(f"early-{name}", why, document, expect, **{"now": slow, "date": date, **changes})

    early("update", "By the Date of the reply it is valid, and it covers the client.", good, COVERED)
    early("pause", "A pause covers the client.", paused, stopped)
    early("over-active", "The client runs, and is covered from now on.", paused, stopped, stage="active")
    early("over-same", "It covers as strictly as what is shown.", paused, stopped, stage="killed")
    early("over-weaker", "An update is stricter than a pause.", good, COVERED, stage="killed")
    early("under-stricter", "A pause must not take the place of an update.", paused, REFUSED, stage="updateRequired")
    early("clear", "A document that does not cover the client lifts nothing.", signed(payload(rules=[])), REFUSED, stage="killed")
    early("clear-over-active", "A document that does not cover the client confirms nothing.", signed(payload(rules=[])), REFUSED)
    early("other-version", "It does not cover this client.", good, REFUSED, client={"version": "2.0"})
    early("without-date", "The client's clock counts alone.", good, REFUSED, date=None)
    early("date-slow-too", "Both clocks say that it is from the future.", good, REFUSED, date="2026-12-05T21:58:59Z")
    early("date-just-before", "Clocks that agree differ by up to a minute.", good, COVERED, date="2026-12-05T21:59:00Z")
    early("date-before-exp", "It has not expired.", good, COVERED, date="2026-12-06T21:59:59Z")
    early("date-at-exp", "By the Date of the reply it has expired.", good, REFUSED, date="2026-12-06T22:00:00Z")
    late = {"id": "mw", "effect": "pause", "from": "2026-12-05T21:00:00Z"}
    early("later-rule", "The Date moves no clock, and by the client's clock the rule has not begun.",
          signed(payload(rules=[late])), REFUSED)  # fmt: skip
    over = {"id": "mw", "effect": "pause", "until": "2026-12-05T21:00:00Z"}
    early("rule-over", "When it was signed, its rule was over.", signed(payload(rules=[over])), REFUSED)
    early("expired-by-clock", "A Date does not help a document that has expired by the client's clock.", good, REFUSED,
          now="2026-12-06T22:00:00Z", date="2026-12-06T21:00:00Z")  # fmt: skip
    early("stage-of-nobody", "No stage has this name, so this is no case.", good, REFUSED, stage="closed")


def main():
    good = signed()
    head, body, tail = good.split(".")
    second = {**COVERED, "stage": "killed", "by": "apiInactive", "to": None, "reasons": []}
    case("good", "A trusted key has signed it for this audience, and it is valid now.", good, COVERED)
    case(
        "good-second-key",
        "Any of several keys is enough.",
        signed(seed=SEEDS[1]),
        COVERED,
        keys=[jwk(SEEDS[0]), jwk(SEEDS[1])],
    )
    case(
        "good-audience",
        "The audience of another channel.",
        signed(payload(aud="notes/beta")),
        COVERED,
        audience="notes/beta",
    )
    case("good-line-end", "One line end after the document is ignored.", good + "\n", COVERED)
    case("good-carriage-return", "CRLF is one line end.", good + "\r\n", COVERED)
    case("good-kill", "The base fields of the payload count.", signed(payload(apiInactive=True, rules=...)), second)
    case("good-unknown-members", "Unknown members of the payload are ignored.", signed(payload(x={"y": 1})), COVERED)
    case(
        "good-undecided-rule",
        "What is not understood is no question of trust.",
        signed(payload(rules=[{"id": "r", "effect": "stop"}])),
        {**COVERED, "stage": "active", "by": None, "to": None, "reasons": ["badEffect"], "undecided": ["r"]},
    )
    case("good-first-second", "It is valid from the second of iat on.", good, COVERED, now="2026-12-05T22:00:00Z")
    case(
        "good-a-minute-early",
        "60 seconds before iat are allowed, because clocks differ.",
        good,
        COVERED,
        now="2026-12-05T21:59:00Z",
    )
    case("good-last-second", "It is valid in the second before exp.", good, COVERED, now="2026-12-06T21:59:59Z")
    case("good-no-time", "Without a time the validity period cannot be checked.", good, COVERED, now=None)
    case("good-serial-0", "0 is a serial.", signed(payload(serial=0)), COVERED)
    case("good-serial-greatest", "2^53 - 1 is the greatest serial.", signed(payload(serial=2**53 - 1)), COVERED)
    case("good-until-year-9999", "It is valid until the last second of the year 9999.", signed(payload(exp=253402300799)), COVERED)
    case(
        "good-spaced-header",
        "White space in the header is signed with it.",
        signed(header=b'{ "typ":"bellerophon-status+jws", "kid":"%s", "alg":"EdDSA" }' % key_id(SEEDS[0]).encode()),
        COVERED,
    )
    case("future", "61 seconds before iat it is refused.", good, now="2026-12-05T21:58:59Z")
    case("expired", "At exp it is not valid any more.", good, now="2026-12-06T22:00:00Z")
    case("expired-long-ago", "A year later it is not valid either.", good, now="2027-12-06T00:00:00Z")
    case("unsigned", "A plain document is not signed.", payload().decode())
    case("empty", "An empty text is not signed.", "")
    case("other-key", "Another key has signed it.", signed(seed=SEEDS[1]))
    case(
        "other-key-under-this-name",
        "Another key has signed it and claims to be this one.",
        signed(seed=SEEDS[1], kid=key_id(SEEDS[0])),
    )
    case("no-keys", "Without keys nothing is trusted.", good, keys=[])
    case(
        "payload-of-another",
        "The payload of another document under this signature.",
        f"{head}.{encoded(payload(serial=8))}.{tail}",
    )
    case("payload-changed", "One character of the payload was changed.", f"{head}.{flipped(body, 40)}.{tail}")
    case("signature-changed", "One character of the signature was changed.", f"{head}.{body}.{flipped(tail, 9)}")
    case(
        "signature-of-another",
        "The signature of another document.",
        f"{head}.{body}.{signed(payload(serial=8)).split('.')[2]}",
    )
    case(
        "signature-short",
        "63 bytes are no signature.",
        f"{head}.{body}.{encoded(base64.urlsafe_b64decode(tail + '==')[:63])}",
    )
    case(
        "signature-long",
        "65 bytes are no signature.",
        f"{head}.{body}.{encoded(base64.urlsafe_b64decode(tail + '==') + bytes(1))}",
    )
    case("signature-empty", "No signature is no signature.", f"{head}.{body}.")
    raw = base64.urlsafe_b64decode(tail + "==")
    greater = (int.from_bytes(raw[32:], "little") + ed25519.ORDER).to_bytes(32, "little")
    case(
        "signature-not-reduced",
        "S must be less than the order of the group (RFC 8032, section 5.1.7).",
        f"{head}.{body}.{encoded(raw[:32] + greater)}",
    )
    case("signature-zero", "64 zeros sign nothing.", f"{head}.{body}.{encoded(bytes(64))}")
    case("two-parts", "A part is missing.", f"{head}.{body}")
    case("four-parts", "There is a part too many.", f"{good}.{tail}")
    case("padding", "Base64url stands without padding.", f"{head}.{body}.{tail}==")
    case(
        "standard-alphabet",
        "The alphabet is that of base64url.",
        f"{head}.{body}.{tail.replace('-', '+').replace('_', '/')}",
    )
    case(
        "unused-bits", "The last character has bits that are not zero.", f"{head}.{body}.{tail[:-1]}{chr(ord(tail[-1]) + 1)}"
    )
    case("space-before", "White space is no part of base64url.", " " + good)
    case("two-line-ends", "Only one line end is ignored.", good + "\n\n")
    case("byte-order-mark", "A byte order mark is no part of base64url.", "\ufeff" + good)
    for name, why, changes in [
        ("none", "The algorithm is always EdDSA.", {"alg": "none"}),
        ("hs256", "A public key is no secret of HMAC.", {"alg": "HS256"}),
        ("es256", "Another algorithm of signatures.", {"alg": "ES256"}),
        ("lower-case", "The name of the algorithm is exact.", {"alg": "eddsa"}),
        ("missing", "The header names the algorithm.", {"alg": ...}),
    ]:
        case(f"alg-{name}", why, signed(**changes))
    case("alg-none-without-signature", "An unsigned JWS.", ".".join(signed(alg="none").split(".")[:2]) + ".")
    case("kid-missing", "The header names the key.", signed(kid=...))
    case("kid-of-nobody", "No trusted key has this name.", signed(kid="x" * 43))
    case("typ-missing", "The header names the kind of document.", signed(typ=...))
    case("typ-resource", "A manifest of a resource is no status.", signed(typ="bellerophon-resource+jws"))
    case("header-crit", "An extension could change the meaning.", signed(crit=["exp"], exp=1))
    case("header-unknown-member", "No other member is accepted.", signed(cty="json"))
    case("header-jwk", "A document cannot bring its own key.", signed(seed=SEEDS[1], jwk=jwk(SEEDS[1])))
    case(
        "header-repeated",
        "A name stands once.",
        signed(header=b'{"alg":"none","alg":"EdDSA","kid":"%s","typ":"bellerophon-status+jws"}' % key_id(SEEDS[0]).encode()),
    )
    case("header-array", "The header is an object.", signed(header=b"[]"))
    case("audience-other-app", "It is for another app.", signed(payload(aud="notes/main")))
    case("audience-other-channel", "It is for another channel.", good, audience="default/beta")
    case("audience-missing", "A document says for whom it is.", signed(payload(aud=...)))
    case("audience-list", "The audience is a text.", signed(payload(aud=["default/main"])))
    for name, serial in [
        ("missing", ...),
        ("text", "7"),
        ("negative", -1),
        ("too-great", 2**53),
        ("fraction", 7.5),
        ("whole-fraction", 7.0),
        ("boolean", True),
        ("null", None),
    ]:
        case(f"serial-{name}", "A serial is a whole number from 0 to 2^53 - 1, in digits.", signed(payload(serial=serial)))
    case("iat-missing", "A document says when it was issued.", signed(payload(iat=...)))
    case("exp-missing", "A document says when it expires.", signed(payload(exp=...)))
    case("exp-before-iat", "It expires before it is issued.", signed(payload(exp=ISSUED - 1)), now="2026-12-05T21:59:58Z")
    case("exp-equals-iat", "It is never valid.", signed(payload(exp=ISSUED)), now=None)
    case("exp-text", "A time is a number of seconds here.", signed(payload(exp="2026-12-06T22:00:00Z")))
    case(
        "exp-exponent",
        "Whole numbers are written in digits.",
        signed(payload().replace(b'"exp":1796594400', b'"exp":1.7965944e9')),
    )
    case("exp-beyond-year-9999", "No time is later than the year 9999.", signed(payload(exp=253402300800)))
    case(
        "repeated-name",
        "No name stands twice in a signed document.",
        signed(payload().replace(b'"serial":7', b'"serial":7,"serial":7')),
    )
    case(
        "repeated-name-inside",
        "That goes for every object in it.",
        signed(payload().replace(b'"id":"r"', b'"id":"r","id":"r"')),
    )
    case("payload-array", "The payload is an object.", signed(b"[]"))
    case("payload-text", "The payload is JSON.", signed(b"hello"))
    case("payload-byte-order-mark", "Signed text has no byte order mark.", signed(b"\xef\xbb\xbf" + payload()))
    case("payload-no-status", "It can be trusted, and is no status.", signed(payload(apiInactive=...)))
    weak = {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}
    case("key-weak", "Anybody can make a signature for a key of small order.", good, keys=[weak])
    case("key-weak-among-others", "A configuration with such a key is refused as a whole.", good, keys=[jwk(SEEDS[0]), weak])
    case("key-short", "42 characters are no key.", good, keys=[{**jwk(SEEDS[0]), "x": jwk(SEEDS[0])["x"][:42]}])
    case("key-with-padding", "A key stands without padding.", good, keys=[{**jwk(SEEDS[0]), "x": jwk(SEEDS[0])["x"] + "="}])
    early_cases()
    serial_cases()
    write("signed.json", "signed", "Signed documents: compact JWS with Ed25519. make-signed.py writes this file.", CASES)
    write("serials.json", "wire", "Serials of signed documents over time. make-signed.py writes this file.", WIRE)


if __name__ == "__main__":
    main()
