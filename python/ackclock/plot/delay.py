"""One-way delay and jitter of UDP streams over time."""

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ackclock.plot.looking import drawn as drawn_with
from ackclock.plot.panels import draw, shade_warmup, time_axis
from ackclock.plot.style import COLOURS, TWO_COLUMNS, legend, name_engine, new_figure
from ackclock.plot_data.series import Line, top, unit_scale
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import Options, make_look

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results.result import Result

# Points of a line: more than a column of a page can show.
_BINS = 400


def delay(result: "Result", **options: Unpack[Options]) -> PaperFigure:
    """A figure of the delay and jitter of UDP streams over time.

    Lines are means and bands are ranges, in each 1/400 of the run; jitter is that of RFC 3550.
    `options` are those of `Look`.

    Raises
    ------
    ValueError
        If the run recorded no datagrams.

    Examples
    --------
    >>> import ackclock as ac
    >>> call = ac.flow(app={"kind": "cbr", "rate": "64kbit/s", "packet": "200 bytes"})
    >>> result = ac.run(ac.dumbbell(rate="1Mbit/s", rtt="40ms", flows=[call], duration="5s"))
    >>> ac.plot.delay(result).svg().startswith("<?xml")
    True
    """
    look = make_look(options)
    lines = _lines(result, "delay")
    if not lines:
        raise ValueError(
            "the run recorded no datagrams: it has no UDP stream, record.samples is off, or "
            "nothing arrived"
        )

    def make() -> PaperFigure:
        with paper(as_written=True):
            figure = new_figure(look.width or TWO_COLUMNS, look.height or 3.6)
            upper, lower = figure.subplots(2, 1, sharex=True)
            for axes, drawn, label in (
                (upper, lines, "One-way delay"),
                (lower, _lines(result, "jitter"), "Jitter"),
            ):
                scale, unit = unit_scale(top(drawn), "s")
                draw(axes, drawn, scale=scale)
                axes.set_ylim(bottom=0.0)
                axes.set_ylabel(f"{label} ({unit})")
                shade_warmup(axes, result.warmup)
            legend(upper, columns=4, outside=True)
            time_axis(lower, result.end_time)
            figure.align_ylabels([upper, lower])
            name_engine(figure, result)
            return figure

    return drawn_with(make, look)


def _lines(result: "Result", column: str) -> list[Line]:
    arrived = result.samples.datagrams.drop_nulls("delay")
    streams = arrived["flow"].unique(maintain_order=True).to_list()
    if len(streams) > len(COLOURS):
        return [_line(f"{len(streams)} streams", arrived, column, result.end_time)]
    parts = arrived.partition_by("flow", as_dict=True, maintain_order=True)
    return [_line(str(name), parts[name,], column, result.end_time) for name in streams]


def _line(label: str, arrived: "pl.DataFrame", column: str, end: float) -> Line:
    import polars as pl

    value, step = pl.col(column), end / _BINS
    binned = (
        arrived.group_by((pl.col("sent_time") / step).floor().alias("bin"))
        .agg(value.mean().alias("mean"), value.min().alias("low"), value.max().alias("high"))
        .sort("bin")
    )
    # A left join: where a stream pauses, its line has a gap.
    every = pl.DataFrame({"bin": np.arange(_BINS, dtype=np.float64)}).join(
        binned, on="bin", how="left", maintain_order="left"
    )
    floats = {name: every[name].to_numpy().astype(np.float64) for name in ("mean", "low", "high")}
    return Line(
        label=label,
        time=(every["bin"].to_numpy() + 0.5) * step,
        value=floats["mean"],
        low=floats["low"],
        high=floats["high"],
    )
