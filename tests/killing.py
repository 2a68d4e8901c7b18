"""As if the process were killed while files take their places."""

import pytest

from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.staging import Staging


class KilledError(BaseException):
    """Nothing catches it."""


def kill_at_the_second_move(patch: pytest.MonkeyPatch) -> None:
    """Die when a second file leaves a temporary folder: nothing is tidied up, locks are gone."""
    whole = Folder.move
    moved: list[str] = []

    def move(self: Folder, name: str, other: Folder, new_name: str) -> None:
        if "new" in self.path.parts:
            if moved:
                raise KilledError
            moved.append(name)
        whole(self, name, other, new_name)

    patch.setattr(Folder, "move", move)
    patch.setattr(Staging, "close", Staging.release)
