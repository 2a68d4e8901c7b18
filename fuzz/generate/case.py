"""A scenario as data, with the files that it names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import tomli_w

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Case"]


@dataclass
class Case:
    """A scenario to be tried."""

    data: dict[str, Any]
    """The content of the scenario's TOML file."""
    files: dict[str, str] = field(default_factory=dict)
    """Texts of the files that the scenario names, by name."""

    def toml(self) -> str:
        """Return the text of the scenario's file."""
        return tomli_w.dumps(self.data)

    def lay_out(self, folder: Path) -> None:
        """Write the files that the scenario names; a file of one name always has one text."""
        for name, text in self.files.items():
            path = folder / name
            if not path.exists():
                path.write_text(text, encoding="utf-8")
