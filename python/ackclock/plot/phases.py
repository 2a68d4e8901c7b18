"""Phases of flows as shades: behind one flow's window, or in a strip per flow below the axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.plot_data.palette import COLOURS, PHASE_SHADES
from ackclock.plot_data.phases import flow_phases
from ackclock.views.figure_options import FigureOptionError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.plot_data.phases import Phase
    from ackclock.results.result import Result

__all__ = ["MOST_BY_DEFAULT", "MOST_STRIPS", "shade_phases"]

MOST_BY_DEFAULT = 3
"""Largest number of flows whose phases are shown without being asked for."""
MOST_STRIPS = 6
"""Largest number of flows whose phases are shown."""
_STRIP = 0.09
"""Height of a strip, as a share of the axis' height without strips."""
_LEAST_WIDTH = 1 / 800
"""Least width of a drawn phase, as a share of the run: a recovery of one RTT stays visible."""
_MOST_PHASES = 2000


def shade_phases(axes: Axes, result: Result, phases: bool | None) -> None:
    """Shade the phases of a panel of windows, whose vertical axis is set up already.

    Parameters
    ----------
    axes
        A panel over time.
    result
        The run.
    phases
        Whether to shade; None: if there are at most `MOST_BY_DEFAULT` flows.

    Raises
    ------
    FigureOptionError
        If phases are asked for and there are more than `MOST_STRIPS` flows.
    """
    flows = result.series
    if phases is False or (phases is None and len(flows) > MOST_BY_DEFAULT):
        return
    if len(flows) > MOST_STRIPS:
        raise FigureOptionError(
            f"phases: the run has {len(flows)} flows, and phases of {MOST_STRIPS} at most can be "
            "told apart"
        )
    end = result.end_time
    by_flow = [(flow, flow_phases(result, flow, detail=False)) for flow in flows]
    by_flow = [(flow, of_flow) for flow, of_flow in by_flow if of_flow]
    if any(len(of_flow) > _MOST_PHASES for _, of_flow in by_flow):
        by_flow = [(flow, flow_phases(result, flow, least=end / 500)) for flow, _ in by_flow]
    seen: set[str] = set()
    if len(by_flow) == 1 and len(flows) == 1:
        _draw(axes, by_flow[0][1], (0.0, 1.0), end, seen, in_axes=True)
        return
    bottom, top = axes.get_ylim()
    height = _STRIP * (top - bottom)
    ticks = [tick for tick in axes.get_yticks() if bottom <= tick <= top]
    for place, (flow, of_flow) in enumerate(by_flow):
        low = bottom - (place + 1.25) * height
        _draw(axes, of_flow, (low, 0.8 * height), end, seen)
        axes.text(
            1.006 * end,
            low + 0.4 * height,
            flow.name,
            fontsize=5.0,
            color=COLOURS[flows.index(flow) % len(COLOURS)],
            va="center_baseline",
            zorder=5,
        )
    if by_flow:
        axes.set_yticks(ticks)
        axes.set_ylim(bottom - (len(by_flow) + 0.5) * height, top)
        axes.axhline(bottom, color="black", linewidth=0.6, zorder=4)


def _draw(
    axes: Axes,
    phases: list[Phase],
    place: tuple[float, float],
    end: float,
    seen: set[str],
    *,
    in_axes: bool = False,
) -> None:
    """Draw one flow's phases, a collection per name; `seen` are names that a legend has."""
    names = dict.fromkeys(phase.name for phase in phases)
    # In the order of the table, so that equal figures have equal legends.
    for name in (name for name in PHASE_SHADES if name in names):
        shade = PHASE_SHADES[name]
        spans = [
            (phase.start, max(phase.end - phase.start, _LEAST_WIDTH * end))
            for phase in phases
            if phase.name == name
        ]
        placed: dict[str, Any] = {"transform": axes.get_xaxis_transform()} if in_axes else {}
        axes.broken_barh(
            spans,
            place,
            facecolor=shade.colour,
            edgecolor="#9A9A9A" if shade.hatch else "none",
            hatch=shade.hatch or None,
            linewidth=0.0,
            label=None if name in seen else name,
            **placed,
            zorder=0.5,
        )
        seen.add(name)
