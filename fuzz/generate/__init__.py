"""The generator of scenarios: one seed and number give one scenario on every machine."""

from fuzz.generate.case import Case
from fuzz.generate.scenario import generate

__all__ = ["Case", "generate"]
