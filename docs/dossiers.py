"""Evaluates nine algorithms by RFC 9743 and writes docs/dossiers/; `make dossiers` calls it.

What the pages say is kept in docs/dossiers/outcomes.json. With `--kept` the pages are written again
from it, without a run.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import ackclock as ac
from ackclock.evaluation.output.data import outcome_of
from ackclock.evaluation.output.markdown import made_by, markdown_of, rows_of, wrapped
from ackclock.evaluation.row import STRENGTHS
from ackclock.evaluation.rows import ROWS
from ackclock.tables.markdown import page_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ackclock.evaluation.output.data import Outcome
    from ackclock.evaluation.row import Row

    Outcomes = tuple[Row, Mapping[str, Any]]

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
    outcomes: dict[str, Outcome] = json.loads(KEPT.read_text(encoding="utf-8"))
    return outcomes


def keep(outcome: Outcome) -> None:
    """Put an outcome in the place of the algorithm's earlier one."""
    outcomes = kept() | {outcome["subject"]: outcome}
    ordered = {name: outcomes[name] for name in SUBJECTS if name in outcomes}
    text = json.dumps(ordered, indent=1, ensure_ascii=False)
    KEPT.write_text(f"{text}\n", encoding="utf-8")


def line(outcome: Outcome) -> str:
    """A row of the index: the rows with a concern by the strength of the demand."""
    rows = sorted(rows_of(outcome), key=lambda pair: pair[0].id)
    cells = [
        *(
            ", ".join(row.id for row, _ in concerns_of(rows) if row.strength == strength)
            for strength in STRENGTHS
        ),
        ", ".join(starving(rows)),
    ]
    name = outcome["subject"]
    kind = "quick" if outcome["quick"] else "full"
    return f"| [{name}]({name}.md) | {kind} | {' | '.join(cell or '–' for cell in cells)} |\n"


def concerns_of(rows: Sequence[Outcomes]) -> list[Outcomes]:
    """The rows that are a concern."""
    return [
        (row, result)
        for row, result in rows
        if result["verdict"] == "concern" and not row.informative
    ]


def starving(rows: Sequence[Outcomes]) -> list[str]:
    """The rows in which the algorithm's own flows starve."""
    return [row.id for row, result in rows if "starves" in result]


def short_of(outcome: Outcome, picture: str, full: str) -> str:
    """The dossier's answer: how many rows of each strength are a concern, and which.

    `picture` is the file that the text's link names, `full` a sentence on where all rows are.
    """
    return "\n".join(wrapped(text) for text in short_lines(outcome, picture, full)) + "\n"


def short_lines(outcome: Outcome, picture: str, full: str) -> Iterator[str]:
    """The paragraphs of `short_of`."""
    rows = rows_of(outcome)
    concerns = concerns_of(rows)
    counts = [
        f"{sum(row.strength == strength for row, _ in concerns)} of "
        f"{sum(row.strength == strength and not row.informative for row, _ in rows)} {name}"
        for strength, name in STRENGTHS.items()
    ]
    starve = starving(rows)
    also = f" Its own flows starve in {', '.join(starve)}." if starve else ""
    yield f"# {outcome['subject']} by RFC 9743"
    yield ""
    yield f"**Rows with a concern: {', '.join(counts)}.**{also}"
    yield ""
    yield f"{made_by(outcome)} [How it is judged](../evaluate.md). {full}"
    yield ""
    yield f"![Verdict of each row, by the strength of the demand]({picture})"
    yield ""
    if not concerns:
        yield "No row is a concern."
        return
    table = page_table(
        ("row", "RFC 9743", "asks for", "what came out"),
        (
            (
                f"{row.id} {row.title}",
                f"{row.section}, {row.strength}",
                row.demand,
                result["sentence"],
            )
            for strength in STRENGTHS
            for row, result in concerns
            if row.strength == strength
        ),
    )
    yield from table.splitlines()


class Look(NamedTuple):
    """The look of a verdict."""

    name: str
    """Class in the picture's style."""
    fill: str
    text: str
    edge: str


# Orange and blue differ in lightness and to the colour-blind; what is not judged is left empty.
CONCERN = Look("c", "#B34700", "#FFFFFF", "#B34700")
INFORMATIVE = Look("i", "#FFFFFF", "#B34700", "#B34700")
BETTER = Look("b", "#0B4F8A", "#FFFFFF", "#0B4F8A")
NO_CONCERN = Look("n", "#C9DFF0", "#222222", "#C9DFF0")
OTHER = Look("o", "#FFFFFF", "#666666", "#BBBBBB")
LOOKS = {"concern": CONCERN, "better": BETTER, "no concern": NO_CONCERN}
LEGEND = (
    (CONCERN, "concern"),
    (INFORMATIVE, "concern that does not count"),
    (NO_CONCERN, "no concern"),
    (BETTER, "better"),
    (OTHER, "not judged, or does not apply"),
)
STYLE = "text{font-size:12px;fill:#222;pointer-events:none}" + "".join(
    f"rect.{look.name}{{fill:{look.fill};stroke:{look.edge}}}text.{look.name}{{fill:{look.text}}}"
    for look in (CONCERN, INFORMATIVE, BETTER, NO_CONCERN, OTHER)
)


def look_of(row: Row, verdict: str) -> Look:
    """The look of a row's verdict."""
    look = LOOKS.get(verdict, OTHER)
    return INFORMATIVE if row.informative and look is CONCERN else look


def groups() -> list[tuple[str, list[Row]]]:
    """The rows by the strength of the demand."""
    return [
        (name, [row for row in ROWS if row.strength == strength])
        for strength, name in STRENGTHS.items()
    ]


def tiles_of(outcome: Outcome) -> str:
    """The verdicts of one algorithm: a tile for each row, by the strength of the demand."""
    columns, left, width, height = 15, 80, 42, 26
    outcomes = outcome["rows"]
    parts: list[str] = []
    top = 10
    for name, rows in groups():
        shown = [row for row in rows if row.id in outcomes]
        parts.append(text(8, top + 17, name, weight="bold"))
        for place, row in enumerate(shown):
            x = left + place % columns * (width + 4)
            y = top + place // columns * (height + 4)
            verdict = outcomes[row.id]["verdict"]
            look = look_of(row, verdict)
            title = f"{row.id} {row.title}: {verdict}"
            parts.append(tile(x, y, width, height, look, title))
            parts.append(text(x + width / 2, y + 17, row.id, look, anchor="middle"))
        top += (-(-len(shown) // columns)) * (height + 4) + 10
    parts += legend(8, top)
    return svg(left + columns * (width + 4) + 4, top + 28, parts)


def matrix_of(outcomes: Sequence[Outcome]) -> str:
    """The verdicts of several algorithms: a line for each, a column for each row of RFC 9743."""
    left, side, top = 72, 14, 62
    parts: list[str] = []
    x = left
    for name, rows in groups():
        parts.append(text(x, 16, name, weight="bold"))
        for row in rows:
            parts.append(
                f'<text transform="translate({x + 11} {top - 6}) rotate(-90)">{row.id}</text>'
            )
            for line, outcome in enumerate(outcomes):
                verdict = outcome["rows"].get(row.id, {}).get("verdict", "not judged")
                title = f"{row.id}: {verdict}"
                parts.append(tile(x, top + 20 * line, side, 17, look_of(row, verdict), title))
            x += side + 2
        x += 12
    for line, outcome in enumerate(outcomes):
        parts.append(text(left - 6, top + 20 * line + 13, outcome["subject"], anchor="end"))
    bottom = top + 20 * len(outcomes) + 8
    parts += legend(left, bottom)
    return svg(x, bottom + 28, parts)


def legend(x: float, y: float) -> Iterable[str]:
    """The looks with their names, from left to right."""
    for look, name in LEGEND:
        yield tile(x, y, 14, 14, look, name)
        yield text(x + 20, y + 12, name)
        x += 32 + 6.6 * len(name)


def tile(x: float, y: float, width: float, height: float, look: Look, title: str) -> str:
    """A rectangle with a tooltip."""
    return (
        f'<rect class="{look.name}" x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1:g}" '
        f'height="{height - 1:g}" rx="2"><title>{escape(title)}</title></rect>'
    )


def text(
    x: float,
    y: float,
    text: str,
    look: Look = NO_CONCERN,
    *,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    """A text that begins, ends or has its middle at a point."""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    bold = "" if weight == "normal" else f' font-weight="{weight}"'
    dark = "" if look is NO_CONCERN else f' class="{look.name}"'
    return f'<text{dark} x="{x:g}" y="{y:g}"{place}{bold}>{escape(text)}</text>'


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    """The picture."""
    lines = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans, Verdana, sans-serif">\n'
        f'<style>{STYLE}</style>\n<rect width="{width:g}" height="{height:g}" fill="#FFFFFF"/>\n'
        f"{lines}\n</svg>\n"
    )


def pages() -> dict[str, str]:
    """The files of docs/dossiers/ by name: index, pages and pictures."""
    outcomes = kept()
    files = {
        "README.md": HEAD + "".join(map(line, outcomes.values())),
        "pictures/all.svg": matrix_of(list(outcomes.values())),
    }
    for name, outcome in outcomes.items():
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
