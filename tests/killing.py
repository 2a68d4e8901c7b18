"""As if the process were killed while files take their places."""

import os
from pathlib import Path

import pytest

from ackclock.writing.staging import Staging


class KilledError(BaseException):
    """Nothing catches it."""


def kill_at_the_second_move(patch: pytest.MonkeyPatch) -> None:
    """Die when a second file leaves a temporary folder: nothing is tidied up, locks are gone."""
    whole = Path.replace
    moved: list[str] = []

    def replace(self: Path, target: Path) -> Path:
        if self.parent.name != "new" and "new" not in self.parts:
            return whole(self, target)
        if moved:
            raise KilledError
        moved.append(self.name)
        return whole(self, target)

    patch.setattr(Path, "replace", replace)
    patch.setattr(Staging, "close", lambda self: os.close(self._file))
