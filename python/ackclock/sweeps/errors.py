"""What can end a sweep before its end."""

from __future__ import annotations

__all__ = ["SweepError", "SweepStoppedError"]


class SweepError(RuntimeError):
    """A sweep that cannot go on; what is finished is kept."""


class SweepStoppedError(KeyboardInterrupt):
    """The user wanted no more (Ctrl-C); it says what is kept and how to go on."""
