"""Writes the tables of campaigns into docs/fuzzing.md from their reports.

python -m fuzz.page runs/fuzz/seed-7/report.json runs/fuzz/seed-7-all/report.json
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

__all__ = ["ONCE", "table", "written"]

_PAGE = Path(__file__).parent.parent / "docs" / "fuzzing.md"
_PART = re.compile(r"(<!-- campaigns: .*? -->\n).*?(<!-- end of campaigns -->)", re.DOTALL)
ONCE = 50_000
"""Scenarios of each relation that are compared once for a release."""


def table(reports: list[dict[str, Any]]) -> str:
    """Return a row for each campaign, a row for each kind of failure, and one for each relation."""
    lines = [
        "| seed | scenarios | refused | events | a scenario takes | failures |",
        "|---|---|---|---|---|---|",
    ]
    for one in reports:
        tried = max(one["scenarios"], 1)
        refused = sum(one["refused"].values())
        failures = sum(found["count"] for found in one["failures"].values())
        lines.append(
            f"| {one['seed']} | {one['scenarios']:,} | {100 * refused / tried:.2f} % "
            f"| {one['events']:,} | {1e3 * one['seconds'] / tried:.1f} ms | {failures or 'none'} |"
        )
    lines += _failures(reports) + _relations(reports)
    for one in reports:
        for what, count in one["pending"].items():
            lines += ["", f"Seed {one['seed']}, {count} times, known and not mended: {what}"]
    return "\n".join(lines) + "\n"


def _failures(reports: list[dict[str, Any]]) -> list[str]:
    """Return a row for each kind of failure; kinds that differ only in a quoted word are one."""
    kinds: dict[tuple[int, str], tuple[int, int]] = {}
    for one in reports:
        for kind, found in one["failures"].items():
            # Names of temporary folders mean nothing.
            said = re.sub(r"/\S*/", "", re.sub(r"`[^`]*`", "…", kind)).replace("|", "\\|")
            count, first = kinds.get((one["seed"], said), (0, found["numbers"][0]))
            kinds[one["seed"], said] = (count + found["count"], min(first, found["numbers"][0]))
    if not kinds:
        return []
    head = ["", "| seed | times | first scenario | what an oracle said |", "|---|---|---|---|"]
    return head + [
        f"| {seed} | {count} | {first} | `{said}` |"
        for (seed, said), (count, first) in kinds.items()
    ]


def _relations(reports: list[dict[str, Any]]) -> list[str]:
    """Return a row for each relation: over all campaigns, how often it was compared."""
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for one in reports:
        counts.update(one.get("related", {}))
        seconds.update(one.get("related_seconds", {}))
    if not counts:
        return []
    head = [
        "",
        f"| relation | compared | processor time each | {ONCE:,} on two cores |",
        "|---|---|---|---|",
    ]
    return head + [
        f"| `{name}` | {counts[name]:,} | {1e3 * seconds[name] / counts[name]:.1f} ms "
        f"| {seconds[name] / counts[name] * ONCE / 2 / 60:.0f} min |"
        for name in sorted(counts)
    ]


def written(page: str, reports: list[dict[str, Any]]) -> str:
    """Return the page with the table of these campaigns.

    Raises
    ------
    ValueError
        If the page has no place for it.
    """
    if not _PART.search(page):
        raise ValueError("the page has no place for campaigns")
    return _PART.sub(lambda found: found[1] + table(reports) + found[2], page)


if __name__ == "__main__":
    found = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    text = _PAGE.read_text(encoding="utf-8")
    _PAGE.write_text(written(text, found), encoding="utf-8")
