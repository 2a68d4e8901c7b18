"""Controls whose window moves by itself alone: growth per ACK, cut per loss, and their slopes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.algorithms import arguments_of, controller, entries, traits

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "DelayLaw",
    "WindowLaw",
    "aimd",
    "binomial",
    "compound",
    "fast",
    "highspeed",
    "law_of",
    "multcp",
    "scalable",
    "stabilised_vegas",
    "window_law",
]

_STEP = 1e-5
"""Step of a window for slopes, as a share: the laws are smooth inside their ranges."""


@dataclass(frozen=True)
class WindowLaw:
    """dW/dt = (ACKs per second) (i(W) (1 - p) - d(W) p).

    Attributes
    ----------
    growth
        i(W), packets per packet acknowledged.
    cut
        d(W), packets per loss.
    """

    growth: Callable[[float], float]
    cut: Callable[[float], float]

    def loss_rate(self, window: float) -> float:
        """Loss rate at which a window stays as it is: i / (i + d)."""
        growth = self.growth(window)
        return growth / (growth + self.cut(window))

    def pull(self, window: float) -> float:
        """Return the fall of a resting window's balance per packet of window.

        The value is -(i' (1 - p) - d' p), in packets per ACK and packet.
        """
        step = _STEP * window
        p = self.loss_rate(window)

        def slope(law: Callable[[float], float]) -> float:
            return (law(window + step) - law(window - step)) / (2 * step)

        return slope(self.cut) * p - slope(self.growth) * (1 - p)


def aimd(increase: float, decrease: float) -> WindowLaw:
    """A window that grows by `increase` per round trip and loses the share `decrease`."""
    return WindowLaw(lambda w: increase / w, lambda w: decrease * w)


def multcp(n: float) -> WindowLaw:
    """`n` flows in one, of which one loses half of its share."""
    return aimd(n, 0.5 / n)


def binomial(k: float, l: float, alpha: float, beta: float) -> WindowLaw:  # noqa: E741 the paper's
    """A window that grows by alpha / W^k per round trip and loses beta W^l."""
    return WindowLaw(lambda w: alpha / w ** (k + 1), lambda w: beta * w**l)


def scalable(a: float, b: float) -> WindowLaw:
    """A window that grows by `a` per packet and loses the share `b`."""
    return WindowLaw(lambda w: a, lambda w: b * w)  # noqa: ARG005


def highspeed(**points: float) -> WindowLaw:
    """HighSpeed TCP's window (RFC 3649), for the points of its response function."""
    import numpy as np

    from ackclock.theory.response import highspeed_response

    def law(w: float) -> tuple[float, float]:
        a, b = highspeed_response(np.array([w]), **points)
        return float(a[0]), float(b[0])

    return WindowLaw(lambda w: law(w)[0] / w, lambda w: law(w)[1] * w)


def compound(alpha: float, k: float, beta: float) -> WindowLaw:
    """Compound TCP's window on a path without a queue."""
    return WindowLaw(lambda w: max(alpha * math.pow(w, k), 1.0) / w, lambda w: beta * w)


@dataclass(frozen=True)
class DelayLaw:
    """W' = (gain / R) (alpha - b - damping W q'), with b packets of the flow queued.

    Attributes
    ----------
    alpha
        Packets that a flow keeps queued.
    gain
        Share of the way to the equilibrium per round trip.
    damping
        Weight of the queue's slope, round trips.
    """

    alpha: float
    gain: float
    damping: float


def fast(alpha: float, gain: float, period: float) -> DelayLaw:
    """FAST TCP's window, which moves once in `period` round trips."""
    return DelayLaw(alpha, gain / period, 0.0)


def stabilised_vegas(alpha: float, mu: float, a: float) -> DelayLaw:
    """Stabilised Vegas's window."""
    return DelayLaw(alpha, 2 * mu / math.pi, a)


def window_law(spec: str) -> WindowLaw:
    """Growth and cut of a control written as in a scenario, or an error if it has no such law.

    Parameters
    ----------
    spec
        A name, or a name with parameters.

    Examples
    --------
    >>> law = window_law("scalable(b=0.25)")
    >>> law.growth(500), law.cut(500)
    (0.01, 125.0)
    """
    law = law_of(spec)
    if not isinstance(law, WindowLaw):
        raise _without(spec, "its growth or its cut depends on more than its window")
    return law


@lru_cache(maxsize=64)
def law_of(spec: str) -> WindowLaw | DelayLaw:
    """Equations of a control written as in a scenario, or an error if it has none."""
    _core.check_cc(spec, None)
    law = traits(spec)["linearised"]
    if law is None:
        raise _without(spec, traits(spec)["why_not_linearised"])
    made: WindowLaw | DelayLaw = globals()[law["function"]](**arguments_of(law, spec))
    return made


def _without(spec: str, why: str) -> ValueError:
    known = [name for name in entries() if traits(name)["linearised"] is not None]
    return ValueError(
        f"'{controller(spec)}' has no linearised model here: {why}. There are: {', '.join(known)}"
    )
