"""Answers to the questions of a served page, which runs no classes of the user's own."""

from __future__ import annotations

import json
from typing import Any

from ackclock import asking
from ackclock.playground import NotInAPageError, check_own

__all__ = ["answer"]


def answer(question: str) -> str:
    """Answer a question of the page: see `ackclock.asking.answer`.

    Raises
    ------
    ValueError, KeyError, TypeError
        If it is no question.
    """
    arguments: dict[str, Any] = json.loads(question)["arguments"]
    try:
        check_own(arguments)
    except NotInAPageError as error:
        return json.dumps({"problem": str(error)})
    return asking.answer(question)
