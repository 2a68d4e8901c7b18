"""Handle Ctrl-C in a command, and tell it from errors that the user's code raises.

Python raises KeyboardInterrupt between any two instructions. In the middle of an import the error
ends in a traceback, or is swallowed and leaves a module's lock behind, for which the process then
waits for ever. Here the signal is put off until the import is over.
"""

from __future__ import annotations

import os
import sys
import time

# Ctrl-C is not handled yet, so imports here must take less than a millisecond. The module signal
# takes its functions from _signal and adds enumerations.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal

__all__ = [
    "INTERRUPTED",
    "INTERRUPTED_STATUS",
    "end_at_once",
    "hear_from_the_start",
    "is_ctrl_c",
    "leave",
    "may_raise",
]

INTERRUPTED = "interrupted: nothing incomplete was left"
# Exit status as in shells: 128 + SIGINT.
INTERRUPTED_STATUS = 130

# Time between two checks whether an import is over, s.
_SOON_S = 0.01
# An import that takes longer, such as an endless loop in the user's module, is interrupted, s.
_PATIENCE_S = 0.8

# Code that makes and removes temporary folders must not be interrupted: it would leave them behind.
_WRITING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "writing", "")  # noqa: PTH118, PTH120, PTH100 - pathlib takes 5 ms

# The engine's bridge to numpy reads numpy's version once, and panics at an error there.
_NUMPY_VERSION = os.path.join("numpy", "lib", "_version.py")  # noqa: PTH118 - as above


class _Heard:
    may_raise = False
    since: float | None = None
    was_raised = False


def hear_from_the_start() -> None:
    """Handle Ctrl-C in a command, unless the signal is ignored or another handler is set.

    Until `may_raise` is called, Ctrl-C ends the process at once, with one line and status 130:
    nothing has been written by then.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _on_signal)


def may_raise() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from now on; the caller catches it."""
    _Heard.may_raise = True
    if signal.getsignal(signal.SIGINT) is _on_signal:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, _on_signal)
        sys.unraisablehook = _on_swallowed


def leave() -> None:
    """Prepare the end of the process: Ctrl-C now ends it silently, and a put-off one is dropped."""
    if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is _on_signal:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    if signal.getsignal(signal.SIGINT) is _on_signal:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_at_once() -> None:
    """End the process with the status of an interruption, after its exit functions.

    Python itself would end with the signal instead of the status if Ctrl-C came while source text
    was executed, as the standard library does to make a class; and it would take longer.
    """
    import atexit
    import contextlib

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED_STATUS)


def _on_signal(number: int, frame: FrameType | None) -> None:
    if not _Heard.may_raise:
        os.write(2, f"{INTERRUPTED}\n".encode())
        os._exit(INTERRUPTED_STATUS)
    _Heard.since = time.monotonic() if _Heard.since is None else _Heard.since
    if (
        hasattr(signal, "setitimer")
        and _is_no_place(frame)
        and time.monotonic() - _Heard.since < _PATIENCE_S
    ):
        signal.setitimer(signal.ITIMER_REAL, _SOON_S)
        return
    _Heard.since = None
    _Heard.was_raised = True
    signal.default_int_handler(number, frame)


def _is_no_place(frame: FrameType | None) -> bool:
    """Whether an exception that is raised here would be lost, or break something.

    Such places are an import, a __del__, the handler of lost exceptions, and the code that makes
    and removes temporary folders.
    """
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(("<frozen importlib", _WRITING)):
            return True
        if code.co_filename.endswith(_NUMPY_VERSION):
            return True
        if code.co_name == "__del__" or code is _on_swallowed.__code__:
            return True
        frame = frame.f_back
    return False


def _on_swallowed(unraisable: sys.UnraisableHookArgs, /) -> None:
    """Repeat an interruption that Python could not pass on, such as in a __del__."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt) and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, _SOON_S)
    else:
        sys.__unraisablehook__(unraisable)


def is_ctrl_c(error: BaseException) -> bool:
    """Whether Ctrl-C caused an error, directly or through other errors; False if code raised it.

    A signal interrupts between two instructions, and `raise KeyboardInterrupt` in code is an
    instruction. The innermost frame of the traceback tells the two apart.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, KeyboardInterrupt) and not _raised_by_code(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    # A compiled module may have turned the interruption into an error without a cause.
    return _Heard.was_raised


def _raised_by_code(error: BaseException) -> bool:
    import dis

    innermost = error.__traceback__
    if innermost is None:
        return False
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    code = innermost.tb_frame.f_code.co_code
    return innermost.tb_lasti >= 0 and code[innermost.tb_lasti] == dis.opmap["RAISE_VARARGS"]
