"""An overview of a run: panels over one axis of time."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ackclock.messages import did_you_mean
from ackclock.plot.cwnd import cwnd, draw_cwnd
from ackclock.plot.delay import delay
from ackclock.plot.looking import drawn
from ackclock.plot.over_time import draw_queue, draw_rate, draw_rtt, queue, rate, rtt
from ackclock.plot.panels import time_axis
from ackclock.plot.style import TWO_COLUMNS, legend, name_engine, new_figure
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import FigureOptionError, Options, make_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result

FIGURES = ("overview", "cwnd", "rate", "rtt", "queue", "delay")
"""Names of a run's figures."""
PANELS = ("cwnd", "rate", "rtt", "queue")
"""Names of the panels of an overview."""

_PANEL_HEIGHT = {True: 1.45, False: 1.25}
"""Height of a panel, inches, in a wide figure and in a narrow one."""


def overview(
    result: "Result",
    *,
    only: Sequence[str] | None = None,
    phases: bool | None = None,
    **options: Unpack[Options],
) -> PaperFigure:
    """Window, rate, round-trip time and queue of a run with time series, one above the other.

    Parameters
    ----------
    result
        The run.
    only
        Names of the panels, of `PANELS`, in their order from the top; by default all.
    phases
        Whether slow start, recovery and BBR's modes are shaded; by default for three flows at most.
    options
        See `Look`; the width is two columns of a paper by default.

    Raises
    ------
    FigureOptionError
        If an option or a panel does not exist.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.overview(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    look = make_look(options)
    names = check_names(PANELS if only is None else only, PANELS)
    makers: dict[str, Callable[[Axes, Result], None]] = {
        "cwnd": partial(draw_cwnd, phases=phases),
        "rate": draw_rate,
        "rtt": draw_rtt,
        "queue": draw_queue,
    }

    def make() -> PaperFigure:
        wide = look.width or TWO_COLUMNS
        is_wide = wide > 5
        with paper(as_written=True):
            height = look.height or 0.6 + _PANEL_HEIGHT[is_wide] * len(names)
            figure = new_figure(wide, height)
            panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0].tolist()
            for axes, name in zip(panels, names, strict=True):
                makers[name](axes, result)
            # The flows' colours are the same in all panels but the queue's: one legend names them.
            shown = [names.index(name) for name in names if name != "queue"][:1]
            shown += [names.index("queue")] if "queue" in names else []
            for place in shown:
                several = 4 if names[place] != "queue" else 5
                legend(panels[place], columns=several if is_wide else several - 2, outside=True)
            time_axis(panels[-1], result.end_time)
            figure.align_ylabels(panels)
            name_engine(figure, result)
            return figure

    return drawn(make, look)


def check_names(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """The names as a list without repetition.

    Raises
    ------
    FigureOptionError
        If one does not exist; the text names the nearest.
    """
    chosen = list(dict.fromkeys([names] if isinstance(names, str) else names))
    for name in chosen:
        if name not in known:
            raise FigureOptionError(
                f"only: there is no figure '{name}'{did_you_mean(name, known)} (there are "
                f"{', '.join(known)})"
            )
    if not chosen:
        raise FigureOptionError(f"only: give one at least of {', '.join(known)}")
    return chosen


def figures(
    result: "Result",
    *,
    only: Sequence[str] | None = None,
    phases: bool | None = None,
    **options: Unpack[Options],
) -> Iterator[tuple[str, PaperFigure]]:
    """Draw every figure that suits a run, or those named in `only`; yield each with its name.

    Raises
    ------
    FigureOptionError
        If an option or a figure does not exist.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> [name for name, _ in ac.plot.figures(ac.run(scenario))]
    ['overview', 'cwnd', 'rate', 'rtt', 'queue']
    """
    names = check_names(FIGURES if only is None else only, FIGURES)
    for name in names:
        if name == "overview":
            yield name, overview(result, phases=phases, **options)
        elif name == "cwnd":
            yield name, cwnd(result, phases=phases, **options)
        elif name == "delay":
            has_streams = result.plan["streams"] and result.samples.datagrams["delay"].count() > 0
            if has_streams or only is not None:
                yield name, delay(result, **options)
        else:
            single = {"rate": rate, "rtt": rtt, "queue": queue}
            yield name, single[name](result, **options)


def write_all(result: "Result", folder: Path) -> None:
    """Write every figure of a run as SVG into a new folder.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> folder = Path(mkdtemp()) / "plots"
    >>> ac.plot.write_all(ac.run(scenario), folder)
    >>> sorted(path.name for path in folder.iterdir())
    ['cwnd.svg', 'overview.svg', 'queue.svg', 'rate.svg', 'rtt.svg']
    """
    folder.mkdir()
    for name, figure in figures(result):
        figure.write(folder / f"{name}.svg")
