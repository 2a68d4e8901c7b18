"""Congestion controls of your own: what a class has to define, and what it is told.

A class here is named ``python:MODULE:CLASS`` wherever a scenario names a congestion control. It takes one of three roles, as the
built-in ones do:

- `Avoidance`: how the window grows after slow start and how it is cut. It composes with any slow start, ``cos+python:mine:MyAvoidance``.
- `SlowStart`: how the window grows before. It composes with any avoidance, ``python:mine:MyStart+cubic``.
- `CongestionControl`: both, and pacing too. A class of its own that has ``on_ack`` and ``on_congestion`` will do.

Times are in seconds, rates in bit/s, everything else in bytes. Seconds are floats that name the picosecond exactly for the first 2.5 hours.
"""

from __future__ import annotations

import random
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from ackclock._core import (
    AckEvent,
    AlgorithmError,
    CongestionEvent,
    Exit,
    ExitAt,
    Interval,
    IntervalStart,
    LostSegment,
    RateSample,
    Round,
    RoundSummary,
    Window,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock._core import Stream

__all__ = [
    "AckEvent",
    "AlgorithmError",
    "Avoidance",
    "CongestionControl",
    "CongestionEvent",
    "Exit",
    "ExitAt",
    "Interval",
    "IntervalStart",
    "LostSegment",
    "Random",
    "RateSample",
    "Round",
    "RoundSummary",
    "Setup",
    "SlowStart",
    "Window",
    "spec_of",
]


class Random(random.Random):
    """The flow's own random stream, with all that `random.Random` can draw.

    It can be drawn from in ``on_ack``, ``on_congestion``, ``next_cwnd``, ``begin_interval`` and ``on_interval``. The sender owns the
    stream: a copy of an object draws from the same one.
    """

    def __new__(cls, stream: Stream) -> Random:  # noqa: D102, ARG004 - random.Random would seed itself with the argument
        return super().__new__(cls)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.gauss_next = None
        stream.want()

    def random(self) -> float:
        """Draw uniformly from [0, 1)."""
        return self._stream.unit()

    def getrandbits(self, k: int, /) -> int:
        """Draw `k` random bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        words = [self._stream.bits() for _ in range((k + 63) // 64)]
        return sum(word << (64 * index) for index, word in enumerate(words)) >> (-k % 64)

    def seed(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse: the run's seed decides."""
        raise NotImplementedError("the scenario's seed is the seed of every random stream")

    def getstate(self) -> NoReturn:
        """Refuse: the sender has the state."""
        raise NotImplementedError("the state of a flow's random stream is the simulator's")

    def setstate(self, state: object) -> NoReturn:
        """Refuse: the sender has the state."""
        raise NotImplementedError("the state of a flow's random stream is the simulator's")

    def __copy__(self) -> Random:
        """The same: the stream is the sender's."""
        return self

    def __deepcopy__(self, _memo: object) -> Random:
        """The same: the stream is the sender's."""
        return self


@dataclass(frozen=True)
class Setup:
    """What the sender tells an algorithm once, before the first byte."""

    mss: int = 1448
    """Payload of a full segment, bytes."""
    initial_window: int = 14480
    """Initial window, bytes."""
    initial_ssthresh: int | None = None
    """Initial slow-start threshold, bytes; None: not known, slow start goes on until congestion."""
    has_sack: bool = True
    """Whether selective ACKs tell of more than one loss per round trip."""
    stream: Stream | None = field(default=None, repr=False)
    """Where `random` draws from."""

    @cached_property
    def random(self) -> Random:
        """The flow's own random stream: the same draws in every run with the same seed. Never use another source of chance."""
        if self.stream is None:
            raise RuntimeError("random numbers come from a run: this Setup was made without one")
        return Random(self.stream)

    def __deepcopy__(self, _memo: object) -> Setup:
        """The same: nothing in it changes."""
        return self


class _Algorithm(ABC):  # noqa: B024 - each role has abstract methods of its own
    """What the three roles have in common."""

    implies: ClassVar[Mapping[str, str | bool | int]] = {}
    """Transport options that the algorithm stands for, such as ``{"pacing": "cc"}``; a slow start cannot have any."""

    if sys.version_info < (3, 13):

        def __new__(cls, *_arguments: object, **_options: object) -> Self:
            """Make the object with a dict of its own from the start.

            Whoever asks for the ``__dict__`` of an object, as each copy before a congestion signal does, takes it off the interpreter's
            fast path for attributes: its dict then shares its keys with those of other objects. One that it was given stays on it.
            """
            made = super().__new__(cls)
            made.__dict__ = {}
            return made

    def internals(self) -> Mapping[str, float]:
        """State for the record, by name: finite numbers. Leave out what has no value now."""
        return {}


class CongestionControl(_Algorithm):
    """A whole controller: it decides everything.

    The decision is three attributes, which the sender reads after each call: `cwnd`, `ssthresh` and `pacing_rate`.

    Parameters
    ----------
    setup
        What the sender knows before the first byte. A class with parameters takes them after it, by name:
        ``def __init__(self, setup, gain=2.0)``, then ``super().__init__(setup)``.

    Notes
    -----
    Before each congestion signal the sender takes a copy of the object (``copy.deepcopy``, or its own ``clone()``), and puts it back
    if the signal proves spurious.
    """

    owns_window: ClassVar[bool] = False
    """Whether `cwnd` holds in recovery and after idleness too, without proportional rate reduction and restart window (as BBR in Linux)."""

    cwnd: float
    """Congestion window, bytes; at least one segment. Fractions of a byte are dropped."""
    ssthresh: float | None
    """Slow-start threshold, bytes; None: not found yet. The sender records it, and lets a window below it grow to twice what is in
    use."""
    pacing_rate: float | None
    """Pacing rate of the payload, bit/s; None: clocked by ACKs. It counts where the transport option ``pacing`` is ``"cc"``."""

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss
        self.cwnd = setup.initial_window
        self.ssthresh = setup.initial_ssthresh
        self.pacing_rate = None

    @abstractmethod
    def on_ack(self, ack: AckEvent) -> None:
        """Take in an ACK that delivered, lost or marked something.

        The window should not grow where it does not limit (``ack.is_cwnd_limited`` is False), nor while losses are repaired
        (``ack.in_recovery``).
        """

    @abstractmethod
    def on_congestion(self, event: CongestionEvent) -> None:
        """React to congestion; called once per window.

        After ``"loss"`` and ``"ecn"`` the sender approaches `cwnd` and has it when recovery ends; after ``"rto"`` RFC 5681 wants a
        window of one segment.
        """

    def on_repeated_timeout(self, event: CongestionEvent) -> None:
        """React to a timeout in the window that a loss or timeout has reduced `cwnd` for already.

        ``ssthresh`` is not cut twice for one window: the default is ``on_congestion`` with ssthresh kept.
        """
        kept = self.ssthresh
        self.on_congestion(event)
        if kept is not None:
            self.ssthresh = kept

    def on_loss_window(self, window: int, now: float) -> None:
        """Restart at `window` bytes, s: a timeout leaves what is still in flight and one segment more.

        Called after ``on_congestion`` or ``on_repeated_timeout`` of a timeout (Linux's ``tcp_enter_loss``). The default keeps
        what these decided.
        """

    def on_recovery_exit(self, now: float) -> None:
        """Take note that the losses of an episode are repaired."""

    def on_idle_restart(self, restart_window: int, now: float) -> None:  # noqa: ARG002
        """Shrink to `restart_window` after idling for longer than the RTO (RFC 5681 section 4.1), or when the SYN was lost."""
        self.cwnd = min(self.cwnd, restart_window)

    def on_transmit_start(self, now: float, is_app_limited: bool) -> None:
        """Take note that a segment is about to be sent while nothing is in flight; `is_app_limited`: the application had no more."""

    def on_lost(self, segment: LostSegment) -> None:
        """Take note of a segment declared lost; before ``on_congestion`` and ``on_ack`` of the same ACK."""

    def on_spurious(self, now: float) -> bool:  # noqa: ARG002
        """Undo the reaction to a signal that was spurious, and return True; False: the sender puts back the copy from before it."""
        return False

    def limits_itself(self) -> bool:
        """Tell, after each ACK, whether the algorithm sends less than the path could take: rate samples then count as limited.

        Asked only where `owns_window` is True.
        """
        return False

    def begin_interval(self, start: IntervalStart) -> float | None:  # noqa: ARG002
        """Begin a monitor interval with the segment about to be sent, and return how long it lasts, s; None: no intervals are kept."""
        return None

    def on_interval(self, interval: Interval) -> None:
        """Take in a monitor interval whose segments are all delivered or lost."""


class Avoidance(_Algorithm):
    """The half of a windowed algorithm that decides around the path's capacity.

    The frame around it keeps the window, applies the floor of two segments to ssthresh, sets cwnd to it (after a timeout to one segment)
    and hands over to the slow start and back.

    Parameters
    ----------
    setup
        What the sender knows before the first byte; parameters of the class's own follow by name.
    """

    slow_start: ClassVar[str] = "classic"
    """The slow start that comes with it where the spec names none."""

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss

    @abstractmethod
    def next_cwnd(self, ack: AckEvent, window: Window) -> float:
        """Return the next window, bytes, on an ACK of new data while this half decides.

        It may be smaller, but not below one segment. What is less than a byte is added to the answer to the next ACK.
        """

    @abstractmethod
    def ssthresh(self, event: CongestionEvent, window: Window) -> float:
        """Return the new ssthresh, bytes, for a signal."""

    def begin(self, window: Window, now: float) -> None:
        """Take note that avoidance begins: after slow start, or after a cut (in recovery; growth comes when that ends)."""

    def observe(self, ack: AckEvent, window: Window) -> None:
        """Take in every ACK in every phase, before the decision."""

    def take_over(self, ack: AckEvent, window: Window) -> float | None:  # noqa: ARG002
        """Return the window, bytes, with which to take over from slow start at once, on an ACK of new data; None: it goes on."""
        return None


class SlowStart(_Algorithm):
    """The half of a windowed algorithm that finds the path's capacity.

    Parameters
    ----------
    setup
        What the sender knows before the first byte; parameters of the class's own follow by name.
    """

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss

    @abstractmethod
    def on_ack(self, ack: AckEvent, window: Window) -> float | Exit | ExitAt:
        """Return what an ACK of new data adds to the window, bytes.

        What is less than a byte is added to the next answer. ``Exit(bytes)`` adds them and hands over to the avoidance; ``ExitAt(cwnd)``
        hands over with this window, which may be smaller.
        """

    def begin(self, window: Window) -> None:
        """Take note that slow start begins, first or again (after a timeout or an idle period)."""

    def observe(self, ack: AckEvent, window: Window) -> None:
        """Take in every ACK in every phase, before the decision."""


def spec_of(algorithm: type[Any], **parameters: float) -> str:
    """The name of a class as a scenario has it, with values for parameters of its constructor.

    Parameters
    ----------
    algorithm
        The class. It must be found by its name: at the top of a module, a script or a notebook, not inside a function.
    **parameters
        Numbers and truth values.

    Examples
    --------
    >>> from fractions import Fraction
    >>> spec_of(Fraction)
    'python:fractions:Fraction'
    >>> spec_of(Fraction, n=2, fast=True)
    'python:fractions:Fraction(n=2,fast=true)'
    """
    name = algorithm.__qualname__
    if "<locals>" in name:
        raise ValueError(f"{name.split('.')[-1]} is defined inside a function, where no name leads to it: move it to the top of its module")
    values = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in parameters.items()]
    return f"python:{algorithm.__module__}:{name}" + (f"({','.join(values)})" if values else "")
