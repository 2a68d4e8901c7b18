"""The compiled core of ackclock: quantities, the registry of congestion controls, and the simulator.

Everything that crosses this border is in base units: a time that is an ``int`` is in picoseconds, a rate that is an ``int`` in bit/s,
a size in bytes; a time that is a ``float`` is in seconds and a rate that is a ``float`` in bit/s.
"""

from typing import Final, Literal, TypedDict, type_check_only

__all__ = [
    "RESULTS_VERSION",
    "__version__",
    "check_cc",
    "draw",
    "format_rate",
    "format_size",
    "format_time",
    "list_cc",
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

@type_check_only
class Parameter(TypedDict):
    """A parameter of a congestion control."""

    name: str
    default: float | bool
    unit: str
    """Empty for a bare number or a flag."""
    meaning: str

@type_check_only
class CongestionControl(TypedDict):
    """What a congestion-control spec can name."""

    name: str
    role: Literal["avoidance", "slow start", "whole"]
    summary: str
    parameters: list[Parameter]
    reference: str
    implies: dict[str, str]
    """Transport options that the name stands for beside the controller, as in ``tahoe``."""

def list_cc() -> list[CongestionControl]:
    """List every congestion control that a spec can name, slow starts first."""

def check_cc(spec: str) -> None:
    """Check a spec such as ``"reno"``, ``"cos+reno"`` or ``"cubic(beta=0.8)"``.

    Raises
    ------
    ValueError
        One sentence: the part that is wrong, what exists, the nearest name.
    """

def draw(seed: int, stream: str, kind: str, parameters: list[float], count: int) -> list[float]:
    """Draw the first `count` values of a distribution in the random stream called `stream` of the run with this `seed`.

    `kind` with its `parameters`: ``fixed`` (value), ``uniform`` (low, high), ``exponential`` (mean), ``normal`` (mean, sd; never
    negative), ``lognormal`` (median, sigma), ``pareto`` (scale, shape). The values have the unit of the parameters.

    Raises
    ------
    ValueError
        One sentence: the kind or parameter that is wrong and what is allowed.
    """
