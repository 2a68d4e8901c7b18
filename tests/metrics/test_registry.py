import math
from collections.abc import Callable

import pytest

from ackclock.metrics import (
    METRICS,
    MetricError,
    UnknownMetricError,
    find_metric,
    metric_names,
    range_of,
)
from ackclock.results import Result
from small_tables import streams, transfers

Make = Callable[..., Result]


def test_every_metric_has_a_value_unit_definition_and_source(fake_result: Make) -> None:
    result = fake_result()
    result.transfers, result.streams = transfers(), streams()
    # Nothing finished, and nothing of these was in the run.
    without = {
        "fct.mean",
        "fct.min",
        "fct.max",
        "upward_probes",
        "probe_time",
        "recovery_time",
        "loss_synchronisation",
        "halving_time",
        "doubling_time",
        "backoff_gap_ratio",
        "newcomer_share",
        *(f"round_time.{part}" for part in ("mean", "p50", "p95", "p99")),
    }
    for name, figure in METRICS.items():
        assert figure.definition.endswith(".")
        assert figure.source
        assert figure.unit in {"bit/s", "s", "packets", "1", "bit/s²"}
        if figure.of_recorded:
            # tests/metrics/test_recorded_runs.py has their values.
            continue
        assert (figure.value(result) is None) == (name in without), name
        assert not figure.from_summary or figure.value(result.summary()) == figure.value(result)


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


def test_goodput_of_all_flows_is_over_the_runs_time_and_cannot_exceed_the_link(
    fake_result: Make,
) -> None:
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
    [
        ("lost_packet", "lost_packets"),
        ("utilization", "utilisation"),
        ("queue_delay.p96", "queue_delay.p9"),
        ("jain", "jain_index"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(
        UnknownMetricError, match=f'unknown metric "{wrong}"; did you mean \'{nearest}'
    ):
        find_metric(wrong)


def test_an_unknown_element_is_answered_with_the_nearest(fake_result: Make) -> None:
    with pytest.raises(UnknownMetricError, match=r"no flow .f[.]9.; did you mean 'f[.]"):
        find_metric("goodput@f.9").value(fake_result().summary())
    with pytest.raises(UnknownMetricError, match="of the whole run"):
        find_metric("jain_index@f.1")


def test_names_are_unique_and_listed_in_order() -> None:
    assert metric_names() == list(dict.fromkeys(metric_names()))
    assert metric_names()[0] == "lost_packets"


def test_arguments_are_quantities_in_base_units(fake_result: Make) -> None:
    result = fake_result()
    assert find_metric("rate_variation(timescale=100ms)").arguments == {"timescale": 0.1}
    assert find_metric("fct_slowdown.p99(below=100kB, above=0)").arguments == {
        "below": 100_000.0,
        "above": 0.0,
    }
    assert find_metric("friendliness(to=cubic(beta=0.5,c=0.4))").arguments == {
        "to": "cubic(beta=0.5,c=0.4)"
    }, "text stays text"
    assert find_metric("smoothness()@cubic(beta=0.5).1").element == "cubic(beta=0.5).1"
    assert find_metric("rate_variation(timescale=2s)@cubic(beta=0.5)").element == "cubic(beta=0.5)"
    figure = find_metric("rate_variation(timescale=100ms)@f.1")
    assert (figure.name, figure.element) == ("rate_variation(timescale=100ms)@f.1", "f.1")
    assert figure.value(result) == find_metric("rate_variation(timescale=0.1)@f.1").value(result)
    assert find_metric("jain_index()").name == "jain_index"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("rate_variation(timescales=1s)", r'no parameter "timescales" \(it has timescale\)'),
        ("goodput(timescale=1s)", "it has none at all"),
        ("rate_variation(1s)", '"1s" is not PARAMETER=VALUE'),
        ("rate_variation(timescale=)", "is not PARAMETER=VALUE"),
        ("rate_variation(timescale=fast)", r"no number, time, size or rate, such as 0\.5, 100ms"),
        ("rate_variation(timescale=nan)", "no number"),
        ("rate_variation(timescale=1s", "is not a metric"),
        ("", 'unknown metric ""'),
        ("python:mine", "write python:MODULE:FUNCTION"),
        ("python:no_such_module:f", "there is no module 'no_such_module'"),
        ("python:math:sqrt", r'"sqrt" in "math" is no metric: write @ackclock\.metric'),
        ("python:math:square", 'there is no "square" in "math"'),
    ],
)
def test_a_wrong_call_is_answered_with_what_is_right(wrong: str, message: str) -> None:
    with pytest.raises(UnknownMetricError, match=message):
        find_metric(wrong)


def test_a_metric_of_columns_is_not_made_from_a_summary(fake_result: Make) -> None:
    with pytest.raises(MetricError, match="it needs the Result"):
        find_metric("queue_full_share").value(fake_result().summary())


def test_what_was_not_recorded_is_named(fake_result: Make) -> None:
    result = fake_result()
    result.plan["record"] = {"samples": {"kind": "off"}}
    with pytest.raises(
        MetricError,
        match=r'"smoothness" needs time series, and the run recorded none: set record\.samples',
    ):
        result.metric("smoothness")


def test_elements_of_flows_links_and_streams(fake_result: Make) -> None:
    result = fake_result()
    result.streams = streams()
    assert result.metric("mos@call") == 4.2
    assert result.metric("queue_packets.mean@access") == 0.2
    with pytest.raises(UnknownMetricError, match=r"no stream .cal.; did you mean 'call'"):
        result.metric("mos@cal")
    with pytest.raises(UnknownMetricError, match=r"no link .acces.; did you mean 'access'"):
        result.metric("mark_rate@acces")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            "rate_variation(timescale=0s)",
            "timescale = 0 s is too short: in 20 s it must be more than 0.0002 s",
        ),
        ("rate_variation(timescale=1ns)@f.1", "timescale = 1e-09 s is too short"),
        ("convergence_time(timescale=1us)", "timescale = 1e-06 s is too short"),
        ("convergence_time(timescale=-1)", "timescale = -1 s is too short"),
        ("rtt_jain_index(exponent=-1e9)", "exponent = -1e.09 is too large: at most 10"),
    ],
)
def test_arguments_have_their_range(fake_result: Make, wrong: str, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        fake_result().metric(wrong)


@pytest.mark.parametrize("name", metric_names())
def test_a_metric_has_a_range_that_fits_its_unit(name: str) -> None:
    figure = find_metric(name)
    lowest, highest = range_of(figure)
    assert lowest < highest
    assert highest == math.inf or figure.unit == "1"


def test_a_metric_of_ones_own_says_its_range() -> None:
    for name, limits in (("halving_ms", (0.0, math.inf)), ("in_step", (0.0, math.inf))):
        assert range_of(find_metric(f"python:ackclock_papers.tcp_criteria.window:{name}")) == limits
