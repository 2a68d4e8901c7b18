"""Pictures of the comparison: one over time per scenario, two of all deviations."""

from ackclock.validation.figures.overlay import overlay
from ackclock.validation.figures.small import write_svg
from ackclock.validation.figures.summary import deviations, summary

__all__ = ["deviations", "overlay", "summary", "write_svg"]
