"""Figures with a mark for each control, a panel for each path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.plot.style import COLOURS, GREY, MARKERS, TWO_COLUMNS, new_figure
from ackclock.plot_data.sweep.scale import response_unit
from ackclock.stats import bounded, estimates
from ackclock.studies.lines import marks
from ackclock.studies.weighing import confidence_of
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from ackclock.stats import Estimate
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure


class Panel(NamedTuple):
    """Content of a panel."""

    title: str
    experiment: str
    response: str
    at: Mapping[str, Any] = {}


def by_control(
    axis: str,
    panels: Sequence[Panel],
    ylabel: str,
    *,
    base: str = "reno",
    xlabel: str = "",
    share_y: bool = False,
    log: bool = False,
) -> Callable[[Results], PaperFigure]:
    """Draw means over seeds with 95 % intervals, and a line at the control for comparison.

    Parameters
    ----------
    axis
        Name of the controls' axis in each experiment.
    panels
        From left to right; one whose setting a quick run leaves out is left out.
    ylabel
        Label without its unit.
    base
        Control of the line.
    xlabel
        Meaning of the marks, if they are not controls.
    share_y
        One scale for all panels.
    log
        A logarithmic scale, for values that span decades.
    """

    def draw(results: Results) -> PaperFigure:
        drawn = [(panel, _estimated(results, axis, panel)) for panel in panels]
        drawn = [(panel, pair) for panel, pair in drawn if pair]
        means = [estimate.mean for _, estimated in drawn for estimate in estimated.values()]
        tops = [_top(estimated) for _, estimated in drawn]
        with paper():
            figure = new_figure(TWO_COLUMNS if len(drawn) > 1 else 0.6 * TWO_COLUMNS, 2.4)
            every = figure.subplots(1, len(drawn), sharey=share_y, squeeze=False)[0]
            for axes, (panel, estimated), top in zip(every, drawn, tops, strict=True):
                design = results.sweeps[panel.experiment].design
                response = next(entry for entry in design.responses if entry.name == panel.response)
                shown = response_unit(response, means)
                for rank, (name, item) in enumerate(estimated.items()):
                    colour = GREY if name == base else COLOURS[0]
                    marks(
                        axes,
                        [rank],
                        [item],
                        factor=shown.factor,
                        fmt=MARKERS[0],
                        color=colour,
                        markersize=4,
                    )
                if base in estimated and estimated[base].mean is not None:
                    mean = shown.factor * estimated[base].mean  # type: ignore[operator]
                    axes.axhline(mean, color=GREY, linewidth=0.8, zorder=1)
                names = [
                    name
                    if entry.n == design.replications
                    else f"{name} ({entry.n} of {design.replications})"
                    for name, entry in estimated.items()
                ]
                axes.set_xticks(
                    range(len(names)), names, rotation=40, ha="right", rotation_mode="anchor"
                )
                axes.set_xlim(-0.6, len(estimated) - 0.4)
                axes.xaxis.grid(visible=False)
                axes.set_title(panel.title)
                axes.set_xlabel(xlabel)
                if log:
                    _decades(axes)
                else:
                    axes.set_ylim(0, 1.06 * shown.factor * (max(tops) if share_y else top))
                if axes is every[0] or not share_y:
                    axes.set_ylabel(f"{ylabel} ({shown.unit})" if shown.unit else ylabel)
            return figure

    return draw


def _decades(axes: Any) -> None:
    """A logarithmic axis with plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _estimated(results: Results, axis: str, panel: Panel) -> dict[str, Estimate]:
    spots = results.spots(panel.experiment, panel.response, panel.at)
    limits = results.limits(panel.experiment, panel.response)
    means = estimates([list(spot.values.values()) for spot in spots], confidence_of(1))
    return {
        str(spot.labels[axis]): bounded(mean, *limits)
        for spot, mean in zip(spots, means, strict=True)
    }


def _top(estimated: Mapping[str, Estimate]) -> float:
    """Return the end of the highest mark or interval."""
    return max(
        (
            estimate.mean if estimate.high is None else estimate.high
            for estimate in estimated.values()
            if estimate.mean is not None
        ),
        default=1.0,
    )
