"""Find the smallest buffer by runs: a coarse grid, then bisection, then more seeds."""

from __future__ import annotations

import itertools
import math
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import make_place, scratch
from ackclock.tools.sizing.question import Question, SizingError
from ackclock.tools.sizing.result import BufferSize, Point
from ackclock.tools.sizing.rules import rules_of
from ackclock.verdicts.judgement import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from ackclock.scenario import Scenario
    from ackclock.sweeps import Progress
    from ackclock.sweeps.store import Store

__all__ = ["size_buffer"]

_RESPONSES = ("utilisation", "queue_delay.mean", "queue_delay.p95", "loss_rate")
_MOST_BDP = 4.0
_LEAST_TOP = 64
_TOP = 1_000_000
_QUICK_RATIO, _FULL_RATIO = 1.15, 1.03
"""Largest quotient of neighbouring sizes around the answer; single packets below that."""
_QUICK_SEEDS, _FULL_SEEDS = 5, 10
_MORE_SEEDS = 3
"""Multiple of the seeds at sizes that are still open."""


def size_buffer(
    *,
    rate: str,
    rtt: str | Sequence[str],
    flows: int = 1,
    cc: str | Sequence[str] = "cubic",
    qdisc: Any = "fifo",
    keep: float | str = 0.98,
    quick: bool = True,
    seeds: int | None = None,
    first_seed: int = 1,
    folder: str | Path | None = None,
    store: str | Path | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> BufferSize:
    """The smallest buffer that keeps a link busy, by runs, beside what rules say.

    Parameters
    ----------
    rate
        Line rate: ``"20Mbit/s"``.
    rtt
        Base RTT, ``"40ms"``; several, over which the flows are spread; or a range from which each
        flow draws its own, ``"20ms..200ms"``.
    flows
        Number of long flows.
    cc
        Congestion control; of several the flows take one in turn.
    qdisc
        Discipline whose limit is sought, as in a scenario.
    keep
        Share of the time that the link is to be busy: ``0.98`` or ``"98%"``.
    quick
        Short runs (10 to 60 s) with 5 seeds; otherwise up to 600 s with 10.
    seeds
        Seeds per size, in place of the default.
    first_seed
        First seed.
    folder
        Folder in which classes of your own are looked for; by default the current one.
    store
        Folder that keeps the runs, so that none is made twice; by default a temporary one.
    executor, workers, progress
        As for `ackclock.sweep`.

    Returns
    -------
    BufferSize
        `size`, the smallest size tried from which on the link is busy enough; `too_small`, the
        largest that is not; the runs at every size, and the rules.

    Raises
    ------
    SizingError
        If an argument is wrong.
    ScenarioError
        If there is no such congestion control or discipline.

    Notes
    -----
    Sizes grow from one packet to 4 BDP (64 packets at least) by a factor of 4, or of 2 if not
    quick. Between the last size that is too
    small and the next one, sizes are bisected until neighbours differ by a seventh (3 % if not
    quick), or a packet. Sizes whose interval holds `keep` then get three times as many seeds. The
    search assumes that a larger buffer does not lower the utilisation; the sizes above the answer
    check it, and `falls_again` names those that contradict.

    Examples
    --------
    >>> import ackclock as ac
    >>> found = ac.size_buffer(rate="2Mbit/s", rtt="40ms", cc="reno", seeds=2)
    >>> found.too_small < found.size
    True
    """
    question = Question.of(
        rate=rate, rtt=rtt, flows=flows, cc=cc, qdisc=qdisc, keep=keep, quick=quick
    )
    count = _seeds(seeds, quick=quick)
    home = Path.cwd() if folder is None else Path(folder)
    base = question.scenario(home).replace({"seed": first_seed})
    from ackclock.sweeps.store import Store

    with ExitStack() as until_the_end:
        if store is None:
            store = until_the_end.enter_context(scratch()).new / "runs"
        make_place(Path(store).parent)
        runs = _Runs(base, Store.open(store, create=True), executor, workers, progress)
        points = _search(question, runs, count)
        return BufferSize(question, points, rules_of(question), runs.made, runs.reused)


def _seeds(seeds: int | None, *, quick: bool) -> int:
    if seeds is None:
        return _QUICK_SEEDS if quick else _FULL_SEEDS
    if seeds < 2:
        raise SizingError(f"seeds: {seeds} gives no interval: at least 2")
    return seeds


def _search(question: Question, runs: _Runs, seeds: int) -> tuple[Point, ...]:
    points: dict[int, Point] = {}
    runs.stage = "coarse sizes"
    points.update(runs.at(_grid(question), seeds))
    ratio = _QUICK_RATIO if question.quick else _FULL_RATIO
    runs.stage = "bisection"
    while (sizes := _between(question, points, ratio)) is not None:
        points.update(runs.at(sizes, seeds))
    still_open = [size for size, point in points.items() if point.kept(question.keep) == "open"]
    if still_open:
        runs.stage = "more seeds"
        points.update(runs.at(still_open, _MORE_SEEDS * seeds))
        while (sizes := _between(question, points, ratio)) is not None:
            points.update(runs.at(sizes, _MORE_SEEDS * seeds))
    return tuple(points[size] for size in sorted(points))


def _grid(question: Question) -> list[int]:
    """Powers of four, or of two if not quick, up to four bandwidth-delay products."""
    top = min(_TOP, max(_LEAST_TOP, math.ceil(_MOST_BDP * question.bdp)))
    step = 2 if question.quick else 1
    return [2**power for power in range(0, round(math.log2(top)) + step, step)]


def _between(question: Question, points: dict[int, Point], ratio: float) -> list[int] | None:
    """Sizes to try next: the middles of the gaps around the border; None: it is narrow enough."""
    keeps = {size: point.kept(question.keep) for size, point in points.items()}
    sizes = sorted(points)
    wanted = [
        middle
        for low, high in itertools.pairwise(sizes)
        if keeps[low] != keeps[high]
        and high / low > ratio
        and low < (middle := round(math.sqrt(low * high))) < high
    ]
    return wanted or None


class _Runs:
    """Runs at some sizes, each a sweep on one store."""

    def __init__(
        self,
        base: Scenario,
        store: Store,
        executor: Executor | str | None,
        workers: int | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._base = base
        self._store = store
        self._executor = executor
        self._workers = workers
        self._progress = progress
        self.stage = ""
        self.made = 0
        self.reused = 0

    def at(self, sizes: Sequence[int], seeds: int) -> dict[int, Point]:
        """The points of some sizes."""
        from ackclock.sweeps.sweeping import carry_out, design_of

        labels = [f"{size} packets" for size in sizes]
        given = {
            "axes": [{"network.bottleneck.limit": labels}],
            "replications": seeds,
            "responses": list(_RESPONSES),
            "starts": "fixed",
        }
        design = design_of(self._base, given, checked=len(sizes) > 1)
        result, report = carry_out(
            design,
            self._store,
            executor=self._executor,
            workers=self._workers,
            progress=self._told(),
        )
        self.made += report.made
        self.reused += report.reused
        rows: dict[int, dict[str, dict[str, Any]]] = {}
        for row in result.responses.iter_rows(named=True):
            rows.setdefault(row["setting"], {})[row["response"]] = row
        return {sizes[at]: _point(sizes[at], seeds, figures) for at, figures in rows.items()}

    def _told(self) -> Callable[[Progress], None] | None:
        tell = self._progress
        if tell is None:
            return None
        return lambda now: tell(replace(now, experiment=self.stage, left=None))


def _point(packets: int, seeds: int, rows: dict[str, dict[str, Any]]) -> Point:
    used = rows["utilisation"]
    # Equal values of all seeds have no interval: the value itself stands for it.
    low = used["mean"] if used["low"] is None else used["low"]
    high = used["mean"] if used["high"] is None else used["high"]
    return Point(
        packets,
        seeds,
        Span(used["mean"], low, high),
        queue_mean=rows["queue_delay.mean"]["mean"] or 0.0,
        queue_p95=rows["queue_delay.p95"]["mean"] or 0.0,
        loss=rows["loss_rate"]["mean"] or 0.0,
    )
