"""P4's Table 1: how long one loss costs classic TCP, and Scalable TCP, at 200 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.report.page import Table
from ackclock.results.text import MISSING, quantity
from ackclock.studies.rules import Agreement
from ackclock.theory import aimd_recovery_time, path_window, scalable_recovery_rounds

if TYPE_CHECKING:
    from ackclock.studies.results import Results

RTT_S = 0.2

PRINTED = {1e6: (17.0, 1.7), 10e6: (170.0, 17.0), 100e6: (1700.0, 170.0), 1e9: (17_000.0, 1680.0), 10e9: (170_000.0, 16_980.0)}
"""Rate -> window, packets, and recovery time, s."""

_CLASSIC_S = {1e6: 30, 10e6: 40, 100e6: 220}
"""Long enough for one recovery; at 1 Gbit/s it would be 28 minutes of 83,000 packets a second."""
_SCALABLE_RATES = (10e6, 100e6, 1e9)
"""At 1 Mbit/s the window is one packet above the 16 below which Scalable TCP follows Reno's rules."""


def _variant(cc: str, rate: float, seconds: float) -> dict[str, object]:
    window = path_window(rate, RTT_S)
    return {
        "flows.cc": cc,
        "network.bottleneck.rate": f"{rate / 1e6:g}Mbit/s",
        "duration": f"{seconds:g}s",
        # Slow start has sent two windows when it reaches the path's; the third is the one that loses a packet.
        "network.bottleneck.loss": {"kind": "list", "packets": [round(3.5 * window)]},
    }


VARIANTS = {f"reno, {quantity(rate, 'bit/s')}": _variant("reno", rate, seconds) for rate, seconds in _CLASSIC_S.items()} | {
    f"scalable, {quantity(rate, 'bit/s')}": _variant("scalable", rate, 12.0) for rate in _SCALABLE_RATES
}
QUICK = tuple(name for name in VARIANTS if "1 Gbit" not in name)


def _formula(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    found = []
    for rate, (window, time) in PRINTED.items():
        found.append((f"packets at {quantity(rate, 'bit/s')}", path_window(rate, RTT_S), window))
        found.append((f"recovery at {quantity(rate, 'bit/s')}", aimd_recovery_time(rate, RTT_S), time))
    return found


def _measured(results: Results, name: str) -> float | None:
    run = results.runs["one-loss"].get(name)
    return None if run is None else run.metric("recovery_time")


def _classic(results: Results) -> list[tuple[str, float, float]]:
    found = []
    for rate in _CLASSIC_S:
        measured = _measured(results, f"reno, {quantity(rate, 'bit/s')}")
        if measured is not None:
            found.append((quantity(rate, "bit/s"), measured, PRINTED[rate][1]))
    return found


def _scalable(results: Results) -> list[tuple[str, float, float]]:
    found = []
    for rate in _SCALABLE_RATES:
        measured = _measured(results, f"scalable, {quantity(rate, 'bit/s')}")
        if measured is not None:
            found.append((quantity(rate, "bit/s"), measured, scalable_recovery_rounds() * RTT_S))
    return found


FORMULA = Agreement("the closed form dW RTT against the printed table", _formula, 0.03, names=("computed", "printed"))
CLASSIC = Agreement("time of a run from the loss to the old window against the printed one", _classic, 0.1, ("one-loss",), "s")
SCALABLE = Agreement(
    "time of a run from the loss to the old window against ln(1/(1 − b)) / ln(1 + a) = 13.4 round trips", _scalable, 0.1, ("one-loss",), "s"
)


def _alike(results: Results) -> list[tuple[str, float, float]]:
    found = [(name, measured) for name, measured, _ in _scalable(results)]
    return [(f"{name} against {found[0][0]}", measured, found[0][1]) for name, measured in found[1:]]


SAME = Agreement("times of runs at higher rates against that at 10 Mbit/s", _alike, 0.1, ("one-loss",), "s", ("there", "at 10 Mbit/s"))


def _told(seconds: float) -> str:
    """As the paper prints times."""
    whole = round(seconds)
    if whole < 120:
        return quantity(seconds, "s")
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{whole // 60} min {whole % 60} s"


def table(results: Results) -> Table:
    """Printed, computed, measured."""
    rows = []
    for rate, (window, time) in PRINTED.items():
        name = quantity(rate, "bit/s")
        runs = [_measured(results, f"{cc}, {name}") for cc in ("reno", "scalable")]
        classic, scalable = (MISSING if each is None else _told(each) for each in runs)
        rows.append(
            (
                name,
                f"{window:,.0f}",
                f"{path_window(rate, RTT_S):,.0f}",
                _told(time),
                _told(aimd_recovery_time(rate, RTT_S)),
                classic,
                _told(scalable_recovery_rounds() * RTT_S),
                scalable,
            )
        )
    header = (
        "rate", "packets, printed", "computed", "classic, printed", "computed", "from a run", "Scalable, computed", "from a run",
    )  # fmt: skip
    return Table(header, rows, 1)
