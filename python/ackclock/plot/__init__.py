"""Figures for papers, legible in grey and to the colour-blind; equal input gives equal bytes."""

from ackclock.plot.capture import capture
from ackclock.plot.cwnd import cwnd
from ackclock.plot.delay import delay
from ackclock.plot.over_time import queue, rate, rtt
from ackclock.plot.overlay import overlay
from ackclock.plot.overview import figures, overview, write_all
from ackclock.plot.style import ONE_COLUMN, TWO_COLUMNS
from ackclock.views.figure import PaperFigure
from ackclock.views.figure_options import FigureOptionError, Look, Options, make_look

__all__ = [
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "FigureOptionError",
    "Look",
    "Options",
    "PaperFigure",
    "capture",
    "cwnd",
    "delay",
    "figures",
    "make_look",
    "overlay",
    "overview",
    "queue",
    "rate",
    "rtt",
    "write_all",
]
