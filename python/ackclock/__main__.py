"""``python -m ackclock`` is ``ackclock``, and the console command begins here."""

from __future__ import annotations

# Nothing is imported before Ctrl-C is heard: typing alone takes milliseconds.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

__all__ = ["main"]


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    import os

    os.write(2, b"interrupted: nothing incomplete was left\n")
    os._exit(130)


def main() -> NoReturn:
    """Run the command line of this process and exit.

    Until the command line is imported, Ctrl-C ends the process at once: a KeyboardInterrupt in the middle of an import would end in a
    traceback. Nothing has been written by then.
    """
    import signal

    is_pythons = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_pythons:
        signal.signal(signal.SIGINT, _leave)

    from ackclock.cli import main as command_line

    def begin() -> None:
        if is_pythons:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    command_line(begin=begin)


if __name__ == "__main__":
    main()
