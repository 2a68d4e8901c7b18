"""Errors of a command line, besides those of its scenario."""

import click

from ackclock.errors import Error
from ackclock.runtime.interruption import INTERRUPTED_STATUS

__all__ = ["InputError", "failed_sweep"]


class InputError(Error):
    """A wrong command line: one line for the user, exit status 2."""


def failed_sweep(error: BaseException, text: str = "", status: int = 1) -> click.ClickException:
    """The end of a command whose runs failed; Ctrl-C has an exit status of its own."""
    failure = click.ClickException((text or str(error)).replace("same call", "same command"))
    is_stopped = isinstance(error, KeyboardInterrupt)
    failure.exit_code = INTERRUPTED_STATUS if is_stopped else status  # type: ignore[misc]
    return failure
