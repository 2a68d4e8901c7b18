"""Writes the tables of lessons.md: `python docs/lessons.py`, which makes the lessons' runs."""

import json
from pathlib import Path

from ackclock.studies import StudyRun, run_study
from ackclock.tables.markdown import page_table
from ackclock_papers.lessons import LESSONS, STUDY
from ackclock_papers.lessons.tables import ALIGN, HEADER

PAGE = Path(__file__).with_suffix(".md")
BEGIN = "<!-- The tables below are written by docs/lessons.py. -->\n"


def text(done: StudyRun) -> str:
    """The page with its tables made again."""
    linux = json.loads((STUDY.folder / "linux.json").read_text(encoding="utf-8"))
    caption = (
        f"{linux['simulator']}: {linux['runs_in_all']} runs. In the worst of them one in a hundred "
        f"packets was handed over\n{1e3 * linux['late_p99']:.1f} ms late or later; "
        f"{linux['disturbed']} count as [disturbed](linux.md#how-exact-it-is), because of single "
        "packets."
    )
    tables = "\n".join(
        f"### {lesson.number}. {lesson.title}\n\n"
        f"{page_table(HEADER, table.make(done.results).rows, ALIGN)}"
        for lesson, table in zip(LESSONS, STUDY.tables, strict=True)
    )
    return f"{PAGE.read_text(encoding='utf-8').split(BEGIN)[0]}{BEGIN}\n{caption}\n\n{tables}"


if __name__ == "__main__":
    PAGE.write_text(text(run_study(STUDY)), encoding="utf-8")
