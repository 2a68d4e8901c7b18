"""Writes docs/studies/: a short page for each paper, with the verdicts of a full run.

`python docs/papers.py FOLDER` takes verdicts and a figure of each paper from FOLDER, which
`ackclock study all --out FOLDER` has written, and keeps the verdicts in docs/studies/verdicts.json.
Without FOLDER the pages are written again from these. The site has the pages in full.
"""

import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

from ackclock.studies import find_study
from ackclock.studies.claim import Claim, Question
from ackclock.studies.item import Item
from ackclock.studies.judging import checked_from_outside
from ackclock.studies.study import Study
from ackclock.validation.pictures.small import short as shortened

HERE = Path(__file__).parent / "studies"
KEPT = HERE / "verdicts.json"
_OF_A_CLAIM = ("id", "verdict", "headline", "sentence")
_OF_A_CASE = ("reading", "simulator", "verdict", "sentence")
FIGURES = {
    "bbr-beside-loss": "BL-F8a",
    "bbr-latency": "P2-F9",
    "congestion-based": "CB-F10",
    "cos-slow-start": "P1-F6",
    "sizing-buffers": "SB-F11",
    "small-buffers": "P3-F5",
    "tcp-criteria": "P4-F1",
}
"""The figure that a paper's short page shows."""
_COUNTED = {
    "holds": ("holds", "hold"),
    "in part": ("holds in part", "hold in part"),
    "does not hold": ("does not hold", "do not hold"),
    "cannot be judged": ("cannot be judged", "cannot be judged"),
    "nothing to judge": ("has nothing to judge", "have nothing to judge"),
}
"""Verdicts after a number of claims: after one, and after several."""


def kept() -> dict[str, dict[str, Any]]:
    """The verdicts of the last full run, by study and id."""
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def take(folder: Path) -> None:
    """Keep the verdicts of a full run, and a picture of each paper."""
    found: dict[str, dict[str, Any]] = {}
    for name in FIGURES:
        claims = json.loads((folder / name / "claims.json").read_text(encoding="utf-8"))
        if any(each["quick"] for each in claims):
            raise SystemExit(f"{folder / name}: a quick run; the pages tell of full ones")
        found[name] = {
            each["id"]: {
                **{key: each[key] for key in _OF_A_CLAIM if key != "id"},
                "cases": [{key: case[key] for key in _OF_A_CASE} for case in each["cases"]],
            }
            for each in claims
        }
        pictures = HERE / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        figure = FIGURES[name]
        svg = (folder / name / "figures" / f"{figure}.svg").read_text(encoding="utf-8")
        (pictures / f"{figure}.svg").write_text(shortened(svg), encoding="utf-8")
    text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
    KEPT.write_text(f"{text}\n", encoding="utf-8")


def _pictured(study: Study) -> list[str]:
    """Figures that are one of the paper's own, by its number; the report has all others, too."""
    return [
        each.id
        for each in study.figures
        if each.printed and re.fullmatch(r"(?:P\d|[A-Z]{2})-[FT]\d*[a-z]?", each.id)
    ]


def short(name: str, verdicts: dict[str, Any]) -> str:
    """The page of one paper: how many claims hold, a figure, and the verdict of each claim."""
    study = find_study(name)
    found = [verdicts[each.id] for each in study.claims if each.id in verdicts]
    counts = Counter(each["verdict"] for each in found)
    told = ", ".join(
        f"{counts[kind]} {words[counts[kind] > 1]}"
        for kind, words in _COUNTED.items()
        if counts[kind]
    )
    (figure,) = [each for each in study.figures if each.id == FIGURES[name]]
    parts = [
        f"# {study.title}\n",
        f"**Of {len(study.claims)} claims {told}.** {study.paper} {study.summary}\n",
        (
            f"Run it with `ackclock study {name}`, or faster and with fewer seeds with `ackclock "
            f"study {name} --quick`. This page has the verdicts of the last full run. Where a "
            "paper leaves a setting open, each reading of it is judged; counted above is the most "
            "literal one. How a verdict is made: [studies.md](../studies.md). The numbers behind "
            "each verdict, readings, open questions, and every item of the paper: "
            "[the page in full](../full.md).\n"
        ),
        f"![{figure.title}](pictures/{figure.id}.svg)\n",
        f"**{figure.id} · {figure.title}.** The paper: {figure.printed} {figure.caption}\n",
        "| id | claim | verdict |",
        "|---|---|---|",
        *(_row(each, verdicts.get(each.id), whole=False) for each in study.claims),
        "",
    ]
    return _wrapped("\n".join(parts))


def page(name: str, verdicts: dict[str, Any], pictures: Container[str]) -> str:
    """The page of one paper in full; `pictures` are the ids of the figures that there are."""
    study = find_study(name)
    parts = [
        f"# {study.title}\n",
        f"{study.paper} {study.summary}\n",
        (
            f"Run it with `ackclock study {name}`, or faster and with fewer seeds with `ackclock "
            f"study {name} --quick`. This "
            "page has the verdicts of the last full run; the report that the command writes has "
            "figures, intervals, and the "
            "file, seeds and command behind every number. How a verdict is made: "
            "[studies.md](../studies.md).\n"
        ),
        *_readings(study, verdicts),
        "## Claims\n",
        "| id | claim | verdict | what came out |",
        "|---|---|---|---|",
        *(_row(each, verdicts.get(each.id)) for each in study.claims),
        "",
    ]
    if study.questions:
        parts += [
            "## What the paper leaves open\n",
            "| id | question | what came out |",
            "|---|---|---|",
            *(_answer(each, verdicts.get(each.id)) for each in study.questions),
            "",
        ]
    parts += _pictures(study, pictures)
    parts += [
        "## Every item of the paper\n",
        "| in the paper | kind | item | where it is run or shown |",
        "|---|---|---|---|",
        *(_item(study, each) for each in study.items),
        "",
    ]
    simulators = {
        name: dict.fromkeys(case["simulator"] for case in each["cases"] if case["simulator"])
        for name, each in verdicts.items()
    }
    parts += ["## Checked from outside\n", checked_from_outside(study.claims, simulators), ""]
    parts += [
        f"- **{each.name}**, beside `{each.experiment}`: {each.text}" for each in study.outside
    ]
    parts += [""] if study.outside else []
    if study.choices:
        parts += ["## Choices\n", *(f"- **{topic}**: {text}" for topic, text in study.choices), ""]
    return _wrapped("\n".join(parts))


def _readings(study: Study, verdicts: dict[str, Any]) -> list[str]:
    if not study.readings:
        return []
    parts = [
        "## Readings\n",
        (
            "The first reading is the most literal one; each of the others changes what its "
            "sentence "
            "says.\n"
        ),
    ]
    parts += [
        f"- **{each.name}**{f' ({each.topic})' if each.topic else ''}: {each.text} {each.why}"
        for each in study.readings
    ]
    told = [each for each in study.claims if len(verdicts.get(each.id, {}).get("cases", ())) > 1]
    if told:
        names = [each.name for each in study.readings]
        outside = list(
            dict.fromkeys(
                _column(case)
                for each in told
                for case in verdicts[each.id]["cases"]
                if case["simulator"]
            )
        )
        parts += [
            "",
            (
                "Claim by reading, and by other simulators. “=”: that reading looks at the runs of "
                "the first one.\n"
            ),
            f"| claim | {' | '.join((*names, *outside))} |",
            f"|---{'|---' * (len(names) + len(outside))}|",
        ]
        for each in told:
            cells = {_column(case): case["verdict"] for case in verdicts[each.id]["cases"]}
            row = [cells.get(name, "=") for name in names] + [
                cells.get(name, "") for name in outside
            ]
            parts.append(f"| {each.id} | {' | '.join(row)} |")
    return [*parts, ""]


def _column(case: dict[str, Any]) -> str:
    return " in ".join(each for each in (case["reading"], case["simulator"]) if each)


def _row(claim: Claim, found: dict[str, Any] | None, *, whole: bool = True) -> str:
    cells = ["not run yet", ""] if found is None else [found["headline"], found["sentence"]]
    shown = " | ".join(_cell(each) for each in (claim.text, *cells[: 2 if whole else 1]))
    return f"| {claim.id} | {shown} |".replace("|  |", "| |")


def _answer(question: Question, found: dict[str, Any] | None) -> str:
    return (
        f"| {question.id} | {_cell(question.text)} | "
        f"{_cell(found['sentence']) if found else 'not run yet'} |"
    )


def _pictures(study: Study, pictures: Container[str]) -> list[str]:
    pictured = _pictured(study)
    shown = [each for each in study.figures if each.id in pictured and each.id in pictures]
    parts = ["## Figures\n"] if shown else []
    for each in shown:
        parts += [
            f"![{each.title}](pictures/{each.id}.svg)\n",
            f"**{each.id} · {each.title}.** The paper: {each.printed} {each.caption}\n",
        ]
    return parts


def _item(study: Study, item: Item) -> str:
    where = ", ".join(_place(study, name) for name in item.where)
    told = ". ".join(each for each in (where, item.why_not) if each)
    return f"| {_cell(item.paper)} | {item.kind} | {_cell(item.text)} | {_cell(told)} |"


def _place(study: Study, name: str) -> str:
    kind, colon, rest = name.partition(":")
    if not colon:
        experiments = [each.name for each in study.experiments] + [
            each.name for each in study.recordings
        ]
        return f"`{name}`" if name in experiments else name
    if kind == "docs":
        return f"[{rest}](../{rest})"
    pages = {
        "theory": "../theory.md",
        "metric": "../metrics.md",
        "cc": "../algorithms/README.md",
        "qdisc": "../qdisc/README.md",
    }
    return f"[`{rest}`]({pages[kind]})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _wrapped(text: str) -> str:
    """Lines of prose end at 99 columns; tables and pictures stay as they are."""
    lines = []
    for line in text.split("\n"):
        indent = "  " if line.startswith("- ") else ""
        whole = line.startswith(("|", "#", "!"))
        lines.append(
            line
            if whole
            else textwrap.fill(
                line, 99, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            )
        )
    return "\n".join(lines)


def full(pictures: Container[str]) -> dict[str, str]:
    """The pages in full, by study; `pictures` are the ids of the figures that there are."""
    return {name: page(name, verdicts, pictures) for name, verdicts in kept().items()}


def write() -> None:
    """Write all short pages."""
    verdicts = kept() if KEPT.is_file() else {}
    for name in FIGURES:
        (HERE / f"{name}.md").write_text(short(name, verdicts.get(name, {})), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take(Path(sys.argv[1]))
    write()
