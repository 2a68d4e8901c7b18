"""Axes and templates: the cells that a row's declaration makes."""

from __future__ import annotations

import pytest

from ackclock.evaluation.cell import Cell, Context
from ackclock.evaluation.grid import Grid, dumbbell, flow, goodput, grid, grids, path

FULL, QUICK = Context("reno"), Context("reno", quick=True)


def ids(cells: Grid, context: Context = FULL) -> list[str]:
    return [cell.id for cell in cells(context)]


def test_the_last_axis_is_the_fastest_and_names_in_a_tuple_vary_together() -> None:
    cells = grid(dumbbell, {("rate", "rtt"): ((4, 10), (100, 40)), "buffer": (0.25, 1)}, seconds=60)
    assert ids(cells) == [
        "4 Mbit/s, 10 ms, 0.25 BDP",
        "4 Mbit/s, 10 ms, 1 BDP",
        "100 Mbit/s, 40 ms, 0.25 BDP",
        "100 Mbit/s, 40 ms, 1 BDP",
    ]
    last = cells(FULL)[-1]
    assert dict(last.labels) == {"rate": "100 Mbit/s", "RTT": "40 ms", "buffer": "1 BDP"}
    assert dict(last.values) == {"rate": 100, "rtt": 40, "buffer": 1, "seconds": 60}
    assert (last.base_rtt, last.rate) == (0.04, 100e6)
    bottleneck = last.scenario["network"]["bottleneck"]
    # 100 Mbit/s times 40 ms are 500 kB, or 333.3 packets of 1500 bytes.
    assert (bottleneck["delay"], bottleneck["limit"]) == ("20ms", "333 packets")


def test_a_quick_grid_has_its_own_values_and_picks_labels_by_name() -> None:
    cells = grid(
        dumbbell,
        {"link": {"slow": {"slot": "10ms"}, "jitter": {"jitter": "5ms"}}, "flows": (1, 2)},
        quick={"link": ("jitter",), "flows": (2,)},
        rate=20,
        rtt=40,
        seconds=60,
    )
    assert ids(cells) == ["slow, 1 flow", "slow, 2 flows", "jitter, 1 flow", "jitter, 2 flows"]
    assert ids(cells, QUICK) == ["jitter, 2 flows"]
    (cell,) = cells(QUICK)
    assert cell.scenario["network"]["bottleneck"]["jitter"] == "5ms"
    assert cell.scenario["flows"][0]["count"] == 2


@pytest.mark.parametrize(
    ("seconds", "full", "quick"), [(60, 70.0, 40.0), ((30, 10), 40.0, 20.0)], ids=["half", "both"]
)
def test_a_quick_run_measures_half_or_its_own_time(
    seconds: float | tuple[float, float], full: float, quick: float
) -> None:
    cells = grid(dumbbell, {"rtt": (10,)}, rate=20, seconds=seconds)
    assert [cells(context)[0].duration for context in (FULL, QUICK)] == [full, quick]


def test_grids_stand_one_after_the_other() -> None:
    one_way = grid(dumbbell, {"rtt": (10,)}, rate=20, seconds=60)
    other = grid(dumbbell, {"flows": (4, 8)}, rate=20, rtt=40, seconds=60)
    assert ids(grids(one_way, other)) == ["10 ms", "4 flows", "8 flows"]


def test_a_link_is_in_packets_and_keys_of_its_own_come_last() -> None:
    def bottleneck(cell: Cell) -> dict:
        return cell.scenario["network"]["bottleneck"]

    assert bottleneck(dumbbell(4, 10, 0.25, seconds=1))["limit"] == "4 packets"
    assert bottleneck(dumbbell(4, 10, seconds=1, limit=20))["limit"] == "20 packets"
    assert bottleneck(dumbbell(4, 10, seconds=1, limit="300ms"))["limit"] == "300ms"
    lossy = bottleneck(dumbbell(4, 10, seconds=1, loss=2, link={"rate": "1Gbit/s"}))
    assert lossy["loss"] == {"kind": "bernoulli", "p": 0.02}
    assert lossy["rate"] == "1Gbit/s"


def test_a_path_has_a_warmup_of_50_rtts_and_at_least_10_s() -> None:
    times = [
        (cell.scenario["duration"], cell.scenario.get("warmup"))
        for cell in (
            path({}, 1, rate=1, rtt=40, seconds=5),
            path({}, 1, rate=1, rtt=600, seconds=5),
            path({}, 1, rate=1, rtt=40, seconds=5, warmup=0),
        )
    ]
    assert times == [("15s", "10s"), ("35s", "30s"), ("5s", None)]


def test_flows_have_names_and_goodputs_by_name() -> None:
    assert flow("cubic", "v", count=2) == {
        "name": "v",
        "start": "uniform(0s, 1s)",
        "count": 2,
        "cc": "cubic",
    }
    assert "cc" not in flow(None)
    assert goodput("v") == {"name": "good v", "metric": "goodput", "flows": "v"}
