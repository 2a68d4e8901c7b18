"""The folder of runs: each is there whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Self

    from ackclock.sweep.responses import Response
    from ackclock.sweep.task import Outcome

__all__ = ["Store", "StoreError"]


class StoreError(ValueError):
    """A folder that is no store, or one of another version."""


class Store:
    """Runs by key, in a folder that several processes may share.

    Attributes
    ----------
    folder : Path
        Where.
    damaged : list of str
        A sentence for each file that was found damaged since it was opened; such a run counts as not there.
    """

    folder: Path
    damaged: list[str]

    @classmethod
    def open(cls, folder: str | Path, *, create: bool = False) -> Self:
        """Open a store.

        Raises
        ------
        StoreError
            If it is none, or one of another version.
        """
        raise NotImplementedError

    def get(self, key: str, responses: Sequence[Response]) -> Outcome | None:
        """A run with figures of these responses, in this order; None: it is not there, damaged, or lacks one of them."""
        raise NotImplementedError

    def put(self, outcome: Outcome) -> None:
        """Keep a run.

        Raises
        ------
        OSError
            If it cannot be written; nothing of it is there then.
        """
        raise NotImplementedError

    def keys(self) -> Iterator[str]:
        """The keys of all that is there, in order."""
        raise NotImplementedError

    def claim(self, key: str) -> AbstractContextManager[None] | None:
        """The right to make a run, until the context ends or the process dies; None: another process is making it."""
        raise NotImplementedError
