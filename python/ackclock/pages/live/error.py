"""The error of the page and of its server."""

from __future__ import annotations

from ackclock.errors import Error

__all__ = ["LiveError"]


class LiveError(Error, OSError):
    """The page is not there, or its server cannot start."""

    kind = "unavailable"
