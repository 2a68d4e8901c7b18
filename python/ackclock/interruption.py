"""Whether an exception is Ctrl-C, or was raised by the user's own code."""

from __future__ import annotations

import dis

__all__ = ["is_ctrl_c"]

_RAISE = dis.opmap["RAISE_VARARGS"]


def is_ctrl_c(error: BaseException) -> bool:
    """Whether the user pressed Ctrl-C, directly or behind an error that came of it.

    Python raises KeyboardInterrupt for a signal between two instructions. `raise KeyboardInterrupt` in code is an instruction, so the
    innermost frame of the traceback tells the two apart.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, KeyboardInterrupt) and not _raised_by_code(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _raised_by_code(error: BaseException) -> bool:
    innermost = error.__traceback__
    if innermost is None:
        return False
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    code = innermost.tb_frame.f_code.co_code
    return innermost.tb_lasti >= 0 and code[innermost.tb_lasti] == _RAISE
