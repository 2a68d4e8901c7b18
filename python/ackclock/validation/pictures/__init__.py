"""Pictures of the comparison: one over time per scenario, two of all deviations."""

from ackclock.validation.pictures.overlay import overlay
from ackclock.validation.pictures.small import write_svg
from ackclock.validation.pictures.summary import deviations, summary

__all__ = ["deviations", "overlay", "summary", "write_svg"]
