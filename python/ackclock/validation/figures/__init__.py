"""Pictures of the comparison: one over time per scenario, one of all deviations."""

from ackclock.validation.figures.overlay import overlay
from ackclock.validation.figures.small import write_svg
from ackclock.validation.figures.summary import summary

__all__ = ["overlay", "summary", "write_svg"]
