"""Numbers of a figure, packed into short text."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ackclock.results.series import Floats

__all__ = ["numbers", "packed", "unpacked"]

_GAP = 65535
_NOTHING = 1e-290
"""Values up to it count as zero: their steps are no ordinary numbers."""
_STEPS = (1.0, 2.0, 5.0, 10.0)


def packed(values: Floats) -> dict[str, Any]:
    """Pack values that are not negative into whole steps of 16 bits; NaN is a gap.

    The step is 1, 2 or 5 times a power of ten, so that the numbers stay short when they are
    written out again. It is at most 1/13,000 of the largest value, finer than any screen.

    Returns
    -------
    dict
        `step`, and `data`: little-endian unsigned integers in base64, 65535 for a gap.
    """
    known = values[np.isfinite(values)]
    largest = float(known.max()) if len(known) else 0.0
    step = _step(largest / (_GAP - 1)) if largest > _NOTHING else 1.0
    whole = np.full(len(values), _GAP, dtype="<u2")
    some = np.isfinite(values)
    whole[some] = np.clip(np.rint(values[some] / step), 0, _GAP - 1).astype("<u2")
    return {"step": step, "data": base64.b64encode(whole.tobytes()).decode("ascii")}


def unpacked(packed: dict[str, Any]) -> Floats:
    """The values of `packed`, rounded to its step."""
    whole = np.frombuffer(base64.b64decode(packed["data"]), dtype="<u2")
    values: Floats = np.where(whole == _GAP, np.nan, whole * packed["step"])
    return values


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    spacing = next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))
    return float(f"{spacing:.6g}")


def numbers(values: Floats) -> list[float | None]:
    """Numbers with six digits, more than a screen shows; None, a gap, for NaN."""
    return [None if np.isnan(value) else float(f"{value:.6g}") for value in values]
