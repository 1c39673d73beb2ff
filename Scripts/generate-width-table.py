#!/usr/bin/env python3
"""Writes the display-width table of TerminalUI from Python's Unicode data.

  Scripts/generate-width-table.py > Sources/SafeText/WidthTable+Runs.swift
  Scripts/generate-width-table.py --check    compares the rules with this system's wcwidth()

The layout has to agree with wcwidth(), because ncurses asks it where every character ends.
"""

import ctypes
import locale
import sys
import unicodedata

NARROW, WIDE, MARK, DROPPED, UNKNOWN = range(5)

# Default_Ignorable_Code_Point outside the general category Cf: fillers, joiners, variation selectors, tags.
IGNORABLE = [
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF),
]
# Format characters that are drawn all the same: number signs and marks that stand before their text.
VISIBLE_FORMAT = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
# Medial vowels and final consonants, drawn into the syllable that an initial consonant has opened.
JAMO = [(0x1161, 0x11FF), (0xD7B0, 0xD7C6), (0xD7CB, 0xD7FB)]
# Wide in every terminal, though East Asian Width calls them ambiguous or neutral.
WIDE_ANYWAY = [(0x3248, 0x324F), (0x4DC0, 0x4DFF)]


def within(value, ranges):
    return any(first <= value <= last for first, last in ranges)


def kind(value):
    character = chr(value)
    category = unicodedata.category(character)
    if within(value, IGNORABLE) or category in ("Cc", "Zl", "Zp"):
        return DROPPED
    if category == "Cf":
        return NARROW if value in VISIBLE_FORMAT else DROPPED
    if category in ("Cn", "Cs"):
        return UNKNOWN
    if category in ("Mn", "Me") or within(value, JAMO):
        return MARK
    if unicodedata.east_asian_width(character) in "WF" or within(value, WIDE_ANYWAY):
        return WIDE
    return NARROW


def runs():
    """The places where the kind changes, as (first scalar, kind)."""
    last = None
    for value in range(0x110000):
        this = kind(value)
        if this != last:
            yield value, this
        last = this


def swift():
    yield f"// Made by Scripts/generate-width-table.py from Unicode {unicodedata.unidata_version}; do not edit."
    yield ""
    yield "extension WidthTable {"
    yield "    /// Where the kind changes: the first scalar of a run times eight, plus the run's kind."
    yield "    static let runs: [UInt32] = ["
    entries = [f"0x{value << 3 | this:X}," for value, this in runs()]
    for start in range(0, len(entries), 12):
        yield "        " + " ".join(entries[start:start + 12])
    yield "    ]"
    yield "}"


def count_differences():
    """Counts the scalars whose width differs from wcwidth(); those we drop or replace are no difference."""
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    wcwidth = ctypes.CDLL(None).wcwidth
    wcwidth.argtypes = [ctypes.c_int32]
    expected = {NARROW: 1, WIDE: 2, MARK: 0}
    different = [
        value for value in range(0x110000)
        if kind(value) in expected and wcwidth(value) != expected[kind(value)]
    ]
    for value in different[:40]:
        print(f"U+{value:04X} {unicodedata.name(chr(value), '?')}: {expected[kind(value)]}, wcwidth {wcwidth(value)}")
    print(f"{len(different)} scalars differ from wcwidth()")
    return 1 if different else 0


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(count_differences())
    print("\n".join(swift()))
