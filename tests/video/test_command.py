"""``ackclock video-trace`` as a user calls it."""

import json
import struct
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.scenario.video import read

Capture = pytest.CaptureFixture[str]
LIST = "0 I 1000\n0.04 P 300\n0.08 P 200\n0.12 I 900\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "list.txt").write_text(LIST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(["video-trace", *arguments])
    return stopped.value.code


def test_a_trace_is_written_and_told_of(folder: Path, capsys: Capture) -> None:
    assert status("list.txt") == 0
    said = capsys.readouterr()
    assert "GOP" in said.out
    # 900 B follow the first second's start too: 8 (1000 + 300 + 200 + 900) bits within 0.16 s of
    # film.
    assert "0.12 Mbit/s mean" in said.out
    assert "Trace: list.trace" in said.err
    trace = read(folder / "list.trace")
    assert [frame.size for frame in trace.frames] == [1000, 300, 200, 900]
    assert trace.about["command"] == "ackclock video-trace list.txt"
    assert status("list.txt", "--frames", "3", "--quiet") == 0
    assert len(read(folder / "list.trace").frames) == 3


def test_json_has_the_figures(folder: Path, capsys: Capture) -> None:
    assert folder.is_dir()
    assert status("list.txt", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["frames"] == 4
    assert figures["gop"] == [3, 3.0, 3]
    assert figures["peak_rate"] == 8 * 2400
    assert figures["rate"] == pytest.approx(8 * 2400 / 0.16)


def test_ns2_s_binary_is_written_and_read(folder: Path) -> None:
    assert status("list.txt", "--format", "ns2", "-q") == 0
    data = (folder / "list.ns2").read_bytes()
    assert list(struct.iter_unpack(">II", data)) == [
        (40_000, 1000),
        (40_000, 300),
        (40_000, 200),
        (40_000, 900),
    ]
    assert status("list.ns2", "--out", "back.trace", "-q") == 0
    assert status("back.trace", "--format", "ns2", "--out", "again.ns2", "-q") == 0
    assert (folder / "again.ns2").read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nothing.txt"], "nothing.txt: there is no such file"),
        (["lists.txt"], "did you mean 'list.txt'?"),
        (["."], "this is a folder"),
        (["empty.mp4"], "empty.mp4: this file is empty"),
        (["noise.mp4"], "no film that FFmpeg can read"),
        (["cut.ns2"], "the file is not complete"),
        (["list.txt", "--out", "foreign.txt"], "is there and is no such trace"),
        (["list.txt", "--out", "list.txt"], "is the file that is read"),
        (["list.txt", "--out", "."], "is a folder"),
        (["list.txt", "--out", "no/where"], "there is no folder"),
        (["list.txt", "--start", "1s"], "no frame is in the part"),
        (["list.txt", "--start", "1"], "--start: time '1' has no unit"),
        (["list.txt", "--frames", "1"], "--frames"),
        (["list.txt", "--from", "ns2"], "the file is not complete"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(
    arguments: list[str], problem: str, folder: Path, capsys: Capture
) -> None:
    (folder / "empty.mp4").touch()
    (folder / "noise.mp4").write_bytes(bytes(range(256)) * 40)
    (folder / "cut.ns2").write_bytes(struct.pack(">II", 10, 100) * 2 + b"\0")
    (folder / "foreign.txt").write_text("mine", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert status(*arguments) == 2
    said = capsys.readouterr()
    assert problem in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
