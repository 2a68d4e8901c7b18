"""Finds out what this machine can do with ackclock, and what is missing.

Each module looks at one subject and returns checks; `examine` collects them.
"""

from ackclock.doctor.check import Check, State
from ackclock.doctor.examining import GROUPS, examine

__all__ = ["GROUPS", "Check", "State", "examine"]
