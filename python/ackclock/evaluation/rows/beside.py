"""Section 5.2: flows of the proposal beside other congestion controls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import (
    GRID,
    PAYLOAD,
    PLACE,
    QUICK_GRID,
    dumbbell,
    flow,
    goodput,
    grid,
    grids,
    packets_of,
    seconds_of,
)
from ackclock.evaluation.lines import HARM, HARM_TO_SEVERAL, LOSS, Line
from ackclock.evaluation.measures import (
    GOODPUT,
    LOSS_OF_VICTIM,
    MEDIAN_SLOWDOWN,
    P99_SLOWDOWN,
    SHARE_OF_SUBJECT,
    SHARE_OF_VICTIM,
    SHARES,
    share_of_link,
    shown,
)
from ackclock.evaluation.row import Measure, Row
from ackclock.evaluation.rows.alone import SIZES
from ackclock.runtime.extras import importing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.evaluation.cell import Cell, Context, Figures, Table

__all__ = ["ROWS", "STANDARD", "beside"]

STANDARD = ("reno", "cubic")


def beside(
    victim: str,
    rate: float,
    rtt: float,
    buffer: float,
    seconds: float,
    flows: tuple[int, int] = (1, 1),
    **options: Any,
) -> Cell:
    """Some flows of the subject beside some of a victim."""
    return dumbbell(
        rate,
        rtt,
        buffer,
        (flow(count=flows[0]), flow(victim, "v", count=flows[1])),
        seconds=seconds_of(rate, rtt, seconds),
        links=False,
        **options,
    )


_E12 = Row(
    "E12",
    "5.2.1",
    "MUST",
    "One flow beside one standard flow",
    sections=("5.2",),
    demand="""
    Harm to flows of existing standard congestion controls, in capacity, latency and loss, must be
    looked at.""",
    choice="""
    One flow of the subject beside one of Reno or CUBIC on grid G (4, 20, 100 Mbit/s; 10, 40, 160
    ms; 0.25, 1, 4 BDP). Rule R2: the victim's share of the link is less than beside the worse of
    Reno and CUBIC by more than 0.1. Loss of the victim: twice, and one point.""",
    grid=grid(beside, {"victim": STANDARD, PLACE: GRID}, quick={PLACE: QUICK_GRID}, seconds=60),
    responses=SHARES,
    measures=(SHARE_OF_VICTIM, LOSS_OF_VICTIM, SHARE_OF_SUBJECT),
    competing=True,
    family="victim",
    kernel=("cubic, 20 Mbit/s, 40 ms, 1 BDP",),
    sources=(
        """BBRv1 leaves loss-based flows little in shallow buffers and a share that depends on the
        buffer, not on their number, in deep ones (Ware et al., IMC 2019).""",
        """Scalable and HighSpeed TCP take most of the link from Reno where windows are large (Li,
        Leith & Shorten, ToN 15(5), 2007).""",
    ),
)

_STARVED = {"metric": "starved_time(share=0.1, hold=10s)", "over": "max"}
_STARVING = (
    *SHARES,
    {"name": "starved v", "flows": "v", **_STARVED},
    {"name": "starved s", "flows": "s", **_STARVED},
)
_STARVE = (
    Measure("starved time of victims", "starved v", starving=True, unit="s"),
    Measure("starved time of the subject's flows", "starved s", starving=True, own=True, unit="s"),
)
_PLACES = ((4, 40, 1), (20, 10, 0.25), (20, 40, 4), (100, 40, 0.25), (100, 40, 4), (100, 160, 1))


def _of_fair_share(figures: Figures, cell: Cell) -> float | None:
    """Goodput of the victims together over their fair share of the link."""
    share = share_of_link("good v")(figures, cell)
    own, others = cell.values["flows"]
    return None if share is None else share * (own + others) / others


_E13 = Row(
    "E13",
    "5.2.1",
    "MUST",
    "Several flows beside several standard flows",
    sections=("5.2",),
    demand="Other flows must not starve in any mix.",
    choice="""
    1:9, 9:1 and 5:5 flows on six places of G. Rule R2: the victims' goodput over their fair share
    is less by more than 0.2. Rule R3: more seeds in which a victim gets less than 10 % of its fair
    share for 10 s (sign test). Starving flows of the subject are reported and are no concern.""",
    grid=grid(
        beside,
        {
            "victim": STANDARD,
            PLACE: _PLACES,
            "flows": {"1 beside 9": (1, 9), "9 beside 1": (9, 1), "5 beside 5": (5, 5)},
        },
        quick={PLACE: _PLACES[:5]},
        seconds=60,
        samples="1s",
    ),
    responses=_STARVING,
    measures=(
        Measure(
            "victims' goodput over their fair share",
            _of_fair_share,
            HARM_TO_SEVERAL,
            more_is_better=True,
        ),
        *_STARVE,
    ),
    competing=True,
    family="victim",
    sources=(
        "Vegas starves beside loss-based flows (Mo, La, Anantharam & Walrand, INFOCOM 1999).",
        """One BBRv1 flow takes a share that does not depend on the number of loss-based flows (Ware
        et al., IMC 2019).""",
    ),
)


def _camps(files: float, seconds: float) -> Cell:
    camps = []
    for camp in ("a", "b"):
        for rtt in (54, 98, 150):
            edge = {"delay": f"{(rtt - 4) / 4:g}ms"}
            for way, ends in (("", {}), ("r", {"from": "right", "to": "left"})):
                name = f"{camp}{way}{rtt}"
                camps.append(flow(name=name, access=edge, **ends))
                if files:
                    app = {"kind": "short-flows", "load": files / 6.0, "size": SIZES}
                    camps.append(flow(name=f"{name}q", access=edge, app=app, **ends))
    names = [camp["name"] for camp in camps]
    cell = dumbbell(
        25,
        4,
        1,
        camps,
        seconds=seconds,
        warmup=15,
        limit=packets_of(25, 100, 1),
        responses=(*(goodput(name, name) for name in names), "utilisation"),
        slots=[name for name in names if name.startswith("b")],
    )
    return replace(cell, base_rtt=0.1)


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
    "E14",
    "5.2.1",
    "MUST",
    "Impact on standard TCP",
    demand="The throughput that standard TCP loses beside the proposal must be looked at.",
    choice="""
    After tcpeval's impact on standard TCP (draft-irtf-iccrg-tcpeval-01): camps A (Reno) and B (the
    subject) of equal flows in both directions over 25 Mbit/s. RTT 54, 98 and 150 ms; 100 ms of
    buffer; long flows, and heavy-tailed files in place of Tmix traces. Goodput of camp A, less by
    more than 0.05 of the link than beside the worse reference.""",
    grid=grid(
        _camps, {"files": {"0 % load of files": 0.0, "30 % load of files": 0.3}}, seconds=120
    ),
    measures=(
        Measure(
            "goodput of camp A over the link's rate",
            _camp("a"),
            Line(floor=0.05),
            more_is_better=True,
        ),
        Measure("goodput of camp B over the link's rate", _camp("b"), more_is_better=True),
    ),
    competing=True,
)

_E15 = Row(
    "E15",
    "5.2.1",
    "SHOULD",
    "Beside BBR, which is deployed and no standard",
    demand="Widely deployed congestion controls that are no standard should be looked at, too.",
    choice="""
    One flow beside one of BBRv1 or BBRv3 on places of G. Rule R3 alone, and informative: the RFC
    protects standards.""",
    grid=grid(
        beside,
        {"victim": ("bbr", "bbr3"), PLACE: (*_PLACES, (100, 10, 1))},
        quick={PLACE: _PLACES[1:4]},
        seconds=60,
        samples="1s",
    ),
    responses=_STARVING,
    measures=(*_STARVE, shown(SHARE_OF_VICTIM)),
    competing=True,
    family="victim",
    informative=True,
)

_LONG_RUN = ("victim", *PLACE, "victim_rtt")


def _long_run(victim_rtt: float, **place: Any) -> Cell:
    cell = beside(samples="1s", **place)
    if victim_rtt > place["rtt"]:
        cell.scenario["flows"][1]["access"] = {"delay": f"{(victim_rtt - place['rtt']) / 4:g}ms"}
    return cell


_E16 = Row(
    "E16",
    "5.2",
    "MUST",
    "Starvation in long runs",
    demand="Other flows must not starve.",
    choice="""
    One flow beside one of Reno or CUBIC for 300 s on 20 Mbit/s, 40 ms; buffers of 0.25, 1 and 8
    BDP; the victim's RTT is equal or four times as long; also 100 Mbit/s with 160 ms. Rule R3 on
    windows of 10 s.""",
    grid=grid(
        _long_run,
        {
            _LONG_RUN: [
                (victim, *path)
                for victim in STANDARD
                for path in (
                    *((20, 40, buffer, rtt) for rtt in (40, 160) for buffer in (0.25, 1, 8)),
                    (100, 160, 1, 160),
                )
            ]
        },
        quick={
            _LONG_RUN: [
                (victim, 20, 40, buffer, rtt)
                for victim, rtt in (("reno", 40), ("cubic", 160))
                for buffer in (0.25, 1, 8)
            ]
        },
        seconds=300,
    ),
    responses=_STARVING,
    measures=(*_STARVE, shown(SHARE_OF_VICTIM)),
    competing=True,
    family="victim",
)

FILM = Path(__file__).parents[1] / "data" / "film.trace"
"""Frames of the video: a group of pictures of 2 s at 25 frames/s, repeated."""


_METRICS = {
    "voice": ("r_factor", "mos"),
    "video": ("late_frame_rate", "lost_frame_rate"),
    "constant rate": ("stream_loss_rate",),
}


def _media(
    traffic: str, queue: str, seconds: float, rate: float = 4, video: str = "1.5Mbit/s", **own: Any
) -> Cell:
    apps = {
        "voice": {"kind": "voice", "codec": "g711", "playout": "60ms"},
        "video": {"kind": "video", "trace": str(FILM), "rate": video},
        "constant rate": {"kind": "cbr", "rate": "1Mbit/s", "packet": "1000 bytes"},
    }
    media = flow(None, "media", app=apps[traffic])
    if traffic == "voice":
        media["count"] = 5
    return dumbbell(
        rate,
        100,
        1,
        (flow(**own), media),
        seconds=seconds,
        limit=queue,
        responses=(*_METRICS[traffic], "stream_delay.p95", goodput("s")),
    )


def _rfc8867(traffic: str, queue: Table, seconds: float) -> Cell:
    """The subject's flows are those of the case, beside a video of 1 of 2 Mbit/s."""
    return _media(traffic, "300ms", seconds, rate=2, video="1Mbit/s", **queue)


def _useless_frames(figures: Figures, _cell: Cell) -> float | None:
    late, lost = figures.get("late_frame_rate"), figures.get("lost_frame_rate")
    return None if late is None or lost is None else late + lost


def _rating(figures: Figures, _cell: Cell) -> float | None:
    """The R factor; below 0, where nothing can be understood, all are alike."""
    rating = figures.get("r_factor")
    return None if rating is None else max(0.0, rating)


_REPEATED = {"kind": "repeated", "size": "uniform(100kB, 1MB)", "think": "exponential(10s)"}
_E17 = Row(
    "E17",
    "5.2.2",
    "SHOULD",
    "Beside voice, video and constant rate",
    demand="The effect on real-time traffic should be looked at.",
    choice="""
    One flow beside five calls (G.711), a video of 1.5 Mbit/s or a stream of 1 Mbit/s on 4 Mbit/s,
    100 ms, with a queue of 300 or 1000 ms. Also RFC 8867 sections 5.6 (2 Mbit/s, one long flow) and
    5.7 (ten flows of repeated files). The R factor is lower by more than 3, late and lost frames
    are more by 0.2 of all, or loss by rule R1. The streams do not adapt: real-time congestion
    controls come later.""",
    grid=grids(
        grid(_media, {"traffic": list(_METRICS), "queue": ("300ms", "1000ms")}, seconds=(90, 40)),
        grid(
            _rfc8867,
            {
                "traffic": ("video",),
                "queue": {
                    "RFC 8867 section 5.6": {},
                    "RFC 8867 section 5.7": {"count": 10, "app": _REPEATED},
                },
            },
            seconds=(90, 40),
        ),
    ),
    measures=(
        Measure("R factor", _rating, Line(floor=3.0), more_is_better=True, of={"traffic": "voice"}),
        Measure("late or lost frames", _useless_frames, Line(floor=0.2), of={"traffic": "video"}),
        Measure("loss of the stream", "stream_loss_rate", LOSS, of={"traffic": "constant rate"}),
        Measure("delay, 95th percentile", "stream_delay.p95", unit="s"),
        GOODPUT,
    ),
    competing=True,
)

_OTHERS_SHORT, _OTHERS_LONG = "others' short, own long", "own short, others' long"


def _short_and_long(flows: str, rate: float, buffer: float, seconds: float) -> Cell:
    short, long = ("q", "s") if flows == _OTHERS_SHORT else ("s", "l")
    app = {"kind": "short-flows", "load": 0.3, "size": SIZES}
    return dumbbell(
        rate,
        40,
        buffer,
        (flow("cubic", short, app=app), flow("cubic", long)),
        seconds=seconds,
        responses=("fct_slowdown.p50", "fct_slowdown.p99", goodput(long, "long")),
    )


_E18 = Row(
    "E18",
    "5.2.3",
    "MUST",
    "Short and long flows of different algorithms",
    demand="Short and long flows that use other congestion controls must be looked at.",
    choice="""
    Short CUBIC flows (load 0.3, heavy tail) beside one long flow of the subject, and the subject's
    short flows beside one long CUBIC flow; 20 and 100 Mbit/s, 40 ms, buffers of 0.25 to 4 BDP. The
    others' slowdown by rule R1 (median 10 %, 99th percentile 25 %, 0.5), the others' long flow by
    rule R2 (0.1 of the link).""",
    grid=grid(
        _short_and_long,
        {"flows": (_OTHERS_SHORT, _OTHERS_LONG), "rate": (20, 100), "buffer": (0.25, 1, 4)},
        quick={"buffer": (1,)},
        seconds=60,
    ),
    measures=(
        replace(
            MEDIAN_SLOWDOWN, name="slowdown of the others, median", judged={"flows": _OTHERS_SHORT}
        ),
        replace(
            P99_SLOWDOWN,
            name="slowdown of the others, 99th percentile",
            judged={"flows": _OTHERS_SHORT},
        ),
        Measure(
            "share of the link of the others' long flow",
            share_of_link("long"),
            HARM,
            more_is_better=True,
            judged={"flows": _OTHERS_LONG},
        ),
    ),
    competing=True,
    family="flows",
)


def _page_line(relative: float) -> Line:
    return Line(relative, rtts=10.0, says="10 base RTTs")


_E19 = Row(
    "E19",
    "5.2.3",
    "MUST",
    "Web pages beside one flow",
    demand="Users of the web beside the proposal must be looked at.",
    choice="""
    Pages over CUBIC (load 0.3) beside one flow of the subject on 20 Mbit/s, 40 ms, 1 and 4 BDP.
    Time to load a page: median 25 %, 95th percentile 50 %, each by more than 10 RTT.""",
    grid=grid(
        dumbbell,
        {"buffer": (1, 4)},
        seconds=120,
        rate=20,
        rtt=40,
        flows=(flow(), flow("cubic", "web", app={"kind": "web", "load": 0.3})),
    ),
    responses=("page_load_time.p50", "page_load_time.p95", goodput("s")),
    measures=(
        Measure(
            "page load time, median",
            "page_load_time.p50",
            _page_line(0.25),
            worst="duration",
            unit="s",
        ),
        Measure(
            "page load time, 95th percentile",
            "page_load_time.p95",
            _page_line(0.5),
            worst="duration",
            unit="s",
        ),
        GOODPUT,
    ),
    competing=True,
)

_ENDS = ((2.0, 200.0), (5.0, 200.0), (0.1, 8.0), (1e-6, 1e-2))
"""Rate in Mbit/s, base RTT in ms, buffer in BDP, share of lost packets."""


def _between(ends: tuple[float, float], at: float) -> float:
    """A point between two ends, on a logarithmic scale, with two digits."""
    return float(f"{ends[0] * (ends[1] / ends[0]) ** at:.2g}")


def _search(context: Context) -> list[Cell]:
    with importing("science"):
        from scipy.stats import qmc

    cells = []
    for at, point in enumerate(
        qmc.Sobol(4, scramble=False).random_base2(4 if context.quick else 6)
    ):
        rate, rtt, buffer, loss = map(_between, _ENDS, map(float, point))
        victim = STANDARD[at % 2]
        cell = dumbbell(
            rate,
            rtt,
            buffer,
            (flow(), flow(victim, "v")),
            seconds=30,
            loss={"kind": "bernoulli", "p": loss},
        )
        path = f"{rate:g} Mbit/s {rtt:g} ms {buffer:g} BDP {100 * loss:.2g} % loss"
        cells.append(replace(cell, labels={"victim": victim, "path": path}))
    return cells


_E43 = Row(
    "E43",
    "5.2",
    "MUST",
    "Search for the worst harm",
    demand="Harm to others must be looked at, also where nobody thought of looking.",
    choice="""
    Paths spread evenly over 2 to 200 Mbit/s, 5 to 200 ms, 0.1 to 8 BDP and a random loss of up to
    1 % (a Sobol sequence), one flow beside one of Reno or CUBIC. Informative: the page names the
    path on which the victim loses most against the worse reference.""",
    grid=_search,
    responses=SHARES[:2],
    measures=(SHARE_OF_VICTIM, SHARE_OF_SUBJECT),
    competing=True,
    family="victim",
    informative=True,
)

ROWS = (_E12, _E13, _E14, _E15, _E16, _E17, _E18, _E19, _E43)
