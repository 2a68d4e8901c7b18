"""Traces of video: the size, time and kind of every frame of a film, read from the film itself, a list or ns-2's binary."""

from ackclock.video.reading import SOURCES, read
from ackclock.video.trace import Frame, Trace, TraceError

__all__ = ["SOURCES", "Frame", "Trace", "TraceError", "read"]
