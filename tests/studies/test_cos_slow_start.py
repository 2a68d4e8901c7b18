"""P1's own rules: do they hold where they should, and fail where they should?"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from ackclock.results import Result
from ackclock.studies.claim import Verdict
from ackclock.studies.cos_slow_start import curves, recovery
from ackclock.studies.results import Results
from ackclock.studies.rules import Agreement
from ackclock.theory import cos_window, doubling_window

RTT = 0.1
MSS = 1000.0


def run_of(time: "np.ndarray[Any, Any]", cwnd: "np.ndarray[Any, Any]") -> Result:
    """A run whose only flow has this window, packets."""
    flow = SimpleNamespace(time=time, base_rtt=RTT, mss=MSS, column=lambda _: MSS * cwnd)
    return cast("Result", SimpleNamespace(series=[flow]))


def growing(windows: Callable[[str, int, int], float]) -> Results:
    """A run for each ssthresh and slow start, its windows given round trip by round trip."""
    runs = {}
    for s in curves.SSTHRESHES:
        for name in curves.NAMES:
            rounds = range(curves.count(s) + 4)
            # The handshake, then a window per round trip.
            runs[f"{name}, {s}"] = run_of(np.array([(1 + x) * RTT for x in rounds]), np.array([windows(name, x, s) for x in rounds]))
    return Results({}, {"growth": runs})


def as_printed(name: str, x: int, s: int) -> float:
    return min(doubling_window(x, s) if name == "doubling" else cos_window(x, s), s)


def always_doubling(_name: str, x: int, s: int) -> float:
    return as_printed("doubling", x, s)


def a_round_late(name: str, x: int, s: int) -> float:
    return as_printed(name, max(0, x - 1) if name == "COS" else x, s)


AGREEMENTS = {
    "windows": Agreement("windows", curves.windows, 1e-6),
    "rounds": Agreement("rounds", curves.rounds, 0.0),
}
JUDGES: dict[str, Callable[[Results], Verdict]] = {
    "windows": AGREEMENTS["windows"].judge,
    "rounds": AGREEMENTS["rounds"].judge,
    "growth": curves.judge_growth,
    "efficiency": curves.judge_measured,
}


@pytest.mark.parametrize("rule", list(JUDGES))
def test_the_printed_curves_pass(rule: str) -> None:
    assert JUDGES[rule](growing(as_printed)).kind == "holds"


@pytest.mark.parametrize(
    ("rule", "windows", "kind"),
    [
        ("windows", always_doubling, "in part"),
        ("windows", a_round_late, "in part"),
        ("rounds", a_round_late, "does not hold"),
        ("growth", always_doubling, "does not hold"),
        ("efficiency", always_doubling, "does not hold"),
    ],
)
def test_other_curves_do_not(rule: str, windows: Callable[[str, int, int], float], kind: str) -> None:
    assert JUDGES[rule](growing(windows)).kind == kind


def test_efficiency_by_formula_is_counted_case_by_case(monkeypatch: pytest.MonkeyPatch) -> None:
    assert curves.judge_efficiency(Results({})).kind == "holds"
    least = {name: np.full(9997, share) for name, share in (("doubling", 0.5), ("COS", 0.5))}
    monkeypatch.setattr(curves, "_all_efficiencies", lambda: dict.fromkeys(("paper", "sent", "area"), least))
    assert curves.judge_efficiency(Results({})).kind == "does not hold"


def recovering(packets_per_round: float) -> Results:
    """Windows that grow so fast from half of the path's window on."""
    runs = {}
    for name, rate in recovery.RATES.items():
        full = rate * RTT / (8 * recovery.PACKET_BYTES)
        time = np.arange(0, 1.5 * full / 2 * RTT / packets_per_round + 2, 0.01)
        runs[name] = run_of(time, full / 2 + packets_per_round * time / RTT)
    return Results({}, {"recovery": runs})


@pytest.mark.parametrize(("speed", "kind"), [(1.0, "holds"), (1.02, "holds"), (1.1, "does not hold"), (0.5, "does not hold")])
def test_recovery_is_a_packet_per_round_trip(speed: float, kind: str) -> None:
    assert recovery.IN_RUNS.judge(recovering(speed)).kind == kind


@pytest.mark.parametrize(("peak", "kind"), [(80_000, "holds"), (60_000, "does not hold"), (100_000, "does not hold")])
def test_the_printed_recovery_needs_the_printed_peak(peak: int, kind: str) -> None:
    assert recovery.from_peak(peak).judge(Results({})).kind == kind
