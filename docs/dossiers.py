"""Evaluates nine algorithms by RFC 9743 and writes docs/dossiers/. `make dossiers` calls it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import click

import ackclock as ac

HERE = Path(__file__).parent / "dossiers"
SUBJECTS = ("reno", "cubic", "bbr", "bbr3", "copa", "vegas", "scalable", "prague", "cos+reno")
HEAD = """# Dossiers

This page leads to dossiers of nine algorithms, evaluated by RFC 9743's demands:
[how, and by which rules](../evaluate.md).
`make dossiers` makes these pages, and in `runs/dossiers/` a page with every cell, figure and
command for each (`index.html`). There is no overall grade, and this is no league table: the number
of rows with a concern does not say how good an algorithm is.

The figures are those of the simulator. The page [evaluate.md](../evaluate.md#checked-from-outside)
says which of them something else has checked.

| algorithm | runs | MUST | SHOULD | other | its own flows starve |
|---|---|---|---|---|---|
"""


def line(found: dict[str, Any]) -> str:
    """A row of the index: the rows with a concern by the strength of the demand."""
    cells = ["quick" if found["quick"] else "full"]
    for strength in ("MUST", "SHOULD", "consider"):
        rows = [
            row["id"]
            for row in found["rows"]
            if (row["strength"], row["verdict"]) == (strength, "concern") and not row["informative"]
        ]
        cells.append(", ".join(rows) or "–")
    starving = [
        row["id"]
        for row in found["rows"]
        if any(cell["own"] and cell["verdict"] == "concern" for cell in row["cells"])
    ]
    name = found["subject"]
    return f"| [{name}]({name}.md) | {' | '.join(cells)} | {', '.join(starving) or '–'} |\n"


def write_index(out: Path) -> None:
    """Write the index over the dossiers that are there."""
    files = [out / subject / "dossier.json" for subject in SUBJECTS]
    lines = [line(json.loads(one.read_text(encoding="utf-8"))) for one in files if one.is_file()]
    (HERE / "README.md").write_text(HEAD + "".join(lines), encoding="utf-8")


@click.command()
@click.option("--full/--quick", default=True, show_default=True)
@click.option("--only", multiple=True, help="These algorithms alone.")
@click.option("--out", default="runs/dossiers", show_default=True, type=click.Path(path_type=Path))
def main(full: bool, only: tuple[str, ...], out: Path) -> None:
    """Write the pages and their index."""
    HERE.mkdir(exist_ok=True)
    for subject in only or SUBJECTS:
        dossier = ac.evaluate(subject, quick=not full, store=out / "runs")
        dossier.write(out / subject)
        shutil.copy(out / subject / "dossier.md", HERE / f"{subject}.md")
        click.echo(f"docs/dossiers/{subject}.md: {dossier.made} runs made, {dossier.reused} found")
        write_index(out)


if __name__ == "__main__":
    main()
