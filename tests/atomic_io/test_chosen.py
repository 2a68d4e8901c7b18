"""Is no symbolic link followed to a place that ackclock chose, be the link made during the run?

The current folder is a stranger's, and the default name of a result is that of the stranger's
scenario. The user's files lie beside the folder.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from ackclock import _core
from ackclock.atomic_io import WriteError, chosen, refuse_links, whole_file, whole_folder
from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.contents import Kind
from ackclock.atomic_io.errors import LinkError
from ackclock.cli import main
from ackclock.cli.group import LazyGroup
from ackclock.tools.archives import packing
from ackclock.validation import storing
from ackclock.validation.cases import FOLDER
from foreign_folder import DESIGN, GOLDEN

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(os.name != "posix", reason="this system has no links as POSIX has"),
]

SCENARIO = """
name = "base"
duration = "500ms"
network = { kind = "dumbbell", bottleneck = { rate = "2Mbit/s", delay = "5ms" } }
flows = [{ name = "f", cc = "reno" }]
"""
DURING = {
    "demo --out": ("demo", "-q", "--workers", "1"),
    "run --out": ("run", "base.toml", "-q", "--no-plots"),
    "compare --out": ("compare", "base.toml", "-q", "--cc", "reno,cubic", "--workers", "1"),
    "sweep --out": ("sweep", "design.toml", "-q", "--workers", "1"),
    "test --out": ("test", "golden.toml", "-q", "--seeds", "2", "--workers", "1"),
    "evaluate --out": ("evaluate", "reno", "--only", "E01", "--quick", "-q", "--workers", "1"),
    "size --store": (
        *("size", "--rate", "1Mbit/s", "--rtt", "20ms", "--cc", "reno", "--seeds", "2", "-q"),
        *("--workers", "1"),
    ),
    "standard --out": ("standard", "rrul", "-q", "--rtt", "20ms", "--set", "duration=500ms"),
}
"""Commands that run, by their option whose default is below `runs`."""
FILES = {
    "live --out": (("live", "base.toml", "--no-open", "--no-python"), "live.html"),
    "examples copy --to": (("examples", "copy", "reno-one-flow", "--force"), "scenarios"),
    "video-trace --out": (("video-trace", "film.ivf"), "film.trace"),
    "pack --output": (("pack", "theirs"), "theirs.zip"),
    "study pack --output": (("study", "pack", "study"), "theirs.zip"),
}
"""Commands that write in the current folder, and the name that they choose there."""
ELSEWHERE = {
    # Below --out.
    *("compare --store", "sweep --store", "test --store"),
    # Below the folder that the user types; `test_border.py` holds them.
    *("report --out", "plot --out"),
    # The user types the name.
    *("new --dir", "study new --dir"),
    # It only reads; `test_border.py` holds it.
    "open --in",
    # With the store of `--out`.
    "evaluate --store",
    # A kernel is needed; `test_border.py` holds the link that is there before.
    "linux --out",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, beside the stranger's, which is the current one."""
    folder, home = tmp_path / "stranger", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    monkeypatch.chdir(folder)
    # Results that cannot be written are rescued there.
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    for name, text in (("base", SCENARIO), ("design", DESIGN), ("golden", GOLDEN)):
        Path(f"{name}.toml").write_text(text)
    return home


def ackclock(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("name", DURING)
def test_a_link_that_takes_the_place_of_runs_during_a_run_is_not_followed(
    name: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "test --out":
        assert ackclock("test", "golden.toml", "--record", "--seeds", "2", "-q") == 0
        Path("runs").rename("recorded")
    real = _core.run

    def swapping(*given: Any) -> Any:
        runs = Path("runs")
        if not runs.is_symlink():
            if runs.exists():
                runs.rename("moved")
            runs.symlink_to(home, target_is_directory=True)
        return real(*given)

    monkeypatch.setattr(_core, "run", swapping)
    capsys.readouterr()
    status = ackclock(*DURING[name])
    said = capsys.readouterr().err
    assert Path("runs").is_symlink()
    assert below(home) == {}
    assert status in {1, 2}, said
    assert "symbolic link" in said
    assert said.count("\n") == 1, said
    assert "Errno" not in said


@pytest.mark.parametrize("name", FILES)
def test_a_link_in_the_place_of_a_file_that_ackclock_names_is_refused(
    name: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, target = FILES[name]
    if name == "study pack --output":
        monkeypatch.setattr(packing, "study_folder", lambda _: {"name": "theirs"})
        Path("study").mkdir()
    elif name == "pack --output":
        Path("theirs").mkdir()
        Path("theirs/summary.json").write_text("{}")
    elif name == "video-trace --out":
        Path("film.ivf").write_bytes(b"DKIF" + bytes(60))
    if target == "scenarios":
        Path(target).symlink_to(home, target_is_directory=True)
    else:
        (home / "mine").write_text("")
        Path(target).symlink_to(home / "mine")
    before = below(home)
    assert ackclock(*command) == 2
    said = capsys.readouterr().err
    assert f"'{target}' is a symbolic link" in said
    assert said.count("\n") == 1, said
    assert "Errno" not in said
    assert below(home) == before


def test_recordings_of_the_kernel_go_to_no_folder_behind_a_link(home: Path) -> None:
    Path("validation").symlink_to(home, target_is_directory=True)
    with pytest.raises(WriteError, match="'validation' is a symbolic link"):
        storing.replace(FOLDER / "one" / "linux", [])
    assert below(home) == {}


def _options(command: click.Command, above: click.Context, words: str) -> Iterator[tuple[str, str]]:
    """Options of all commands that name a path: the command with the option, and the help."""
    if isinstance(command, click.Group):
        for name in command.list_commands(above):
            inner = command.get_command(above, name)
            assert inner is not None
            context = click.Context(inner, parent=above, info_name=name)
            yield from _options(inner, context, f"{words} {name}".strip())
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.type, click.Path):
            longest = max(option.opts, key=len)
            assert not isinstance(option.default, str | Path), (
                f"{words} {longest}: choose it by a helper"
            )
            yield f"{words} {longest}", option.help or ""


def test_every_default_name_of_a_result_is_tried_here() -> None:
    group = LazyGroup("ackclock")
    names = {
        name
        for name, help_text in _options(group, click.Context(group), "")
        if "default:" in help_text
    }
    assert names == set(DURING) | set(FILES) | ELSEWHERE


def _links(place: Path, home: Path) -> Sequence[Path]:
    place.parent.mkdir(parents=True)
    place.symlink_to(home)
    return [place, place / "inner", place / "deep/inner"]


@pytest.mark.parametrize("name", ["first", "first/second"])
def test_a_chosen_place_is_opened_and_written_without_links_until_the_block_ends(
    name: str, home: Path
) -> None:
    kind = Kind("thing", "thing.json", lambda _: set())
    (home / "inner").mkdir()
    with chosen(Path("runs", name)):
        for place in _links(Path("runs", name), home):
            with pytest.raises(LinkError):
                Folder.open(place)
            with pytest.raises(LinkError, match=r"^'runs"):
                refuse_links(place)
            with pytest.raises(WriteError, match="symbolic link"), whole_file(place / "file"):
                pass
            with pytest.raises(WriteError, match="symbolic link"), whole_folder(place / "x", kind):
                pass
    assert below(home) == {"inner": b""}
    # What the user names afterwards is the user's own.
    Folder.open(Path("runs", name, "inner")).close()
    refuse_links(Path("runs", name))
    with chosen(Path("other")), whole_file(Path("runs", name, "file")) as temporary:
        temporary.write_text("mine")
    assert (home / "file").read_text() == "mine"
