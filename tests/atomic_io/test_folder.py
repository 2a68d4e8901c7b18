"""Is the earlier folder or the new one there, whole, and every file of the user's kept?"""

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ackclock.atomic_io import (
    Kind,
    WriteError,
    check_folder,
    folder,
    recover,
    staging,
    whole_file,
    whole_files,
    whole_folder,
)
from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.names import PREFIX, is_temporary
from ackclock.atomic_io.staging import Staging

KIND = Kind("thing", "mark", lambda _: {"mark", "inner/old"}, last="mark")


def make(target: Path, **texts: str) -> None:
    with whole_folder(target, KIND) as temporary:
        fill(temporary, **texts)


def fill(temporary: Path, **texts: str) -> None:
    (temporary / "inner").mkdir()
    for name, text in texts.items():
        path = temporary / name.replace("__", "/")
        path.write_text(text, encoding="utf-8")


def found(target: Path) -> dict[str, str]:
    return {
        path.relative_to(target).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(target.rglob("*"))
        if path.is_file() and path.name != "contents.json"
    }


@pytest.fixture
def target(tmp_path: Path) -> Path:
    make(tmp_path / "result", mark="1", inner__a="1")
    return tmp_path / "result"


@pytest.fixture(params=["exchange", "two renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "two renames":
        monkeypatch.setattr(Folder, "exchange", lambda *_: False)
    return str(request.param)


@contextmanager
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the process were killed: nothing is tidied up, and its locks are gone."""
    with monkeypatch.context() as patch:
        patch.setattr(Staging, "close", Staging.release)
        yield


class KilledError(BaseException):
    pass


@pytest.mark.usefixtures("way")
def test_a_new_folder_takes_the_place_of_the_earlier_one(target: Path) -> None:
    make(target, mark="2", inner__b="2")
    assert found(target) == {"mark": "2", "inner/b": "2"}
    assert json.loads((target / "contents.json").read_text())["files"] == [
        "contents.json",
        "inner/b",
        "mark",
    ]
    assert [path.name for path in target.parent.iterdir()] == ["result"]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("step", ["yield", "exchange", "rename", "sync_folder"])
def test_killed_at_any_step_one_of_them_is_there_whole(
    target: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with dying(monkeypatch), suppress(KilledError), whole_folder(target, KIND) as temporary:
        fill(temporary, mark="2", inner__b="2")

        def killed(*_: object) -> None:
            raise KilledError

        if step == "yield":
            raise KilledError
        if step == "rename":
            # The second of two renames; where folders are exchanged, the process dies in the end.
            move = Folder.move
            moved: list[str] = []

            def once(self: Folder, name: str, other: Folder, new_name: str) -> None:
                if new_name != "commit.json":
                    if moved or name == "new":
                        raise KilledError
                    moved.append(name)
                move(self, name, other, new_name)

            monkeypatch.setattr(Folder, "move", once)
            monkeypatch.setattr(folder, "_confirm", killed)
        elif step == "exchange":
            monkeypatch.setattr(Folder, step, killed)
        else:
            monkeypatch.setattr(folder, step, killed)
    monkeypatch.undo()
    assert any(is_temporary(path.name) for path in target.parent.iterdir())
    recover(target)
    assert found(target) in ({"mark": "1", "inner/a": "1"}, {"mark": "2", "inner/b": "2"})
    assert [path.name for path in target.parent.iterdir()] == ["result"]


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
def test_a_folder_that_goes_before_its_lock_is_not_taken_over(
    replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Staging.within(tmp_path)
    left.release()
    plain = staging.lock

    def another_process_comes_first(file: int) -> bool:
        left.folder.rename(tmp_path / "elsewhere")
        if replaced:
            left.folder.mkdir()
        return plain(file)

    with Folder.open(tmp_path) as parent:
        with monkeypatch.context() as patch:
            patch.setattr(staging, "lock", another_process_comes_first)
            assert Staging.left_at(parent, left.folder.name) is None
        assert left.folder.exists() == replaced
        assert (tmp_path / "elsewhere").exists()


def test_closing_again_touches_nothing(tmp_path: Path) -> None:
    closed = Staging.within(tmp_path)
    closed.close()
    # What has the name later is somebody else's.
    closed.folder.mkdir()
    closed.close()
    assert closed.folder.exists()


def test_the_temporary_folder_of_a_living_process_is_left_alone(target: Path) -> None:
    with Staging.within(target.parent) as living:
        make(target, mark="2")
        assert living.new.is_dir()
    assert [path.name for path in target.parent.iterdir()] == ["result"]


def test_a_folder_that_only_looks_like_ours_is_left_alone(target: Path) -> None:
    for name in (f"{PREFIX}notes", f".{target.name}.abc"):
        (target.parent / name).mkdir()
        (target.parent / name / "mine").write_text("mine")
    make(target, mark="2")
    assert sorted(path.name for path in target.parent.rglob("mine")) == ["mine", "mine"]


@pytest.mark.parametrize("name", ["note", "inner/mine.svg", "inner/deep/note", "contents/x"])
def test_a_file_of_the_users_at_any_depth_is_named_and_kept(target: Path, name: str) -> None:
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    (target / name).write_text("mine")
    before = found(target)
    for attempt in (lambda: make(target, mark="2"), lambda: check_folder(target, KIND)):
        with pytest.raises(FileExistsError, match=f"holds '{name}") as raised:
            attempt()
        assert "\n" not in str(raised.value)
        assert len(str(raised.value)) < 300
    assert found(target) == before


def test_a_symbolic_link_in_an_earlier_folder_is_the_users(target: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("kept")
    (target / "mark").unlink()
    (target / "mark").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError, match="holds 'mark', which ackclock did not write"):
        make(target, mark="2")
    assert (tmp_path / "elsewhere").read_text() == "kept"


@pytest.mark.usefixtures("way")
def test_a_file_of_the_users_that_appears_meanwhile_is_kept_beside(target: Path) -> None:
    with whole_folder(target, KIND) as temporary:
        fill(temporary, mark="2")
        (target / "inner" / "mine").write_text("mine")
    assert found(target) == {"mark": "2"}
    assert found(target.parent / "result.earlier") == {
        "mark": "1",
        "inner/a": "1",
        "inner/mine": "mine",
    }


def test_a_folder_without_contents_json_has_what_its_version_wrote(tmp_path: Path) -> None:
    old = tmp_path / "old"
    (old / "inner").mkdir(parents=True)
    (old / "mark").write_text("1")
    (old / "inner/old").write_text("1")
    make(old, mark="2")
    assert found(old) == {"mark": "2"}
    (old / "contents.json").unlink()
    (old / "inner/old2").write_text("1")
    with pytest.raises(FileExistsError, match="holds 'inner/old2'"):
        make(old, mark="3")


def test_a_symbolic_link_to_a_folder_is_followed(target: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target.rename(tmp_path / "far/result")
    target.symlink_to(tmp_path / "far/result")
    check_folder(target, KIND)
    make(target, mark="2")
    assert target.is_symlink()
    assert found(tmp_path / "far/result") == {"mark": "2"}


def _nowhere(path: Path) -> None:
    path.symlink_to("nowhere")


def _itself(path: Path) -> None:
    path.symlink_to(path.name)


def _file(path: Path) -> None:
    path.write_text("mine")


def _link_to_a_file(path: Path) -> None:
    path.with_name("file").write_text("mine")
    path.symlink_to("file")


@pytest.mark.parametrize("what", [_nowhere, _itself, _file, _link_to_a_file])
@pytest.mark.parametrize("write", [check_folder, make])
def test_what_is_no_folder_is_told_in_a_line_that_names_it(
    tmp_path: Path, what: object, write: object
) -> None:
    path = tmp_path / "out"
    assert callable(what)
    assert callable(write)
    what(path)
    with pytest.raises(
        (WriteError, FileExistsError),
        match=r"out' (is a file|cannot be written: it is a symbolic link to)",
    ):
        write(path, KIND) if write is check_folder else write(path, mark="1")
    assert not [path for path in tmp_path.iterdir() if is_temporary(path.name)]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a" * 256, "File name too long"),
        ("/".join(["a" * 200] * 21), "File name too long"),
        ("file/x/y", "'.*file' is a file"),
        ("file/x", "'.*file' is a file"),
    ],
)
def test_paths_that_cannot_be_are_told_before_anything_is_made(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(WriteError, match=why) as raised:
        check_folder(tmp_path / name, KIND)
    assert len(str(raised.value)) < 300
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("length", [200, 255])
def test_a_name_as_long_as_the_system_has_them_is_fine(tmp_path: Path, length: int) -> None:
    target = tmp_path / ("a" * length)
    for text in "12":
        check_folder(target, KIND)
        make(target, mark=text)
    assert found(target) == {"mark": "2"}


def test_a_trial_leaves_nothing_not_even_the_folders_above(tmp_path: Path) -> None:
    check_folder(tmp_path / "a/b/c", KIND)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027, 0o002])
def test_folders_and_files_have_the_permissions_of_the_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        make(tmp_path / "result", mark="1", inner__a="1")
        with whole_file(tmp_path / "file") as temporary:
            temporary.write_text("1")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes.pop("result") == modes.pop("inner") == 0o777 & ~mask
    assert set(modes.values()) == {0o666 & ~mask}


def test_the_current_folder_keeps_its_place(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(target)
    inode = target.stat().st_ino
    check_folder(Path(), KIND)
    with whole_folder(Path(), KIND) as temporary:
        fill(temporary, mark="2", inner__b="2")
    assert target.stat().st_ino == inode
    assert found(Path.cwd()) == {"mark": "2", "inner/b": "2"}
    assert not any(is_temporary(path.name) for path in target.iterdir())


@pytest.mark.parametrize("step", range(8))
def test_files_that_take_their_places_one_after_another_are_finished_by_the_next(
    target: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with dying(monkeypatch), monkeypatch.context() as patch:
        move = Folder.move
        count = iter(range(100))

        def some(self: Folder, name: str, other: Folder, new_name: str) -> None:
            if next(count) == step:
                raise KilledError
            move(self, name, other, new_name)

        patch.setattr(Folder, "move", some)
        try:
            with whole_files(target, KIND) as temporary:
                fill(temporary, mark="2", inner__b="2", inner__c="2")
        except KilledError:
            pass
    recover(target)
    # Step 0 is the rename of commit.json: before it nothing is decided.
    new = {"mark": "2", "inner/b": "2", "inner/c": "2"}
    assert found(target) == ({"mark": "1", "inner/a": "1"} if step == 0 else new)
    assert not any(is_temporary(path.name) for path in target.iterdir())


def test_files_of_the_users_stay_beside_the_new_ones_and_are_not_written_over(target: Path) -> None:
    (target / "inner/mine").write_text("mine")
    with whole_files(target, KIND) as temporary:
        fill(temporary, mark="2")
    assert found(target) == {"mark": "2", "inner/mine": "mine"}
    with (
        pytest.raises(FileExistsError, match="holds 'inner/mine', which ackclock did not write"),
        whole_files(target, KIND) as temporary,
    ):
        fill(temporary, mark="3", inner__mine="3")
    assert found(target) == {"mark": "2", "inner/mine": "mine"}


def test_an_error_of_the_system_names_what_the_user_named(target: Path) -> None:
    with (
        pytest.raises(
            WriteError, match=r"result' cannot be written: No space left on device$"
        ) as raised,
        whole_folder(target, KIND),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert raised.value.errno == errno.ENOSPC
    with pytest.raises(WriteError, match="No space left"), whole_folder(target, KIND):
        raise ValueError("parquet: underlying IO error: No space left on device (os error 28)")
    assert found(target) == {"mark": "1", "inner/a": "1"}


def test_an_error_of_the_program_passes_as_it_is(target: Path) -> None:
    with pytest.raises(FileNotFoundError, match="of something else"), whole_folder(target, KIND):
        raise FileNotFoundError(errno.ENOENT, "of something else", "/elsewhere")
    with pytest.raises(ValueError, match=r"^no$"), whole_folder(target, KIND):
        raise ValueError("no")
    assert found(target) == {"mark": "1", "inner/a": "1"}
