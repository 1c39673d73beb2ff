"""Tables for people, which are Markdown too."""

import unicodedata


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def show(title, head, rows, notes=()):
    """Prints a table, first column to the left, the others to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(width(row[i]) for row in [head] + rows) for i in range(len(head))]

    def line(cells):
        parts = [
            cell + " " * (w - width(cell)) if i == 0 else " " * (w - width(cell)) + cell
            for i, (cell, w) in enumerate(zip(cells, widths))
        ]
        return "| " + " | ".join(parts) + " |"

    print(f"\n### {title}\n")
    print(line(head))
    print("|" + "|".join("-" * (w + 1) + ("-" if i == 0 else ":") for i, w in enumerate(widths)) + "|")
    for row in rows:
        print(line(row))
    for note in notes:
        print(f"\n{note}")
    print(flush=True)


def thousands(number):
    return f"{number:,.0f}"


def milliseconds(microseconds):
    return f"{microseconds / 1000:.1f} ms"
