"""Answers to the questions of a served page, which runs no classes of the user's own."""

from __future__ import annotations

import json
from typing import Any

from ackclock.pages import rpc
from ackclock.pages.playground import NotInAPageError, check_own

__all__ = ["answer"]

_KINDS: dict[str, type] = {"scenario": dict, "files": dict, "toml": str, "file": str}
"""Kind of each argument of a question."""


def answer(question: str) -> str:
    """Answer a question of the page: see `ackclock.pages.rpc.answer`.

    Raises
    ------
    ValueError, KeyError, TypeError
        If it is no question.
    """
    _check(json.loads(question))
    try:
        check_own(json.loads(question)["arguments"])
    except NotInAPageError as error:
        return json.dumps({"problem": str(error)})
    return rpc.answer(question)


def _check(asked: Any) -> None:
    arguments = asked["arguments"]
    for name, value in arguments.items() if isinstance(arguments, dict) else [("", None)]:
        if not isinstance(value, _KINDS[name]):
            raise TypeError(name)
    if not all(isinstance(text, str) for text in arguments.get("files", {}).values()):
        raise TypeError("files")
