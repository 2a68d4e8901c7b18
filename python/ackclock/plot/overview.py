"""An overview of a run: four panels over one axis of time."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.figure import PaperFigure, paper
from ackclock.plot.cwnd import cwnd, draw_cwnd
from ackclock.plot.delay import delay
from ackclock.plot.panels import time_axis
from ackclock.plot.queue import draw_queue, queue
from ackclock.plot.rate import draw_rate, rate
from ackclock.plot.rtt import draw_rtt, rtt
from ackclock.plot.style import TWO_COLUMNS, legend, name_engine, new_figure

if TYPE_CHECKING:
    from ackclock.results.result import Result


def overview(result: "Result", *, width: float | None = None) -> PaperFigure:
    """Window, rate, round-trip time and queue of a run with time series, one above the other.

    `width` is in inches; by default two columns of a paper.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.overview(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    width = width or TWO_COLUMNS
    with paper():
        figure = new_figure(width, 6.4 if width > 5 else 5.6)
        panels = figure.subplots(4, 1, sharex=True)
        for axes, panel in zip(panels, (draw_cwnd, draw_rate, draw_rtt, draw_queue), strict=True):
            panel(axes, result)
        # The flows' colours are the same in the first three panels: one legend names them.
        legend(panels[0], columns=4 if width > 5 else 2, outside=True)
        legend(panels[3], columns=5 if width > 5 else 3, outside=True)
        time_axis(panels[3], result.end_time)
        figure.align_ylabels(panels)
        name_engine(figure, result)
        return figure


def figures(result: "Result") -> Iterator[tuple[str, PaperFigure]]:
    """Draw every figure that suits a run; yield each with its name.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> [name for name, _ in ac.plot.figures(ac.run(scenario))]
    ['overview', 'cwnd', 'rate', 'rtt', 'queue']
    """
    yield "overview", overview(result)
    for name, draw in {"cwnd": cwnd, "rate": rate, "rtt": rtt, "queue": queue}.items():
        yield name, draw(result)
    if result.plan["streams"] and result.samples.datagrams["delay"].count() > 0:
        yield "delay", delay(result)


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
