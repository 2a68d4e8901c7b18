"""Known causes of misses: text that people write, in `validation/notes.toml`."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.atomic_io.reading import parse_toml

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.validation.figures import Key

__all__ = ["Note", "about", "notes", "unused"]


@dataclass(frozen=True)
class Note:
    """A known cause of the misses that match."""

    scenario: str
    """Pattern of a scenario's name, as of a shell."""
    measure: str
    """Pattern of a figure's name: `period`, `retransmit*@cubic`."""
    text: str

    def is_about(self, scenario: str, key: Key) -> bool:
        """Whether the note matches a scenario and a figure."""
        return fnmatch.fnmatchcase(scenario, self.scenario) and fnmatch.fnmatchcase(
            str(key), self.measure
        )


def notes(folder: Path) -> list[Note]:
    """All notes, in the file's order; none without the file."""
    path = folder / "notes.toml"
    if not path.is_file():
        return []
    return [
        Note(entry["scenario"], entry["measure"], entry["text"])
        for entry in parse_toml(path.read_text(encoding="utf-8"))["miss"]
    ]


def about(known: list[Note], scenario: str, key: Key) -> str:
    """The first note that matches; empty: nothing is known."""
    return next((note.text for note in known if note.is_about(scenario, key)), "")


def unused(known: list[Note], missed: list[tuple[str, Key]]) -> list[Note]:
    """Notes that match no miss any more."""
    return [
        note for note in known if not any(note.is_about(scenario, key) for scenario, key in missed)
    ]
