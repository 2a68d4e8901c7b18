"""Start of the command ``ackclock``, and of ``python -m ackclock``."""

from __future__ import annotations

import os
import sys

from ackclock.interruption import INTERRUPTED_STATUS, end_at_once, hear_from_the_start

# Importing typing would take longer than the rest of this module, and Ctrl-C is not handled
# meanwhile.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    hear_from_the_start()
    # Looking for plug-ins of pydantic takes as long as to load a scenario, and they see nothing of
    # use here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")

    from ackclock.cli import main as command_line
    from ackclock.extras import leave_the_current_folder_alone

    leave_the_current_folder_alone()

    try:
        command_line()
    except SystemExit as end:
        if end.code == INTERRUPTED_STATUS:
            end_at_once()
        raise


def _search_no_modules_here() -> None:
    """Drop the current folder, where ``python -m`` searches modules first: it may be of others."""
    if not sys.flags.safe_path:
        del sys.path[0]


if __name__ == "__main__":
    _search_no_modules_here()
    main()
