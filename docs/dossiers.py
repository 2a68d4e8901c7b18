"""Evaluates nine algorithms by RFC 9743 and writes docs/dossiers/; `make dossiers` calls it.

What the pages say is kept in docs/dossiers/outcomes.json. With `--kept` the pages are written again
from it, without a run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

import ackclock as ac
from ackclock.evaluation.output.markdown import markdown_of, short_of
from ackclock.evaluation.output.outcome import outcome_of
from ackclock.evaluation.output.tiles import matrix_of, tiles_of
from ackclock.evaluation.rows import ROWS

if TYPE_CHECKING:
    from ackclock.evaluation.output.outcome import Outcome

HERE = Path(__file__).resolve().parent / "dossiers"
KEPT = HERE / "outcomes.json"
PICTURES = HERE / "pictures"
SUBJECTS = ("reno", "cubic", "bbr", "bbr3", "copa", "vegas", "scalable", "prague", "cos+reno")
FULL = (
    "Every row with its experiment, and the worst cells of each: [the dossier in full](../full.md)."
)
HEAD = """# Dossiers

This page leads to dossiers of nine algorithms, evaluated by RFC 9743's demands:
[how, and by which rules](../evaluate.md).
`make dossiers` makes these pages, and in `runs/dossiers/` a page with every cell, figure and
command for each (`index.html`). There is no overall grade, and this is no league table: the number
of rows with a concern does not say how good an algorithm is.

The figures are those of the simulator. The page [evaluate.md](../evaluate.md#checked-from-outside)
says which of them something else has checked.

![Verdict of each row on each algorithm, by the strength of the demand](pictures/all.svg)

Rows with a concern, by the strength of the demand:

| algorithm | runs | MUST | SHOULD | other | its own flows starve |
|---|---|---|---|---|---|
"""


def kept() -> dict[str, Outcome]:
    """The outcomes of the last evaluations, by algorithm."""
    found: dict[str, Outcome] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def keep(outcome: Outcome) -> None:
    """Put an outcome in the place of the algorithm's earlier one."""
    found = kept() | {outcome["subject"]: outcome}
    ordered = {name: found[name] for name in SUBJECTS if name in found}
    text = json.dumps(ordered, indent=1, ensure_ascii=False)
    KEPT.write_text(f"{text}\n", encoding="utf-8")


def line(outcome: Outcome) -> str:
    """A row of the index: the rows with a concern by the strength of the demand."""
    cells = ["quick" if outcome["quick"] else "full"]
    found = outcome["rows"]
    for strength in ("MUST", "SHOULD", "consider"):
        rows = [
            row.id
            for row in ROWS
            if row.strength == strength
            and not row.informative
            and found.get(row.id, {}).get("verdict") == "concern"
        ]
        cells.append(", ".join(rows) or "–")
    starving = [row.id for row in ROWS if "starves" in found.get(row.id, {})]
    name = outcome["subject"]
    return f"| [{name}]({name}.md) | {' | '.join(cells)} | {', '.join(starving) or '–'} |\n"


def pages() -> dict[str, str]:
    """The files of docs/dossiers/ by name: index, pages and pictures."""
    found = kept()
    files = {
        "README.md": HEAD + "".join(map(line, found.values())),
        "pictures/all.svg": matrix_of(list(found.values())),
    }
    for name, outcome in found.items():
        picture = f"pictures/{name}.svg"
        files[f"{name}.md"] = short_of(outcome, picture, FULL)
        files[picture] = tiles_of(outcome)
    return files


def full() -> dict[str, str]:
    """The dossiers in full, by algorithm."""
    return {name: markdown_of(outcome) for name, outcome in kept().items()}


@click.command()
@click.option("--full/--quick", "whole", default=True, show_default=True)
@click.option("--only", multiple=True, help="These algorithms alone.")
@click.option("--out", default="runs/dossiers", show_default=True, type=click.Path(path_type=Path))
@click.option("--kept", "no_runs", is_flag=True, help="Write the pages again, without a run.")
def main(whole: bool, only: tuple[str, ...], out: Path, no_runs: bool) -> None:
    """Write the pages and their index."""
    for subject in () if no_runs else only or SUBJECTS:
        dossier = ac.evaluate(subject, quick=not whole, store=out / "runs")
        dossier.write(out / subject)
        keep(outcome_of(dossier))
        click.echo(f"{out / subject}: {dossier.made} runs made, {dossier.reused} found")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
