"""Writes the tables of docs/lessons.md: `PYTHONPATH=tests python tests/web/outside/page.py`."""

import json
from pathlib import Path
from typing import Any

from lesson_claims import CLAIMS, Claim
from lesson_runs import NAMES, front

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs/lessons.md"
BEGIN = "<!-- The tables below are written by tests/web/outside/page.py. -->\n"
JUDGES = ("linux", "ns3", "ns2")


def read(name: str) -> dict[str, Any]:
    """A recording; its values by lesson and text of the claim."""
    recording = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    recording["values"] = {
        (row["lesson"], row["text"]): row["values"] for row in recording["figures"]
    }
    return recording


def shown(claim: Claim, values: list[float]) -> str:
    """Values of a claim as a table shows them: one, or the least and the most."""
    least, most = (f"{value:.{claim.digits}f}" for value in (min(values), max(values)))
    return least if least == most else f"{least} to {most}"


def agrees(claim: Claim, ours: list[float], theirs: list[float]) -> bool:
    """Whether the two ranges meet, the other one widened by the bar."""
    nearest = min(max(min(theirs), min(ours)), max(ours))
    return claim.bar.holds(nearest, min(theirs), max(theirs))


def verdict(verdicts: dict[str, bool], recordings: dict[str, dict[str, Any]]) -> str:
    """The last cell of a row: whether its judges agree; empty if it has none."""
    if not verdicts:
        return ""
    if all(verdicts.values()):
        return "agrees"
    agreeing = [recordings[judge]["engine"] for judge, holds in verdicts.items() if holds]
    if not agreeing:
        return "**differs**"
    return "agrees with " + " and ".join(engine.split("-fc")[0] for engine in agreeing)


def table(name: str, recordings: dict[str, dict[str, Any]]) -> str:
    """The table of one lesson."""
    lines = [
        f"### {front(name)['number']}. {front(name)['title']}\n",
        "| figure | lesson | ackclock | with hosts' times | Linux | others | bar | |",
        "|---|---|--:|--:|--:|--:|---|---|",
    ]
    for claim in (claim for claim in CLAIMS if claim.lesson == name):
        key = (claim.lesson, claim.text)
        ours = claim.ours
        spread = recordings["ours"]["values"].get(key, [])
        theirs = {
            judge: recordings[judge]["values"][key]
            for judge in JUDGES
            if key in recordings[judge]["values"]
        }
        verdicts = {
            judge: agrees(claim, [ours, *spread], values) for judge, values in theirs.items()
        }
        others = ", ".join(
            f"{shown(claim, theirs[judge])} ({recordings[judge]['engine']})"
            for judge in ("ns3", "ns2")
            if judge in theirs
        )
        unit = f", {claim.unit}" if claim.unit else ""
        cells = [
            claim.text + unit,
            claim.said,
            f"{ours:.{claim.digits}f}",
            shown(claim, spread) if spread else "",
            shown(claim, theirs["linux"]) if "linux" in theirs else "",
            others,
            claim.bar.text,
            verdict(verdicts, recordings),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def text() -> str:
    """The page with its tables made again."""
    recordings = {name: read(name) for name in ("ours", *JUDGES)}
    head = PAGE.read_text(encoding="utf-8").split(BEGIN)[0]
    linux = recordings["linux"]
    name, late = linux["engine"].split("-")[0], 1e3 * linux["late_p99"]
    caption = (
        f"{name}: {linux['runs']} runs. In the worst of them one in a hundred packets was "
        f"handed over\n{late:.1f} ms late or later; {linux['disturbed']} count as "
        "[disturbed](linux.md#how-exact-it-is), because of single packets."
    )
    tables = "\n\n".join(table(name, recordings) for name in NAMES)
    return f"{head}{BEGIN}\n{caption}\n\n{tables}\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
