import copy
import json
import math
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ackclock.metrics import UnknownMetricError
from ackclock.results import Comparison, Result

Make = Callable[..., Result]
LOST = {("reno", 1): (10, 12, 14), ("cos+reno", 1): (9, 11, 13), ("reno", 5): (50, 60, 70), ("cos+reno", 5): (20, 30, 40)}


@pytest.fixture
def cells(fake_result: Make) -> list[dict[str, Any]]:
    made = []
    summary = fake_result(1).summary()
    for (variant, count), losses in LOST.items():
        for seed, lost in enumerate(losses, start=1):
            own = copy.deepcopy(summary)
            own["flows"][0]["lost_packets"] = lost
            made.append({"variant": variant, "along": {"flows.count": count}, "seed": seed, "summary": own})
    return made


def test_table_has_the_mean_and_the_interval_of_each_cell(cells: list[dict[str, Any]]) -> None:
    table = Comparison(cells).table("lost_packets")
    assert table.columns == ["flows.count", "variant", "mean", "low", "high", "seeds", "identical", "method"]
    row = table.row(0, named=True)
    assert (row["flows.count"], row["variant"], row["mean"], row["seeds"]) == (1, "reno", 12.0, 3)
    # t(2, 0.975) = 4.30265 from the printed table; s = 2, n = 3. On the log scale of a count: mean times exp(t s / sqrt(n) / mean).
    step = 4.302652730 * 2 / 3**0.5 / 12.0
    assert (row["low"], row["high"]) == pytest.approx((12.0 * math.exp(-step), 12.0 * math.exp(step)), rel=1e-9)
    assert (row["identical"], row["method"]) == (False, "t")


def test_differences_are_taken_seed_by_seed(cells: list[dict[str, Any]]) -> None:
    difference = Comparison(cells).difference("lost_packets").filter(variant="cos+reno").row(0, named=True)
    # Each seed differs by exactly one packet: the means' own intervals overlap, the difference has no interval.
    assert (difference["mean"], difference["low"], difference["high"]) == (-1.0, None, None)
    assert (difference["identical"], difference["method"], difference["seeds"]) == (True, "constant", 3)


def test_what_one_run_lacks_is_left_out_and_what_all_lack_is_null(cells: list[dict[str, Any]]) -> None:
    cells[0]["summary"]["flows"][0]["fct"] = 3.0
    table = Comparison(cells).table("fct.mean")
    assert table["mean"].to_list() == [3.0, None, None, None]
    assert table["seeds"].to_list() == [1, 0, 0, 0]
    assert table["low"].null_count() == 4


def test_an_unknown_metric_is_answered_with_the_nearest(cells: list[dict[str, Any]]) -> None:
    with pytest.raises(UnknownMetricError, match='nearest: "goodput"'):
        Comparison(cells).table("gooodput")
    with pytest.raises(UnknownMetricError, match='nearest: "goodput"'):
        Comparison(cells, metric="gooodput")


def test_terminal_table_fits_eighty_columns_and_names_the_difference(cells: list[dict[str, Any]]) -> None:
    console = Console(width=80, record=True, file=StringIO())
    console.print(Comparison(cells, metric="lost_packets"))
    text = console.export_text()
    assert "12.0 [7.9, 18.2]" in text
    assert "−30 in each (−50 %)" in text
    assert "± 0" not in text
    assert "…" not in text


def test_without_a_metric_throughput_delay_and_losses_are_shown(cells: list[dict[str, Any]]) -> None:
    comparison = Comparison(cells)
    assert [figure.name for figure in comparison.metrics] == ["goodput", "queue_delay.p95", "loss_rate"]
    console = Console(width=80, record=True, file=StringIO())
    console.print(comparison)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    assert all(name in text for name in ("goodput", "queue delay p95", "loss rate"))
    assert "Jain" not in text, "one flow shares with nobody"
    stored = comparison.to_dict()
    assert [one["name"] for one in stored["metrics"]] == ["goodput", "queue_delay.p95", "loss_rate"]


def test_one_seed_has_no_interval_and_says_so(cells: list[dict[str, Any]]) -> None:
    grid = Comparison([cell for cell in cells if cell["seed"] == 1]).grid("lost_packets")
    assert grid.rows[0] == ["1", "10", "9", "−1 (−10 %)"]
    assert "more seeds" in grid.note


def test_a_small_difference_is_not_called_none_of_a_percent(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        flow = cell["summary"]["flows"][0]
        # 0.1 % more under the other algorithm, a little different with each seed.
        flow["lost_packets"] = 100_000 + (100 + cell["seed"] if cell["variant"] != "reno" else 0)
    grid = Comparison(cells).grid("lost_packets")
    assert "(+0.1 %)" in grid.rows[0][-1]


def test_without_along_keys_there_is_one_row(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        cell["along"] = {}
    grid = Comparison([cell for cell in cells if cell["summary"]["flows"][0]["lost_packets"] < 15]).grid()
    assert len(grid.rows) == 1
    assert grid.rows[0][0] == "all"


def test_the_same_warning_of_many_runs_is_one_line(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        cell["summary"]["warnings"] = [f"Flow f was limited by its clamp for {cell['seed']} %: raise transport.max_cwnd."]
    warnings = Comparison(cells).warnings
    assert len(warnings) == 2
    assert warnings[0].startswith("reno, flows.count 1, seed 1: Flow f was limited by its clamp for 1 %")
    assert warnings[0].endswith("(6 runs of reno warn of this.)")


def test_folder_is_the_same_bytes_twice_and_reads_back(cells: list[dict[str, Any]], tmp_path: Path) -> None:
    for name in ("a", "b"):
        Comparison(cells, metric="lost_packets", scenario='name = "P1"\n').write(tmp_path / name)
    names = sorted(str(path.relative_to(tmp_path / "a")) for path in (tmp_path / "a").rglob("*") if path.is_file())
    expected = ["comparison.json", "comparison.parquet", "contents.json", "plots/lost_packets.pdf", "plots/lost_packets.svg", "report.html"]
    assert names == [*expected, "scenario.toml"]
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in names)
    again = Comparison.load(tmp_path / "a")
    assert again.table().equals(Comparison(cells).table("lost_packets"))
    assert json.loads((tmp_path / "a/comparison.json").read_text())["metric"]["unit"] == "packets"


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        Comparison([])
