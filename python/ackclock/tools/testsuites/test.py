"""A standard test: a name, its source, its options, and the scenario that it makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.messages import did_you_mean, shown
from ackclock.scenario.quantities import time_ps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.errors import Kind

__all__ = ["MEANINGS", "Options", "StandardError", "StandardTest", "Table"]

Table = dict[str, Any]
"""A scenario as plain data."""
Options = dict[str, Any]

_TIMES = ("rtt", "other_rtt", "duration")

MEANINGS = {
    "rate": "line rate of the bottleneck; of the download for RRUL",
    "up_rate": "line rate of the upload, where it differs",
    "rtt": "base RTT",
    "other_rtt": "base RTT of the second flow",
    "qdisc": "discipline of the bottleneck, both ways",
    "buffer": "limit of the queue",
    "cc": "congestion control under test",
    "streams": "number of TCP flows",
    "load": "offered load, 60, 85 or 110 % in the draft",
    "duration": "measured time",
    "seed": "seed",
}
"""Meaning of each option that a standard test may take."""


class StandardError(Error, ValueError):
    """An unknown standard test, or an option that it does not take; the message names others.

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.standard("rrull")
    ... except ac.StandardError as error:
    ...     print("did you mean 'rrul'" in str(error))
    True
    """

    kind: Kind = "unknown-name"


@dataclass(frozen=True)
class StandardTest:
    """A test of a published suite."""

    name: str
    title: str
    source: str
    """Document and section."""
    choices: str
    """Decisions where the source is silent, or names traffic that is not free."""
    defaults: Options
    """Options with their defaults; None: the source's own value holds."""
    make: Callable[[Options], Table]
    figures: str = field(default="run")
    """Figures shown after a run: those of any run, or "rrul"."""

    def table(self, given: Mapping[str, Any]) -> Table:
        """The test's scenario, with other values for some options.

        Raises
        ------
        StandardError
            If the test has no such option, or cannot be made with a value.
        """
        for name in given:
            if name not in self.defaults:
                raise StandardError(
                    f"{self.name} has no option '{name}', only "
                    f"{', '.join(self.defaults)}{did_you_mean(name, self.defaults)}"
                )
        options = {
            **self.defaults,
            **{key: value for key, value in given.items() if value is not None},
        }
        for name, value in given.items():
            # One test takes two round-trip times, 120/30.
            is_time = name in _TIMES and "/" not in str(self.defaults[name])
            if is_time and value is not None:
                _check_time(name, value)
        try:
            table = self.make(options)
        except StandardError:
            raise
        except (ValueError, ArithmeticError) as error:
            raise StandardError(
                f"{self.name}: cannot be made with these options: {error}"
            ) from None
        return {
            "name": self.name,
            "description": f"{self.title} ({self.source})",
            "seed": options.get("seed", 1),
            **table,
        }


def _check_time(name: str, value: Any) -> None:
    option = f"--{name.replace('_', '-')}"
    if not isinstance(value, str) or not value.isascii():
        raise StandardError(f"{option}: {shown(value)} is no time: write one such as '60ms'")
    try:
        time_ps(value)
    except ValueError as error:
        raise StandardError(f"{option}: {error}") from None
