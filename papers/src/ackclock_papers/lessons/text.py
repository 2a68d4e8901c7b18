"""The lessons' texts: `NAME.md` is the lesson about the scenario `NAME.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock.atomic_io import read_text

FOLDER = Path(__file__).parent

FENCE = "+++\n"
"""The line before and after the TOML at the top of a lesson."""


@dataclass(frozen=True)
class Passage:
    """A sentence of a lesson, or one of its things to try."""

    id: str
    """`L1-3`, the third sentence of lesson 1; `L1-T2`, its second thing to try."""
    place: str
    text: str


@dataclass(frozen=True)
class Lesson:
    """A lesson of the playground."""

    name: str
    number: int
    title: str
    tries: tuple[dict[str, Any], ...]
    """Each thing to try: `text`, and the settings that it changes, `set`."""
    sentences: tuple[str, ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Return the sentences, then the things to try."""
        return (
            *(
                Passage(f"L{self.number}-{at}", f"sentence {at}", text)
                for at, text in enumerate(self.sentences, 1)
            ),
            *(
                Passage(
                    f"L{self.number}-T{at}", f"thing to try {at}", " ".join(thing["text"].split())
                )
                for at, thing in enumerate(self.tries, 1)
            ),
        )


def read(name: str) -> Lesson:
    """Return the lesson of that name."""
    text = read_text(FOLDER, f"{name}.md")
    _, front, body = text.split(FENCE, 2)
    about = tomllib.loads(front)
    sentences = re.split(r"(?<=[.?!])(?<!al\.) (?=[A-Z])", " ".join(body.split()))
    return Lesson(name, about["number"], about["title"], tuple(about["try"]), tuple(sentences))
