"""Evaluates nine algorithms by RFC 9743 and writes docs/dossiers/. `make dossiers` calls it."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

import ackclock as ac

HERE = Path(__file__).parent / "dossiers"
SUBJECTS = ("reno", "cubic", "bbr", "bbr3", "copa", "vegas", "scalable", "prague", "cos+reno")
HEAD = """# Dossiers

Nine algorithms, evaluated by RFC 9743's demands: [how, and by which rules](../evaluate.md).
`make dossiers` makes these pages{depth}, and in `runs/dossiers/` a page with every cell, figure and
command for each (`index.html`). There is no overall grade, and this is no league table: the number
of rows with a concern does not say how good an algorithm is.

| algorithm | MUST | SHOULD | other | its own flows starve |
|---|---|---|---|---|
"""


def line(dossier: ac.Dossier) -> str:
    """A row of the index: the rows with a concern by the strength of the demand."""
    cells = []
    for strength in ("MUST", "SHOULD", "consider"):
        found = [one.row.id for one in dossier.concerns_of(strength)]
        cells.append(", ".join(found) or "–")
    starving = [one.row.id for one in dossier.rows if one.starves]
    name = dossier.subject
    return f"| [{name}]({name}.md) | {' | '.join(cells)} | {', '.join(starving) or '–'} |\n"


@click.command()
@click.option("--full/--quick", default=True, show_default=True)
@click.option("--only", multiple=True, help="These algorithms alone; the index is left alone.")
@click.option("--out", default="runs/dossiers", show_default=True, type=click.Path(path_type=Path))
def main(full: bool, only: tuple[str, ...], out: Path) -> None:
    """Write the pages and their index."""
    HERE.mkdir(exist_ok=True)
    lines = []
    for subject in only or SUBJECTS:
        dossier = ac.evaluate(subject, quick=not full, store=out / "runs")
        dossier.write(out / subject)
        shutil.copy(out / subject / "dossier.md", HERE / f"{subject}.md")
        lines.append(line(dossier))
        click.echo(f"docs/dossiers/{subject}.md: {dossier.made} runs made, {dossier.reused} found")
    if not only:
        depth = "" if full else " (quick ones)"
        text = HEAD.format(depth=depth) + "".join(lines)
        (HERE / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
