"""Sections 5.2 and 5.2.1: the subject beside other congestion controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import (
    PAYLOAD,
    Place,
    dumbbell,
    flow,
    grid,
    milliseconds,
    packets_of,
    plain_number,
    seconds_of,
    warmup_of,
)
from ackclock.evaluation.row import Cell, Context, Figures, Line, Measure, Row, harm_line, loss_line
from ackclock.evaluation.rows.short_flows import SIZES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ROWS", "beside", "share_of_link", "victim_share"]

STANDARD = ("reno", "cubic")
_STARVED = "starved_time(share=0.1, hold=10s)"


def beside(
    context: Context,
    place: Place,
    victim: str,
    *,
    own: int = 1,
    others: int = 1,
    samples: str = "off",
    seconds: float | None = None,
    labels: dict[str, str] | None = None,
    starving: bool = False,
    **bottleneck: Any,
) -> Cell:
    """Some flows of the subject beside some of a victim."""
    rate, rtt, bdp = place
    shown = {
        "victim": victim,
        "rate": f"{rate:g} Mbit/s",
        "RTT": f"{rtt:g} ms",
        "buffer": f"{plain_number(bdp)} BDP",
    }
    responses: list[str | dict[str, str]] = [
        {"name": "good v", "metric": "goodput", "flows": "v"},
        {"name": "good s", "metric": "goodput", "flows": "s"},
        {"name": "loss v", "metric": "loss_rate", "flows": "v"},
    ]
    if starving:
        responses += [
            {"name": "starved v", "metric": _STARVED, "flows": "v", "over": "max"},
            {"name": "starved s", "metric": _STARVED, "flows": "s", "over": "max"},
        ]
    return Cell(
        labels={**shown, **(labels or {})},
        scenario=dumbbell(
            rate,
            rtt,
            packets_of(rate, rtt, bdp),
            [flow(name="s", count=own), flow(victim, name="v", count=others)],
            seconds=seconds_of(context, rate, rtt) if seconds is None else seconds,
            warmup=warmup_of(rtt),
            samples=samples,
            link_samples=False,
            **bottleneck,
        ),
        responses=tuple(responses),
        base_rtt=rtt / 1000.0,
        rate=rate * 1e6,
        numbers={"own": own, "others": others},
    )


def share_of_link(name: str) -> Callable[[Figures, Cell], float | None]:
    """A group's goodput as a share of the link's payload rate."""

    def share(figures: Figures, cell: Cell) -> float | None:
        good = figures[name]
        return None if good is None else good / (cell.rate * PAYLOAD)

    return share


def victim_share(figures: Figures, cell: Cell) -> float | None:
    """Goodput of the victims together over their fair share of the link."""
    found = share_of_link("good v")(figures, cell)
    total = cell.numbers["own"] + cell.numbers["others"]
    return None if found is None else found * total / cell.numbers["others"]


_LOSS_OF_VICTIM = Measure("loss rate of the victim", "1", "loss v", line=loss_line())


def _one_to_one(context: Context) -> Sequence[Cell]:
    return [beside(context, place, victim) for victim in STANDARD for place in grid(context)]


_E12 = Row(
    id="E12",
    section="5.2.1",
    sections=("5.2",),
    strength="MUST",
    title="One flow beside one standard flow",
    demand=(
        "Harm to flows of existing standard congestion controls, in capacity, latency and loss, "
        "must be looked at."
    ),
    choice=(
        "One flow of the subject beside one of Reno or CUBIC on grid G (4, 20, 100 Mbit/s; 10, 40, "
        "160 ms; 0.25, 1, 4 BDP). Rule R2: the victim's share of the link is less than beside the "
        "worse of Reno and CUBIC by more than 0.1. Loss of the victim: twice, and one point."
    ),
    cells=_one_to_one,
    measures=(
        Measure(
            "victim's share of the link",
            "1",
            share_of_link("good v"),
            line=harm_line(),
            more_is_better=True,
        ),
        _LOSS_OF_VICTIM,
        Measure("subject's share of the link", "1", share_of_link("good s"), more_is_better=True),
    ),
    competing=True,
    family="victim",
    kernel=("cubic, 20 Mbit/s, 40 ms, 1 BDP",),
    sources=(
        (
            "BBRv1 leaves loss-based flows little in shallow buffers and a share that depends on "
            "the buffer, not on their number, in deep ones (Ware et al., IMC 2019)."
        ),
        (
            "Scalable and HighSpeed TCP take most of the link from Reno where windows are large "
            "(Li, Leith & Shorten, ToN 15(5), 2007)."
        ),
    ),
)

_MIXES = ((1, 9), (9, 1), (5, 5))
_PLACES: tuple[Place, ...] = (
    (4.0, 40.0, 1.0),
    (20.0, 10.0, 0.25),
    (20.0, 40.0, 4.0),
    (100.0, 40.0, 0.25),
    (100.0, 40.0, 4.0),
    (100.0, 160.0, 1.0),
)


def _mixes(context: Context) -> Sequence[Cell]:
    places = _PLACES[:5] if context.quick else _PLACES
    return [
        beside(
            context,
            place,
            victim,
            own=own,
            others=others,
            samples="1s",
            labels={"flows": f"{own} beside {others}"},
            starving=True,
        )
        for victim in STANDARD
        for place in places
        for own, others in _MIXES
    ]


_STARVE = (
    Measure("starved time of victims", "s", "starved v", starving=True),
    Measure("starved time of the subject's flows", "s", "starved s", starving=True, own=True),
)

_E13 = Row(
    id="E13",
    section="5.2.1",
    sections=("5.2",),
    strength="MUST",
    title="Several flows beside several standard flows",
    demand="Other flows must not starve in any mix.",
    choice=(
        "1:9, 9:1 and 5:5 flows on six places of G. Rule R2: the victims' goodput over their fair "
        "share is less by more than 0.2. Rule R3: more seeds in which a victim gets less than "
        "10 % of its fair share for 10 s (sign test). Starving flows of the subject are reported "
        "and are no concern."
    ),
    cells=_mixes,
    measures=(
        Measure(
            "victims' goodput over their fair share",
            "1",
            victim_share,
            line=harm_line(of_fair_share=True),
            more_is_better=True,
        ),
        *_STARVE,
    ),
    competing=True,
    family="victim",
    sources=(
        "Vegas starves beside loss-based flows (Mo, La, Anantharam & Walrand, INFOCOM 1999).",
        (
            "One BBRv1 flow takes a share that does not depend on the number of loss-based flows "
            "(Ware et al., IMC 2019)."
        ),
    ),
)

_CAMP_RTTS = (54.0, 98.0, 150.0)


def _camps(context: Context) -> Sequence[Cell]:
    found = []
    for load in (0.0, 0.3):
        camps = []
        for camp in ("a", "b"):
            for rtt in _CAMP_RTTS:
                edge = {"delay": milliseconds((rtt - 4.0) / 4.0)}
                for way, ends in (("", {}), ("r", {"from": "right", "to": "left"})):
                    name = f"{camp}{way}{rtt:g}"
                    camps.append(flow(name=name, access=edge, **ends))
                    if load:
                        files = {
                            "kind": "short-flows",
                            "load": load / (2.0 * len(_CAMP_RTTS)),
                            "size": SIZES,
                        }
                        camps.append(flow(name=f"{name}q", access=edge, app=files, **ends))
        found.append(
            Cell(
                labels={"files": f"{100 * load:g} % load of files"},
                scenario=dumbbell(
                    25.0,
                    4.0,
                    round(25e6 * 0.1 / 12000),
                    camps,
                    seconds=60.0 if context.quick else 120.0,
                    warmup=15.0,
                ),
                responses=(
                    *(
                        {"name": one["name"], "metric": "goodput", "flows": one["name"]}
                        for one in camps
                    ),
                    "utilisation",
                ),
                base_rtt=0.1,
                rate=25e6,
                slots=tuple(one["name"] for one in camps if one["name"].startswith("b")),
            )
        )
    return found


def _camp(letter: str) -> Callable[[Figures, Cell], float | None]:
    def total(figures: Figures, cell: Cell) -> float | None:
        """Goodput of a camp in both directions, as a share of what the link carries in one."""
        values = [
            value
            for name, value in figures.items()
            if name.startswith(letter) and value is not None
        ]
        return sum(values) / (2.0 * cell.rate * PAYLOAD)

    return total


_E14 = Row(
    id="E14",
    section="5.2.1",
    strength="MUST",
    title="Impact on standard TCP",
    demand="The throughput that standard TCP loses beside the proposal must be looked at.",
    choice=(
        "After tcpeval's impact on standard TCP (draft-irtf-iccrg-tcpeval-01): camps A "
        "(Reno) and B (the subject) of equal flows in both directions over 25 Mbit/s. RTT 54, 98 "
        "and 150 ms; 100 ms of buffer; long flows, and heavy-tailed files in place of Tmix traces. "
        "Goodput of camp A, less by more than 0.05 of the link than beside the worse reference."
    ),
    cells=_camps,
    measures=(
        Measure(
            "goodput of camp A over the link's rate",
            "1",
            _camp("a"),
            line=Line(0.0, 0.05),
            more_is_better=True,
        ),
        Measure("goodput of camp B over the link's rate", "1", _camp("b"), more_is_better=True),
    ),
    competing=True,
)


def _deployed(context: Context) -> Sequence[Cell]:
    places: Sequence[Place] = _PLACES[1:4] if context.quick else [*_PLACES, (100.0, 10.0, 1.0)]
    return [
        beside(context, place, victim, samples="1s", starving=True)
        for victim in ("bbr", "bbr3")
        for place in places
    ]


_E15 = Row(
    id="E15",
    section="5.2.1",
    strength="SHOULD",
    title="Beside BBR, which is deployed and no standard",
    demand="Widely deployed congestion controls that are no standard should be looked at, too.",
    choice=(
        "One flow beside one of BBRv1 or BBRv3 on places of G. Rule R3 alone, and informative: "
        "the RFC protects standards."
    ),
    cells=_deployed,
    measures=(
        *_STARVE,
        Measure("victim's share of the link", "1", share_of_link("good v"), more_is_better=True),
    ),
    competing=True,
    family="victim",
    informative=True,
)


def _long_runs(context: Context) -> Sequence[Cell]:
    found = []
    for victim in STANDARD:
        for ratio in (1, 4):
            for bdp in (0.25, 1.0, 8.0):
                if context.quick and (victim == "reno") != (ratio == 1):
                    continue
                cell = beside(
                    context,
                    (20.0, 40.0, bdp),
                    victim,
                    samples="1s",
                    seconds=150.0 if context.quick else 300.0,
                    labels={"RTT of the victim": f"{40 * ratio} ms"},
                    starving=True,
                )
                if ratio > 1:
                    cell.scenario["flows"][1]["access"] = {
                        "delay": milliseconds((40.0 * ratio - 40.0) / 4.0)
                    }
                found.append(cell)
        if not context.quick:
            found.append(
                beside(
                    context,
                    (100.0, 160.0, 1.0),
                    victim,
                    samples="1s",
                    labels={"RTT of the victim": "160 ms"},
                    starving=True,
                )
            )
    return found


_E16 = Row(
    id="E16",
    section="5.2",
    strength="MUST",
    title="Starvation in long runs",
    demand="Other flows must not starve.",
    choice=(
        "One flow beside one of Reno or CUBIC for 300 s on 20 Mbit/s, 40 ms; buffers of 0.25, 1 "
        "and 8 BDP; the victim's RTT is equal or four times as long; also 100 Mbit/s with 160 ms. "
        "Rule R3 on windows of 10 s."
    ),
    cells=_long_runs,
    measures=(
        *_STARVE,
        Measure("victim's share of the link", "1", share_of_link("good v"), more_is_better=True),
    ),
    competing=True,
    family="victim",
)

ROWS = (_E12, _E13, _E14, _E15, _E16)
