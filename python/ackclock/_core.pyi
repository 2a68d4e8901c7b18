"""The compiled core of ackclock: quantities, the registry of congestion controls, and the simulator.

Everything that crosses this border is in base units: a time that is an ``int`` is in picoseconds, a rate that is an ``int`` in bit/s,
a size in bytes; a time that is a ``float`` is in seconds and a rate that is a ``float`` in bit/s.
"""

from typing import Final

__all__ = [
    "RESULTS_VERSION",
    "__version__",
    "format_rate",
    "format_size",
    "format_time",
    "parse_rate",
    "parse_size",
    "parse_time",
]

__version__: Final[str]
RESULTS_VERSION: Final[int]
"""Version of the results' layout; raised whenever an older reader would misread them."""

def parse_time(text: str) -> int:
    """Picoseconds of a time such as ``"60ms"``, ``"1.5 s"``, ``"200us"``, ``"40ns"``, ``"2min"`` or ``"1h"``, exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def parse_rate(text: str) -> int:
    """Bit/s of a rate such as ``"10Mbit/s"``, ``"64kbit/s"``, ``"10Mbps"`` or ``"1MB/s"`` (bytes: 8 000 000), exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def parse_size(text: str) -> int:
    """Bytes of a size such as ``"30kB"`` (30 000), ``"64KiB"`` (65 536) or ``"1500 bytes"``, exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def format_time(ps: int) -> str:
    """Write `ps` picoseconds as the shortest text that `parse_time` reads back exactly."""

def format_rate(bps: int) -> str:
    """Write `bps` bit/s as the shortest text that `parse_rate` reads back exactly."""

def format_size(b: int) -> str:
    """Write `b` bytes as the shortest text that `parse_size` reads back exactly."""
