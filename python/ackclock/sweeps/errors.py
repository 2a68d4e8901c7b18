"""Errors that end a sweep early."""

from __future__ import annotations

from ackclock.errors import Error

__all__ = ["SweepError", "SweepStoppedError"]


class SweepError(Error, RuntimeError):
    """A sweep that cannot go on; finished runs are kept.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.SweepError, ac.Error), ac.SweepError.kind
    (True, 'failed')
    """

    kind = "failed"


class SweepStoppedError(KeyboardInterrupt):
    """The user stopped the sweep (Ctrl-C); the message says what is kept and how to go on.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.SweepStoppedError, KeyboardInterrupt)
    True
    """
