"""A file that is no scenario gets one printable line below 300 characters and status 2."""

import codecs
import os
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.messages import LONGEST_MESSAGE

Capture = pytest.CaptureFixture[str]

GOOD = Path(__file__).parents[2] / "scenarios" / "reno-one-flow.toml"


def said(path: Path, capsys: Capture) -> str:
    """Have the command line refuse a file; return its message, checked as every message is."""
    with pytest.raises(SystemExit) as status:
        main(["run", str(path)])
    err = capsys.readouterr().err
    assert status.value.code == 2
    assert len(err) <= LONGEST_MESSAGE + 1
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    with pytest.raises(ac.ScenarioError):
        ac.run(path)
    return err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (codecs.BOM_UTF8, "the file is empty"),
        (b"x = " + b"[" * 5000, "nested too deeply"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "nested too deeply"),
        (b"x = " + b"{a=" * 5000, "nested too deeply"),
        (b"a." * 3000 + b"a = 1", "a key of more than 1000 parts"),
        (b"a." * 999 + b"a = 1", "nested too deeply"),
        (b"x = " + (b"{" + b"a." * 999 + b"a = ") * 9 + b"1" + b"}" * 9, "nested too deeply"),
        (b"seed = " + b"9" * 5000, "a number of 5000 digits in line 1"),
        (b"\nseed = -" + b"9" * 5000, "a number of 5000 digits in line 2"),
        (b"\x7fELF\x00\x00\x00\x01", "binary file"),
        (b"duration = '60s\xff'", "byte 15 (0xff, line 1) is not valid"),
        ("duration = '60s'".encode("utf-16"), "UTF-16"),
        ("duration = '60s'".encode("utf-16-le"), "UTF-16"),
        ("duration = '60s'".encode("utf-32"), "UTF-32"),
        ("description = 'größer'".encode("latin-1"), "another encoding"),
        (b"k" * 5000 + b" = 1", "unknown key"),
        (b"'\x1b[31m' = 1", "not valid TOML"),
        (b'"\\u001b[31mred" = 1', "\\x1b[31mred"),
    ],
)
def test_a_file_that_is_no_scenario(
    tmp_path: Path, capsys: Capture, content: bytes, says: str
) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(content)
    assert says in said(path, capsys)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("nan", "duration: nan has no unit"),
        ("-inf", "duration: -inf has no unit"),
        ("9" * 4000, "duration: a whole number of more than 1000 digits is too large"),
        (
            str(2**63),
            "duration: 9223372036854775808 is too large: a whole number has at most 64 bits",
        ),
        ("0x" + "f" * 5000, "duration: a whole number of more than 1000 digits"),
        ("2026-11-23T12:00:00Z", "duration: "),
        ("12:00:00", "duration: "),
        ('"\\u001b[31mred\\u202e"', "\\x1b[31mred\\u202e"),
        ('"' + "s" * 5000 + '"', "sss..."),
        ("[" * 40 + "]" * 40, "duration: "),
        ("[" + "1, " * 50_000 + "]", "duration: [1, 1, "),
    ],
)
def test_a_value_that_is_no_duration(
    tmp_path: Path, capsys: Capture, value: str, says: str
) -> None:
    path = tmp_path / "s.toml"
    good = GOOD.read_text(encoding="utf-8")
    line = next(line for line in good.splitlines() if line.startswith("duration"))
    path.write_text(good.replace(line, f"duration = {value}"), encoding="utf-8")
    assert says in said(path, capsys)


def test_folders_pipes_devices_and_huge_files_are_told_at_once(
    tmp_path: Path, capsys: Capture
) -> None:
    assert "this is a folder" in said(tmp_path, capsys)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert "this is a pipe" in said(pipe, capsys)
    assert "this is a device" in said(Path("/dev/zero"), capsys)
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as file:
        file.truncate(10**9)
    assert "1,000,000,000 bytes are more than" in said(huge, capsys)
    assert "there is no such file" in said(tmp_path / ("x" * 200), capsys)
    assert "File name too long" in said(tmp_path / ("x" * 300), capsys)
    assert "\\x1b" in said(tmp_path / "\x1b[31m", capsys)


@pytest.mark.parametrize(
    "change", [lambda text: codecs.BOM_UTF8 + text, lambda text: text.replace(b"\n", b"\r\n")]
)
def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path, change: object) -> None:
    assert callable(change)
    path = tmp_path / "reno-one-flow.toml"
    path.write_bytes(change(GOOD.read_bytes()))
    assert ac.load(path).plan() == ac.load(GOOD).plan()


def test_a_setting_that_is_no_toml_is_text(capsys: Capture) -> None:
    for text in ("9" * 5000, "[" * 5000, "\x1b[31m", "{a=" * 5000):
        with pytest.raises(SystemExit) as status:
            main(["run", str(GOOD), "--set", f"duration={text}"])
        err = capsys.readouterr().err
        assert status.value.code == 2
        assert len(err) <= LONGEST_MESSAGE + 1
        assert err[:-1].isprintable()


RATE = """
duration = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = { trace = "link.trace" }, delay = "10ms", limit = "20 packets" }
flows = [{ cc = "reno" }]
"""
FILM = """
duration = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ app = { kind = "video", trace = "film.txt" } }]
"""
SIZES = """
duration = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ cc = "reno", app = { kind = "repeated", size = "cdf(sizes.cdf)" } }]
"""


@pytest.mark.parametrize(
    ("text", "name", "content"),
    [
        (RATE, "link.trace", "1\n2\n3\n"),
        (FILM, "film.txt", "# time presentation kind size\n0 0 I 3000\n40000 40000 P 1000\n"),
        (SIZES, "sizes.cdf", "1000 0.5\n2000 1\n"),
    ],
)
def test_the_scenario_of_results_finds_its_files_or_says_which_is_missing(
    text: str, name: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "mine.toml").write_text(text)
    (place / name).write_text(content)
    monkeypatch.chdir(place)
    result = ac.run("mine.toml")
    result.write("out/results", plots=False, report=False)
    # From where the file is.
    again = ac.run("out/results/scenario.toml")
    assert again.summary()["flows"] == result.summary()["flows"]
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    with pytest.raises(ac.ScenarioError) as caught:
        ac.run(place / "out/results/scenario.toml")
    assert name in str(caught.value)
    # A message is cut at its bound, and temporary folders have names of any length.
    assert "this scenario is of results: copy the file beside it" in str(caught.value)
    assert len(str(caught.value)) < 300
    (place / "out/results" / name).write_text(content)
    assert (
        ac.run(place / "out/results/scenario.toml").summary()["flows"] == result.summary()["flows"]
    )
