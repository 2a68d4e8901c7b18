"""Writes the recorded figures into docs/performance.md: python bench/page.py.

`make bench-record` and `make docs` call it.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "peers")]

import costs  # noqa: E402
import engine  # noqa: E402
import run as peers  # noqa: E402
import waiting  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = engine.HERE.parent / "docs/performance.md"


def lines(headings: Sequence[str], rows: Iterable[Sequence[str]], left: set[str]) -> str:
    """Return a table in Markdown; columns named in `left` are aligned to the left."""
    head = (
        f"| {' | '.join(headings)} "
        f"|\n|{'|'.join('---' if heading in left else '--:' for heading in headings)}|\n"
    )
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def about(record: dict[str, Any]) -> str:
    """Return the paragraph that says when and on which machine a record was made."""
    provenance = record["about"]
    others = ", ".join(
        f"{name} {version}"
        for name, version in provenance.items()
        if name not in {"date", "machine", "system", "commit", "compiler"}
    )
    text = (
        f"Recorded {provenance['date']} at commit {provenance['commit']}, one core of "
        f"{provenance['machine']}; {provenance['system']}; {provenance['compiler']}"
        f"{'; ' if others else ''}{others}."
    )
    return textwrap.fill(text, 100) + "\n\n"


def of_engine(record: dict[str, Any]) -> str:
    """Return the figures of `make bench` for the page."""
    rows = [engine.cells(engine.NAMED[name], row) for name, row in record["figures"].items()]
    return about(record) + lines(engine.HEADINGS, rows, {"workload"})


def of_peers(record: dict[str, Any]) -> str:
    """Return the figures of `make bench-peers` for the page."""
    return about(record) + lines(
        peers.HEADINGS, map(peers.cells, record["rows"]), {"workload", "peer", "same work"}
    )


def of_costs(record: dict[str, Any]) -> str:
    """Return the figures of bench/costs.py for the page."""
    return about(record) + lines(
        costs.HEADINGS, map(costs.cells, record["rows"]), {"what", "workload"}
    )


def of_waiting(record: dict[str, Any]) -> str:
    """Return the figures of bench/waiting.py for the page."""
    return about(record) + lines(
        waiting.HEADINGS, map(waiting.cells, record["rows"]), {waiting.HEADINGS[0]}
    )


def filled(text: str, mark: str, generated: str) -> str:
    """Return the text with the part between the marks replaced."""
    begin, end = (f"<!-- {mark}, by bench/page.py: {word} -->\n" for word in ("begin", "end"))
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return before + begin + generated + end + after


def written(text: str) -> str:
    """Return the page's text with the figures that are recorded now."""
    for mark, module, shows in (
        ("waiting", waiting, of_waiting),
        ("engine", engine, of_engine),
        ("costs", costs, of_costs),
        ("peers", peers, of_peers),
    ):
        text = filled(text, mark, shows(json.loads(module.RECORDED.read_text())))
    return text


def main() -> None:
    """Rewrite the generated parts in place."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write("written: docs/performance.md\n")


if __name__ == "__main__":
    main()
