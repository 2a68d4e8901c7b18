"""Are temporary folders and notes believed only where this user wrote them?"""

import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ackclock.atomic_io import Kind, recover, secret, whole_files, whole_folder
from ackclock.atomic_io.names import is_temporary
from ackclock.atomic_io.secret import mark_of, place_of_secret
from ackclock.atomic_io.staging import Staging

KIND = Kind("thing", "mark", lambda _: {"mark"}, last="mark")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="remains are recovered on POSIX alone")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of settings of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr(secret, "_known", {})
    return tmp_path / "settings"


def leave(parent: Path, *, committed: bool = True) -> Path:
    """A temporary folder of a process that was killed."""
    staging = Staging.within(parent)
    (staging.new / "mark").write_text("new")
    if committed:
        staging.commit(how="inside", files=["mark"], stale=["old"])
    staging.release()
    return staging.folder


def another_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "others"))


def test_remains_of_this_user_are_finished_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    folder.mkdir()
    (folder / "old").write_text("old")
    leave(folder)
    leave(folder, committed=False)
    recover(folder)
    assert [path.name for path in folder.iterdir()] == ["mark"]


@pytest.mark.parametrize("committed", [True, False])
def test_remains_that_were_copied_are_left_alone(tmp_path: Path, committed: bool) -> None:
    folder, copy = tmp_path / "result", tmp_path / "copy"
    folder.mkdir()
    left = leave(folder, committed=committed)
    shutil.copytree(folder, copy)
    (copy / "old").write_text("mine")
    recover(copy)
    assert (copy / left.name / "new/mark").is_file()
    assert (copy / "old").read_text() == "mine"
    # A folder in the place of the one that the note was written for.
    left.rename(tmp_path / "away")
    shutil.copytree(copy / left.name, left)
    (folder / "old").write_text("mine")
    recover(folder)
    if committed:
        assert (left / "new/mark").is_file()
    assert (folder / "old").read_text() == "mine"


def test_remains_of_another_user_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "result"
    with whole_folder(folder, KIND) as new:
        (new / "mark").write_text("1")
    left = leave(folder)
    another_user(monkeypatch, tmp_path)
    recover(folder)
    for text in "23":
        with whole_folder(folder, KIND) as new:
            (new / "mark").write_text(text)
    assert (folder / "mark").read_text() == "3"
    assert (left / "new/mark").read_text() == "new"


def test_a_note_that_was_changed_is_not_carried_out(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    folder.mkdir()
    left = leave(folder)
    note = (left / "commit.json").read_text()
    (left / "commit.json").write_text(note.replace("old", "his"))
    (folder / "his").write_text("mine")
    recover(folder)
    assert (folder / "his").read_text() == "mine"
    assert left.is_dir()


@pytest.mark.parametrize("which", ["a file", "to others open", "no bytes", "a link"])
def test_without_a_secret_results_are_written_and_remains_stay(
    tmp_path: Path, settings: Path, which: str
) -> None:
    if which == "a file":
        settings.write_text("")
    else:
        (settings / "ackclock").mkdir(parents=True)
        place = settings / "ackclock/secret"
        place.write_bytes(b"" if which == "no bytes" else bytes(32))
        place.chmod(0o644 if which == "to others open" else 0o600)
        if which == "a link":
            place.rename(settings / "real")
            place.symlink_to(settings / "real")
    assert mark_of("anything") is None
    folder = tmp_path / "result"
    for text in "12":
        with whole_folder(folder, KIND) as new:
            (new / "mark").write_text(text)
        with whole_files(folder, KIND) as new:
            (new / "mark").write_text(text)
    assert (folder / "mark").read_text() == "2"
    left = leave(tmp_path)
    recover(folder)
    assert left.is_dir()
    assert is_temporary(left.name)


def test_the_secret_is_the_users_alone_and_made_once(settings: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        marks = set(pool.map(lambda _: mark_of("a", "b"), range(32)))
    assert len(marks) == 1
    assert mark_of("ab") not in marks
    place = place_of_secret()
    assert place == settings / "ackclock/secret"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) & 0o077 == 0
    assert [path.name for path in place.parent.iterdir()] == ["secret"]


def test_a_relative_folder_of_settings_is_not_that_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert place_of_secret() == tmp_path / ".config/ackclock/secret"


def test_without_a_home_there_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setattr(Path, "home", nowhere)
    assert place_of_secret() is None
    assert mark_of("a") is None
