"""P1's own rules: do they hold where they should, and fail where they should?"""

import tomllib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.studies.claim import Verdict
from ackclock.studies.outside import read_outside
from ackclock.studies.results import Results
from ackclock.studies.rules import Agreement
from ackclock.theory import cos_efficiency, cos_window, doubling_window
from ackclock_papers.cos_slow_start import STUDY, curves, measures, recovery, short, theorem
from scripts import script

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
            runs[f"{name}, {s}"] = run_of(
                np.array([(1 + x) * RTT for x in rounds]),
                np.array([windows(name, x, s) for x in rounds]),
            )
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
    "bursts": curves.judge_bursts,
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
        ("bursts", always_doubling, "does not hold"),
    ],
)
def test_other_curves_do_not(
    rule: str, windows: Callable[[str, int, int], float], kind: str
) -> None:
    assert JUDGES[rule](growing(windows)).kind == kind


@pytest.mark.long
def test_efficiency_by_formula_is_counted_case_by_case(monkeypatch: pytest.MonkeyPatch) -> None:
    assert curves.judge_efficiency(Results({})).kind == "holds"
    least = {name: np.full(9997, share) for name, share in (("doubling", 0.5), ("COS", 0.5))}
    monkeypatch.setattr(
        curves, "_all_efficiencies", lambda: dict.fromkeys(("paper", "sent", "area"), least)
    )
    assert curves.judge_efficiency(Results({})).kind == "does not hold"


def recovering(packets_per_round: float) -> Results:
    """Windows that grow so fast from half of the path's window on."""
    runs = {}
    for name, rate in recovery.RATES.items():
        full = rate * RTT / (8 * recovery.PACKET_BYTES)
        time = np.arange(0, 1.5 * full / 2 * RTT / packets_per_round + 2, 0.01)
        runs[name] = run_of(time, full / 2 + packets_per_round * time / RTT)
    return Results({}, {"recovery": runs})


@pytest.mark.parametrize(
    ("speed", "kind"),
    [(1.0, "holds"), (1.02, "holds"), (1.1, "does not hold"), (0.5, "does not hold")],
)
def test_recovery_is_a_packet_per_round_trip(speed: float, kind: str) -> None:
    assert recovery.IN_RUNS.judge(recovering(speed)).kind == kind


@pytest.mark.parametrize(
    ("peak", "kind"), [(80_000, "holds"), (60_000, "does not hold"), (100_000, "does not hold")]
)
def test_the_printed_recovery_needs_the_printed_peak(peak: int, kind: str) -> None:
    assert recovery.from_peak(peak).judge(Results({})).kind == kind


NOTHING = Results({})
COMPUTED: dict[str, Callable[[Results], Verdict]] = {
    "line": theorem.judge_line,
    "areas": theorem.judge_areas,
    "sums of powers": theorem.judge_sums_of_powers,
    "pairs": theorem.judge_pairs,
    "line and doubling": theorem.judge_line_and_doubling,
    "flatter": theorem.judge_flatter,
    "short": short.judge_rounds,
}


@pytest.mark.long
@pytest.mark.parametrize("rule", list(COMPUTED))
def test_what_the_paper_proves_is_computed(rule: str) -> None:
    assert COMPUTED[rule](NOTHING).kind == "holds"


def bent(x: float, s: float, *, whole: bool = True) -> float:
    return cos_window(x, s, whole=whole) + 0.01 * x


@pytest.mark.long
@pytest.mark.parametrize(
    ("rule", "module", "name", "other"),
    [
        ("line", theorem, "cos_window", bent),
        ("line", theorem, "doubling_window", lambda x: 2.0**x + 3000),
        ("areas", theorem, "cos_window", bent),
        (
            "sums of powers",
            theorem,
            "straight_efficiency",
            lambda s: cos_efficiency(s) * (1 + 1e-6),
        ),
        ("pairs", theorem, "pairs", lambda: ((0.4, 0.5),) * theorem.PAIRS),
        ("line and doubling", theorem, "doubling_efficiency", lambda s, ends: 2.0),  # noqa: ARG005
        ("line and doubling", theorem, "window_advantage", lambda x, s: x**2),  # noqa: ARG005
        ("short", short, "slow_start_transfer_rounds", lambda packets, s, start: packets),  # noqa: ARG005
    ],
)
def test_and_fails_for_other_curves(
    monkeypatch: pytest.MonkeyPatch, rule: str, module: object, name: str, other: Callable[..., Any]
) -> None:
    monkeypatch.setattr(module, name, other)
    assert COMPUTED[rule](NOTHING).kind == "does not hold"


def test_random_pairs_differ_and_their_order_is_not_that_of_chance() -> None:
    assert len(set(theorem.pairs())) == theorem.PAIRS
    # One curve's second derivative is the other's in an order that says nothing where the pairs are
    # shuffled.
    first, second = zip(*theorem.pairs(), strict=True)
    shuffled = sum(a > b for a, b in zip(first, np.roll(second, 1), strict=True))
    assert 0.4 < shuffled / theorem.PAIRS < 0.99


def test_cos_and_doubling_are_no_pair_of_the_theorem() -> None:
    """The paper goes by way of the line: COS's second derivative is the larger one at first."""
    for s in (16, 64, 4096):
        assert ac.theory.cos_second_derivative(0, s) > ac.theory.doubling_second_derivative(0)


def test_the_curve_is_never_flatter_than_avoidance() -> None:
    assert theorem.judge_too_flat(NOTHING).kind == "does not hold"
    # By hand: at ssthresh 64 the slope is (pi / 6) sqrt(w - 1) sqrt(65 - w), here with w = 62.
    assert theorem.growth_at_the_end(64, 2) == pytest.approx(np.pi / 6 * np.sqrt(61 * 3))


def test_a_curve_that_ends_at_ssthresh_is_too_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorem, "_growths", lambda sigma: np.full(9993, 0.5 + sigma))
    assert theorem.judge_too_flat(NOTHING).kind == "holds"


def test_short_transfers_are_read_from_runs() -> None:
    """Ten packets in windows of 1, 2, 4 and 8: four round trips after the handshake's."""
    time = np.array([0.0, 0.2, 0.3, 0.4, 0.5])
    acked = MSS * np.array([0.0, 1.0, 3.0, 7.0, 15.0])
    flow = SimpleNamespace(time=time, base_rtt=RTT, mss=MSS, column=lambda _: acked)
    run = cast("Result", SimpleNamespace(series=[flow]))
    assert [short.taken(run, packets) for packets in (1, 2, 3, 10)] == [1, 2, 2, 4]


def test_bursts_are_rises_of_the_queue() -> None:
    assert measures.largest_rise(np.array([5.0, 4.0, 3.0])) == 0
    assert measures.largest_rise(np.array([5.0, 2.0, 6.0, 0.0, 3.0])) == 4
    assert measures.largest_rise(np.empty(0)) == 0


def test_the_load_is_what_comes_and_not_what_leaves() -> None:
    """A burst of 100 packets leaves evenly, half a second late: one interval has all load."""
    time = np.linspace(0, 3, 301)
    sent = np.clip(time, 0, 1) * 100
    waiting = np.where(time > 0, 100 - sent, 0.0)
    delivered = np.clip(time - 0.5, 0, 1) * 100
    known, arrived = measures.arrivals(time, delivered, waiting, np.zeros(301), 0.5)
    assert known[-1] == pytest.approx(2.5)
    assert arrived[1:] == pytest.approx(100, abs=1.1)


def test_metrics_are_those_of_a_run() -> None:
    flows = [ac.flow("reno", app={"kind": "file", "size": "100kB"}, start="1s")]
    network: dict[str, Any] = {"rate": "1Mbit/s", "rtt": "40ms", "buffer": "unlimited"}
    result = ac.run(
        ac.dumbbell(
            **network, duration="4s", profile="classic", record={"samples": "10ms"}, flows=flows
        )
    )
    module = "python:ackclock_papers.cos_slow_start.measures"
    load, delay, burst = (
        result.metric(f"{module}:{name}")
        for name in ("load_jitter", "delay_jitter", "largest_burst")
    )
    assert load is not None
    assert delay is not None
    # A second without a packet, one with a full link and two without.
    assert load > 1
    longest = result.metric("queue_packets.max")
    assert longest is not None
    assert 0 < delay < longest * 8 * 1040 / 1e6
    assert burst == longest


def axes_of(experiment: str) -> dict[str, dict[str, Any]]:
    """Axes of an experiment's file, by name."""
    file = next(sweep.file for sweep in STUDY.experiments if sweep.name == experiment)
    axes = tomllib.loads((STUDY.folder / file).read_text(encoding="utf-8"))["sweep"]["axes"]
    return {axis.get("name", next(iter(axis)).rpartition(".")[2]): axis for axis in axes}


@pytest.mark.parametrize("experiment", ["lost-packets", "headers"])
def test_ns2_has_run_every_setting(experiment: str) -> None:
    other = next(outside for outside in STUDY.outside if outside.experiment == experiment)
    rows = read_outside(STUDY.folder / other.file).rows
    axes = axes_of(experiment)
    for name, axis in axes.items():
        values = axis.get("labels") or next(value for key, value in axis.items() if key != "name")
        assert {row[name] for row in rows} == set(values), name
    settings = {tuple(row[name] for name in axes) for row in rows}
    assert len(settings) == np.prod(
        [len({setting[at] for setting in settings}) for at in range(len(axes))]
    )
    assert len(rows) == len({(*(row[name] for name in axes), row["seed"]) for row in rows})


def test_ns2_has_run_the_same_network() -> None:
    record = script("tests/theory/ns2/record.py")
    units, setups = (axes_of("lost-packets")[name] for name in ("units", "setup"))
    for at, label in enumerate(units["labels"]):
        packet, file, ssthresh = record.UNITS[label]
        assert units["flows.transport.mss"][at] == f"{packet} bytes"
        assert units["flows.app.size"][at] in (f"{file // 1000}kB", f"{file // 1_000_000}MB")
        assert units["flows.ssthresh"][at] == f"{ssthresh} packets"
    for at, label in enumerate(setups["labels"]):
        _, limit, window = record.SETUPS[label]
        # ns-2's DropTail counts the packet that is being sent.
        assert setups["network.bottleneck.limit"][at] == f"{limit - 1} packets"
        assert setups["flows.initial_window"][at].split()[0] == str(window)


def test_readings_hold_labels_that_their_experiments_have() -> None:
    for experiment in STUDY.experiments:
        axes = axes_of(experiment.name)
        for reading in STUDY.readings:
            for name, wanted in reading.settings.items():
                if name in axes:
                    known = axes[name].get("labels") or next(
                        value for key, value in axes[name].items() if key != "name"
                    )
                    several = wanted if isinstance(wanted, list) else [wanted]
                    assert set(several) & set(known), (experiment.name, reading.name, name)
