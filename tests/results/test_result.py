import json
import struct
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock import _core
from ackclock.results import Result
from ackclock.results.schema import TABLES
from ackclock.results.summary import check
from fake_core import FakeCore, FakeScenario, make_plan

Make = Callable[..., Result]


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_two_runs_leave_the_same_bytes_but_for_the_timing(
    fake_result: Make, tmp_path: Path
) -> None:
    first, second = fake_result(), fake_result()
    second.timing["run_seconds"] = 99.0
    files_of_first, files_of_second = (
        _files(first.write(tmp_path / "a")),
        _files(second.write(tmp_path / "b")),
    )
    assert files_of_first.keys() == files_of_second.keys()
    assert [name for name in files_of_first if files_of_first[name] != files_of_second[name]] == [
        "timing.json"
    ]


@pytest.mark.long
def test_the_folder_holds_what_the_documentation_says(fake_result: Make, tmp_path: Path) -> None:
    expected = {
        "scenario.toml",
        "plan.json",
        "summary.json",
        "timing.json",
        "contents.json",
        "report.html",
    }
    expected |= {
        f"{name}.parquet"
        for name in TABLES
        if name
        not in ("packets", "decisions", "transfers", "streams", "frames", "samples/datagrams")
    }
    assert set(_files(fake_result().write(tmp_path / "run"))) == expected
    expected |= {f"plots/{name}.svg" for name in ("overview", "cwnd", "rate", "rtt", "queue")}
    assert set(_files(fake_result().write(tmp_path / "drawn", plots=True))) == expected


def test_packets_and_captures_are_written_when_the_scenario_asks(tmp_path: Path) -> None:
    scenario, plan = FakeScenario(), make_plan()
    scenario.record.pcap = ["sender", "bottleneck"]
    plan["record"] |= {"packet_senders": [0, 1], "packet_links": [0]}
    result = Result(scenario, plan, FakeCore(), {})
    result.write(tmp_path / "run", plots=False, report=False)
    assert {path.name for path in (tmp_path / "run/pcap").iterdir()} == {
        "sender.pcapng",
        "bottleneck.pcapng",
    }
    assert result.packets["where"].to_list() == ["f.2", "bottleneck"]
    assert result.packets["event"].to_list() == ["send", "drop-forced"]
    again = Result.load(tmp_path / "run")
    assert again.packets.equals(result.packets)
    assert _files(again.write(tmp_path / "copy", plots=False, report=False)) == _files(
        tmp_path / "run"
    )


@pytest.mark.long
def test_a_loaded_result_is_the_one_that_was_written(fake_result: Make, tmp_path: Path) -> None:
    result = fake_result()
    again = Result.load(result.write(tmp_path / "run", plots=False, report=False))
    assert again.summary() == result.summary()
    assert again.flows.equals(result.flows)
    assert again.links.equals(result.links)
    for table in ("flows", "links", "internals"):
        assert getattr(again.samples, table).equals(getattr(result.samples, table))
    assert again.value("lost_packets") == 20
    assert _files(again.write(tmp_path / "copy", plots=False, report=False)) == _files(
        tmp_path / "run"
    )
    assert again.plot().svg() == result.plot().svg()


def test_a_result_can_replace_the_folder_that_it_was_read_from(
    fake_result: Make, tmp_path: Path
) -> None:
    folder = fake_result().write(tmp_path / "run", plots=False, report=False)
    before = _files(folder)
    assert _files(Result.load(folder).write(folder, plots=False, report=False)) == before


def test_every_column_has_a_unit_and_a_meaning_in_its_file(
    fake_result: Make, tmp_path: Path
) -> None:
    folder = fake_result().write(tmp_path / "run", plots=False, report=False)
    for table in ("flows", "links", "samples/flows", "samples/links", "samples/internals"):
        path = folder / f"{table}.parquet"
        columns = pl.read_parquet_schema(path)
        metadata = pl.read_parquet_metadata(path)
        units, meanings = (
            json.loads(metadata["ackclock.units"]),
            json.loads(metadata["ackclock.columns"]),
        )
        assert (
            list(columns)
            == list(units)
            == list(meanings)
            == [column.name for column in TABLES[table][0]]
        )
        assert all(meanings.values())


def test_the_summary_is_in_base_units_and_as_documented(fake_result: Make) -> None:
    summary = check(json.loads(json.dumps(fake_result().summary())))
    assert summary["results_version"] == _core.RESULTS_VERSION
    flow = summary["flows"][0]
    # 980 segments of 1000 bytes in 20 s, 990 packets of 1040 bytes in 20 s
    assert flow["goodput"] == pytest.approx(392e3, rel=1e-12)
    assert flow["throughput"] == pytest.approx(990 * 1040 * 8 / 20, rel=1e-12)
    assert (flow["loss_rate"], flow["retransmit_rate"], flow["timeouts"], flow["fct"]) == (
        0.01,
        0.012,
        1,
        None,
    )
    assert flow["rtt"] == {
        "min": 0.11,
        "mean": 0.15,
        "p50": 0.15,
        "p95": pytest.approx(0.2335, rel=1e-12),
        "p99": 0.24,
    }
    link = summary["links"][0]
    assert link["name"] == "bottleneck"
    assert link["utilisation"] == pytest.approx(0.95, rel=1e-12)
    assert summary["jain_index"] == pytest.approx(1.0, rel=1e-12)


def test_numbers_are_written_so_that_they_read_back_the_same(
    fake_result: Make, tmp_path: Path
) -> None:
    result = fake_result()
    folder = result.write(tmp_path / "run", plots=False, report=False)
    stored = json.loads((folder / "summary.json").read_text())["flows"][0]["goodput"]
    assert struct.pack("d", stored) == struct.pack("d", result.summary()["flows"][0]["goodput"])


def test_a_quantity_that_did_not_exist_yet_is_null_and_not_nan(fake_result: Make) -> None:
    flows = fake_result().samples.flows
    assert flows["ssthresh"].null_count() == 2 * 99  # both flows' samples before 1 s
    assert flows["ssthresh"].is_nan().any() is False
    assert flows["flow"].to_list()[:2] == ["f.1", "f.2"]
    assert set(flows["state"]) == {"open"}


def test_without_samples_there_are_no_plots_and_the_error_says_what_to_set(
    fake_result: Make, tmp_path: Path
) -> None:
    result = fake_result()
    result.plan["record"] = {"samples": {"kind": "off"}}
    folder = result.write(tmp_path / "run", plots=True)
    assert not (folder / "plots").exists()
    assert not (folder / "samples").exists()
    assert "record.samples" in (folder / "report.html").read_text()
    with pytest.raises(ValueError, match=r"record\.samples"):
        result.plot()


def test_a_link_without_a_rate_has_no_utilisation() -> None:
    core = FakeCore()
    core.link_counters[3] |= {"rate": None, "busy_time": 0.0}
    result = Result(FakeScenario(), make_plan(), core, {})
    assert result.summary()["links"][3]["utilisation"] is None


def test_a_folder_that_is_no_result_is_left_alone(fake_result: Make, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("years of work")
    with pytest.raises(
        FileExistsError,
        match=r"holds 'thesis\.tex', which ackclock did not write: no earlier run is there \(no "
        r"summary\.json\)",
    ):
        fake_result().write(tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_failure_while_writing_leaves_nothing_behind(
    fake_result: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = fake_result()
    before = _files(result.write(tmp_path / "run", plots=False, report=False))

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("ackclock.pages.run.write_report", fail)
    with pytest.raises(OSError, match="disk full"):
        result.write(tmp_path / "run")
    assert _files(tmp_path / "run") == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_loading_something_else_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"not the folder of a run: summary\.json is missing"
    ):
        Result.load(tmp_path)


def test_loading_another_layout_says_so(fake_result: Make, tmp_path: Path) -> None:
    folder = fake_result().write(tmp_path / "run", plots=False, report=False)
    summary = json.loads((folder / "summary.json").read_text())
    (folder / "summary.json").write_text(json.dumps(summary | {"results_version": 999}))
    with pytest.raises(ValueError, match="version 999"):
        Result.load(folder)


def test_a_result_that_was_read_has_the_brief_and_the_cautions_of_the_run(tmp_path: Path) -> None:
    made = ac.run(
        ac.dumbbell(
            rate="10Mbit/s", rtt="20ms", buffer="1bdp", flows=[ac.flow("reno")], duration="1s"
        )
    )
    made.write(tmp_path / "run")
    read = ac.Result.load(tmp_path / "run")
    assert read.brief() == made.brief()
    assert "diagnosis" not in read.brief()
    assert read.cautions() == made.cautions()
