"""A sweep's runs as tidy frames: runs, means with intervals, paired differences."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ackclock.stats import bounded, changes_of_means, cut_differences, differences, estimates
from ackclock.sweeps.limits import limits_of
from ackclock.sweeps.sequential import pairs_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from ackclock.stats import Difference
    from ackclock.stats.bounded import Change
    from ackclock.stats.paired import Pair
    from ackclock.sweeps.axes import Axis, Label, Setting
    from ackclock.sweeps.design import Comparison, Design
    from ackclock.sweeps.responses import Response

__all__ = [
    "DIFFERENCES",
    "RESERVED",
    "RESPONSES",
    "RUNS",
    "ByChance",
    "Run",
    "Unchanged",
    "by_chance",
    "changes_of",
    "differences_frame",
    "figures_of",
    "responses_frame",
    "runs_frame",
    "unchanged",
]

RUNS = ("setting", "*axes", "replication", "seed", "key", "digest", "*responses")
"""Columns of the frame of runs: a row per run, by setting and replication.

After the responses stand the other figures that the design keeps (`Design.kept`).
"""
RESPONSES = (
    "setting",
    "*axes",
    "response",
    "unit",
    "n",
    "mean",
    "sd",
    "median",
    "low",
    "high",
    "method",
    "why",
)
"""Columns of the frame of responses: a row per setting and response.

`low` and `high` are null where there is no interval. `method` is then "none" (fewer than two
values) or "constant" (all `n` values are equal). Intervals stay within the response's range
(`metrics.range_of`).
"""
DIFFERENCES = (
    "setting",
    "base_setting",
    "*axes",  # null in the column of the compared axis
    "axis",
    "value",  # labels as text
    "base",
    "response",
    "unit",
    "ratio",
    "n",
    "difference",
    "low",
    "high",
    "method",
    "why",
    "relative",
    "effect_size",
    "p",
)
"""Columns of the frame of differences: a row per comparison, setting and response.

`low` and `high` are null where `RESPONSES` says so.
"""

RESERVED = frozenset(name for name in (*RUNS, *RESPONSES, *DIFFERENCES) if not name.startswith("*"))
"""Names that no axis and no response may have."""


class Run(Protocol):
    """A finished run, as far as its analysis is concerned."""

    @property
    def key(self) -> str:
        """Place of the run in the store."""
        ...

    @property
    def seed(self) -> int:
        """Seed of the run's random draws."""
        ...

    @property
    def digest(self) -> str:
        """Hash of the run's results."""
        ...

    @property
    def figures(self) -> Mapping[str, float | None]:
        """Values by the responses' names."""
        ...


@dataclass(frozen=True)
class Unchanged:
    """Two values of an axis that gave the same bytes, run by run."""

    axis: str
    a: Label
    b: Label

    def __str__(self) -> str:
        """In words."""
        return (
            f"axis '{self.axis}': {self.a} and {self.b} gave the same bytes in every run: it "
            "changes nothing between them"
        )


@dataclass(frozen=True)
class ByChance:
    """Number of intervals that show a difference, and the number that chance alone would give."""

    shown: int
    """Number of intervals of differences."""
    apart: int
    """Number of intervals that exclude "no difference"."""
    expected: float
    """Number of intervals that would exclude it by chance if nothing made a difference."""


def runs_frame(design: Design, runs: Mapping[tuple[int, int], Run]) -> pl.DataFrame:
    """One row per run, with the columns `RUNS`; an undefined response is null.

    `runs` are given by setting and replication, and may include replications beyond the last that
    all responses of a setting need.
    """
    import polars as pl

    places = sorted(runs)
    columns: dict[str, Any] = {"setting": [setting for setting, _ in places]}
    for at, axis in enumerate(design.axes):
        columns[axis.name] = pl.Series(
            [design.settings[setting].labels[at] for setting, _ in places], dtype=_type(axis)
        )
    columns["replication"] = [replication for _, replication in places]
    columns["seed"] = [runs[place].seed for place in places]
    columns["key"] = [runs[place].key for place in places]
    columns["digest"] = [runs[place].digest for place in places]
    for response in design.kept:
        columns[response.name] = pl.Series(
            [runs[place].figures[response.name] for place in places], dtype=pl.Float64
        )
    whole = dict.fromkeys(("setting", "replication", "seed"), pl.Int64)
    return pl.DataFrame(
        columns, schema_overrides=whole | dict.fromkeys(("key", "digest"), pl.String)
    )


def _type(axis: Axis) -> Any:
    import polars as pl

    kinds = {type(label) for label in axis.labels}
    return pl.Int64 if kinds == {int} else pl.Float64 if kinds <= {int, float} else pl.String


def figures_of(
    design: Design, runs: pl.DataFrame
) -> dict[tuple[int, int], dict[str, float | None]]:
    """The frame's figures by setting and replication, for `ackclock.sweeps.sequential`."""
    names = [response.name for response in design.responses]
    places = zip(runs["setting"].to_list(), runs["replication"].to_list(), strict=True)
    values = zip(*(runs[name].to_list() for name in names), strict=True)
    return {
        place: dict(zip(names, row, strict=True)) for place, row in zip(places, values, strict=True)
    }


def _by_setting(
    design: Design, runs: pl.DataFrame, response: str
) -> dict[int, dict[int, float | None]]:
    """A response's values: by setting, then by replication."""
    values: dict[int, dict[int, float | None]] = {setting.index: {} for setting in design.settings}
    for setting, replication, value in runs.select("setting", "replication", response).iter_rows():
        values[setting][replication] = value
    return values


def responses_frame(
    design: Design, runs: pl.DataFrame, responses: Sequence[Response] | None = None
) -> pl.DataFrame:
    """Mean, spread and interval over the replications: a row per setting and response.

    `responses` are by default the design's.
    """
    import polars as pl

    responses = design.responses if responses is None else responses
    values = {response.name: _by_setting(design, runs, response.name) for response in responses}
    places = [(setting, response) for setting in design.settings for response in responses]
    limits = {
        response.name: limits_of(design, response, range(len(design.settings)))
        for response in responses
    }
    made = estimates(
        [list(values[response.name][setting.index].values()) for setting, response in places],
        design.confidence,
    )
    means = [
        bounded(estimate, *limits[response.name][setting.index])
        for estimate, (setting, response) in zip(made, places, strict=True)
    ]
    columns: dict[str, Any] = {
        "setting": pl.Series([setting.index for setting, _ in places], dtype=pl.Int64)
    }
    for at, axis in enumerate(design.axes):
        columns[axis.name] = pl.Series(
            [setting.labels[at] for setting, _ in places], dtype=_type(axis)
        )
    columns["response"] = pl.Series([response.name for _, response in places], dtype=pl.String)
    columns["unit"] = pl.Series([response.unit for _, response in places], dtype=pl.String)
    types = {"n": pl.Int64, "method": pl.String, "why": pl.String}
    for name in ("n", "mean", "sd", "median", "low", "high", "method", "why"):
        columns[name] = pl.Series(
            [getattr(estimate, name) for estimate in means], dtype=types.get(name, pl.Float64)
        )
    for end in ("low", "high"):
        # An interval without width would claim to know a mean exactly.
        columns[end] = pl.Series(
            [
                None if estimate.method == "constant" else getattr(estimate, end)
                for estimate in means
            ],
            dtype=pl.Float64,
        )
    return pl.DataFrame(columns)


def differences_frame(
    design: Design, runs: pl.DataFrame, responses: Sequence[Response] | None = None
) -> pl.DataFrame:
    """Paired differences: a row per comparison, setting that is not its base, and response.

    `responses` are by default the design's.
    """
    import polars as pl

    responses = design.responses if responses is None else responses
    rows: list[dict[str, Any]] = []
    for comparison in design.comparisons:
        rows += _compared(design, comparison, runs, responses)
    types: dict[str, Any] = {"setting": pl.Int64, "base_setting": pl.Int64}
    types |= {axis.name: _type(axis) for axis in design.axes}
    types |= dict.fromkeys(("axis", "value", "base", "response", "unit"), pl.String)
    types |= {"ratio": pl.Boolean, "n": pl.Int64}
    types |= dict.fromkeys(("difference", "low", "high"), pl.Float64)
    types |= dict.fromkeys(("method", "why"), pl.String)
    types |= dict.fromkeys(("relative", "effect_size", "p"), pl.Float64)
    return pl.DataFrame(
        {name: pl.Series([row[name] for row in rows], dtype=dtype) for name, dtype in types.items()}
    )


def _compared(
    design: Design, comparison: Comparison, runs: pl.DataFrame, responses: Sequence[Response]
) -> list[dict[str, Any]]:
    at = [axis.name for axis in design.axes].index(comparison.axis)
    places, pairs = _paired(design, comparison, runs, responses)
    intervals: list[Difference] = differences(pairs, design.confidence, ratio=comparison.ratio)
    if not comparison.ratio:
        limits = {
            response.name: limits_of(design, response, {place[0].index for place in places})
            for response in responses
        }
        intervals = cut_differences(
            intervals,
            pairs,
            [limits[response.name][setting.index] for setting, _, response in places],
            design.confidence,
        )
    intervals = [
        replace(difference, low=None, high=None) if difference.method == "constant" else difference
        for difference in intervals
    ]
    return [
        {
            "setting": setting.index,
            "base_setting": base.index,
            **{
                axis.name: None if index == at else setting.labels[index]
                for index, axis in enumerate(design.axes)
            },
            "axis": comparison.axis,
            "value": str(setting.labels[at]),
            "base": str(comparison.base),
            "response": response.name,
            "unit": "1" if comparison.ratio else response.unit,
            "ratio": comparison.ratio,
            **asdict(difference),
        }
        for (setting, base, response), difference in zip(places, intervals, strict=True)
    ]


def _paired(
    design: Design, comparison: Comparison, runs: pl.DataFrame, responses: Sequence[Response]
) -> tuple[list[tuple[Setting, Setting, Response]], list[Pair]]:
    """Settings with their bases, and the values of both by seed."""
    values = {response.name: _by_setting(design, runs, response.name) for response in responses}
    places = [
        (setting, base, response)
        for setting, base in pairs_of(design, comparison)
        for response in responses
    ]
    pairs: list[Pair] = []
    for setting, base, response in places:
        a, b = values[response.name][setting.index], values[response.name][base.index]
        common = [replication for replication in a if replication in b]
        pairs.append(
            ([a[replication] for replication in common], [b[replication] for replication in common])
        )
    return places, pairs


def changes_of(
    design: Design, comparison: Comparison, runs: pl.DataFrame, response: Response
) -> dict[int, Change]:
    """Change of a response's mean, as a share of the base's mean, by setting.

    Settings where the response may be negative are left out: a share makes no sense there.
    """
    places, pairs = _paired(design, comparison, runs, [response])
    limits = limits_of(design, response, {setting.index for setting, _, _ in places})
    sound = [
        (place[0].index, pair)
        for place, pair in zip(places, pairs, strict=True)
        if limits[place[0].index][0] >= 0.0
        and all(value is None or value >= 0.0 for side in pair for value in side)
    ]
    made = changes_of_means([pair for _, pair in sound], design.confidence)
    return {setting: change for (setting, _), change in zip(sound, made, strict=True)}


def by_chance(design: Design, differences: pl.DataFrame) -> ByChance:
    """Count the intervals that exclude "no difference".

    Differences without spread are not counted: chance has no part in them.
    """
    shown = differences.filter(differences["p"].is_not_null() & differences["low"].is_not_null())
    apart = sum(
        not low <= (1.0 if ratio else 0.0) <= high
        for low, high, ratio in shown.select("low", "high", "ratio").iter_rows()
    )
    return ByChance(shown.height, apart, (1.0 - design.confidence) * shown.height)


def unchanged(design: Design, runs: pl.DataFrame) -> list[Unchanged]:
    """Pairs of an axis' values whose runs gave the same bytes in every setting, with every seed.

    Where more than two values are equal, each is named once, beside the first.
    """
    digests: dict[int, dict[int, str]] = {setting.index: {} for setting in design.settings}
    for setting, replication, digest in runs.select("setting", "replication", "digest").iter_rows():
        digests[setting][replication] = digest
    pairs: list[Unchanged] = []
    for at, axis in enumerate(design.axes):
        by_label: dict[Label, dict[tuple[Any, ...], str]] = {label: {} for label in axis.labels}
        for setting in design.settings:
            others = (*setting.labels[:at], *setting.labels[at + 1 :])
            for replication, digest in digests[setting.index].items():
                by_label[setting.labels[at]][others, replication] = digest
        named: set[Label] = set()
        for a, b in itertools.combinations(axis.labels, 2):
            common = by_label[a].keys() & by_label[b].keys()
            if (
                b not in named
                and common
                and all(by_label[a][place] == by_label[b][place] for place in common)
            ):
                named.add(b)
                pairs.append(Unchanged(axis.name, a, b))
    return pairs
