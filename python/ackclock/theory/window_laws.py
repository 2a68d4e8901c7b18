"""Controls whose window moves by itself alone: growth per ACK, cut per loss, and their slopes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["WindowLaw", "parameters_of", "window_law"]

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


def _aimd(increase: float, decrease: float) -> WindowLaw:
    return WindowLaw(lambda w: increase / w, lambda w: decrease * w)


def _highspeed(own: Mapping[str, float]) -> WindowLaw:
    import numpy as np

    from ackclock.theory.response import highspeed_response

    points = {key: own[key] for key in ("low_window", "high_window", "high_p", "high_decrease")}

    def law(w: float) -> tuple[float, float]:
        a, b = highspeed_response(np.array([w]), **points)
        return float(a[0]), float(b[0])

    return WindowLaw(lambda w: law(w)[0] / w, lambda w: law(w)[1] * w)


def _compound(own: Mapping[str, float]) -> WindowLaw:
    def growth(w: float) -> float:
        return max(own["alpha"] * math.pow(w, own["k"]), 1.0) / w

    return WindowLaw(growth, lambda w: own["beta"] * w)


_LAWS: dict[str, Callable[[Mapping[str, float]], WindowLaw]] = {
    "reno": lambda own: _aimd(1.0, 0.5),  # noqa: ARG005
    "newreno": lambda own: _aimd(1.0, 0.5),  # noqa: ARG005
    "aimd": lambda own: _aimd(own["a"], own["b"]),
    "multcp": lambda own: _aimd(own["n"], 0.5 / own["n"]),
    "binomial": lambda own: WindowLaw(
        lambda w: own["alpha"] / w ** (own["k"] + 1), lambda w: own["beta"] * w ** own["l"]
    ),
    "scalable": lambda own: WindowLaw(lambda w: own["a"], lambda w: own["b"] * w),  # noqa: ARG005
    "highspeed": _highspeed,
    "compound": _compound,
}

_WITHOUT = {
    "cubic": "its growth depends on the time since the last loss, and where it is at rest the "
    "curve is "
    "flat, so that to first order it "
    "answers no loss: its published model decides by what is beyond, and finds it locally stable "
    "(Vardoyan, Hollot & Towsley, "
    "INFOCOM 2018)",
    "vegas": "it answers with the sign of what is queued beside what should be, which has no "
    "slope, "
    "and between alpha and beta not at all: "
    "stabilised-vegas is the form that has a linearisation (Choe & Low, INFOCOM 2003)",
    "bbr": "it answers neither loss nor delay with a rate, but filters of maxima and minima: "
    "bbr_flow_map says how these contract; a fluid "
    "model is that of Scherrer, Legner, Perrig & Schmid, IMC 2022",
    "dctcp": "a step of marks makes a relay, which cycles whatever the gain: dctcp_sawtooth",
}


def parameters_of(spec: str) -> tuple[str, dict[str, float]]:
    """Name and parameters of a control, `scalable(a=0.02, b=0.25)`, with defaults filled in."""
    name, own = _read(spec)
    return name, dict(own)


@lru_cache(maxsize=64)
def _read(spec: str) -> tuple[str, Mapping[str, float]]:
    from ackclock import _core

    _core.check_cc(spec, None)
    # A slow start comes before a plus, and has no part in an equilibrium.
    found = re.fullmatch(r"(?:.*\+)?\s*([\w-]+)\s*(?:\((.*)\))?\s*", spec)
    assert found is not None
    entry = next(entry for entry in _core.list_cc() if entry["name"] == found[1])
    numbers = [
        parameter for parameter in entry["parameters"] if not isinstance(parameter["default"], str)
    ]
    own = {parameter["name"]: float(parameter["default"]) for parameter in numbers}
    for given in filter(None, (text.strip() for text in (found[2] or "").split(","))):
        key, _, value = given.partition("=")
        if key.strip() in own:
            own[key.strip()] = float({"true": 1, "false": 0}.get(value.strip(), value))
    return found[1], own


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
    name, own = parameters_of(spec)
    if name in _LAWS:
        return _LAWS[name](own)
    why = _WITHOUT.get(name, "its growth or its cut depends on more than its window")
    raise ValueError(
        f"'{name}' has no linearised model here: {why}. There are: "
        f"{', '.join([*_LAWS, 'fast', 'stabilised-vegas'])}"
    )
