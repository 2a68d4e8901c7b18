"""Impairments that do nothing change nothing, though computed departures become events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.relations.differences import of_runs
from fuzz.relations.pair import Runs

if TYPE_CHECKING:
    from fuzz.generate.draw import Draw
    from fuzz.relations.pair import Subject

__all__ = ["neutral_impairments"]

Table = dict[str, Any]

_POLICER = {"rate_bps": 10**14, "burst_bytes": 10**9}
"""A bucket that holds more than a run sends, and is filled faster than any link sends."""
_LARGEST_BITS = 8 * 2**17
"""More than the largest packet has on any link."""
_NEVER_PS = 10**19
"""Later than the last bit of any packet leaves a link whose rate varies."""
_LOSSES: tuple[Table, ...] = (
    {"kind": "bernoulli", "p": 0.0},
    {"kind": "steps", "steps": [[0, 0.0]]},
    {"kind": "gilbert-elliott", "p": 0.5, "r": 0.5, "loss_bad": 0.0, "loss_good": 0.0},
    {"kind": "list", "packets": []},
)


def _after_all(link: Table, duration: int) -> int:
    """Return when the last bit of every packet has left that was being sent at the run's end.

    An outage acts on last bits, and its losses count when the transmission begins.
    """
    if link.get("service") is not None:
        return _NEVER_PS
    rate = link.get("rate_bps")
    return duration + 1 + (0 if rate is None else _LARGEST_BITS * 10**12 // rate)


def _impairments(draw: Draw, link: Table, duration: int) -> list[Table]:
    """Return impairments that do nothing on this link."""
    extra = {"kind": "fixed", "value": draw.share()}
    down = _after_all(link, duration)
    outage = [down, down + draw.spread(1, duration)]
    return [
        {"kind": "jitter", "delay": {"kind": "fixed", "value": 0.0}},
        {"kind": "reorder", "p": 0.0, "gap": draw.whole(1, 5), "extra": extra, "acks": True},
        {"kind": "duplicate", "p": 0.0, "acks": True},
        {"kind": "corrupt", "p": 0.0, "acks": True},
        {"kind": "delay-schedule", "delays": [[0, link["delay_ps"]]]},
        {"kind": "outage", "windows": [outage]},
    ]


def _given(draw: Draw, link: Table, duration: int) -> None:
    """Give a link one to three impairments that do nothing, of kinds that it does not have."""
    before = link.get("impairments", [])
    kinds = {one["kind"] for one in before}
    free: list[Table | str] = [
        one for one in _impairments(draw, link, duration) if one["kind"] not in kinds
    ]
    free += [key for key in ("loss", "policer") if link.get(key) is None]
    made = list(before)
    for chosen in draw.random.sample(free, min(draw.whole(1, 3), len(free))):
        if chosen == "policer":
            link["policer"] = _POLICER
        elif isinstance(chosen, str):
            link["loss"] = {**draw.one(_LOSSES), "acks": draw.chance(0.5)}
        else:
            # A delay of a schedule replaces those before it.
            made.insert(0, chosen)
    if made:
        link["impairments"] = made


def neutral_impairments(subject: Subject, draw: Draw) -> Runs:
    """Give links impairments of probability 0 and of length 0, and a policer that never acts.

    An outage after all that the run sends belongs to them, and a schedule with the link's own
    delay.
    """
    other = subject.planned()
    for link in other["links"]:
        if draw.chance(0.7):
            _given(draw, link, other["duration_ps"])
    return Runs([subject.plan, other], of_runs)
