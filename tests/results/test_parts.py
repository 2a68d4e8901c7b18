"""A flow of several subflows in results: once in every figure, with its subflows beside it."""

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from ackclock.pages.run.run import facts
from ackclock.plot_data.series import groups, lines, rate_lines
from ackclock.results import Result
from ackclock.results.series import flow_series
from fake_core import END, FakeCore, FakeScenario, flow_counters, flow_plan, make_plan


def striped(connections: int = 2) -> Result:
    names = [f"f[{number}]" for number in range(1, connections + 1)]
    plan = make_plan(connections) | {
        "flows": [flow_plan(name, part_of={"name": "f", "chunk_bytes": 65_536}) for name in names]
    }
    core = FakeCore(connections)
    core.names = names
    limits = {"cwnd": 10.0, "receive_window": 10.0, "application": 0.0, "pacing": 0.0, "clamp": 0.0}
    whole = flow_counters(
        "f", sent_packets=1000 * connections, lost_packets=10 * connections, limited=limits
    )
    core.flow_counters = [
        whole,
        *(flow_counters(name, part_of="f", limited=limits) for name in names),
    ]
    return Result(FakeScenario(), plan, core, {})


def text(result: Result) -> str:
    console = Console(width=80, record=True, file=StringIO())
    console.print(result)
    return console.export_text()


def test_metrics_count_the_flow_and_not_its_connections() -> None:
    result = striped()
    assert result.value("lost_packets") == 20
    assert result.value("loss_rate") == 20 / 2000
    assert result.value("jain_index") == 1.0
    assert result.value("finished_flows") == 0
    assert result.value("lost_packets@f[2]") == 10


def test_the_diagnosis_has_the_flow_once() -> None:
    (flow,) = striped().diagnosis
    assert flow["flow"] == "f"
    assert "receive-window" in {limit["kind"] for limit in flow["limits"]}


def test_the_terminal_shows_connections_under_their_flow_where_there_is_room() -> None:
    assert "\n   f[2] " in text(striped())
    many = text(striped(12))
    assert "f[2]" not in many
    assert "… 12 more connections" in " ".join(many.split())
    assert "1 × reno over 12 connections" in facts(striped(12))


def test_the_plots_add_the_flow_as_the_sum_of_its_connections() -> None:
    result = striped()
    flows = flow_series(result)
    assert [flow.name for flow in flows] == ["f", "f[1]", "f[2]"]
    whole, *parts = flows
    assert len(whole.time) == len(parts[0].time)
    for column in ("cwnd", "delivered"):
        total = sum(part.column(column) for part in parts)
        # At the end the connections' windows are gone.
        np.testing.assert_allclose(whole.column(column)[:-1], np.asarray(total)[:-1])
    np.testing.assert_allclose(
        whole.column("rtt_sample"), sum(part.column("rtt_sample") for part in parts) / len(parts)
    )
    rates, _ = rate_lines(flows, END)
    np.testing.assert_allclose(rates[0].value, rates[1].value + rates[2].value)
    assert [label for label, _ in groups(flows)] == ["f (reno)", "f[1]", "f[2]"]


def test_many_connections_are_drawn_as_median_and_quartiles_beside_their_flow() -> None:
    flows = flow_series(striped(8))
    drawn = lines(flows, lambda flow: flow.column("cwnd"), END)
    assert [line.label for line in drawn] == ["f (reno)", "f's connections: median, quartiles of 8"]
    assert drawn[0].low is None
    assert drawn[1].low is not None


def test_a_flow_of_which_only_some_connections_are_recorded_is_not_summed() -> None:
    result = striped(3)
    result.samples.flows = result.samples.flows.filter(result.samples.flows["flow"] != "f[3]")
    result.plan["record"]["flows"] = [0, 1]
    assert [flow.name for flow in flow_series(result)] == ["f[1]", "f[2]"]


def test_a_connection_that_was_never_opened_is_part_of_the_sum_and_one_for_requests_is_not() -> (
    None
):
    result = striped(3)
    result.samples.flows = result.samples.flows.filter(result.samples.flows["flow"] != "f[3]")
    assert [flow.name for flow in flow_series(result)] == ["f", "f[1]", "f[2]"]
    result.plan["flows"][1]["part_of"]["is_request"] = True
    assert [flow.name for flow in flow_series(result)] == ["f", "f[1]"]


@pytest.mark.parametrize("connections", [2, 20])
def test_a_folder_is_written_and_read_back(
    connections: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("run") / "striped"
    result = striped(connections)
    again = Result.load(result.write(folder))
    assert again.summary() == result.summary()
    assert again.flows["part_of"].to_list() == [None, *["f"] * connections]
