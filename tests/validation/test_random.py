"""Random scripts: report, table, files, command, and a few on this machine's kernel."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from ackclock.atomic_io import WriteError
from ackclock.cli.validate_command import command
from ackclock.validation.random import running, writing
from ackclock.validation.random.report import RandomReport
from ackclock.validation.random.terminal import view
from ackclock.validation.random.writing import write
from linux_machine import needs_namespaces

SCRIPT: dict[str, Any] = {
    "number": 17,
    "cc": "reno",
    "mss": 1000,
    "ecn": False,
    "handshake_us": 20_000,
    "window": 65_535,
    "events": [{"at_us": 1000, "action": {"write": 5000}}],
    "end_us": 40_000,
}


def document(agreed: int = 980, cc: str = "reno") -> dict[str, Any]:
    """The core's answer."""
    example = {
        "script": SCRIPT,
        "difference": {"detail": "kernel 11, ours 10"},
        "story": "1 > 0:1000",
        "packetdrill": "// a script",
    }
    difference = {
        "class": "cwnd in Open after ack+sack",
        "scripts": 1000 - agreed,
        "numbers": [17, 23],
        "example": example,
    }
    classes = [difference] if agreed < 1000 else []
    result = {
        "cc": cc,
        "scripts": 1000,
        "agreed": agreed,
        "agreed_again": 3,
        "disturbed": 2,
        "classes": classes,
    }
    return {"kernel": "6.18.44", "played": 1100, "results": [result]}


def shown(report: RandomReport) -> str:
    """As it looks in a terminal of 100 columns."""
    console = Console(width=100, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(view(report))
    return capture.get()


def test_the_bars_are_99_percent_and_95_for_bbr() -> None:
    assert not RandomReport.from_json(1, document(980)).holds
    assert RandomReport.from_json(1, document(990)).holds
    assert RandomReport.from_json(1, document(950, "bbr")).holds
    assert not RandomReport.from_json(1, document(949, "bbr")).holds


def test_the_table_says_what_agrees_and_what_differs_first() -> None:
    text = shown(RandomReport.from_json(5, document()))
    assert re.search(r"reno +1,000 +980 +98\.00% +99% +missed", text)
    assert "Random scripts of seed 5 on kernel 6.18.44" in text
    assert re.search(r"20 +cwnd in Open after ack\+sack +1 +kernel 11, ours 10", text)
    assert "3 of the agreeing scripts differed when played first" in text
    assert "2 scripts were disturbed each time" in text
    assert "first difference" not in shown(RandomReport.from_json(5, document(1000)))


def test_files_of_an_earlier_report_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "random"
    folder.mkdir()
    (folder / "reno-old.pkt").write_text("old")
    report = RandomReport.from_json(1, document())
    path = write(report, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [
        "reno-cwnd-in-open-after-ack-sack.pkt",
        "reno-cwnd-in-open-after-ack-sack.txt",
    ]
    assert (folder / "reno-cwnd-in-open-after-ack-sack.pkt").read_text() == "// a script"
    written = json.loads(path.read_text())
    assert written["results"][0]["differences"][0]["numbers"] == [17, 23]
    assert written == report.as_json()


def test_a_report_that_cannot_be_written_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(RandomReport.from_json(1, document()), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    whole = writing.write_text

    def full_disk(path: Path, text: str) -> None:
        if path.suffix == ".txt":
            raise OSError(28, "No space left on device")
        whole(path, text)

    monkeypatch.setattr(writing, "write_text", full_disk)
    with pytest.raises(WriteError, match="No space"):
        write(RandomReport.from_json(2, document(30)), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--random", "5", "--live"], "makes its own scripts"),
        (["--random", "5", "some-scenario"], "makes its own scripts"),
        (["--random", "0"], "1<=x<=1000000"),
        (["--cc", "reno"], "add --random N"),
        (["--seed", "3"], "add --random N"),
        (["--least", "50"], "add --random N"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_a_congestion_control_that_is_not_compared_is_named() -> None:
    with pytest.raises(
        ValueError, match=r"--cc: 'vegas' is not compared by random scripts; reno, cubic, bbr are"
    ):
        running.check_ccs(["reno", "vegas"])


@pytest.mark.parametrize(
    ("least", "status"), [([], 1), (["--least", "98"], 0), (["--least", "98.5"], 1)]
)
def test_the_status_tells_whether_enough_agree(
    monkeypatch: pytest.MonkeyPatch, least: list[str], status: int
) -> None:
    from ackclock.engine import linux

    def played(_scripts: int, **_options: Any) -> RandomReport:
        return RandomReport.from_json(1, document())

    monkeypatch.setattr(linux, "obstacle", lambda: None, raising=False)
    monkeypatch.setattr(running, "play_random", played)
    result = CliRunner().invoke(
        command, ["--random", "1000", "--cc", "reno", "--quiet", *least], standalone_mode=False
    )
    assert (result.return_value, result.exception) == (status, None)


@pytest.mark.kernel
@needs_namespaces
def test_scripts_are_played_on_this_kernel() -> None:
    shares: list[float] = []
    report = running.play_random(12, ccs=["reno"], seed=4, shrink=1, progress=shares.append)
    (result,) = report.results
    assert result.scripts + result.disturbed == 12
    # Far below the bar: a busy machine may disturb some, but a comparison that is broken agrees
    # nowhere.
    assert result.agreed >= 6
    assert shares == sorted(shares)
    for other in result.differences:
        assert other.packetdrill.startswith("// Random script")
        assert "FIRST DIFFERENCE" in other.story


@pytest.mark.kernel
@needs_namespaces
def test_a_script_that_is_given_is_played() -> None:
    acks = [
        {
            "at_us": 60_000,
            "action": {"ack": {"ack": 2000, "window": 64_000, "echo": {"seq": 0, "nth": 0}}},
        },
        {
            "at_us": 61_000,
            "action": {"ack": {"ack": 5000, "window": 64_000, "echo": {"seq": 2000, "nth": 0}}},
        },
    ]
    script = {**SCRIPT, "events": [*SCRIPT["events"], *acks], "end_us": 80_000}
    (result,) = running.play_random(1, ccs=["reno"], given=[script]).results
    assert (result.scripts, result.agreed, result.differences) == (1, 1, ())
