"""The generator: scenario number k of a seed is the same on every machine."""

from fuzz.generate.case import Case
from fuzz.generate.scenario import generate

__all__ = ["Case", "generate"]
