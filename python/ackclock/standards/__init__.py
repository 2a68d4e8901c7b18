"""Named standard tests: flent's RRUL and its kin, and the Common TCP Evaluation Suite."""

from __future__ import annotations

from ackclock.standards.catalogue import TESTS, standard
from ackclock.standards.test import StandardError, StandardTest

__all__ = ["TESTS", "StandardError", "StandardTest", "standard"]
