"""The data of the pages' figures: packed numbers, one axis of time, the rows of a sweep."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.pages.run.charts.grid import Grid
from ackclock.pages.run.charts.packing import packed, unpacked
from ackclock.pages.run.charts.sweep import charts
from ackclock.pages.run.charts.timeline import MOST_SINGLE, timeline
from ackclock.plot_data.sweep.boxes import box_of
from ackclock.results import Result
from ackclock.sweeps.result import SweepResult
from sweep_frames import CC, COUNT, DELAY, LIMIT, PATH, UTILISATION, fake_sweep

Make = Callable[..., Result]


@given(st.lists(st.floats(1e-200, 1e9) | st.sampled_from([0.0, float("nan")]), max_size=50))
def test_packed_numbers_come_back_within_a_step(values: list[float]) -> None:
    given_values = np.array(values, dtype=float)
    numbers = packed(given_values)
    back = unpacked(numbers)
    assert np.array_equal(np.isnan(back), np.isnan(given_values))
    assert np.nanmax(np.abs(back - given_values), initial=0.0) <= 0.51 * numbers["step"]
    largest = np.nanmax(given_values, initial=0.0)
    # The next step of 1, 2, 5 above 1/65534 is at most 2.5 times that.
    assert largest == 0.0 or numbers["step"] <= largest / 13_000


def test_samples_of_one_period_keep_their_moments() -> None:
    early = np.arange(10) / 10
    late = early[5:]
    grid = Grid.over([early, late], 1.0, 100)
    assert grid.time == pytest.approx(early)
    line = grid.line(grid.time[5:], np.arange(5.0), 1.0)
    assert np.isnan(line[:5]).all()
    assert line[5:].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_thinning_keeps_every_spike_in_its_order() -> None:
    time = np.linspace(0.0, 10.0, 100_000)
    value = np.ones(100_000)
    value[[12_345, 77_777]] = 9.0, 0.0
    grid = Grid.over([time], 10.0, 500)
    line = grid.line(time, value, 10.0)
    assert len(line) == len(grid.time) == 1000
    assert (np.nanmax(line), np.nanmin(line)) == (9.0, 0.0)
    assert grid.time[np.nanargmax(line)] == pytest.approx(1.2345, abs=0.02)
    rising = grid.line(time, time, 10.0)
    assert (np.diff(rising) >= 0.0).all()
    assert (np.diff(grid.line(time, -time + 10.0, 10.0)) <= 0.0).all()


def test_a_value_that_changes_rarely_holds_until_the_next_and_ends_with_its_flow() -> None:
    time, value = np.array([0.0, 2.0, 4.0]), np.array([1.0, 5.0, 3.0])
    other = np.linspace(0.0, 10.0, 5001)
    grid = Grid.over([time, other], 10.0, 100)
    line = grid.line(time, value, 6.0)
    at = {moment: line[np.searchsorted(grid.time, moment)] for moment in (1.0, 3.0, 5.0)}
    assert at == {1.0: 1.0, 3.0: 5.0, 5.0: 3.0}
    assert np.isnan(line[grid.time > 6.2]).all()


def test_few_flows_have_a_line_each_and_many_a_median_beside_hidden_lines(
    fake_result: Make,
) -> None:
    few, many = timeline(fake_result(2)), timeline(fake_result(20))
    assert [line["name"] for line in few["lines"][:2]] == ["f.1 (reno)", "f.2 (cos+reno)"]
    assert all(line["shown"] for line in few["lines"])
    assert [line["name"] for line in many["lines"][:2]] == [
        "reno: median, quartiles of 10",
        "cos+reno: median, quartiles of 10",
    ]
    single = [line for line in many["lines"] if line.get("single")]
    assert len(single) == 20
    assert not any(line["shown"] for line in single)
    crowd = timeline(fake_result(MOST_SINGLE + 1))
    assert not any(line.get("single") for line in crowd["lines"])


def test_every_curve_is_as_long_as_its_panels_time(fake_result: Make) -> None:
    for flows in (1, 2, 20):
        data = timeline(fake_result(flows))
        assert [panel["id"] for panel in data["panels"]] == ["cwnd", "goodput", "rtt", "queue"]
        for panel in data["panels"]:
            length = len(data["times"][panel["time"]])
            for curve in panel["curves"]:
                assert curve["line"] < len(data["lines"])
                for part in ("value", "low", "high"):
                    assert part not in curve or len(unpacked(curve[part])) == length


def test_equal_results_give_equal_data(fake_result: Make) -> None:
    first, other = (json.dumps(timeline(fake_result(20))) for _ in range(2))
    assert first == other


@pytest.fixture(scope="module")
def buffers() -> SweepResult:
    return fake_sweep((LIMIT, CC), UTILISATION | DELAY, replications=6, compared="cc")


def test_every_suitable_figure_has_rows_with_words_and_a_finding(buffers: SweepResult) -> None:
    figures = charts(buffers)
    assert {kind for kind, _ in figures} == {"scatter", "line", "difference", "box", "cdf"}
    for data in figures.values():
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert data["rows"]
        assert all(row["text"] for row in data["rows"])
        assert data["says"].endswith(".")


def test_means_are_those_of_the_table_in_the_shown_unit(buffers: SweepResult) -> None:
    data = charts(buffers)["line", "utilisation"]
    table = buffers.table("utilisation")
    assert data["x"]["type"] == "log"
    assert data["x"]["values"] == [5.0, 10.0, 20.0, 40.0]
    assert data["y"]["unit"] == "%"
    assert sorted(row["y"] for row in data["rows"]) == pytest.approx(
        sorted(100.0 * mean for mean in table["mean"]), rel=1e-5
    )
    assert all(row["low"] < row["y"] < row["high"] for row in data["rows"])
    assert data["rows"][0]["text"].startswith("reno, limit 5 packets: utilisation ")
    assert data["rows"][0]["text"].endswith(" % (6 seeds)")


def test_a_difference_tells_whether_it_is_clear(buffers: SweepResult) -> None:
    data = charts(buffers)["difference", "utilisation"]
    for row in data["rows"]:
        assert row["clear"] == (row["low"] > 0.0 or row["high"] < 0.0)
    clear = sum(row["clear"] for row in data["rows"])
    assert f"{clear} of {len(data['rows'])} intervals leave out no difference" in data["says"]


def test_many_differences_are_lines_over_the_axis_of_numbers() -> None:
    result = fake_sweep((COUNT, CC, PATH), UTILISATION, replications=3, compared="cc")
    data = charts(result)["difference", "utilisation"]
    assert data["kind"] == "line"
    assert data["y"]["neutral"] == 0.0
    assert data["panels"] == ["path = slow", "path = fast"]
    assert {row["by"] for row in data["rows"]} == {1, 2}


def test_a_heat_map_tells_where_least_and_most_are() -> None:
    result = fake_sweep((LIMIT, COUNT), UTILISATION, replications=2)
    data = charts(result)["heat", "utilisation"]
    assert {(row["x"], row["y"]) for row in data["rows"]} == {
        (x, y) for x in range(len(data["x"]["labels"])) for y in range(len(data["y"]["labels"]))
    }
    assert data["says"].startswith("Utilisation (%). Least at ")
    assert "; most at " in data["says"]


def test_a_distribution_ends_at_all_runs(buffers: SweepResult) -> None:
    data = charts(buffers)["cdf", "utilisation"]
    for panel in range(len(data["panels"])):
        for by in range(3):
            own = [row for row in data["rows"] if (row["panel"], row["by"]) == (panel, by)]
            assert [row["x"] for row in own] == sorted(row["x"] for row in own)
            assert own[-1]["y"] == 100.0


def test_whiskers_end_at_runs_within_their_reach() -> None:
    box = box_of(np.array([1.0, 2.0, 3.0, 4.0, 100.0]))
    assert box == (1.0, 2.0, 3.0, 4.0, 4.0)
    assert box_of(np.array([2.0])) == (2.0,) * 5
