"""A wrong film in a scenario is told before anything runs; results name its trace."""

import tomllib
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main

Capture = pytest.CaptureFixture[str]

TEXT = """\
duration = "190ms"
[network]
kind = "dumbbell"
bottleneck = { rate = "10Mbit/s", delay = "1ms", limit = "20 packets" }
[[flows]]
name = "film"
app = { kind = "video", trace = "film.trace" }
"""
TRACE = "# frames: 3\n0 0.04 I 100 -\n0.04 0.08 P 100 1\n0.08 0.12 P 100 2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "film.toml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "lab" / "film.trace").write_text(TRACE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


@pytest.mark.parametrize(
    ("setting", "key", "problem"),
    [
        (
            "trace=film.tracce",
            "flows.0.app.trace",
            "lab/film.tracce: there is no such file; did you mean 'film.trace'?",
        ),
        (
            "trace=cut.trace",
            "flows.0.app.trace",
            "lab/cut.trace: 2 of 3 frames: the file is not complete",
        ),
        (
            "trace=broken.trace",
            "flows.0.app.trace",
            "lab/broken.trace: line 3: 2 values, but 5 columns",
        ),
        ("trace=film.mp4", "flows.0.app.trace", "ackclock video-trace film.mp4"),
        ("trace=.", "flows.0.app.trace", "this is a folder"),
        ("trace=empty", "flows.0.app.trace", "lab/empty: this file is empty"),
        ("packet=100kB", "flows.0.app.packet", "at most 65495 bytes"),
        ("playout=0s", "flows.0.app.playout", "zero"),
        ("playout_from=now", "flows.0.app.playout_from", "arrival, sending"),
        ("begin=soon", "flows.0.app.begin", "'soon'"),
        ("rate=fast", "flows.0.app.rate", "'fast'"),
        (
            "rate=1000000Tbit/s",
            "flows.0.app.rate",
            "makes a frame of 5000000000000000 bytes, and 4294967295 is the most: lower it",
        ),
        (
            "trace=huge.trace",
            "flows.0.app.trace",
            "lab/huge.trace: line 2: a frame of 5000000000 bytes",
        ),
        ("looop=true", "flows.0.app.looop", "did you mean 'loop'?"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(
    setting: str, key: str, problem: str, folder: Path, capsys: Capture
) -> None:
    lab = folder / "lab"
    (lab / "cut.trace").write_text(TRACE[: TRACE.rindex("0.08 0.12")], encoding="utf-8")
    (lab / "broken.trace").write_text(TRACE[: TRACE.index(" P 100 1")], encoding="utf-8")
    (lab / "film.mp4").write_bytes(
        b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41" + bytes(range(256))
    )
    (lab / "empty").touch()
    (lab / "huge.trace").write_text(TRACE.replace("I 100", "I 5000000000"), encoding="utf-8")
    assert status("run", "lab/film.toml", "--set", f"flows.film.app.{setting}") == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"lab/film.toml: {key}: ")
    assert problem in said.err
    assert not (folder / "runs").exists()


def test_the_trace_is_beside_the_scenario_and_results_run_again(folder: Path) -> None:
    for _ in range(2):
        # The second takes the place of the first.
        assert status("run", "lab/film.toml", "--quiet", "--no-plots") == 0
    results = folder / "runs" / "film"
    resolved = tomllib.loads((results / "scenario.toml").read_text(encoding="utf-8"))
    assert resolved["flows"][0]["app"]["trace"] == "lab/film.trace"
    assert (
        status("run", str(results / "scenario.toml"), "--out", "again", "--quiet", "--no-plots")
        == 0
    )
    for name in ("scenario.toml", "plan.json", "summary.json", "streams.parquet", "frames.parquet"):
        assert (results / name).read_bytes() == (folder / "again" / name).read_bytes(), name
    again = ac.Result.load(folder / "again")
    assert again.frames.height == 5


def test_flows_of_an_entry_begin_where_the_distribution_says(folder: Path) -> None:
    many = ac.load(
        "lab/film.toml",
        settings=[
            "flows.film.count=8",
            "flows.film.app.begin=uniform(0s, 1s)",
            "flows.film.app.trace=long.trace",
        ],
    )
    (folder / "lab" / "long.trace").write_text(
        "".join(f"{0.04 * n:.2f} I {100 + n}\n" for n in range(25)), encoding="utf-8"
    )
    firsts = [stream["app"]["frames"].split()[0] for stream in many.plan()["streams"]]
    assert len(set(firsts)) > 4
    assert firsts == [stream["app"]["frames"].split()[0] for stream in many.plan()["streams"]]
