"""The list of trusted folders: what it covers, what it refuses, and when it is not believed."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.runtime.permission import TrustError, trust, trust_of_user
from foreign_folder import SCENARIO, Foreign, status

Capture = pytest.CaptureFixture[str]


def covers(folder: Path) -> bool:
    return trust_of_user().covers(folder.resolve())


def test_trust_covers_folders_below_until_it_is_removed(tmp_path: Path, capsys: Capture) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert status("trust", str(tmp_path / "a")) == 0
    assert covers(inner)
    assert not covers(tmp_path)
    capsys.readouterr()
    assert status("trust", "--list") == 0
    assert capsys.readouterr().out == f"{tmp_path.resolve() / 'a'}\n"
    assert status("trust", "--remove", str(inner)) == 2
    assert f"a part of {tmp_path.resolve() / 'a'}" in capsys.readouterr().err
    assert status("trust", "--remove", str(tmp_path / "a")) == 0
    assert not covers(inner)


def test_the_list_is_the_users_own_file(tmp_path: Path) -> None:
    trust(tmp_path)
    file = trust_of_user().file
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert json.loads(file.read_text()) == {"folders": {str(tmp_path.resolve()): os.getuid()}}


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_list_that_others_may_write_is_not_believed(
    mode: int, tmp_path: Path, capsys: Capture
) -> None:
    trust(tmp_path)
    trust_of_user().file.chmod(mode)
    assert not covers(tmp_path)
    with pytest.raises(TrustError, match="others may write it"):
        trust(tmp_path)
    assert status("trust", "--list") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "chmod 600" in said.err


def test_a_list_of_another_user_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust(tmp_path)
    file = trust_of_user().file
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    os.utime(file)
    assert not covers(tmp_path)
    assert "another user" in trust_of_user().doubt


def test_a_folder_of_another_user_at_its_place_is_not_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    trust(folder)
    file = trust_of_user().file
    file.write_text(file.read_text().replace(f": {os.getuid()}", f": {os.getuid() + 1}"))
    assert not covers(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"folders": 3}', "[" * 100_000])
def test_a_broken_list_trusts_nothing(text: str, tmp_path: Path) -> None:
    trust(tmp_path)
    trust_of_user().file.write_text(text)
    assert not covers(tmp_path)
    assert "no list of trusted folders" in trust_of_user().doubt


def test_a_list_inside_of_a_folder_does_not_make_it_trusted(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = foreign.folder / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(inside))
    with pytest.raises(TrustError, match="the list of trusted folders is in it"):
        trust(foreign.folder)
    written = foreign.write(
        "config/ackclock/trusted-folders.json",
        json.dumps({"folders": {str(foreign.folder.resolve()): os.getuid()}}),
    )
    written.chmod(0o600)
    assert not covers(foreign.folder)
    assert status("run", "s.toml") == 2
    assert not foreign.mark.exists()


def test_a_relative_folder_of_configuration_is_not_that_of_the_current_folder(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setenv("HOME", str(foreign.folder.parent))
    assert trust_of_user().file.parent == foreign.folder.parent / ".config" / "ackclock"


@pytest.mark.parametrize("word", ["/", "~", "~/..", "everybodys", "nowhere"])
def test_what_is_too_much_is_refused(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home" / "me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    shared = tmp_path / "everybodys"
    shared.mkdir()
    shared.chmod(0o777)
    assert status("trust", str(Path(word).expanduser())) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_new_and_copied_examples_run_at_once_in_a_folder_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("new", "gentle", "-q") == 0
    assert status("examples", "copy", "your-own", "-q") == 0
    assert status("study", "new", "vegas", "-q") == 0
    assert {Path(folder).name for folder in trust_of_user().folders} == {
        "gentle",
        "scenarios",
        "vegas",
    }
    assert status("run", "scenarios/your-own.toml", "-q", "--no-report") == 0
    # The table [compare] of the scenario names the module, too.
    short = ("--set", "duration=2s", "--set", "warmup=1s", "--seeds", "2")
    assert status("compare", "scenarios/your-own.toml", *short, "-q", "--dry-run") == 0


@pytest.mark.usefixtures("foreign")
def test_new_files_do_not_make_an_earlier_folder_trusted(capsys: Capture) -> None:
    assert status("new", "gentle", "--dir", ".") == 0
    assert "ackclock trust ." in capsys.readouterr().out
    assert status("examples", "copy", "your-own", "--to", ".") == 0
    assert "ackclock trust ." in capsys.readouterr().err
    assert status("study", "new", "vegas", "--dir", ".") == 0
    assert "ackclock trust ." in capsys.readouterr().out
    assert not trust_of_user().folders


def test_the_examples_that_are_installed_run_unasked() -> None:
    from ackclock.templates.examples.catalogue import folder

    assert ac.load(folder() / "your-own.toml").flows


@pytest.mark.parametrize("is_module", [False, True])
def test_a_link_out_of_a_trusted_folder_is_not_trusted(
    is_module: bool, foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = foreign.folder.parent / "mine"
    mine.mkdir()
    trust(mine)
    monkeypatch.chdir(mine)
    if is_module:
        (mine / "s.toml").write_text(SCENARIO)
        (mine / "planted.py").symlink_to("../foreign/planted.py")
        word = "s.toml"
    else:
        (mine / "linked").symlink_to("../foreign")
        word = "linked/s.toml"
    assert status("run", word) == 2
    assert not foreign.mark.exists()


def test_without_a_home_the_list_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(TrustError, match="set HOME"):
        trust_of_user()
