"""Tries the rules of `ackclock evaluate`: references against themselves, and known problems.

`make calibrate` runs it. It writes a section of docs/evaluate.md, and fails on a false alarm or on
a problem that is not found.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.evaluation.evaluating import evaluate
from ackclock.evaluation.judging import WORDS, deciding, judge_row, row_kind, together
from ackclock.evaluation.running import SUBJECT, RowFigures

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/evaluate.md"
BEGIN = "<!-- made by `make calibrate`: begin -->\n"
END = "<!-- made by `make calibrate`: end -->\n"


@dataclass(frozen=True)
class Known:
    """A published problem of an algorithm."""

    subject: str
    row: str
    starves: bool
    """Whether the subject's own flows starve, which is no concern."""
    source: str


KNOWN = (
    Known("python:fixed:Fixed", "E01", False, "never backs off"),
    Known("python:fixed:Fixed", "E03", False, "never backs off"),
    Known("python:fixed:Fixed", "E06", False, "never backs off"),
    Known("scalable", "E12", False, "Li, Leith & Shorten, ToN 15(5), 2007"),
    Known("highspeed", "E12", False, "Li, Leith & Shorten, ToN 15(5), 2007"),
    Known("bbr", "E06", False, "Hock, Bless & Zitterbart, ICNP 2017; RFC 9743 section 5.1.3"),
    Known("bbr", "E10", False, "Ma et al., 2017; Hock et al., ICNP 2017"),
    Known("bbr", "E13", False, "Ware et al., IMC 2019; Hock et al., ICNP 2017"),
    Known("vegas", "E13", True, "Mo, La, Anantharam & Walrand, INFOCOM 1999"),
)


def drawn(figures: RowFigures, seeds: int, draws: random.Random) -> RowFigures:
    """Some seeds of the subject, and others of the references."""
    count = len(next(iter(figures.values())))
    mine, theirs = (sorted(draws.sample(range(count), seeds)) for _ in range(2))
    return {
        place: [rows[at] for at in (mine if place[1] == SUBJECT else theirs)]
        for place, rows in figures.items()
    }


def alarms(dossier: Dossier, draws: int, single: int, competing: int) -> dict[str, Counter[str]]:
    """Verdicts of each row over draws of seeds; a reference's should be no concern."""
    tallies: dict[str, Counter[str]] = {}
    for result in dossier.rows:
        row = result.row
        if not result.judged:
            continue
        random_draws = random.Random(row.id)
        counts = tallies[row.id] = Counter()
        for _ in range(draws):
            figures = drawn(
                dict(dossier.figures[row.id]), competing if row.competing else single, random_draws
            )
            judged = judge_row(row.measures, result.cells, figures, SUBJECT, row.family)
            judged = together(judged) if row.joint else judged
            kinds = Counter(judgement.kind for judgement in deciding(judged))
            counts[row_kind(judged)] += 1
            counts["cells with a concern"] += kinds["beyond"]
            counts["cells that are better"] += kinds["better"]
            counts["cells not judged"] += kinds["undecided"]
            counts["cells"] += kinds.total()
    return tallies


def false_alarm_lines(subjects: tuple[str, ...], store: str, draws: int) -> tuple[list[str], int]:
    """The table of false alarms, and their number."""
    lines = [
        (
            f"Of {draws} draws of 5 seeds, or 10 where flows compete, out of 20 for the subject "
            "and 20 others for\nthe references, in the quick cells:\n\n"
        ),
        "| row | cells x figures | "
        + " | ".join(f"{subject}: concerns, better, not judged" for subject in subjects)
        + " |\n|---|--:|"
        + "---|" * len(subjects)
        + "\n",
    ]
    tables = []
    for subject in subjects:
        dossier = evaluate(subject, quick=True, seeds=20, store=store)
        tables.append(alarms(dossier, draws, 5, 10))
    wrong = 0
    for row in tables[0]:
        cells = []
        for table in tables:
            counts = table[row]
            wrong += counts["cells with a concern"] + counts["cells that are better"]
            share = counts["cells not judged"] / max(1, counts["cells"])
            cells.append(
                f"{counts['cells with a concern']}, {counts['cells that are better']}, "
                f"{100 * share:.1f} %"
            )
        lines.append(f"| {row} | {tables[0][row]['cells'] // draws} | {' | '.join(cells)} |\n")
    return lines, wrong


def known_lines(store: str) -> tuple[list[str], int]:
    """The table of known problems, and the number of those that were not found."""
    lines = [
        "Problems that are published, in the quick cells with the seeds of a quick evaluation:\n\n",
        "| subject | row | found | published by |\n|---|---|---|---|\n",
    ]
    missing = 0
    for problem in KNOWN:
        dossier = evaluate(problem.subject, only=[problem.row], store=store, folder=HERE)
        (result,) = dossier.rows
        if problem.starves:
            finding = f"S starves in {len(result.starves)} of {len(result.cells)} cells"
            missing += not result.starves
        else:
            concerns = {judgement.case for judgement in result.judged if not judgement.is_ok}
            finding = f"{result.kind}: {len(concerns)} of {len(result.cells)} cells"
            missing += result.kind != "concern"
        name = "a window of 200 packets" if "fixed" in problem.subject else problem.subject
        lines.append(f"| {name} | {problem.row} | {finding} | {problem.source} |\n")
    return lines, missing


def one_draw(store: str) -> int:
    """Evaluate the references once with seeds that nothing else uses; number of false alarms."""
    wrong = 0
    for subject in ("reno", "cubic"):
        dossier = evaluate(subject, quick=True, first_seed=5000, store=store)
        for result in dossier.rows:
            for judgement in result.judged:
                if judgement.kind in ("beyond", "better") and not judgement.own:
                    wrong += 1
                    click.echo(
                        f"{subject} {result.row.id} {judgement.case}: {judgement.figure}: "
                        f"{WORDS.of(judgement)}"
                    )
    return wrong


@click.command()
@click.option("--once", is_flag=True, help="One draw of reno and cubic alone, as CI has it.")
@click.option("--draws", default=200, show_default=True, help="Draws of seeds.")
@click.option("--store", default="runs/evaluate/runs", show_default=True)
@click.option("--write/--no-write", default=True, help="Fill docs/evaluate.md.")
def main(once: bool, draws: int, store: str, write: bool) -> None:
    """Try the rules; the exit status is 1 if they fail."""
    if once:
        wrong = one_draw(store)
        click.echo(f"{wrong} false alarms of reno and cubic against themselves")
        sys.exit(wrong > 0)
    alarms_table, wrong = false_alarm_lines(("reno", "cubic"), store, draws)
    known_table, missing = known_lines(store)
    text = "".join([*alarms_table, "\n", *known_table])
    click.echo(text)
    if write:
        before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        _, after = rest.split(END)
        PAGE.write_text(before + BEGIN + text + END + after, encoding="utf-8")
    click.echo(f"{wrong} false alarms in {draws} draws, {missing} known problems not found")
    sys.exit(wrong > 0 or missing > 0)


if __name__ == "__main__":
    main()
