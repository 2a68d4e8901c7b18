"""Speed of this machine, compared with the one on which the budgets were measured."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time

PROCESSES = 2
"""As many as the cores that the budgets are for; a machine with one core counts as half as fast."""

_ROUNDS = 3


def work() -> int:
    """Do a fixed amount of what the steps do: interpreted loops, dictionaries, native code."""
    table: dict[int, int] = {}
    total = 0
    for number in range(1_200_000):
        total = (total * 31 + number) & 0xFFFFFFFF
        table[total & 0xFFFF] = number
    block = bytes(1 << 20)
    for _ in range(150):
        block = hashlib.sha256(block).digest() * (1 << 15)
    return total ^ len(table) ^ block[0]


class Speed:
    """The machine's speed, measured when made.

    Attributes
    ----------
    factor : float
        Time that this machine needs, divided by `reference`; 2.0 is half as fast. A faster
        machine counts as the reference: tests that wait for a clock do not become faster with it.
    """

    def __init__(self, reference: float) -> None:
        self._reference = reference
        self.factor = max(1.0, seconds() / reference)

    def measure_again(self) -> None:
        """Take the slower of the earlier measurement and a new one."""
        self.factor = max(self.factor, seconds() / self._reference)


def seconds() -> float:
    """Seconds that the work takes when all cores of the budgets are busy: least of some rounds."""
    return min(_round() for _ in range(_ROUNDS))


def _round() -> float:
    begun = time.monotonic()
    running = [subprocess.Popen([sys.executable, __file__]) for _ in range(PROCESSES)]
    for process in running:
        process.wait()
    return time.monotonic() - begun


if __name__ == "__main__":
    work()
