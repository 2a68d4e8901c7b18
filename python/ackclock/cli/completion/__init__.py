"""Completion of a command line by the Tab key: the answers to the shell.

click has the protocol and the scripts of the shells. `names` completes values: algorithms, metrics,
studies, files. A file holds the names (`names.json`), because the modules that define them take
longer to import than a user waits for a Tab.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

__all__ = ["SHELLS", "VARIABLE", "answer", "script_of"]

VARIABLE = "_ACKCLOCK_COMPLETE"
"""Environment variable by which a shell's script asks for completions."""
SHELLS = ("bash", "zsh", "fish")


def answer(command: click.Command) -> int | None:
    """Answer a shell's question on standard output; return the exit status, or None if none asks.

    An error stays silent: its text would stand in the line that the user is typing.
    """
    instruction = os.environ.get(VARIABLE)
    if not instruction:
        return None
    from click.shell_completion import shell_complete

    try:
        return shell_complete(command, {}, "ackclock", VARIABLE, instruction)
    except Exception:
        if os.environ.get("ACKCLOCK_TRACEBACK"):
            raise
        return 1


def script_of(shell: str, command: click.Command) -> str:
    """The script by which a shell completes the words of `ackclock`.

    Parameters
    ----------
    shell
        One of `SHELLS`.
    command
        The group of all commands.
    """
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion is not None
    script = completion(command, {}, "ackclock", VARIABLE).source()
    # A name in a list, and its summary, may hold commas: the first one alone is a separator.
    return script.replace('string split "," ', 'string split --max 1 "," ')
