"""Writes the table of campaigns into docs/fuzzing.md from their reports.

python -m fuzz.page runs/fuzz/seed-7/report.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

__all__ = ["table", "written"]

_PAGE = Path(__file__).parent.parent / "docs" / "fuzzing.md"
_PART = re.compile(r"(<!-- campaigns: .*? -->\n).*?(<!-- end of campaigns -->)", re.DOTALL)


def table(reports: list[dict[str, Any]]) -> str:
    """A row for each campaign, and what failed in it."""
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
    for one in reports:
        for kind, found in one["failures"].items():
            number = found["numbers"][0]
            lines += [
                "",
                f"Seed {one['seed']}, {found['count']} times, scenario {number}: `{kind}`",
            ]
        for what, count in one["pending"].items():
            lines += ["", f"Seed {one['seed']}, {count} times, known and not mended: {what}"]
    return "\n".join(lines) + "\n"


def written(page: str, reports: list[dict[str, Any]]) -> str:
    """The page with the table of these campaigns.

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
