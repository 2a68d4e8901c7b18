"""Metrics of a recorded run: one figure of a result, and of the form in which a run is kept."""

from functools import cache

import pytest

import ackclock as ac
from ackclock.metrics import METRICS, MetricError, UnknownMetricError, find_metric
from ackclock.metrics.recorded_run import RecordedRun
from ackclock.metrics.reduction import recorded
from ackclock.results import Result
from ackclock.validation.figures import figures_of
from observed_runs import RATE, bbr_of, flow_of, run_of

NAMES = [name for name, figure in METRICS.items() if figure.of_recorded]


@cache
def result(packets: tuple[str, ...] = ("bottleneck",)) -> Result:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="20 packets",
        duration="6s",
        warmup="2s",
        flows=[
            ac.flow("reno", name="single"),
            ac.flow("bbr", name="probing"),
            ac.flow("cubic", name="pair", parallel=2),
            ac.flow("cubic", name="file", app={"kind": "file", "size": "100kB"}, start="3s"),
        ],
        record={"samples": "10ms", "packets": list(packets)},
    )
    return ac.run(scenario)


def value(name: str, run: Result | RecordedRun) -> float | None:
    return find_metric(name).value(run)


@pytest.mark.parametrize("name", NAMES)
def test_a_result_and_its_recorded_run_have_one_figure(name: str) -> None:
    assert value(name, result()) == value(name, recorded(result()))


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_has_a_figure_of_a_run_made_by_hand(name: str) -> None:
    assert value(name, run_of(flow_of(), bbr_of(name="b"), flow_of(is_file=True, fct=1.0)))


def test_the_figures_that_are_compared_with_the_kernel_are_metrics_of_the_result() -> None:
    compared = {str(key): number for key, number in figures_of(recorded(result())).items()}
    assert compared["goodput"] == result().metric("acked_rate")
    assert compared["rtt_p95"] == result().metric("path_rtt.p95")
    assert compared["cwnd_peak@reno"] == result().metric("cwnd_peak(cc=reno)")
    assert compared["share@bbr"] == result().metric("acked_share(cc=bbr)")
    assert compared["sent_in_all@cubic"] == result().metric("sent_since(since=0s, cc=cubic)")


def test_a_flow_of_several_connections_is_named_as_in_the_scenario() -> None:
    pair = value("acked_rate@pair", result())
    assert pair is not None
    parts = [value(f"acked_rate@pair[{place}]", result()) for place in (1, 2)]
    assert pair == pytest.approx(sum(part or 0.0 for part in parts), rel=1e-12)
    assert value("acked_share@pair", result()) == pytest.approx(
        pair / (value("acked_rate", result()) or 1.0), rel=1e-12
    )


def test_windows_are_measured_without_packets_and_round_trip_times_are_not() -> None:
    assert value("cwnd_peak", result(())) == value("cwnd_peak", result())
    with pytest.raises(MetricError, match="needs packet events, and the run recorded none"):
        value("path_rtt.mean", result(()))


def test_a_metric_of_counters_is_not_made_from_a_recorded_run() -> None:
    with pytest.raises(MetricError, match='"goodput" is not made from a recorded run'):
        value("goodput", run_of())


def test_flows_of_a_recorded_run_are_named() -> None:
    assert value("acked_rate@f", run_of()) == pytest.approx(RATE)
    with pytest.raises(UnknownMetricError, match='the run has no flow "g"'):
        value("acked_rate@g", run_of())
