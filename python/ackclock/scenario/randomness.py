"""Find the random parts of a run; draw the starts of flows if there are none.

Without anything random, all seeds give one run, and a mean or an interval says no more than this
run. With several flows this run is an accident: the flow that loses at a full queue can depend on
the order in which the flows' packets arrive. S. Floyd and V. Jacobson called this a phase effect,
and removed it with random times ("On traffic phase effects in packet-switched gateways",
Internetworking: Research and Experience 3(3), 1992). Here each flow starts up to one base RTT
later, or up to the time in which the bottleneck sends one packet if that is longer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.catalogue import algorithms, disciplines
from ackclock.messages import names
from ackclock.scenario.distributions import watched_draws
from ackclock.scenario.quantities import time_ps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ackclock.core_types.plan import FlowPlan, LinkPlan, LossPlan, Plan, StreamPlan
    from ackclock.scenario import Scenario
    from ackclock.scenario.own import Finder

__all__ = ["AS_GIVEN", "Chance", "Starts", "chance_of", "chance_of_plan", "decide", "why_same"]

_DISTRIBUTIONS = frozenset(
    {"uniform", "exponential", "normal", "lognormal", "pareto", "weibull", "cdf"}
)
_CHANGING = frozenset({"schedule", "trace"})
_PICOSECONDS = 1_000_000_000_000
_LEAST_LIFE = 10
_FIXED = ', and starts = "fixed" was asked for'


@dataclass(frozen=True)
class Chance:
    """The parts of a scenario's runs that depend on the seed."""

    sources: tuple[str, ...]
    """Random parts, in words; empty if no two seeds can differ.

    The order of flows that start together, and the place of a flow in a fair queue's hash, do not
    count: they give a few different runs at most, even with many seeds.
    """
    is_shift: bool
    """Whether another start only shifts the run: one sender on a network that never changes."""
    within_ps: int
    """Range within which starts would be drawn, ps."""

    @property
    def wants_starts(self) -> bool:
        """Whether only drawn starts would make the seeds differ."""
        return not self.sources and not self.is_shift


@dataclass(frozen=True)
class Starts:
    """The rule by which the starts of several runs were chosen."""

    within_ps: int = 0
    """Largest delay of a start after the scenario's, drawn for each flow and seed, ps; 0: none."""
    why: str = ""
    """A sentence for the output, or an empty text."""
    is_fixed: bool = False
    """Whether the user asked for the scenario's starts."""

    def applied(self, scenario: Scenario) -> Scenario:
        """The scenario with its fixed starts drawn; starts that are drawn already stay."""
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
"""The starts of the scenario."""


def _is_drawn(text: str) -> bool:
    return "(" in text


def chance_of(scenario: Scenario) -> Chance:
    """The parts of a scenario's runs that depend on the seed.

    Raises
    ------
    ScenarioError
        If the scenario has no plan.
    """
    with watched_draws() as drawn:
        plan = scenario.plan()
    return chance_of_plan(plan, drawn, scenario.finder)


def chance_of_plan(plan: Plan, drawn: Iterable[str] = (), find: Finder | None = None) -> Chance:
    """The parts of a plan's runs that depend on the seed.

    `drawn` are keys of the scenario whose values were drawn for the plan
    (`ackclock.scenario.distributions.watched_draws`). `find` is the finder of the user's classes.
    """
    sources = [f"{key} is drawn" for key in sorted(drawn)]
    for link in plan["links"]:
        sources += [f"{words} on {link['name']}" for words in _of_link(link)]
    for cc in dict.fromkeys(flow["cc"] for flow in plan["flows"]):
        sources += [f"{name} draws" for name in _drawing(cc, find)]
    for flow in plan["flows"]:
        if _has_distribution(flow["app"]) or _has_distribution(flow["transport"].get("host_time")):
            sources.append(f"{flow['name']} draws what it does")
    for sender in (*plan["sessions"], *plan["streams"]):
        if _has_distribution(sender["app"]) or sender["app"]["kind"] == "voice":
            sources.append(f"{sender['name']} draws what it sends")
    # A million flows may have one cause.
    return Chance(tuple(dict.fromkeys(sources)), _is_shift(plan), _within(plan))


def _drawing(cc: str, find: Finder | None) -> Iterator[str]:
    """Names of the algorithms in a spec that draw."""
    known = algorithms.entries()
    for name in algorithms.parts(cc):
        if name in known:
            if known[name]["traits"]["draws"]:
                yield name
        elif find is not None and find.draws(name):
            yield name.rpartition(":")[2]


def _of_link(link: LinkPlan) -> Iterator[str]:
    loss = link.get("loss")
    if loss is not None and _is_random(loss):
        yield "random loss"
    for impairment in link.get("impairments", ()):
        if impairment["kind"] in {"reorder", "duplicate", "corrupt"}:
            if impairment["p"] > 0.0:
                yield f"random {impairment['kind']}"
        elif impairment["kind"] == "jitter":
            if _has_distribution(impairment["delay"]):
                yield "random jitter"
        elif (
            impairment["kind"] == "slot"
            and impairment["min_delay_ps"] != impairment["max_delay_ps"]
        ):
            yield "random slots"
    for kind in _kinds(link["qdisc"]):
        if disciplines.draws(kind):
            yield f"{kind}, which draws,"


def _is_random(loss: LossPlan) -> bool:
    if loss["kind"] == "bursts":
        return _has_distribution(loss)
    if loss["kind"] == "periodic":
        return False
    if loss["kind"] == "steps":
        return any(0.0 < p < 1.0 for _, p in loss["steps"])
    if loss["kind"] == "list" or loss["p"] > 0.0:
        return True
    return loss["kind"] == "gilbert-elliott" and loss["loss_good"] > 0.0


def _kinds(value: Any) -> Iterator[str]:
    """Every `kind` in a table, at any depth."""
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
    """Whether another start would only shift the whole run in time."""
    sessions = {index for session in plan["sessions"] for index in session["flows"]}
    senders = {
        flow["part_of"]["name"] if flow["part_of"] else flow["name"]
        for at, flow in enumerate(plan["flows"])
        if at not in sessions
    }
    count = len(senders) + len(plan["sessions"]) + len(plan["streams"])
    return count == 1 and not any(_changes(link) for link in plan["links"])


def _changes(link: LinkPlan) -> bool:
    """Whether a link is another one at another time of the run."""
    service, loss, qdisc = link.get("service"), link.get("loss"), link["qdisc"]
    return (
        (service is not None and service["kind"] in _CHANGING)
        or any(
            "windows" in impairment or "delays" in impairment
            for impairment in link.get("impairments", ())
        )
        or link.get("loss_window") is not None
        or (loss is not None and loss["kind"] in {"bursts", "steps"})
        or bool(qdisc.get("later"))
    )


def _segment_bytes(flow: FlowPlan) -> int:
    """Size of a full segment on the wire, bytes."""
    return flow["transport"]["mss"] + flow["transport"]["header_bytes"]


def _datagram_bytes(stream: StreamPlan) -> int:
    """Size of a datagram on the wire, bytes; for a film the size of most datagrams."""
    app = stream["app"]
    return (1448 if app["kind"] == "video" else app["payload_bytes"]) + stream["header_bytes"]


def _within(plan: Plan) -> int:
    """Range of drawn starts, ps: the longest base RTT or time of one packet, with two digits.

    The range is at most a tenth of the shortest life of a flow, so that no flow loses much time.
    """
    links = plan["links"]
    longest, life = 0, plan["duration_ps"]
    for flow, back, size in (
        *((flow, flow["reverse_path"], _segment_bytes(flow)) for flow in plan["flows"]),
        *((stream, [], _datagram_bytes(stream)) for stream in plan["streams"]),
    ):
        path = flow["path"]
        rates = [rate for index in path if (rate := links[index].get("rate_bps"))]
        packet = 8 * size * _PICOSECONDS // min(rates) if rates else 0
        delay = sum(links[index]["delay_ps"] for index in (*path, *back))
        longest = max(longest, delay, packet)
        ends = [end for end in (flow["stop_ps"], plan["duration_ps"]) if end is not None]
        life = min(life, min(ends) - flow["start_ps"])
    return _two_digits(min(longest, max(life, 0) // _LEAST_LIFE))


def _two_digits(value: int) -> int:
    """Round down to two digits."""
    unit = 10 ** max(0, len(str(value)) - 2)
    return int(value // unit * unit)


def decide(
    chances: Iterable[Chance], asked: str | None, *, several: bool, varied: Iterable[str] = ()
) -> Starts:
    """Choose the rule for the starts of all runs of a comparison or sweep.

    With "auto", starts are drawn if a setting has nothing random, but several senders or a network
    that changes.

    Parameters
    ----------
    chances
        Random parts of each setting's runs.
    asked
        "auto" (or None), "fixed", or a time within which starts are drawn.
    several
        Whether there is more than one seed.
    varied
        Keys of the scenario that differ between settings. If starts differ, "auto" keeps them.
    """
    if not several:
        return AS_GIVEN
    every = list(chances)
    within = max((chance.within_ps for chance in every), default=0)
    if asked == "fixed":
        return Starts(is_fixed=True)
    if asked not in {None, "auto"}:
        assert asked is not None
        said = (
            f"Every flow starts up to {asked} later than the scenario says, drawn for each flow "
            "and seed."
        )
        return Starts(time_ps(asked), said)
    wanting = sum(chance.wants_starts for chance in every)
    if not wanting or not within or any(key.rpartition(".")[2] == "start" for key in varied):
        return AS_GIVEN
    where = (
        "in this scenario" if wanting == len(every) else f"in {wanting} of {len(every)} settings"
    )
    text = _core.format_time(within)
    text = re.sub(r"(?<=\d)(?=[a-z])", " ", text).replace(" us", " µs")
    return Starts(
        within,
        f"Starts are drawn within {text}, because nothing else {where} is random: every flow "
        f"starts up to {text} later than the scenario says, at the same time in every variant with "
        'one seed. starts = "fixed" keeps them as they are.',
    )


def why_same(chances: Sequence[Chance], starts: Starts) -> str:
    """The reason why several seeds gave one result, in words without a full stop.

    `chances` are the random parts of the runs, and `starts` is the rule for their starts.
    """
    sources = list(dict.fromkeys(source for chance in chances for source in chance.sources))
    alone = all(chance.is_shift for chance in chances)
    if alone and all(re.fullmatch(r"flows\.\d+\.start is drawn", source) for source in sources):
        drawn = (
            "only the start is drawn in this scenario"
            if sources
            else "nothing in this scenario is drawn"
        )
        return (
            f"{drawn}, and one flow alone is the same whenever it starts; random loss, jitter or "
            "a second flow would tell seeds apart"
        )
    if not sources:
        but = " but its starts" if starts.within_ps else ""
        return f"nothing in this scenario is drawn{but}{_FIXED if starts.is_fixed else ''}"
    within = max((chance.within_ps for chance in chances), default=0)
    offers = within > 0 and not alone and not starts.within_ps
    draw = f'; starts = "{_core.format_time(within)}" draws the starts, too' if offers else ""
    return f"nothing that can be drawn here made a difference ({names(sources)}){draw}"
