"""All standard tests by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean
from ackclock.tools.testsuites import flent, tcpeval
from ackclock.tools.testsuites.test import StandardError, StandardTest

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.scenario import Scenario

__all__ = ["TESTS", "find", "standard"]

TESTS: dict[str, StandardTest] = {test.name: test for test in (*flent.TESTS, *tcpeval.TESTS)}
"""Every standard test by its name."""


def find(name: str) -> StandardTest:
    """The test of a name; dashes and underscores are one.

    Raises
    ------
    StandardError
        If there is no such test.
    """
    plain = {key.replace("-", "_"): test for key, test in TESTS.items()}
    chosen = plain.get(name.replace("-", "_"))
    if chosen is None:
        raise StandardError(
            f"there is no standard test '{name}', only {', '.join(TESTS)}"
            f"{did_you_mean(name, TESTS)}"
        )
    return chosen


def standard(name: str, *, folder: str | Path | None = None, **options: Any) -> Scenario:
    """The scenario of a named standard test.

    Parameters
    ----------
    name
        Name of the test: ``"rrul"``, ``"access-link"``, ... (``ackclock standard list``).
    folder
        Folder in which classes of your own are looked for; by default the current one.
    options
        Options of the test: ``rate``, ``rtt``, ``qdisc``, ``cc``, ``duration``, ``load``, ``seed``.

    Returns
    -------
    Scenario
        For `ackclock.run`; tests over several settings have a table [sweep], for `ackclock.sweep`.

    Raises
    ------
    StandardError
        If there is no such test or option.
    ScenarioError
        If an option's value is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> rrul = ac.standard("rrul", rate="10Mbit/s", qdisc="fq_codel")
    >>> [flow.name for flow in rrul.flows][:3]
    ['down-BE', 'down-BK', 'down-CS5']
    """
    from pathlib import Path

    from ackclock.scenario import Scenario

    home = Path.cwd() if folder is None else Path(folder)
    return Scenario.parse(find(name).table(options), folder=home)
