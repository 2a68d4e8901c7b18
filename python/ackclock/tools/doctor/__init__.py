"""Finds out what this machine can do with ackclock, and what is missing.

Each module looks at one subject and returns checks; `examine` collects them.
"""

from ackclock.tools.doctor.check import Check, State
from ackclock.tools.doctor.examining import GROUPS, examine

__all__ = ["GROUPS", "Check", "State", "examine"]
