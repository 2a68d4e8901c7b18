"""Answers to the questions of the page; a question and its answer are JSON."""

from __future__ import annotations

import json

from ackclock.errors import Error
from ackclock.pages.rpc.crossing import decoded, encoded
from ackclock.pages.rpc.questions import QUESTIONS

__all__ = ["answer"]


def answer(question: str) -> str:
    """Answer `{"question": name, "arguments": {...}}`.

    Returns
    -------
    str
        `{"answer": ...}`, or `{"problem": sentence}` if the user's scenario is wrong.
    """
    asked = json.loads(question)
    find = QUESTIONS[asked["question"]]
    try:
        reply = find(**decoded(asked["arguments"]))
    except Error as error:
        return json.dumps({"problem": str(error)})
    return json.dumps({"answer": encoded(reply)}, allow_nan=False)
