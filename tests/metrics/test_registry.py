from collections.abc import Callable

import pytest

from ackclock.metrics import METRICS, UnknownMetricError, find_metric, metric_names
from ackclock.results import Result

Make = Callable[..., Result]


def test_every_metric_has_a_value_unit_definition_and_source(fake_result: Make) -> None:
    summary = fake_result().summary()
    for name, figure in METRICS.items():
        assert figure.definition.endswith(".")
        assert figure.source
        assert figure.unit in {"bit/s", "s", "packets", "1"}
        value = figure.value(summary)
        assert value is None if name.startswith("fct") else value is not None, name


def test_totals_count_all_flows_and_rates_weigh_them_by_packets(fake_result: Make) -> None:
    summary = fake_result().summary()
    summary["flows"][1]["lost_packets"] = 40
    summary["flows"][1]["sent_packets"] = 3000
    assert find_metric("lost_packets").value(summary) == 50
    assert find_metric("loss_rate").value(summary) == 50 / 4000
    # 980 kB in 20 s, twice
    assert find_metric("goodput").value(summary) == pytest.approx(2 * 392e3, rel=1e-12)
    assert find_metric("goodput@f.1").value(summary) == pytest.approx(392e3, rel=1e-12)
    assert find_metric("goodput.mean").value(summary) == pytest.approx(392e3, rel=1e-12)


def test_goodput_of_all_flows_is_over_the_runs_time_and_cannot_exceed_the_link(fake_result: Make) -> None:
    summary = fake_result().summary()
    for flow in summary["flows"]:
        flow["goodput"] = 1e6  # each alone for a part of the run
    assert find_metric("goodput").value(summary) == pytest.approx(2 * 980e3 * 8 / 20, rel=1e-12)
    assert find_metric("goodput.mean").value(summary) == 1e6


def test_links_metrics_are_the_bottlenecks(fake_result: Make) -> None:
    summary = fake_result().summary()
    assert find_metric("utilisation").value(summary) == pytest.approx(0.95, rel=1e-12)
    assert find_metric("dropped_packets").value(summary) == 20
    assert find_metric("utilisation@access").value(summary) == pytest.approx(0.1, rel=1e-12)


def test_completion_times_are_those_of_the_flows_that_finished(fake_result: Make) -> None:
    summary = fake_result(3).summary()
    summary["flows"][0]["fct"] = 2.0
    summary["flows"][2]["fct"] = 4.0
    assert find_metric("fct").value(summary) == 3.0
    assert find_metric("fct.max").value(summary) == 4.0
    assert find_metric("finished_flows").value(summary) == 2.0


def test_a_quantity_alone_is_its_mean() -> None:
    assert find_metric("queue_delay") is METRICS["queue_delay.mean"]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("lost_packet", "lost_packets"), ("utilization", "utilisation"), ("queue_delay.p96", "queue_delay.p9"), ("jain", "jain_index")],
)
def test_an_unknown_name_is_answered_with_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(UnknownMetricError, match=f'unknown metric "{wrong}"; nearest: "{nearest}'):
        find_metric(wrong)


def test_an_unknown_element_is_answered_with_the_nearest(fake_result: Make) -> None:
    with pytest.raises(UnknownMetricError, match=r'no flow "f\.9"; nearest: "f\.'):
        find_metric("goodput@f.9").value(fake_result().summary())
    with pytest.raises(UnknownMetricError, match="of the whole run"):
        find_metric("jain_index@f.1")


def test_names_are_unique_and_listed_in_order() -> None:
    assert metric_names() == list(dict.fromkeys(metric_names()))
    assert metric_names()[0] == "lost_packets"
