"""``ackclock pcap``, as a user calls it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.cli import main
from pcap.seen import captured

if TYPE_CHECKING:
    from pathlib import Path

Streams = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return captured(tmp_path_factory.mktemp("cli"), duration="5s")[1] / "sender.pcapng"


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def test_it_shows_connection_and_path(file: Path, capsys: Streams) -> None:
    assert status("pcap", str(file)) == 0
    text = capsys.readouterr().out
    for word in ("10.0.0.1:49152", "at the sender", "Estimated path", "Not known:"):
        assert word in text


def test_json_has_all_figures(file: Path, capsys: Streams) -> None:
    assert status("pcap", str(file), "--json") == 0
    output = json.loads(capsys.readouterr().out)
    assert output["figures"] == ac.read_pcap(file).figures


def test_a_table_as_csv(file: Path, capsys: Streams) -> None:
    assert status("pcap", str(file), "--format", "csv", "--table", "path") == 0
    assert capsys.readouterr().out.startswith("quantity,value,unit,at least,because\nrtt,0.04")


def test_the_scenario_runs(file: Path, tmp_path: Path, capsys: Streams) -> None:
    path = tmp_path / "path.toml"
    assert status("pcap", str(file), "--scenario", str(path), "--out", str(tmp_path / "seen")) == 0
    assert (tmp_path / "seen" / "capture.svg").is_file()
    assert path.read_text(encoding="utf-8").startswith("#:schema ")
    capsys.readouterr()
    assert (
        status("run", str(path), "--set", "duration=5s", "--json", "--out", str(tmp_path / "r"))
        == 0
    )
    assert json.loads(capsys.readouterr().out)["flows"][0]["cc"] == "cubic"


def test_a_wrong_call_is_one_line_and_writes_nothing(
    file: Path, tmp_path: Path, capsys: Streams
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("not a capture", encoding="utf-8")
    target = tmp_path / "path.toml"
    for arguments, text in (
        ([str(notes)], "notes.txt: this is no pcap or pcapng capture: it begins with 6e 6f 74 20"),
        ([str(file), "--connection", "9"], "there is no connection 9"),
        ([str(tmp_path / "none.pcap")], "none.pcap: there is no such file"),
        ([str(file), "--table", "pathh"], "did you mean 'path'"),
    ):
        assert status("pcap", *arguments, "--scenario", str(target)) == 2
        error = capsys.readouterr().err
        assert text in error
        assert error.count("\n") == 1
        assert not target.exists()
