"""Does text that somebody else wrote reach a terminal without its control characters?"""

import io
import json
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ackclock as ac
import ackclock.cli
from ackclock.cli import main
from ackclock.cli.console import Console
from ackclock.cli.progress import Meter
from ackclock.cli.terminal import guarded
from ackclock.messages import visible
from ackclock.sweeps.comparing import comparison_of
from ackclock.sweeps.store import Store
from ackclock.sweeps.sweeping import carry_out

HOSTILE = (
    "\x1b]0;owned\x07\x1b[5;41mr\x9b5m\x9d0;owned\x9c\x7f\x08\u202eesrever\u2066\u2028\u200f"
    "[link=a://b]h[/link][bold]b[/bold]:smile:\x1b]8;;a://b\x1b\\"
)
SCENARIO = """
name = "short"
duration = "2s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ cc = "reno", start = "uniform(0s, 100ms)" }]
record.samples = "off"
"""
# What colours and progress lines of rich consist of.
OWN = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|[0-9]*[AK])|\r")
GUARD = "cli/terminal.py"
# The others need the type alone.
MAY_TAKE_RICHS = {"cli/console.py", "pages/run/sweep/terminal.py", "tables/terminal.py"}

Capture = pytest.CaptureFixture[str]


def is_clean(text: str) -> bool:
    """Whether text has only the control characters of rich, and none of the hostile ones'."""
    return OWN.sub("", text) == visible(OWN.sub("", text)) and "\x1b[5;41m" not in text


@pytest.fixture(autouse=True)
def in_colour(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Show colours and progress as in a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run and a comparison."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "short.toml").write_text(SCENARIO, encoding="utf-8")
    scenario = ac.load(folder / "short.toml")
    ac.run(scenario).write(folder / "run")
    design = comparison_of([scenario], cc=["reno", "cubic"], seeds=2)
    store = Store.open(folder / "sweep/runs", create=True)
    (folder / "sweep/sweep.toml").write_text(design.to_toml(folder / "sweep"), encoding="utf-8")
    result, _ = carry_out(design, store, executor="threads")
    result.write(folder / "sweep")
    return folder


def said(capsys: Capture, *words: str) -> str:
    """All that a command writes."""
    with pytest.raises(SystemExit):
        main(words)
    output = capsys.readouterr()
    return output.out + output.err


def hostile(value: Any, paths: set[str], path: str = "") -> Iterator[Any]:
    """The value with one of its texts made hostile; of alike texts in a list, the first."""
    if isinstance(value, str):
        if path not in paths:
            paths.add(path)
            yield value + HOSTILE
        return
    if not isinstance(value, dict | list):
        return
    for key, part in list(value.items() if isinstance(value, dict) else enumerate(value)):
        name = key if isinstance(key, str) else "*"
        for other in hostile(part, paths, f"{path}.{name}"):
            copy = value.copy()
            copy[key] = other
            yield copy


@pytest.mark.parametrize(
    ("folder", "file", "command"),
    [
        ("run", "summary.json", ["show"]),
        ("run", "plan.json", ["show"]),
        ("run", "contents.json", ["show"]),
    ],
)
def test_no_text_of_a_result_reaches_the_terminal_raw(
    made: Path, tmp_path: Path, capsys: Capture, folder: str, file: str, command: list[str]
) -> None:
    shutil.copytree(made / folder, tmp_path / "theirs")
    content = json.loads((made / folder / file).read_text(encoding="utf-8"))
    if file == "summary.json":
        content["warnings"] = ["careful"]
    shown = 0
    for other in hostile(content, set()):
        (tmp_path / "theirs" / file).write_text(json.dumps(other), encoding="utf-8")
        text = said(capsys, *command, "theirs")
        assert is_clean(text), ascii(text)
        shown += "esrever" in text
    # Other names in a plan than in the tables are refused, and a list of files is not shown.
    assert shown or file != "summary.json", "no command shows any of these texts"


@pytest.mark.parametrize(
    "command",
    [
        ["report"],
        ["show", "--format", "csv"],
        ["show", "--format", "markdown"],
        ["show", "--format", "latex"],
        ["show", "--json"],
        ["runs"],
    ],
)
def test_names_of_a_result_are_clean_in_every_format(
    made: Path, tmp_path: Path, capsys: Capture, command: list[str]
) -> None:
    shutil.copytree(made / "run", tmp_path / "runs/theirs")
    file = tmp_path / "runs/theirs/summary.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["warnings"] = [HOSTILE]
    for flow in content["flows"]:
        flow["name"] += HOSTILE
    file.write_text(json.dumps(content), encoding="utf-8")
    text = said(capsys, *command, *(["runs/theirs"] if command != ["runs"] else []))
    assert is_clean(text), ascii(text)
    if "--json" in command:
        json.loads(text)


def test_labels_and_responses_are_clean(tmp_path: Path, capsys: Capture) -> None:
    label = json.dumps(f"slow{HOSTILE}")
    (tmp_path / "their.toml").write_text(
        SCENARIO
        + f"""
[sweep]
replications = 2
responses = [{{ metric = "utilisation", name = {json.dumps("u" + HOSTILE)} }}]
[[sweep.axes]]
name = {json.dumps("path" + HOSTILE)}
"network.bottleneck.rate" = ["2Mbit/s", "5Mbit/s"]
labels = [{label}, "fast"]
""".replace("\x7f", "\\u007f"),
        encoding="utf-8",
    )
    shown = 0
    for words in (
        ("sweep", "their.toml", "--dry-run"),
        ("sweep", "their.toml", "--workers", "1"),
        ("sweep", "show", "runs/short-sweep"),
        ("sweep", "status", "runs/short-sweep"),
        ("runs",),
        ("report", "runs/short-sweep"),
        ("show", "runs/short-sweep", "--format", "csv"),
    ):
        text = said(capsys, *words)
        assert is_clean(text), (words, ascii(text))
        shown += "esrever" in text
    assert shown >= 3


@pytest.mark.parametrize(
    "words",
    [
        ["run", f"{HOSTILE}.toml"],
        ["run", "short.toml", f"--{HOSTILE}"],
        ["run", "short.toml", "--set", f"{HOSTILE}={HOSTILE}"],
        [HOSTILE],
        ["pcap", f"{HOSTILE}.pcap"],
        ["study", HOSTILE],
        ["study", "verify", HOSTILE],
        ["test", HOSTILE],
        ["linux", HOSTILE],
        ["theory", HOSTILE],
        ["list", HOSTILE],
        ["explain", HOSTILE],
        ["open", HOSTILE],
        ["show", HOSTILE],
        ["runs", HOSTILE],
        ["evaluate", HOSTILE],
        ["standard", HOSTILE],
        ["tc", HOSTILE],
        ["live", HOSTILE],
        ["examples", "copy", HOSTILE],
        ["compare", "short.toml", "--cc", HOSTILE],
    ],
)
def test_messages_about_the_users_words_are_clean(
    made: Path, capsys: Capture, words: list[str]
) -> None:
    shutil.copy(made / "short.toml", "short.toml")
    text = said(capsys, *words)
    assert is_clean(text), ascii(text)


def test_junit_of_a_file_with_any_name_is_xml(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "short.toml").write_text(SCENARIO, encoding="utf-8")
    name = f"golden{HOSTILE}.toml".replace("/", "")
    (tmp_path / name).write_text(
        'seeds = 2\nrecord_seeds = 2\n[[cells]]\nname = "cell"\nscenario = "short.toml"\n'
        'metrics = ["loss_rate"]\n',
        encoding="utf-8",
    )
    assert is_clean(said(capsys, "test", name, "--record"))
    assert is_clean(said(capsys, "test", name, "--junit", "junit.xml"))
    ElementTree.parse(tmp_path / "junit.xml")


def test_a_progress_line_shows_a_name_as_it_is(capsys: Capture) -> None:
    with guarded(), Meter(Console(stderr=True), HOSTILE) as meter:
        meter.update(0.5, HOSTILE)
    text = capsys.readouterr().err
    assert is_clean(text), ascii(text)
    assert "[bold]b[/bold]" in OWN.sub("", text) or "…" in text


def test_a_name_is_no_markup_and_no_emoji_code(capsys: Capture) -> None:
    with guarded():
        Console().print("[bold]a[/bold] :smile: [link=https://example.org]b[/link]")
    assert capsys.readouterr().out == "[bold]a[/bold] :smile: [link=https://example.org]b[/link]\n"


def test_warnings_and_tracebacks_are_clean(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with guarded(), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning(HOSTILE, UserWarning, "x.py", 1)
    assert is_clean(capsys.readouterr().err)

    def fail(*_: object) -> None:
        raise RuntimeError(HOSTILE)

    monkeypatch.setattr(ackclock.cli.command, "main", fail)
    assert is_clean(said(capsys, "runs"))
    monkeypatch.setenv("ACKCLOCK_TRACEBACK", "1")
    text = said(capsys, "runs")
    assert "Traceback" in text
    assert is_clean(text)


def test_lines_tabs_and_letters_of_all_scripts_stay() -> None:
    text = "a\tb\r\nčaj 🙂 ½ µs – Ωλ 漢字\n"
    assert visible(text) == text
    assert visible("\udcff\r\U000e0041") == r"\udcff\u000d\udb40\udc41"


def test_json_of_the_guard_is_json() -> None:
    text = json.dumps({"name": HOSTILE}, ensure_ascii=False)
    assert json.loads(visible(text)) == {"name": HOSTILE}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_encoding_takes_every_text(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    monkeypatch.setattr(sys, "stdout", raw)
    with guarded():
        sys.stdout.write("1 µs – 2 × 3 → größe 漢\udcff\n")
        Console().print("1 µs – 2 × 3 → größe 漢")
    raw.flush()
    assert raw.errors == "strict"
    lines = raw.buffer.getvalue().decode(encoding).splitlines()  # type: ignore[attr-defined]
    if encoding == "ascii":
        expected = r"1 us - 2 x 3 -> gr\u00f6\u00dfe \u6f22"
        assert lines == [rf"{expected}\udcff", expected]
    assert len(lines) == 2


def test_only_one_module_makes_consoles_and_none_goes_around_the_guard() -> None:
    top = Path(ac.__file__).parent
    around = {
        r"^ *from rich\.console import .*\bConsole\b": MAY_TAKE_RICHS,
        r"\bsys\.__std(out|err)__": {GUARD},
        r"\bmarkup=(?!False)": set(),
    }
    wrong = [
        f"{name}: {match[0]}"
        for path in sorted(top.rglob("*.py"))
        for name in [path.relative_to(top).as_posix()]
        for pattern, allowed in around.items()
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
        if name not in allowed
    ]
    assert wrong == []
