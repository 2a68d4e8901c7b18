"""A warning on stderr while a method of a user's algorithm does not return, with its line."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import FrameType

__all__ = ["Watchdog", "interrupt_threads"]

PATIENCE_S = 5.0
"""Time until the first warning of a call; each further warning comes after twice as long."""

_LOOK_S = 0.5

_alive: list[Watchdog] = []


def interrupt_threads(idents: Collection[int]) -> None:
    """Raise KeyboardInterrupt in the methods of users' algorithms that these threads are in.

    Python handles Ctrl-C in its main thread alone. Runs in other threads check for a stop between
    two slices of events, which a method that does not return never reaches.
    """
    for watchdog in tuple(_alive):
        if watchdog.thread_id in idents:
            watchdog.interrupt()


class Watchdog:
    """Looks at the thread of a run every half second, from another thread, at no cost per call.

    The engine makes one for each run that calls Python. The warning names the method, its class and
    the line that it is at. The run goes on: the method may only be slow, and Ctrl-C ends it at any
    time. A call of C code that keeps Python's lock cannot be seen.
    """

    def __init__(self) -> None:
        # The engine has no frame: a method that it calls is directly above the engine's caller.
        self._caller: FrameType | None = sys._getframe(1)
        self.thread_id = threading.get_ident()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="ackclock-watchdog", daemon=True)
        self._thread.start()
        _alive.append(self)

    def stop(self) -> None:
        """End the watch of a run that is over."""
        self._ended.set()
        self._caller = None
        if self in _alive:
            _alive.remove(self)

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in the method that is being called, if one is."""
        if self._method(sys._current_frames().get(self.thread_id)) is None:
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(self.thread_id), ctypes.py_object(KeyboardInterrupt)
        )

    def _watch(self) -> None:
        seen: FrameType | None = None
        spent, next_told = 0.0, PATIENCE_S
        while not self._ended.wait(_LOOK_S):
            innermost = sys._current_frames().get(self.thread_id)
            method = self._method(innermost)
            if method is None or method is not seen:
                # A frame that is held cannot be taken for another call's: its memory is not reused.
                seen, spent, next_told = method, 0.0, PATIENCE_S
                continue
            spent += _LOOK_S
            if spent >= next_told and innermost is not None:
                next_told *= 2
                _tell(method, innermost, spent)

    def _method(self, frame: FrameType | None) -> FrameType | None:
        """The frame of the method that the engine has called; None: it has called none."""
        if frame is None or frame is self._caller:
            return None
        while frame is not None and frame.f_back is not self._caller:
            frame = frame.f_back
        return frame


def _tell(method: FrameType, innermost: FrameType, spent: float) -> None:
    own = method.f_code.co_filename
    place: FrameType | None = innermost
    # Where a library is busy on behalf of the method, name the line of the user's file.
    while place is not None and place.f_code.co_filename != own and place is not method:
        place = place.f_back
    place = place or method
    inside = "" if place is method else f", in {place.f_code.co_qualname}"
    file = own.replace("\\", "/").rsplit("/", 1)[-1]
    sys.stderr.write(
        f"warning: {method.f_code.co_qualname} has not returned for {spent:g} s: it is at {file}, "
        f"line {place.f_lineno}{inside}; Ctrl-C ends the run\n"
    )
    sys.stderr.flush()
