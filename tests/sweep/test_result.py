import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ackclock as ac
from ackclock.atomic_io.reading import DamagedError
from ackclock.sweeps.result import SweepResult
from ackclock.sweeps.sweeping import open_sweep
from sweep_designs import design, made_up

SMALL: Any = {"axes": [{"flows.cc": ["reno", "cubic"]}], "comparisons": ["cc"], "replications": 12}


def noisy(setting: int, replication: int) -> float:
    return setting + (replication * 7 % 12) / 12


def small(**given: Any) -> SweepResult:
    of = design(**{**SMALL, **given})
    return SweepResult.of(of, made_up(of, noisy))


def bytes_of(folder: Path) -> dict[str, str]:
    """The bytes of every file but plots, whose own tests these are."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.is_file()
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small().write(tmp_path_factory.mktemp("sweeps") / "small")


def test_what_was_written_is_read_back(written: Path) -> None:
    result, copy = small(), open_sweep(written)
    assert_frame_equal(copy.runs, result.runs)
    assert_frame_equal(copy.responses, result.responses)
    assert_frame_equal(copy.differences, result.differences)
    assert [response.name for response in copy.design.responses] == ["utilisation", "goodput"]
    assert copy.warmup_ps is None
    assert repr(copy) == "SweepResult(scenario: 2 settings of cc (2); 24 runs)"


def test_the_files_are_the_frames(written: Path) -> None:
    result = small()
    assert_frame_equal(pl.read_parquet(written / "responses.parquet"), result.responses)
    assert_frame_equal(pl.read_parquet(written / "differences.parquet"), result.differences)
    assert {path.name for path in written.iterdir()} == {
        *(
            "sweep.toml",
            "sweep.json",
            "runs.parquet",
            "responses.parquet",
            "differences.parquet",
            "plots",
            "report.html",
        ),
        "contents.json",
    }


def test_the_summary_says_what_made_the_intervals_and_what_chance_makes(written: Path) -> None:
    stored = json.loads((written / "sweep.json").read_text(encoding="utf-8"))
    assert (stored["kind"], stored["settings"], stored["runs"], stored["replications"]) == (
        *("ackclock sweep", 2, 24, {"least": 12, "most": 12}),
    )
    assert stored["intervals"] == {"t": 4}
    # The made-up differences are one and the same with every seed.
    assert stored["intervals_of_differences"] == {"constant": 2}
    assert stored["by_chance"] == {"shown": 0, "apart": 0, "expected": 0.0}
    assert stored["unchanged"] == []


@pytest.mark.long
def test_the_same_runs_are_the_same_bytes_written_twice_or_over_an_older_sweep(
    written: Path, tmp_path: Path
) -> None:
    again = small().write(tmp_path / "small")
    assert bytes_of(again) == bytes_of(written)
    small(replications=3).write(tmp_path / "other")
    (tmp_path / "other" / "runs").mkdir()
    (tmp_path / "other" / "runs" / "store.json").write_text("{}")
    over = small().write(tmp_path / "other")
    assert bytes_of(over) == bytes_of(written)
    # What else is there, the store above all, stays.
    assert (over / "runs" / "store.json").exists()


def test_values_of_no_effect_are_in_the_result() -> None:
    of = design(**SMALL)
    result = SweepResult.of(of, made_up(of, lambda _, at: float(at)))
    assert [str(entry) for entry in result.unchanged] == [
        (
            "axis 'cc': reno and cubic gave the same bytes in every run: it changes nothing "
            "between "
            "them"
        )
    ]


def test_a_table_is_of_one_response() -> None:
    result = small()
    assert result.table()["response"].unique().to_list() == ["utilisation"]
    assert result.table("goodput")["cc"].to_list() == ["reno", "cubic"]
    with pytest.raises(
        ValueError, match="there is no response 'goodputs', only utilisation, goodput; did you mean"
    ):
        result.table("goodputs")


def test_where_the_sequential_stop_came_to_is_told() -> None:
    result = small(stop={"response": "goodput", "half_width": "1Mbit/s", "most": 12})
    assert [
        (outcome.settings, outcome.replications, outcome.reached) for outcome in result.stopped
    ] == [((0, 1), 12, True)]


def test_folders_that_are_no_finished_sweeps_say_so(written: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not the folder of a sweep"):
        open_sweep(tmp_path)
    (tmp_path / "sweep.toml").write_bytes((written / "sweep.toml").read_bytes())
    with pytest.raises(FileNotFoundError, match="not finished: ackclock sweep status"):
        open_sweep(tmp_path)
    (tmp_path / "runs.parquet").write_bytes((written / "runs.parquet").read_bytes())
    stored = json.loads((written / "sweep.json").read_text(encoding="utf-8"))
    (tmp_path / "sweep.json").write_text(json.dumps({**stored, "results_version": 1}))
    with pytest.raises(ValueError, match="written in version 1 of the results' layout"):
        open_sweep(tmp_path)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("chapter")
    with pytest.raises(
        FileExistsError,
        match=r"holds 'thesis\.tex', which ackclock did not write: no earlier sweep is there",
    ):
        small().write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_that_cannot_be_written_leaves_the_earlier_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = small(replications=3)
    earlier.write(tmp_path / "sweep")
    before = bytes_of(tmp_path / "sweep")

    def full(*_: Any, **__: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OSError, match="no space"):
        small().write(tmp_path / "sweep")
    assert bytes_of(tmp_path / "sweep") == before
    assert_frame_equal(ac.open_sweep(tmp_path / "sweep").runs, earlier.runs)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("responses", 3),
        ("responses", [{}]),
        ("responses", [{"name": "x", "metric": "y", "unit": "s", "definition": "d"}]),
        ("warmup_ps", "1 s"),
        ("warnings", [None]),
        ("starts", []),
        ("starts", {"within_ps": 0}),
        ("notes", {}),
    ],
)
def test_a_sweep_json_of_another_shape_is_told(
    written: Path, tmp_path: Path, key: str, value: object
) -> None:
    copy = Path(shutil.copytree(written, tmp_path / "copy"))
    stored = json.loads((copy / "sweep.json").read_text(encoding="utf-8"))
    (copy / "sweep.json").write_text(json.dumps({**stored, key: value}), encoding="utf-8")
    with pytest.raises(DamagedError, match=r"sweep\.json: damaged, or not the results of a sweep"):
        SweepResult.load(copy)


def test_a_table_of_other_runs_is_told(written: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(written, tmp_path / "copy"))
    file = copy / "runs.parquet"
    frame = pl.read_parquet(file)
    for wrong in (
        frame.drop("seed"),
        frame.with_columns(digest=pl.lit(1)),
        frame.with_columns(setting=pl.lit(99, dtype=pl.Int64)),
        frame.with_columns(key=pl.lit(None, dtype=pl.String)),
    ):
        wrong.write_parquet(file)
        with pytest.raises(DamagedError, match=r"runs\.parquet: damaged"):
            SweepResult.load(copy)
