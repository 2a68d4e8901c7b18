"""Ctrl-C: when a command hears it, and how it differs from what the user's own code raises.

Python raises KeyboardInterrupt between any two instructions. In the middle of an import that is no good place: the error ends in a
traceback, or is swallowed and leaves a module's lock behind, for which the process then waits for ever. A command hears it after the
import.
"""

from __future__ import annotations

import os
import sys
import time

# Nobody hears Ctrl-C yet: nothing is imported that takes a millisecond. The module signal takes its functions from _signal and adds
# enumerations.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal

__all__ = ["INTERRUPTED", "INTERRUPTED_STATUS", "end_at_once", "hear_from_the_start", "is_ctrl_c", "leave", "may_raise"]

INTERRUPTED = "interrupted: nothing incomplete was left"
# As shells have it: 128 + SIGINT.
INTERRUPTED_STATUS = 130

# Between two looks whether an import is over, s.
_SOON_S = 0.01
# An import that takes longer (an endless loop in a module of the user's) is interrupted all the same, s.
_PATIENCE_S = 0.8

# Between making a temporary folder and knowing of it there is no place for an error, nor while it is being removed.
_WRITING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "writing", "")  # noqa: PTH118, PTH120, PTH100 - pathlib takes 5 ms

# The core's bridge to numpy asks it for its version once, and panics if an error comes of that.
_NUMPY_VERSION = os.path.join("numpy", "lib", "_version.py")  # noqa: PTH118 - as above


class _Heard:
    may_raise = False
    since: float | None = None
    was_raised = False


def hear_from_the_start() -> None:
    """Take over Ctrl-C for a command, unless it is ignored or somebody else's.

    Until `may_raise` it ends the process at once, with one line and status 130: nothing has been written by then.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _on_signal)


def may_raise() -> None:
    """Tell that a KeyboardInterrupt is caught from now on."""
    _Heard.may_raise = True
    if signal.getsignal(signal.SIGINT) is _on_signal:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, _on_signal)
        sys.unraisablehook = _on_swallowed


def leave() -> None:
    """Tell that the process is about to end: Ctrl-C ends it at once and silently, and what was put off is not heard any more."""
    if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is _on_signal:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    if signal.getsignal(signal.SIGINT) is _on_signal:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_at_once() -> None:
    """End the process with the status of an interruption, after what has to be tidied up.

    Python would end itself with the signal, and not with the status, where Ctrl-C came while a text was executed, as the
    standard library does to make a class. And it would take its time.
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
    if hasattr(signal, "setitimer") and _is_no_place(frame) and time.monotonic() - _Heard.since < _PATIENCE_S:
        signal.setitimer(signal.ITIMER_REAL, _SOON_S)
        return
    _Heard.since = None
    _Heard.was_raised = True
    signal.default_int_handler(number, frame)


def _is_no_place(frame: FrameType | None) -> bool:
    """Whether an exception that is raised here is lost, or breaks something.

    An import, a __del__ and what hears of lost ones are such places, and so is what makes and removes temporary folders.
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
    """Hear an interruption again that came where Python cannot pass it up, such as in a __del__."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt) and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, _SOON_S)
    else:
        sys.__unraisablehook__(unraisable)


def is_ctrl_c(error: BaseException) -> bool:
    """Whether the user pressed Ctrl-C, directly or behind an error that came of it; False: the error came of code.

    A signal interrupts between two instructions, and `raise KeyboardInterrupt` in code is an instruction. The innermost frame of the
    traceback tells the two apart.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, KeyboardInterrupt) and not _raised_by_code(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    # A compiled module may have made another error of it, which does not tell where it comes from.
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
