"""Start of the command ``ackclock``, and of ``python -m ackclock``."""

from __future__ import annotations

import os
import sys

from ackclock.runtime.interruption import INTERRUPTED_STATUS, end_at_once, hear_from_the_start

# Importing typing would take longer than the rest of this module, and Ctrl-C is not handled
# meanwhile.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

# Limits of the address space, bytes: below the first, a library may end the process; above the
# second, libraries can start as many threads as they like.
_LEAST, _ROOMY = 750_000_000, 4_000_000_000
# Settings of polars, its allocator and OpenBLAS.
_FRUGAL = {
    "POLARS_MAX_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "_RJEM_MALLOC_CONF": "background_thread:false",
}


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    hear_from_the_start()
    _fill_closed_streams()
    _spare_address_space()
    # Looking for plug-ins of pydantic takes as long as to load a scenario, and they see nothing of
    # use here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")

    from ackclock.cli import main as command_line
    from ackclock.runtime.extras import leave_the_current_folder_alone

    leave_the_current_folder_alone()

    try:
        command_line()
    except SystemExit as end:
        if end.code == INTERRUPTED_STATUS:
            end_at_once()
        raise


def _fill_closed_streams() -> None:
    """Open the null device for each closed stream.

    The next opened file would get the number of the stream, and with it the words of a library or
    a child process.
    """
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)


def _spare_address_space() -> None:
    """Let the libraries start one thread each where the address space is limited (``ulimit -v``).

    Threads reserve much more than they use. A library that gets no thread ends the process without
    a word for the user.
    """
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:
        return
    limit = getrlimit(RLIMIT_AS)[0]
    if limit == RLIM_INFINITY or limit > _ROOMY:
        return
    if limit < _LEAST:
        os.write(
            2,
            f"the address space of this process is limited to {limit // 1_000_000} MB (ulimit -v); "
            f"ackclock needs {_LEAST // 1_000_000} MB\n".encode(),
        )
        os._exit(1)
    for name, value in _FRUGAL.items():
        os.environ.setdefault(name, value)


def _search_no_modules_here() -> None:
    """Drop the current folder, where ``python -m`` searches modules first: it may be of others."""
    if not sys.flags.safe_path:
        del sys.path[0]


if __name__ == "__main__":
    _search_no_modules_here()
    main()
