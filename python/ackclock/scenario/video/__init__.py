"""Traces of video: size, time and kind of every frame of a film, a list or an ns-2 trace."""

from ackclock.scenario.video.reading import SOURCES, read
from ackclock.scenario.video.trace import Frame, Trace, TraceError

__all__ = ["SOURCES", "Frame", "Trace", "TraceError", "read"]
