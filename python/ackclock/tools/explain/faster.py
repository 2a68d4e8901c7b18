"""The limits of a flow over the measured time, and the decisions that made its window small."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ackclock.tables.quantities import quantity
from ackclock.tools.explain.decision import HELD_BY
from ackclock.tools.explain.source import ExplainError, mss_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from ackclock.results import Result

__all__ = ["Holding", "Reduction", "Share", "why_not_faster"]

_MOST_REDUCTIONS = 5
# Rules of a share that are worth a line.
_LEAST_SHARE = 0.01
_NO_REDUCTION = "no reduction yet: the window still grows"


@dataclass(frozen=True)
class Share:
    """Share of the time that one cause held a flow back."""

    held_by: str
    """Code of the cause, as in `Result.decisions`."""
    share: float
    """Share of the measured time, 0 to 1."""
    rules: list[tuple[str, float]] = field(default_factory=list)
    """For cwnd, the rules of the window's last reduction; for pacing, those of the rate. Each with
    its share of the measured time, the largest first."""


@dataclass(frozen=True)
class Reduction:
    """One reduction of the window."""

    time: float
    """When the window was reduced, s."""
    before: float
    """Window before, bytes."""
    after: float
    """The window that the reduction aims at, bytes."""
    rule: str
    """The algorithm's rule."""
    transport_rule: str | None
    """How the transport found the congestion."""


@dataclass(frozen=True)
class Holding:
    """The limits of a flow: shares of the measured time, reductions, and advice."""

    flow: str
    begin: float
    """Begin of the time, s."""
    end: float
    """End of the time, s."""
    goodput: float | None
    """Goodput of the flow, bit/s."""
    shares: list[Share]
    reductions: int
    """Reductions of the window in the time."""
    largest: list[Reduction]
    """The largest reductions, the largest first."""
    advice: list[str]
    """Advice, a sentence each."""
    mss: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)

    def sentences(self) -> list[str]:
        """Return what a reader should know, a sentence each."""
        first = self.shares[0]
        rate = "" if self.goodput is None else f" at {quantity(self.goodput, 'bit/s')}"
        pause = "," if "," in HELD_BY[first.held_by] else ""
        opening = (
            f"From {self.begin:g} s to {self.end:g} s '{self.flow}' sent{rate}; "
            f"{HELD_BY[first.held_by]}{pause} held it back for {_percent(first.share)} of the time."
        )
        sentences = [opening]
        if self.reductions:
            reduction = self.largest[0]
            often = "once" if self.reductions == 1 else f"{self.reductions} times"
            sentences.append(
                f"Its window was reduced {often}; most at {reduction.time:.6g} s, from "
                f"{reduction.before / self.mss:.0f} to {reduction.after / self.mss:.0f} packets: "
                f"{reduction.rule}."
            )
        else:
            sentences.append("Its window was never reduced in that time.")
        return [*sentences, *self.advice]


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f} %"


def why_not_faster(result: Result, flow: str) -> Holding:
    """Tell what held a flow back over the measured time.

    Parameters
    ----------
    result : Result
        A run with the flow's decisions.
    flow : str
        Name of the flow.

    Raises
    ------
    ExplainError
        If the flow decided nothing in the measured time.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno", name="mine")],
    ...     duration="2s", record={"decisions": ["mine"], "samples": "off"})
    >>> why_not_faster(ac.run(scenario), "mine").shares[0].held_by
    'cwnd'
    """
    import polars as pl

    rows = rows_of(result, flow)
    [counted] = result.flows.filter(pl.col("name") == flow).to_dicts()
    begin = max(result.warmup, float(rows["time"][0]))
    end = float(counted["finish_time"] or result.end_time)
    if end <= begin:
        raise ExplainError(f"the flow '{flow}' was over before anything was measured")
    spans = _spans(rows, begin, end)
    reduced = _reductions(rows)
    inside = [reduction for reduction in reduced if begin <= reduction.time <= end]
    largest = sorted(
        inside, key=lambda reduction: (reduction.after - reduction.before, reduction.time)
    )
    return Holding(
        flow=flow,
        begin=begin,
        end=end,
        goodput=counted.get("goodput"),
        shares=_shares(rows, spans, end - begin, reduced),
        reductions=len(inside),
        largest=largest[:_MOST_REDUCTIONS],
        advice=_advice(result, flow, counted),
        mss=mss_of(result, flow),
    )


def _spans(rows: pl.DataFrame, begin: float, end: float) -> list[float]:
    """Time within the measured one that each row's state lasted, s."""
    times = [*rows["time"].to_list(), end]
    return [max(0.0, min(after, end) - max(before, begin)) for before, after in pairwise(times)]


def _reductions(rows: pl.DataFrame) -> list[Reduction]:
    """The rows at which the algorithm's own window fell by a segment or more, or was told to."""
    reductions = []
    congestion = {"loss", "ecn", "timeout", "repeated_timeout", "idle_restart"}
    before = None
    for row in rows.iter_rows(named=True):
        target = row["target_cwnd"]
        if before is not None and target < before and row["told"] in congestion:
            reductions.append(
                Reduction(
                    row["time"], before, target, row["rule"] or "unknown", row["transport_rule"]
                )
            )
        before = target
    return reductions


def _shares(
    rows: pl.DataFrame, spans: Sequence[float], whole: float, reduced: Sequence[Reduction]
) -> list[Share]:
    held: dict[str, float] = {}
    rules: dict[str, dict[str, float]] = {}
    at, rule = 0, _NO_REDUCTION
    columns = (rows["time"], rows["held_by"], rows["rule"])
    for time, cause, present, span in zip(*columns, spans, strict=True):
        while at < len(reduced) and reduced[at].time <= time:
            rule = reduced[at].rule
            at += 1
        if span <= 0.0:
            continue
        held[cause] = held.get(cause, 0.0) + span
        named = rule if cause == "cwnd" else present if cause == "pacing" else None
        if named is not None:
            by = rules.setdefault(cause, {})
            by[named] = by.get(named, 0.0) + span
    shares = []
    for cause, time in sorted(held.items(), key=lambda pair: (-pair[1], pair[0])):
        by = rules.get(cause, {})
        named_shares = sorted(
            ((name, span / whole) for name, span in by.items()),
            key=lambda pair: (-pair[1], pair[0]),
        )
        shares.append(
            Share(
                cause, time / whole, [share for share in named_shares if share[1] >= _LEAST_SHARE]
            )
        )
    return shares


def _advice(result: Result, flow: str, counted: dict[str, Any]) -> list[str]:
    """Sentences on the causes of the losses, and on the limits that the diagnosis has found."""
    sentences = []
    lost = {
        "a full queue": counted["lost_forced"],
        "a queue's own decision": counted["lost_early"],
        "the wire": counted["lost_wire"],
        "a policer": counted["lost_policed"],
    }
    known = {name: count for name, count in lost.items() if count}
    if known:
        parts = ", ".join(f"{count} to {name}" for name, count in known.items())
        sentences.append(f"It lost {sum(known.values())} packets: {parts}.")
    part_of = counted.get("part_of") or flow
    try:
        diagnosis = result.diagnosis[part_of]
    except KeyError:
        return sentences
    for limit in diagnosis["limits"][:2]:
        sentences.append(f"{limit['sentence'].rstrip('.')}.")
        if limit["advice"]:
            sentences.append(f"To go faster, {limit['key']}: {limit['advice']}.")
    return sentences
