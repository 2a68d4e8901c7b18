"""Errors of a command line, besides those of its scenario."""

from ackclock.errors import Error

__all__ = ["InputError"]


class InputError(Error):
    """A wrong command line: one line for the user, exit status 2."""
