"""Is a wrong value of any option, and any place that cannot be written, refused in one line?

The commands are walked, so that a new one takes part.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import ackclock as ac
import ackclock.engine.run
import ackclock.sweeps.executors
import ackclock.sweeps.running
from ackclock.cli import command, main
from ackclock.cli.options import Real, Whole

SCENARIO = """
name = "short"
duration = "2s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ name = "f", cc = "reno" }]
record.samples = "off"
"""
SWEEP = """
[sweep]
responses = ["utilisation"]
[[sweep.axes]]
"flows.cc" = ["reno", "cubic"]
"""
GOLDEN = """
seeds = 2
record_seeds = 2
[[cells]]
name = "cell"
scenario = "short.toml"
metrics = ["loss_rate"]
"""
# The words that a command needs besides its options.
WORDS: dict[str, list[str]] = {
    "compare": ["short.toml", "--cc", "reno,cubic"],
    "evaluate": ["reno", "--only", "E06", "--seeds", "2"],
    "examples copy": ["reno-one-flow"],
    "explain": ["run"],
    "link-trace": ["short.toml"],
    "linux": ["short.toml"],
    "list": ["cc"],
    "live": ["short.toml"],
    "new": ["mine"],
    "packetdrill": ["short.pkt"],
    "pcap": ["short.pcap"],
    "plot": ["run"],
    "report": ["run"],
    "run": ["short.toml"],
    "show": ["run"],
    "size": ["--rate", "10Mbit/s", "--rtt", "10ms", "--flows", "1"],
    "standard": ["rrul"],
    "study export": ["run"],
    "study new": ["mine"],
    "pack": ["run"],
    "study pack": ["run"],
    "study verify": ["run"],
    "verify": ["run"],
    "sweep": ["sweep.toml"],
    "tc": ["short.toml"],
    "test": ["golden.toml"],
    "video-trace": ["short.mp4"],
}
QUANTITIES = {
    "RATE", "RTT", "TIME", "UP_RATE", "OTHER_RTT", "BUFFER", "QDISC", "CC", "DURATION", "SHARE",
    "AGE", "SIZE", "LENGTH", "PLACE", "KEY=VALUE", "AXIS=VALUE", "auto|fixed|TIME", "KEY=V,V",
    "[LINK=]DEVICE",
}  # fmt: skip
"""Names in the help of texts that are quantities, or have some in them."""
WRONG = ["-1ms", "0", "nan", "1e999s", "٣ms", "", "\udcff"]
KEYS = ["duration={}", "network.bottleneck.rate={}", "network.bottleneck.limit={}"]

Capture = pytest.CaptureFixture[str]


class Reached(BaseException):
    """A simulation would begin."""


def options() -> Iterator[tuple[str, click.Option]]:
    """Every option with a value, with the words of its command."""

    def walk(node: click.Command, path: list[str], context: click.Context) -> Iterator[Any]:
        for option in node.params:
            if isinstance(option, click.Option) and not (option.is_flag or option.count):
                yield " ".join(path), option
        if isinstance(node, click.Group):
            for name in node.list_commands(context):
                inner = node.get_command(context, name)
                assert inner is not None
                below = click.Context(inner, parent=context, info_name=name)
                yield from walk(inner, [*path, name], below)

    return walk(command, [], click.Context(command))


OPTIONS = list(options())


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "short.toml").write_text(SCENARIO, encoding="utf-8")
    ac.run(ac.load(folder / "short.toml")).write(folder / "run")
    return folder / "run"


@pytest.fixture
def home(result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario, a sweep, cells and a result, in which nothing can be simulated."""
    (tmp_path / "short.toml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "sweep.toml").write_text(SCENARIO + SWEEP, encoding="utf-8")
    (tmp_path / "golden.toml").write_text(GOLDEN, encoding="utf-8")
    shutil.copytree(result, tmp_path / "run")
    monkeypatch.chdir(tmp_path)

    def reached(*_: object, **__: object) -> None:
        raise Reached

    monkeypatch.setattr(ackclock.engine.run, "run_plan", reached)
    for module in (ackclock.sweeps.executors, ackclock.sweeps.running):
        if hasattr(module, "pool_of"):
            monkeypatch.setattr(module, "pool_of", reached)
    return tmp_path


def called(capsys: Capture, *words: str) -> tuple[Any, str]:
    """Exit status and what is said; "reached" if a simulation would begin."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr().err
    return ("reached" if "Reached" in said else ended.value.code), said


def test_every_number_of_an_option_is_held_to_one_type() -> None:
    wrong = [
        f"{path} {option.opts[0]}"
        for path, option in OPTIONS
        if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
        and not isinstance(option.type, Whole | Real)
    ]
    assert wrong == []


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "٣", "", "1_0e", "9" * 5000])
@pytest.mark.parametrize("kind", [Whole(0, 10), Real(0, 10)])
def test_a_number_that_is_none_is_refused(kind: click.ParamType[Any], value: str) -> None:
    with pytest.raises(click.BadParameter):
        kind.convert(value, None, None)


@pytest.mark.parametrize(
    ("path", "option"),
    [(path, option) for path, option in OPTIONS if str(option.metavar) in QUANTITIES],
    ids=lambda parameter: parameter if isinstance(parameter, str) else parameter.opts[0],
)
def test_a_wrong_quantity_is_refused_in_one_line(
    home: Path, capsys: Capture, path: str, option: click.Option
) -> None:
    del home
    values = WRONG
    if option.metavar == "KEY=VALUE":
        values = [key.format(value) for key in KEYS for value in WRONG]
    for value in values:
        words = [*path.split(), *WORDS.get(path, []), option.opts[0], value]
        status, said = called(capsys, *words)
        assert status in {0, 2, "reached"}, (words, said)
        if status == 2:
            assert said.count("\n") == 1, (words, said)
            assert "defect" not in said, (words, said)


FILES = {"FILE", "FOLDER|FILE", "OLD", "PROGRAM"}
# These read a place instead of writing one.
READ = {("test", "--against"), ("packetdrill", "--expect"), ("open", "--in")}
PLACES = [
    (path, option)
    for path, option in OPTIONS
    if isinstance(option.type, click.Path) and (path, option.opts[0]) not in READ
]


@pytest.mark.parametrize(
    ("path", "option"),
    PLACES,
    ids=lambda parameter: parameter if isinstance(parameter, str) else parameter.opts[0],
)
def test_a_place_that_cannot_be_written_is_refused_before_anything_runs(
    home: Path, capsys: Capture, path: str, option: click.Option
) -> None:
    (home / "file").write_text("mine", encoding="utf-8")
    (home / "folder").mkdir()
    (home / "folder/mine.txt").write_text("mine", encoding="utf-8")
    takes_file = option.metavar in FILES
    places = ["file/below", *(["folder"] if takes_file else ["file"])]
    if path == "plot":
        places = ["file/below"]
    for place in places:
        words = [*path.split(), *WORDS.get(path, []), option.opts[0], place]
        status, said = called(capsys, *words)
        assert status in {1, 2}, (words, said)
        # A sweep may have announced its size.
        assert said.strip().count("\n") <= int(option.opts[0] == "--store"), (words, said)
        assert "defect" not in said, (words, said)
        assert (home / "file").read_text(encoding="utf-8") == "mine"
        assert [entry.name for entry in (home / "folder").iterdir()] == ["mine.txt"]
