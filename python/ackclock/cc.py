"""Base classes and events for congestion controls that you write.

A scenario names your class ``python:MODULE:CLASS``. The class takes one of three roles, as the
built-in algorithms do:

- `Avoidance`: growth of the window after slow start, and cuts. It combines with any slow start:
  ``cos+python:mine:MyAvoidance``.
- `SlowStart`: growth of the window before that. It combines with any avoidance:
  ``python:mine:MyStart+cubic``.
- `CongestionControl`: both, and pacing. Any class with ``on_ack`` and ``on_congestion`` will do.

Times are in seconds, rates in bit/s, and all other quantities in bytes. Seconds are floats that
are exact to the picosecond for the first 2.5 hours.

Examples
--------
>>> import ackclock as ac
>>> from ackclock.cc import AckEvent, Avoidance, CongestionEvent, RateSample, Round, Window
>>> class Looking(Avoidance):
...     def next_cwnd(self, ack, window):
...         assert isinstance(ack, AckEvent)
...         assert isinstance(window, Window)
...         assert isinstance(ack.round, Round)
...         assert ack.rate is None or isinstance(ack.rate, RateSample)
...         return window.cwnd + window.mss * ack.credited / window.cwnd
...
...     def ssthresh(self, event, window):
...         assert isinstance(event, CongestionEvent)
...         return window.cwnd / 2
>>> scenario = ac.dumbbell(
...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow(Looking)], duration="5s"
... )
>>> ac.run(scenario).value("goodput") > 8e6
True

A whole controller sees more, and a slow start may hand over with a window of its choice:

>>> import ackclock as ac
>>> from ackclock.cc import CongestionControl, ExitAt, Interval, IntervalStart
>>> from ackclock.cc import LostSegment, RoundSummary, SlowStart
>>> class Watching(CongestionControl):
...     def on_ack(self, ack):
...         assert isinstance(ack.round.last, RoundSummary)
...
...     def on_congestion(self, event):
...         self.cwnd = max(self.cwnd / 2, 2 * self.mss)
...
...     def on_lost(self, segment):
...         assert isinstance(segment, LostSegment)
...
...     def begin_interval(self, start):
...         assert isinstance(start, IntervalStart)
...         return 0.1
...
...     def on_interval(self, interval):
...         assert isinstance(interval, Interval)
...         self.cwnd += self.mss * (interval.lost == 0)
>>> class UpTo(SlowStart):
...     def on_ack(self, ack, window):
...         return ExitAt(30 * self.mss) if window.cwnd >= 30 * self.mss else ack.credited
>>> flows = [ac.flow(Watching), ac.flow(ac.cc.spec_of(UpTo) + "+reno")]
>>> both = ac.dumbbell(rate="10Mbit/s", rtt="40ms", flows=flows, duration="5s")
>>> ac.run(both).value("utilisation") > 0.9
True
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
from ackclock.errors import AlgorithmError

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
    """The random stream of a flow, with all methods of `random.Random` that draw.

    The methods ``on_ack``, ``on_congestion``, ``next_cwnd``, ``begin_interval`` and ``on_interval``
    may draw from it. The sender owns the stream: a copy of an algorithm draws from this one, too.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.cc import Avoidance, Random
    >>> class Dice(Avoidance):
    ...     def __init__(self, setup):
    ...         super().__init__(setup)
    ...         self.random = setup.random
    ...
    ...     def next_cwnd(self, ack, window):
    ...         assert isinstance(self.random, Random)
    ...         gain = self.random.uniform(0, 2)
    ...         return window.cwnd + gain * window.mss * ack.credited / window.cwnd
    ...
    ...     def ssthresh(self, event, window):
    ...         return window.cwnd / 2
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow(Dice)], duration="5s"
    ... )
    >>> ac.run(scenario, seed=3).value("goodput") == ac.run(scenario, seed=3).value("goodput")
    True
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
        """Return this object: the sender owns the stream."""
        return self

    def __deepcopy__(self, _memo: object) -> Random:
        """Return this object: the sender owns the stream."""
        return self


@dataclass(frozen=True)
class Setup:
    """Properties of a connection that the sender gives to an algorithm before the first byte.

    Examples
    --------
    >>> from ackclock.cc import Setup
    >>> Setup(mss=1000).initial_window
    14480
    """

    mss: int = 1448
    """Payload of a full segment, bytes."""
    initial_window: int = 14480
    """Initial window, bytes."""
    initial_ssthresh: int | None = None
    """Initial slow-start threshold, bytes; None: slow start goes on until congestion."""
    has_sack: bool = True
    """Whether selective ACKs report more than one loss per round trip."""
    stream: Stream | None = field(default=None, repr=False)
    """Source of `random`."""

    @cached_property
    def random(self) -> Random:
        """The random stream of the flow: equal seeds give equal draws.

        Never use another source of randomness.
        """
        if self.stream is None:
            raise RuntimeError("random numbers come from a run: this Setup was made without one")
        return Random(self.stream)

    def __deepcopy__(self, _memo: object) -> Setup:
        """Return this object: it never changes."""
        return self


class _Algorithm(ABC):  # noqa: B024 - each role has abstract methods of its own
    """Common base of the three roles."""

    implies: ClassVar[Mapping[str, str | bool | int]] = {}
    """Transport options that the algorithm implies: ``{"pacing": "cc"}``; none in a slow start."""

    if sys.version_info < (3, 13):

        def __new__(cls, *_arguments: object, **_options: object) -> Self:
            """Make the object with an explicit ``__dict__``.

            Access to the ``__dict__`` of an object, as in each copy before a congestion signal,
            takes the object off the interpreter's fast path for attributes. An explicit dict keeps
            it there.
            """
            made = super().__new__(cls)
            made.__dict__ = {}
            return made

    def internals(self) -> Mapping[str, float]:
        """State for the record, by name: finite numbers. Leave out names without a value now."""
        return {}

    def rule(self, told: str) -> str:
        """Rule of the latest answer, for `record.decisions`; by default the name of the class.

        Parameters
        ----------
        told
            Call that was answered: "ack", "loss", "ecn", "timeout", "undo", ... as `told` in
            `Result.decisions`. An avoidance hears "take_over" too, a slow start "ack" and "exit".

        Returns
        -------
        str
            One sentence, with its source in parentheses: "halves the window (RFC 5681)".

        Examples
        --------
        >>> import ackclock as ac
        >>> class Mine(ac.cc.Avoidance):
        ...     def next_cwnd(self, ack, window): return window.cwnd
        ...     def ssthresh(self, event, window): return window.cwnd // 2
        ...     def rule(self, told): return "my own rule (chapter 3)"
        >>> Mine.rule(Mine.__new__(Mine), "ack")
        'my own rule (chapter 3)'
        """
        del told
        return f"{type(self).__name__} decides"


class CongestionControl(_Algorithm):
    """A whole controller.

    The controller decides by three attributes, which the sender reads after each call: `cwnd`,
    `ssthresh` and `pacing_rate`.

    Parameters
    ----------
    setup
        Properties of the connection. A class with parameters takes them after it, by name:
        ``def __init__(self, setup, gain=2.0)``, then ``super().__init__(setup)``.

    Notes
    -----
    Before a loss or a timeout is reported, the object is copied (``copy.deepcopy``, or the object's
    ``clone()``). The copy is restored if the signal proves spurious. A mark is never spurious.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.cc import CongestionControl
    >>> class Fixed(CongestionControl):
    ...     def __init__(self, setup, packets=20):
    ...         super().__init__(setup)
    ...         self.cwnd = packets * self.mss
    ...
    ...     def on_ack(self, ack):
    ...         pass
    ...
    ...     def on_congestion(self, event):
    ...         pass
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow(Fixed)], duration="5s"
    ... )
    >>> round(ac.run(scenario).value("goodput") / 1e6, 1)
    5.4
    """

    owns_window: ClassVar[bool] = False
    """Whether `cwnd` holds in recovery and after idleness, too, as for BBR in Linux.

    Proportional rate reduction and the restart window are then off.
    """

    cwnd: float
    """Congestion window, bytes; at least one segment. Fractions of a byte are dropped."""
    ssthresh: float | None
    """Slow-start threshold, bytes; None: not found yet.

    The sender records it, and lets a window below it grow to twice the data in use.
    """
    pacing_rate: float | None
    """Pacing rate of the payload, bit/s; None: clocked by ACKs.

    The rate counts if the transport option ``pacing`` is ``"cc"``.
    """

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss
        self.cwnd = setup.initial_window
        self.ssthresh = setup.initial_ssthresh
        self.pacing_rate = None

    @abstractmethod
    def on_ack(self, ack: AckEvent) -> None:
        """Handle an ACK that reports data delivered, lost or marked.

        The window should not grow while it does not limit (``ack.is_cwnd_limited`` is False), nor
        in fast recovery or at an ACK of data out of order (``ack.in_recovery``).
        """

    @abstractmethod
    def on_congestion(self, event: CongestionEvent) -> None:
        """React to congestion; called once per window.

        After ``"loss"`` and ``"ecn"`` the sender approaches `cwnd` and reaches it when recovery
        ends. After ``"rto"`` RFC 5681 asks for a window of one segment.
        """

    def on_repeated_timeout(self, event: CongestionEvent) -> None:
        """React to a timeout in a window for which `cwnd` has been reduced already.

        ``ssthresh`` is cut once per window: the default is ``on_congestion`` without a change of
        ssthresh.
        """
        kept = self.ssthresh
        self.on_congestion(event)
        if kept is not None:
            self.ssthresh = kept

    def on_loss_window(self, window: int, now: float) -> None:
        """Restart after a timeout with `window` bytes: the data in flight and one segment more.

        The sender calls this after ``on_congestion`` or ``on_repeated_timeout`` (Linux's
        ``tcp_enter_loss``). The default keeps the window of these.
        """

    def on_recovery_exit(self, now: float) -> None:
        """Handle the end of recovery: the losses of an episode are repaired."""

    def on_idle_restart(self, restart_window: int, now: float) -> None:  # noqa: ARG002
        """Reduce the window to `restart_window`, bytes: it was not used, or the SYN was lost.

        A window is not used if the connection was idle for longer than the RTO (RFC 5681 section
        4.1), or did not fill it for that long (RFC 2861).
        """
        self.cwnd = min(self.cwnd, restart_window)

    def on_transmit_start(self, now: float, is_app_limited: bool) -> None:
        """Handle the start of sending while nothing is in flight, before the segment leaves.

        `is_app_limited` says whether the application had no more data before.
        """

    def on_lost(self, segment: LostSegment) -> None:
        """Handle a lost segment; called before ``on_congestion`` and ``on_ack`` of the ACK."""

    def on_spurious(self, now: float) -> bool:  # noqa: ARG002
        """Undo the reaction to a spurious signal, and return True.

        If this returns False, the sender restores the copy from before the signal.
        """
        return False

    def limits_itself(self) -> bool:
        """Whether the algorithm sends less than the path could carry; asked after each ACK.

        Rate samples then count as app-limited. Asked only if `owns_window` is True.
        """
        return False

    def begin_interval(self, start: IntervalStart) -> float | None:  # noqa: ARG002
        """Begin a monitor interval with the next segment, and return its length, s.

        None means that the algorithm uses no intervals.
        """
        return None

    def on_interval(self, interval: Interval) -> None:
        """Handle a finished monitor interval: all segments are delivered or lost."""


class Avoidance(_Algorithm):
    """The half of a windowed algorithm that decides around the path's capacity.

    The frame around it keeps the window, applies the floor of two segments to ssthresh, sets cwnd
    to ssthresh (after a timeout to one segment) and hands over to the slow start and back.

    Parameters
    ----------
    setup
        Properties of the connection; parameters of your class follow by name.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.cc import Avoidance
    >>> class Gentle(Avoidance):
    ...     def next_cwnd(self, ack, window):
    ...         return window.cwnd + window.mss * ack.credited / window.cwnd
    ...
    ...     def ssthresh(self, event, window):
    ...         return 0.75 * window.cwnd
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow(Gentle)], duration="5s"
    ... )
    >>> ac.run(scenario).value("goodput") > 8e6
    True
    """

    slow_start: ClassVar[str] = "classic"
    """Slow start that is used if a scenario names none."""

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss

    @abstractmethod
    def next_cwnd(self, ack: AckEvent, window: Window) -> float:
        """Return the next window, bytes, on an ACK of new data while this half decides.

        The window may shrink, but not below one segment. A fraction of a byte is carried over to
        the next ACK.
        """

    @abstractmethod
    def ssthresh(self, event: CongestionEvent, window: Window) -> float:
        """Return the new ssthresh, bytes, for a signal."""

    def begin(self, window: Window, now: float) -> None:
        """Handle the start of avoidance: after slow start, or after a cut.

        After a cut recovery is still going on; growth begins when it ends.
        """

    def observe(self, ack: AckEvent, window: Window) -> None:
        """Handle every ACK in every phase, before the decision."""

    def take_over(self, ack: AckEvent, window: Window) -> float | None:  # noqa: ARG002
        """On an ACK of new data, return a window, bytes, to end slow start at once; else None."""
        return None


class SlowStart(_Algorithm):
    """The half of a windowed algorithm that finds the path's capacity.

    Parameters
    ----------
    setup
        Properties of the connection; parameters of your class follow by name.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.cc import Exit, SlowStart
    >>> class Short(SlowStart):
    ...     def on_ack(self, ack, window):
    ...         late = ack.srtt is not None and ack.srtt > 1.25 * ack.min_rtt
    ...         return Exit(0) if late else ack.credited
    >>> mine = ac.cc.spec_of(Short) + "+reno"
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow(mine)], duration="5s"
    ... )
    >>> ac.run(scenario).flows["lost_packets"].to_list()
    [3]
    """

    def __init__(self, setup: Setup) -> None:
        self.mss = setup.mss

    @abstractmethod
    def on_ack(self, ack: AckEvent, window: Window) -> float | Exit | ExitAt:
        """Return the growth of the window on an ACK of new data, bytes.

        A fraction of a byte is carried over to the next ACK. ``Exit(bytes)`` adds the bytes and
        hands over to the avoidance; ``ExitAt(cwnd)`` hands over with this window, which may be
        smaller.
        """

    def begin(self, window: Window) -> None:
        """Handle the start of slow start, also after a timeout or an idle period."""

    def observe(self, ack: AckEvent, window: Window) -> None:
        """Handle every ACK in every phase, before the decision."""


def spec_of(algorithm: type[Any], **parameters: float) -> str:
    """The name of a class in a scenario, with values for parameters of its constructor.

    Parameters
    ----------
    algorithm
        The class, which must be at the top of a module, a script or a notebook.
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
        raise ValueError(
            f"{name.split('.')[-1]} is defined inside a function, where no name leads to it: move "
            "it to the top of its module"
        )
    values = [
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in parameters.items()
    ]
    return f"python:{algorithm.__module__}:{name}" + (f"({','.join(values)})" if values else "")
