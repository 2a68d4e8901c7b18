"""What of a run is drawn, and starts that are drawn where nothing else is, so that several seeds give several runs.

Without anything random, runs of several seeds are one run, and neither a mean nor an interval says more than it. With
several flows the one run is an accident, too: which flow loses at a full queue can hang on how their packets fall
between each other, down to the width of one packet. S. Floyd and V. Jacobson named these phase effects and removed
them with random times ("On traffic phase effects in packet-switched gateways", Internetworking: Research and Experience
3(3), 1992). Here each flow starts up to one base round-trip time later, but at least the time in which the bottleneck
sends one packet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario.distributions import watched_draws
from ackclock.scenario.quantities import time_ps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ackclock.scenario import Scenario
    from ackclock.scenario.plan import Plan

__all__ = ["AS_GIVEN", "Chance", "Starts", "chance_of", "chance_of_plan", "decide", "why_same"]

# crates/sim/src/qdisc and crates/cc/src: those that draw. tests/test_chance.py holds this list against the engine.
_QDISCS = frozenset({"red", "pie", "fq_pie", "cobalt", "dualpi2"})
_ALGORITHMS = frozenset({"bbr", "bbr-lowlat", "bbr3", "cdg", "nv", "pcc-allegro", "pcc-vivace"})
_DISTRIBUTIONS = frozenset({"uniform", "exponential", "normal", "lognormal", "pareto", "weibull", "cdf"})
_CHANGING = frozenset({"schedule", "trace"})
_PICOSECONDS = 1_000_000_000_000
_LEAST_LIFE = 10
_FIXED = ', and starts = "fixed" was asked for'


@dataclass(frozen=True)
class Chance:
    """What of a scenario's runs depends on the seed."""

    sources: tuple[str, ...]
    """What is random, each in words; empty: nothing that could make two seeds differ.

    Which of several flows of one start time goes first, and where a fair queue's hash puts a flow, do not count: from
    either come a few different runs at most, however many seeds there are.
    """
    is_shift: bool
    """Whether another start only moves the whole run in time: one sender on a network that never changes."""
    within_ps: int
    """Within what starts are drawn if they are, ps."""

    @property
    def wants_starts(self) -> bool:
        """Whether drawn starts would make the seeds differ, and nothing else would."""
        return not self.sources and not self.is_shift


@dataclass(frozen=True)
class Starts:
    """How the starts of several runs were chosen."""

    within_ps: int = 0
    """Each flow starts up to this much later than the scenario says, drawn for each flow and seed, ps; 0: as it says."""
    why: str = ""
    """A sentence for the output; empty: nothing to say."""
    is_fixed: bool = False
    """Whether the user asked for the starts that the scenario says."""

    def applied(self, scenario: Scenario) -> Scenario:
        """The scenario with its fixed starts drawn; starts that are drawn already stay as they are."""
        changes = dict(self._changes(scenario))
        return scenario.replace(changes) if changes else scenario

    def _changes(self, scenario: Scenario) -> Iterator[tuple[str, Any]]:
        if not self.within_ps:
            return
        for index, flow in enumerate(scenario.flows):
            if not _is_drawn(flow.start):
                first = time_ps(flow.start)
                low, high = _core.format_time(first), _core.format_time(first + self.within_ps)
                yield f"flows.{index}.start", f"uniform({low}, {high})"


AS_GIVEN = Starts()
"""Starts as the scenario says."""


def _is_drawn(text: str) -> bool:
    return "(" in text


def chance_of(scenario: Scenario) -> Chance:
    """What of a scenario's runs depends on the seed.

    Raises
    ------
    ScenarioError
        If the scenario has no plan.
    """
    with watched_draws() as drawn:
        plan = scenario.plan()
    return chance_of_plan(plan, drawn)


def chance_of_plan(plan: Plan, drawn: Iterable[str] = ()) -> Chance:
    """What of a plan's runs depends on the seed.

    Parameters
    ----------
    plan
        As `Scenario.plan` gives it.
    drawn
        Keys of the scenario whose values were drawn for it (`ackclock.scenario.distributions.watched_draws`).
    """
    sources = [f"{key} is drawn" for key in sorted(drawn)]
    for link in plan["links"]:
        sources += [f"{words} on {link['name']}" for words in _of_link(link)]
    for cc in dict.fromkeys(flow["cc"] for flow in plan["flows"]):
        sources += [f"{name} draws" for name in _names(cc) if name in _ALGORITHMS]
    for flow in plan["flows"]:
        if _has_distribution(flow["app"]) or _has_distribution(flow["transport"].get("host_time")):
            sources.append(f"{flow['name']} draws what it does")
    for each in (*plan["sessions"], *plan["streams"]):
        if _has_distribution(each["app"]) or each["app"]["kind"] == "voice":
            sources.append(f"{each['name']} draws what it sends")
    # Of a million flows with one cause, one is enough to be told.
    return Chance(tuple(dict.fromkeys(sources)), _is_shift(plan), _within(plan))


def _names(cc: str) -> list[str]:
    """Parts of an algorithm's name: `cos+reno(beta=0.8)` has cos and reno."""
    return [part.partition("(")[0].strip() for part in re.sub(r"\([^)]*\)", "", cc).split("+")]


def _of_link(link: Mapping[str, Any]) -> Iterator[str]:
    loss = link.get("loss")
    if loss is not None and loss["kind"] != "periodic" and (loss.get("p", 1.0) > 0.0 or loss.get("loss_good", 0.0) > 0.0):
        yield "random loss"
    for each in link.get("impairments", ()):
        kind = each["kind"]
        if kind in {"reorder", "duplicate", "corrupt"} and each["p"] > 0.0:
            yield f"random {kind}"
        elif kind == "jitter" and _has_distribution(each["delay"]):
            yield "random jitter"
        elif kind == "slot" and each["min_delay_ps"] != each["max_delay_ps"]:
            yield "random slots"
    for kind in _kinds(link["qdisc"]):
        if kind in _QDISCS:
            yield f"{kind}, which draws,"


def _kinds(value: Any) -> Iterator[str]:
    """Every `kind` in a table, at whatever depth."""
    if isinstance(value, dict):
        if isinstance(value.get("kind"), str):
            yield value["kind"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict | list):
                yield from _kinds(inner)


def _has_distribution(value: Any) -> bool:
    return any(kind in _DISTRIBUTIONS for kind in _kinds(value))


def _is_shift(plan: Plan) -> bool:
    """Whether another start moves the whole run in time and does nothing else."""
    sessions = {index for session in plan["sessions"] for index in session["flows"]}
    senders = {flow["part_of"]["name"] if flow["part_of"] else flow["name"] for at, flow in enumerate(plan["flows"]) if at not in sessions}
    count = len(senders) + len(plan["sessions"]) + len(plan["streams"])
    changing = any(
        link.get("service", {}).get("kind") in _CHANGING
        or any("windows" in each or "delays" in each for each in link.get("impairments", ()))
        for link in plan["links"]
    )
    return count == 1 and not changing


def _within(plan: Plan) -> int:
    """Within what starts are drawn, ps: two digits of the longest base RTT or the longest time of one packet.

    A tenth of the shortest life of a flow at most, so that no flow is cut short by much.
    """
    links = plan["links"]
    longest, life = 0, plan["duration_ps"]
    for flow in (*plan["flows"], *plan["streams"]):
        path = flow["path"]
        rates = [rate for index in path if (rate := links[index].get("rate_bps"))]
        transport = flow.get("transport")
        size = transport["mss"] + transport["header_bytes"] if transport else flow["app"].get("payload_bytes", 1448) + flow["header_bytes"]
        packet = 8 * size * _PICOSECONDS // min(rates) if rates else 0
        delay = sum(links[index]["delay_ps"] for index in (*path, *flow.get("reverse_path", ())))
        longest = max(longest, delay, packet)
        ends = [end for end in (flow["stop_ps"], plan["duration_ps"]) if end is not None]
        life = min(life, min(ends) - flow["start_ps"])
    return _two_digits(min(longest, max(life, 0) // _LEAST_LIFE))


def _two_digits(value: int) -> int:
    """Rounded to two digits, downwards."""
    unit = 10 ** max(0, len(str(value)) - 2)
    return int(value // unit * unit)


def decide(chances: Iterable[Chance], asked: str | None, *, several: bool, varied: Iterable[str] = ()) -> Starts:
    """How the starts of a comparison's or a sweep's runs are chosen: the same for all of them.

    Parameters
    ----------
    chances
        What each setting's runs depend on.
    asked
        "auto" (or None), "fixed", or a time within which starts are drawn.
    several
        Whether there is more than one seed.
    varied
        Keys of the scenario that differ between settings. Where starts do, "auto" leaves them alone.

    Returns
    -------
    Starts
        With "auto": drawn where a setting has several senders, or a network that changes, and nothing random.
    """
    if not several:
        return AS_GIVEN
    every = list(chances)
    within = max((each.within_ps for each in every), default=0)
    if asked == "fixed":
        return Starts(is_fixed=True)
    if asked not in {None, "auto"}:
        assert asked is not None
        said = f"Every flow starts up to {asked} later than the scenario says, drawn for each flow and seed."
        return Starts(time_ps(asked), said)
    wanting = sum(each.wants_starts for each in every)
    if not wanting or not within or any(key.rpartition(".")[2] == "start" for key in varied):
        return AS_GIVEN
    where = "in this scenario" if wanting == len(every) else f"in {wanting} of {len(every)} settings"
    text = _core.format_time(within)
    text = re.sub(r"(?<=\d)(?=[a-z])", " ", text).replace(" us", " µs")
    return Starts(
        within,
        f"Starts are drawn within {text}, because nothing else {where} is random: every flow starts up to {text} later than the "
        'scenario says, at the same time in every variant with one seed. starts = "fixed" keeps them as they are.',
    )


def why_same(chances: Sequence[Chance], starts: Starts) -> str:
    """Why several seeds gave one result at settings, in words without a full stop.

    Parameters
    ----------
    chances
        What the runs there depend on.
    starts
        How their starts were chosen.
    """
    from ackclock.results.text import names

    sources = list(dict.fromkeys(source for each in chances for source in each.sources))
    alone = all(each.is_shift for each in chances)
    if alone and all(re.fullmatch(r"flows\.\d+\.start is drawn", source) for source in sources):
        drawn = "only the start is drawn in this scenario" if sources else "nothing in this scenario is drawn"
        return f"{drawn}, and one flow alone is the same whenever it starts; random loss, jitter or a second flow would tell seeds apart"
    if not sources:
        return f"nothing in this scenario is drawn{' but its starts' if starts.within_ps else ''}{_FIXED if starts.is_fixed else ''}"
    within = max((each.within_ps for each in chances), default=0)
    offers = within > 0 and not alone and not starts.within_ps
    draw = f'; starts = "{_core.format_time(within)}" draws the starts, too' if offers else ""
    return f"nothing that can be drawn here made a difference ({names(sources)}){draw}"
