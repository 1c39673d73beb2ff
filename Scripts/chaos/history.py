"""What was published and what was seen, and the rules that must hold between the two."""

import json
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Row:
    """A row of the journal."""
    id: int
    action: str
    app: str
    document: str
    ends_at: int | None
    ends: int | None
    at: int
    published: int | None
    request: str | None
    body: str | None

    def phase(self):
        """The phase of a rule that the row records: (rule, kind, time); None for another row."""
        phase = json.loads(self.body or "{}").get("phase")
        return (phase["rule"], phase["kind"], _milliseconds(phase["at"])) if phase else None


def _milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


@dataclass
class Acknowledged:
    """A publish that a server confirmed."""
    request: str
    row: int
    app: str
    when: float


@dataclass
class Seen:
    """A status that a server replied with."""
    origin: str
    app: str
    serial: int
    body: str
    when: float


@dataclass
class Ready:
    """What a server that said it is ready served, and what it owed at least."""
    origin: str
    app: str
    serial: int
    owed: int


@dataclass
class History:
    rows: list[Row] = field(default_factory=list)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    ready: list[Ready] = field(default_factory=list)
    # (app, serial of the signature, text)
    signed: list[tuple[str, int, str]] = field(default_factory=list)
    # Messages that the client has shown, in order.
    shown: list[str] = field(default_factory=list)
    # The newest row's digest: the database's, then that of each copy.
    heads: dict[str, str] = field(default_factory=dict)


def verify(history: History) -> list[str]:
    """The rules that do not hold; empty if all do."""
    return [
        *_rows(history), *_acknowledged(history), *_ends(history), *_phases(history), *_seen(history), *_signed(history), *_shown(history),
        *_heads(history), *_ready(history),
    ]


def _rows(history):
    for number, row in enumerate(history.rows, 1):
        if row.id != number:
            yield f"row {number} of the journal is missing or out of order"
            return
    dates = [row.published for row in history.rows if row.published is not None]
    if any(later <= earlier for earlier, later in zip(dates, dates[1:])):
        yield "a row is not dated after the rows before it"
    requests = [row.request for row in history.rows if row.request]
    if len(requests) != len(set(requests)):
        yield "a request was carried out twice"


def _acknowledged(history):
    rows = {row.request: row for row in history.rows if row.request}
    for item in history.acknowledged:
        row = rows.get(item.request)
        if row is None:
            yield f"the acknowledged row {item.row} is not in the journal"
        elif (row.id, row.app) != (item.row, item.app):
            yield f"the acknowledged row {item.row} is row {row.id} of the journal"


def _ends(history):
    rows = {row.id: row for row in history.rows}
    ended = [row for row in history.rows if row.ends is not None]
    targets = [row.ends for row in ended]
    for target in {target for target in targets if targets.count(target) > 1}:
        yield f"row {target} was ended more than once"
    for row in ended:
        timed = rows.get(row.ends)
        if timed is None or timed.ends_at is None or row.at < timed.ends_at:
            yield f"row {row.id} ends a row that was not due"
    # The rounds end once everything timed is over.
    newest = {row.app: row for row in history.rows if row.app}
    for row in newest.values():
        if row.ends_at is not None:
            yield f"the timed row {row.id} was never ended"


def _phases(history):
    expected: list[tuple[int, str, str, str]] = []
    for row in history.rows:
        plan = json.loads(row.body or "{}")
        added = plan.get("change", {}).get("added", [])
        for rule in map(json.loads, plan.get("rules", [])):
            if rule["id"] in added:
                expected += [(_milliseconds(rule[kind]), row.app, rule["id"], kind)
                             for kind in ("announce", "from", "until")
                             if kind in rule and _milliseconds(rule[kind]) > _milliseconds(plan["asOf"])]
    happened = [(row.phase()[2], row.app, *row.phase()[:2]) for row in history.rows if row.phase()]
    for phase in sorted(set(expected) ^ set(happened)):
        yield f"the phase {phase} {'was forgotten' if phase in expected else 'belongs to no rule'}"
    if len(happened) != len(set(happened)):
        yield "a phase happened more than once"
    last: dict[str, int] = {}
    for row in history.rows:
        if row.phase():
            _, _, due = row.phase()
            if row.at < due:
                yield f"row {row.id} has a phase that was not due"
            if due < last.get(row.app, 0):
                yield f"row {row.id} has a phase after a later one"
            last[row.app] = due


def _seen(history):
    rows = {row.id: row for row in history.rows}
    newest: dict[tuple[str, str], int] = {}
    problems = set()
    for item in history.seen:
        place = (item.origin, item.app)
        if item.serial < newest.get(place, 0):
            problems.add(f"{item.origin} went back from row {newest[place]} to row {item.serial} of {item.app}")
        newest[place] = max(item.serial, newest.get(place, 0))
        row = rows.get(item.serial)
        if item.serial and (row is None or row.app != item.app or json.loads(row.document) != json.loads(item.body)):
            problems.add(f"{item.origin} replied for {item.app} with something else than row {item.serial}")
    yield from sorted(problems)


def _signed(history):
    texts: dict[tuple[str, int], set[str]] = {}
    for app, serial, text in history.signed:
        texts.setdefault((app, serial), set()).add(text)
    for (app, serial), different in sorted(texts.items()):
        if len(different) > 1:
            yield f"the status {serial} of {app} has {len(different)} signatures"


def _shown(history):
    places = {json.loads(row.document).get("userMessage"): row.id for row in history.rows if row.document}
    rows = [places.get(message, 0) for message in history.shown]
    if 0 in rows:
        yield "the client has shown a message that nobody has published"
    if any(later < earlier for earlier, later in zip(rows, rows[1:])):
        yield "the client has shown an older status after a newer one"


def _heads(history):
    if len(set(history.heads.values())) > 1:
        yield f"the copies do not end like the journal: {history.heads}"


def _ready(history):
    for item in history.ready:
        if item.serial < item.owed:
            yield (f"{item.origin} said that it is ready, and served row {item.serial} of {item.app} where row {item.owed} was "
                   "acknowledged before its stated lag")


def faults(history: History):
    """Histories with a fault, by the name of the fault: each must be found."""
    from copy import deepcopy

    def with_fault(change):
        other = deepcopy(history)
        change(other)
        return other

    def lost(other):
        row = next(row for row in other.rows if row.request == other.acknowledged[len(other.acknowledged) // 2].request)
        other.rows.remove(row)

    def twice(other):
        # As if two servers had published without a lock.
        row = deepcopy(next(row for row in other.rows if row.request))
        row.id = len(other.rows) + 1
        row.published = other.rows[-1].at + 1_000_000
        other.rows.append(row)

    def ended_twice(other):
        # As if a server that was replaced had not known it.
        row = deepcopy(next(row for row in other.rows if row.ends is not None))
        row.id, row.published = len(other.rows) + 1, other.rows[-1].at + 1_000_000
        other.rows.append(row)

    def phase_lost(other):
        row = next(row for row in reversed(other.rows) if row.phase())
        row.body = json.dumps({**json.loads(row.body), "phase": None})

    def phase_twice(other):
        row = deepcopy(next(row for row in other.rows if row.phase()))
        row.id, row.published = len(other.rows) + 1, other.rows[-1].at + 1_000_000
        other.rows.append(row)

    def phase_early(other):
        row = next(row for row in other.rows if row.phase())
        row.at = row.phase()[2] - 1

    def back(other):
        place = next(item for item in reversed(other.seen) if item.serial > 1)
        earlier = next(item for item in other.seen if (item.origin, item.app) == (place.origin, place.app))
        other.seen.append(deepcopy(earlier))

    def lifted(other):
        killed = next(item for item in reversed(other.seen) if '"apiInactive":true' in item.body.replace(" ", ""))
        other.seen.append(Seen(
            killed.origin, killed.app, max(item.serial for item in other.seen if item.app == killed.app),
            '{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":"lifted by nobody"}', killed.when))

    def signed(other):
        app, serial, text = other.signed[0]
        other.signed.append((app, serial, text[:-4] + "AAAA"))

    def shown(other):
        other.shown.extend([other.shown[-1], other.shown[0]])

    def diverged(other):
        other.heads["a"] = "0" * 64

    def late(other):
        item = next(item for item in other.ready if item.owed)
        other.ready.append(Ready(item.origin, item.app, item.owed - 1, item.owed))

    changes = [late, lost, twice, ended_twice, phase_lost, phase_twice, phase_early, back, lifted, signed, shown, diverged]
    return {change.__name__: with_fault(change) for change in changes}
