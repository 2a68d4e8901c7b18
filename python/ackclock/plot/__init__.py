"""Figures for papers: SVG and PDF, the same bytes every time, legible in grey and to the colour-blind."""

from ackclock.plot.comparison import comparison, write_comparison
from ackclock.plot.cwnd import cwnd
from ackclock.plot.delay import delay
from ackclock.plot.overview import overview, write_all
from ackclock.plot.queue import queue
from ackclock.plot.rate import rate
from ackclock.plot.rtt import rtt
from ackclock.plot.style import ONE_COLUMN, TWO_COLUMNS, PaperFigure

__all__ = [
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "PaperFigure",
    "comparison",
    "cwnd",
    "delay",
    "overview",
    "queue",
    "rate",
    "rtt",
    "write_all",
    "write_comparison",
]
