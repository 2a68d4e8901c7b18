"""Responses: a metric over all flows or one group, from a result or from its summary alone."""

import pickle

import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.sweeps.responses import Response, members


@pytest.fixture(scope="module")
def result() -> Result:
    flows = [
        ac.flow("reno", name="f", count=3, start="uniform(0s, 200ms)"),
        ac.flow("cubic(beta=0.8)", name="g"),
        ac.flow("cubic", name="h", parallel=2),
    ]
    return ac.run(
        ac.dumbbell(rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="3s")
    )


def test_a_group_is_an_entry_a_flow_or_an_algorithm(result: Result) -> None:
    rows = result.summary()["flows"]
    assert members(rows, "f") == ["f.1", "f.2", "f.3"]
    assert members(rows, "f.2") == ["f.2"]
    assert members(rows, "reno") == ["f.1", "f.2", "f.3"]
    assert members(rows, "cubic") == ["g", "h"]
    assert members(rows, "cubic(beta=0.8)") == ["g"]
    assert members(rows, "h[2]") == ["h[2]"]
    assert members(rows, "x") == []


def test_figures_of_a_group_are_put_together_as_asked(result: Result) -> None:
    goodputs = [Response("r", f"goodput@f.{index}").value(result) for index in (1, 2, 3)]
    rates = [rate for rate in goodputs if rate is not None]
    assert len(rates) == 3
    for over, expected in (
        ("total", sum(rates)),
        ("mean", sum(rates) / 3),
        ("min", min(rates)),
        ("max", max(rates)),
    ):
        assert Response("r", "goodput", "f", over).value(result) == pytest.approx(
            expected, rel=1e-12
        )  # type: ignore[arg-type]


def test_by_itself_a_metric_pools_what_it_counts(result: Result) -> None:
    rows = [row for row in result.summary()["flows"] if row["cc"] == "reno"]
    pooled = sum(row["lost_packets"] for row in rows) / sum(row["sent_packets"] for row in rows)
    assert Response("r", "loss_rate", "reno").value(result) == pooled
    assert Response("r", "loss_rate", "reno", "mean").value(result) != pooled


def test_all_flows_are_meant_where_no_group_is_named(result: Result) -> None:
    every = [row["goodput"] for row in result.summary()["flows"] if row["part_of"] is None]
    assert Response("r", "goodput", None, "min").value(result) == min(every)
    assert Response("r", "goodput").value(result) == result.metric("goodput")


def test_a_summary_is_enough_where_the_metric_says_so(result: Result) -> None:
    for response in (
        Response("r", "loss_rate", "reno"),
        Response("r", "goodput", "f", "total"),
        Response("r", "utilisation"),
    ):
        assert response.from_summary
        assert response.value(result.summary()) == response.value(result)
    assert not Response("r", "rate_variation(timescale=100ms)").from_summary


def test_a_run_without_the_group_has_no_figure(result: Result) -> None:
    assert Response("r", "goodput", "x", "total").value(result) is None


def test_it_travels(result: Result) -> None:
    response = Response("r", "goodput", "f", "total")
    assert pickle.loads(pickle.dumps(response)).value(result) == response.value(result)
    assert (response.unit, response.needs) == ("bit/s", ())
