"""Tables of printed and measured numbers, a row for each reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.stats import changes_of_means, estimates
from ackclock.tables.quantities import MISSING, quantity
from ackclock.tables.table import Table
from ackclock_papers.small_buffers.curves import BUFFERS
from ackclock_papers.small_buffers.printed import PRINTED
from ackclock_papers.small_buffers.readings import AXIS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ackclock.studies.results import Results, Spot

_DIGITS = 4
"""The paper prints 17.98 Mbit/s."""


def looking_at(results: Results, response: str) -> Iterator[tuple[str, Results]]:
    """Return the readings that look at different runs or responses, the first of equal ones."""
    seen = set()
    for reading in results.readings:
        under = results.under(reading.name)
        assert under.reading is not None
        place = (under.reading.settings[AXIS], under.looked_at("buffers", response))
        if place not in seen:
            seen.add(place)
            yield reading.name, under


def _folded(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Merge rows with equal figures into one, with all their names."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, *figures in rows:
        names.setdefault(tuple(figures), []).append(name)
    return [("; ".join(these), *figures) for figures, these in names.items()]


def of_response(response: str, *more: tuple[str, str, str]) -> Callable[[Results], Table]:
    """Return means over seeds, by reading and buffer.

    `more` has the names of other rows, each with a setting and a response.
    """

    def make(results: Results) -> Table:
        unit = results.shown_unit("buffers", response)
        printed = PRINTED[response]
        rows = [("the paper", *(_shown(printed.get(buffer), unit) for buffer in BUFFERS))]
        rows += [
            (name, *(_shown(mean, unit) for mean in _means(under.spots("buffers", response))))
            for name, under in looking_at(results, response)
        ]
        rows += [
            (
                name,
                *(
                    _shown(mean, unit)
                    for mean in _means(results.spots("buffers", other, {AXIS: setting}))
                ),
            )
            for name, setting, other in more
        ]
        return Table(("reading", *(f"{buffer} packets" for buffer in BUFFERS)), _folded(rows))

    return make


def _means(spots: list[Spot]) -> list[float | None]:
    means = {
        spot.labels["buffer"]: mean.mean
        for spot, mean in zip(
            spots, estimates([list(s.values.values()) for s in spots]), strict=True
        )
    }
    return [means.get(buffer) for buffer in BUFFERS]


def _shown(value: float | None, unit: str) -> str:
    return MISSING if value is None else quantity(value, unit, _DIGITS)


def loads(results: Results) -> Table:
    """The film's share of the bytes on the link, and the link's utilisation."""
    rows = [("the paper", *("12 %",) * len(BUFFERS), *("at most 80 %",) * len(BUFFERS))]
    for name, under in looking_at(results, "throughput of TCP"):
        above, below = (
            under.spots("buffers", response)
            for response in ("throughput of the film", "throughput of the link")
        )
        pairs = [
            (list(a.values.values()), list(b.values.values()))
            for a, b in zip(above, below, strict=True)
        ]
        shares = {
            spot.labels["buffer"]: None if change.change is None else 1.0 + change.change
            for spot, change in zip(above, changes_of_means(pairs), strict=True)
        }
        used = _means(under.spots("buffers", "utilisation of the link"))
        rows.append(
            (
                name,
                *(_percent(shares.get(buffer)) for buffer in BUFFERS),
                *(_percent(share) for share in used),
            )
        )
    heads = (f"{what}, {buffer} packets" for what in ("film", "link") for buffer in BUFFERS)
    return Table(("reading", *heads), _folded(rows))


def _percent(share: float | None) -> str:
    return MISSING if share is None else quantity(share, "%", 3)


def routers(results: Results) -> Table:
    """Return the share of packets that the target link dropped, and their waits at it."""
    rows = []
    for name, under in looking_at(results, "throughput of TCP"):
        lost, waited = (
            _means(under.spots("buffers", response))
            for response in ("loss at the link", "queueing delay")
        )
        rows.append(
            (
                name,
                *(_shown(share, "%") for share in lost),
                *(_shown(delay, "s") for delay in waited),
            )
        )
    heads = (f"{what}, {buffer} packets" for what in ("loss", "delay") for buffer in BUFFERS)
    return Table(("reading", *heads), _folded(rows))
