"""Named standard tests: flent's RRUL and its kin, and the Common TCP Evaluation Suite."""

from __future__ import annotations

from ackclock.tools.testsuites.catalogue import TESTS, standard
from ackclock.tools.testsuites.test import StandardError, StandardTest

__all__ = ["TESTS", "StandardError", "StandardTest", "standard"]
