"""The smallest buffer that keeps a link busy, found by runs and beside closed forms."""

from __future__ import annotations

from ackclock.tools.sizing.finding import size_buffer
from ackclock.tools.sizing.question import Question, SizingError
from ackclock.tools.sizing.result import BufferSize, Point, Rule

__all__ = ["BufferSize", "Point", "Question", "Rule", "SizingError", "size_buffer"]
