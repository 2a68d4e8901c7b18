"""A run whose every start, schedule and end is later does the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fuzz.record import OFF
from fuzz.relations.differences import of_runs
from fuzz.relations.pair import Runs
from fuzz.relations.plans import LONGEST_PS, disciplines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.differences import Row
    from fuzz.relations.pair import Plan, Subject

__all__ = ["SHIFT_PS", "later_start"]

SHIFT_PS = 120 * 10**12
"""Time by which everything is later, at least, ps."""
_FIRST_PS = 1000
_LONGEST_PS = 3600 * 10**12
"""Longest shift: periods that meet more rarely are left out."""
_MINUTE_PS = 60 * 10**12
"""Step in which LEDBAT and LEDBAT++ remember base delays (RFC 6817 section 4.2)."""
_JIFFY_PS = 4 * 10**9
"""Step of Linux's timers, which BBR, CUBIC and the validation of windows count in."""
_ROUNDING = 1e-9
"""A time of the run is a double, whose last digit is coarser where the time is later."""

_INSTANTS = frozenset({"start_time", "finish_time", "end_time", "slow_start_end_time"})
"""Columns that are times of the run, and so are later by the shift."""


def _periods(plan: Plan) -> Iterator[int]:
    """Yield the periods of everything that repeats from the beginning of the run, ps."""
    yield _JIFFY_PS
    for link in plan["links"]:
        service = link.get("service") or {}
        repeated = [service, service.get("outages") or {}, *link.get("impairments", ())]
        yield from (one["period_ps"] for one in repeated if one.get("period_ps"))
        if service.get("kind") == "trace":
            steps = (one.partition("*")[0] for one in service["opportunities"].split())
            yield sum(int(step) for step in steps) * 10**9
    for discipline in disciplines(plan):
        control = discipline.get("control", discipline)
        if "tupdate_ps" in control:
            yield max(control["tupdate_ps"], 10**6)
    for flow in plan["flows"]:
        if "ledbat" in flow["cc"]:
            yield _MINUTE_PS
        transport = flow["transport"]
        yield from (
            transport[key] for key in ("timestamp_clock_ps", "rtt_clock_ps") if transport[key]
        )


def _depends_on_the_beginning(plan: Plan) -> bool:
    """Whether something draws, or counts, from the beginning of the run on."""
    for link in plan["links"]:
        if (link["loss"] or {}).get("kind") == "bursts":
            return True
        if link["rate_bps"] is None and any(
            one["kind"] == "slot" for one in link.get("impairments", ())
        ):
            # A packet at time 0 finds the first slot open.
            return True
    # Adaptive RED waits for half a second before its first step.
    return any(one["kind"] == "red" and one["adaptive"] for one in disciplines(plan))


def _moved_link(link: dict[str, Any], shift: int) -> None:
    def steps(entries: list[list[Any]], *, keeps_first: bool = False) -> list[list[Any]]:
        first = int(keeps_first)
        return entries[:first] + [[at + shift, *rest] for at, *rest in entries[first:]]

    def outage(entry: dict[str, Any]) -> None:
        if not entry.get("period_ps"):
            entry["windows"] = [[begin + shift, end + shift] for begin, end in entry["windows"]]

    service = link.get("service") or {}
    if service.get("kind") == "schedule" and not service.get("period_ps"):
        service["rates"] = steps(service["rates"], keeps_first=True)
    if service.get("outages"):
        outage(service["outages"])
    for one in link.get("impairments", ()):
        if one["kind"] == "delay-schedule" and not one.get("period_ps"):
            one["delays"] = steps(one["delays"])
        elif one["kind"] == "outage":
            outage(one)
    if (link["loss"] or {}).get("kind") == "steps":
        link["loss"]["steps"] = steps(link["loss"]["steps"])
    _add(link.get("loss_window") or {}, shift)
    for limit in link["qdisc"].get("later", ()):
        limit["from_ps"] += shift


def _add(entry: dict[str, Any], shift: int) -> None:
    for key in ("start_ps", "stop_ps"):
        if entry.get(key) is not None:
            entry[key] += shift


def moved(plan: Plan, shift: int) -> None:
    """Make everything in the plan later by a time, ps."""
    for key in ("duration_ps", "warmup_ps"):
        plan[key] += shift
    for table in ("flows", "streams", "sessions"):
        for entry in plan[table]:
            _add(entry, shift)
    for link in plan["links"]:
        _moved_link(link, shift)


def later_start(subject: Subject, _draw: Draw) -> Runs | None:
    """Make every start, stop, step and end 120 s later, or the next time at which all periods meet.

    The given plan begins a nanosecond late, so that both plans have a warm-up: counters of flows
    that have not started differ between a run with a warm-up and one without.
    """
    plan = subject.planned()
    plan["record"] = OFF
    moved(plan, _FIRST_PS)
    if _depends_on_the_beginning(plan):
        return None
    period = math.lcm(*_periods(plan))
    shift = -(-SHIFT_PS // period) * period
    if shift > _LONGEST_PS or plan["duration_ps"] + shift > LONGEST_PS:
        return None
    other = subject.planned()
    other["record"] = OFF
    moved(other, _FIRST_PS + shift)
    seconds = shift / 1e12

    def same(key: str, row: Row, other_row: Row) -> bool:
        value, changed = row[key], other_row[key]
        if key in _INSTANTS and value is not None and changed is not None:
            return abs(value + seconds - changed) <= _ROUNDING * abs(changed)
        return bool(value == changed)

    def judge(run: Any, changed: Any) -> Iterator[str]:
        yield from of_runs(run, changed, same=same)

    return Runs([plan, other], judge)
