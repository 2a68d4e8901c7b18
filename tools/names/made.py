"""The names that the Tab key completes, from the modules that define them."""

import json
from typing import Any

from ackclock.cli.completion.names import FILE
from ackclock.cli.list_command import rows_of
from ackclock.theory.catalogue import formulas

__all__ = ["FILE", "text"]

KINDS = ("cc", "qdisc", "app", "profile", "metric")
LONGEST = 76


def short(summary: str) -> str:
    """The first sentence, on one line of a terminal."""
    sentence = summary.split(". ")[0].rstrip(".")
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1].rstrip()}…"


def entry(row: dict[str, Any]) -> dict[str, str]:
    """An entry of the file: role and summary of a name."""
    role = {"role": row["role"]} if "role" in row else {}
    return {**role, "summary": short(row["summary"])}


def text() -> str:
    """The content of `names.json`."""
    known = {kind: {row["name"]: entry(row) for row in rows_of(kind)} for kind in KINDS}
    known["formula"] = {
        name: {"summary": short(formula.meaning)} for name, formula in formulas().items()
    }
    return json.dumps(known, indent=1, ensure_ascii=False) + "\n"
