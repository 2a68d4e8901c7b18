"""Folders that are always whole, old or new."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io.beneath import Folder, has_file
from ackclock.atomic_io.contents import Kind, foreign_file, list_of, our_files, write_contents
from ackclock.atomic_io.errors import (
    NOT_CONFIRMED,
    NOT_IN_PLACE,
    ExistsError,
    WriteError,
    reason_of,
    shortened,
    writing,
)
from ackclock.atomic_io.file import followed
from ackclock.atomic_io.finishing import INSIDE, NEW, OLD, SWAP
from ackclock.atomic_io.names import is_temporary
from ackclock.atomic_io.staging import Staging, tidy
from ackclock.atomic_io.system import sync_folder, sync_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_folder", "recover", "whole_files", "whole_folder"]

# Errors of a folder that may not be written to; folders in it may be.
_CLOSED_PARENT = {errno.EACCES, errno.EPERM, errno.EROFS}
# Size of a trial file: a disk without room for it has none for any result.
_TRIAL_BYTES = 65536
_LONGEST_INSIDE = Path("samples", "internals.parquet")


@contextmanager
def whole_folder(folder: Path, kind: Kind, *, beneath: Path | None = None) -> Iterator[Path]:
    """A temporary folder that replaces `folder` if the block succeeds, and vanishes otherwise.

    The process may be killed at any time: either the earlier result or the new one is there, whole.
    Old and new folder change places in one step. If the system cannot do that, it takes two steps,
    and the process that opens the folder next undoes the first (`recover`). Some folders cannot be
    moved: a mount point, the current folder, a folder in one that may not be written to. Their
    files are replaced one after another, and after a kill the next process goes on.

    Parameters
    ----------
    folder : Path
        Folder of the result. An earlier result there is replaced.
    kind : Kind
        Kind of the result; it tells which files of an earlier result ackclock wrote.
    beneath : Path, optional
        The part of `folder` that the user named; from there on no symbolic link is followed. By
        default the user named all of it, and links are followed.

    Raises
    ------
    FileExistsError
        If `folder` holds something that is no such result.
    WriteError
        If the folder cannot be written.
    """
    with _staged(folder, kind, beneath) as (staging, target, is_inside):
        yield staging.new
        write_contents(staging.new)
        _put(folder, staging, target, kind, is_inside=is_inside)
        _confirm(folder, target.parent)


@contextmanager
def whole_files(folder: Path, kind: Kind, *, beneath: Path | None = None) -> Iterator[Path]:
    """A temporary folder whose files replace those of a result in `folder` if the block succeeds.

    Other files in the folder stay. The files move one after another; after a kill in between, the
    process that opens the folder next goes on (`recover`).

    Parameters
    ----------
    folder : Path
        Folder of the result; it is made if needed.
    kind : Kind
        Kind of the result; files of an earlier result that the new one lacks are removed.
    beneath : Path, optional
        The part of `folder` that the user named; see `whole_folder`.

    Raises
    ------
    FileExistsError
        If the folder holds other things and no such result, or a file of the user has the name of a
        new one.
    WriteError
        If the folder cannot be written; the earlier result is untouched.
    """
    target = followed(folder, beneath)
    with ExitStack() as undo:
        with writing(folder):
            _recover(target)
        _refuse_foreign(folder, target, kind, inside=True)
        with writing(folder):
            _make(target, undo)
        with writing(folder):
            staging = Staging.within(target)
        with writing(folder, staging.folder), staging:
            yield staging.new
            if not kind.among_others:
                write_contents(staging.new)
            _put(folder, staging, target, kind, is_inside=True)
        undo.pop_all()


@contextmanager
def _staged(folder: Path, kind: Kind, beneath: Path | None) -> Iterator[tuple[Staging, Path, bool]]:
    """A temporary folder, `folder` with links followed, and whether the first is in the second."""
    target = followed(folder, beneath)
    with ExitStack() as undo:
        with writing(folder):
            _make(target.parent, undo)
            _recover(target)
        _refuse_foreign(folder, target, kind)
        with writing(folder):
            staging, is_inside = _staging(target)
        with writing(folder, staging.folder), staging:
            yield staging, target, is_inside
        undo.pop_all()


def _staging(target: Path) -> tuple[Staging, bool]:
    """A temporary folder beside the target, or in it if the target cannot be moved."""
    if target.is_dir() and (_is_fixed(target) or _has_remains(target)):
        return Staging.within(target), True
    try:
        return Staging.within(target.parent), False
    except OSError as error:
        if error.errno not in _CLOSED_PARENT or not target.is_dir():
            raise
        return Staging.within(target), True


def _is_fixed(target: Path) -> bool:
    """Whether a folder is a mount point, the current folder, or one above the current folder."""
    try:
        here = Path.cwd()
    except OSError:
        return target.is_mount()
    return target.is_mount() or target == here or target in here.parents


def _has_remains(target: Path) -> bool:
    """Whether a folder has temporary folders; of another user or a living process, they stay."""
    return any(is_temporary(name) for name in os.listdir(target))  # noqa: PTH208 - names are enough


def _put(folder: Path, staging: Staging, target: Path, kind: Kind, *, is_inside: bool) -> None:
    """Move the written files into place."""
    sync_tree(staging.new)
    names = list_of(staging.new)
    if is_inside:
        known = our_files(target, kind)
        taken = [name for name in names if name not in known and os.path.lexists(target / name)]
        if taken:
            holds = f"'{shortened(folder)}' holds '{taken[0]}'"
            raise ExistsError(f"{holds}, which ackclock did not write; move it away")
        stale = sorted(name for name in known - set(names) if has_file(target, name))
        ordered = sorted(names, key=lambda name: (name == (kind.last or kind.mark), name))
        staging.commit(how=INSIDE, files=ordered, stale=stale)
        try:
            staging.finish()
        except OSError as error:
            number, why = reason_of(error) or (None, str(error))
            raise WriteError(folder, why, errno=number, but=NOT_IN_PLACE) from error
    elif not target.is_dir() or not any(target.iterdir()):
        if os.name == "nt" and target.is_dir():
            target.rmdir()
        staging.opened.move(NEW, staging.parent, target.name)
    else:
        staging.commit(how=SWAP, name=target.name, ours=sorted(our_files(target, kind)))
        if not staging.opened.exchange(NEW, staging.parent, target.name):
            staging.parent.move(target.name, staging.opened, OLD)
            staging.opened.move(NEW, staging.parent, target.name)


def _confirm(folder: Path, parent: Path) -> None:
    try:
        sync_folder(parent)
    except OSError as error:
        raise WriteError(
            folder, error.strerror or str(error), errno=error.errno, but=NOT_CONFIRMED
        ) from error


def _make(folder: Path, undo: ExitStack) -> None:
    """Make a folder and its parents; `undo` removes those that were made, if they are empty."""
    missing = []
    place = folder
    while not os.path.lexists(place) and place != place.parent:
        missing.append(place)
        place = place.parent
    if not place.is_dir():
        # The system's error, but before anything is made.
        raise NotADirectoryError(errno.ENOTDIR, f"'{shortened(place)}' is a file", str(place))
    for path in reversed(missing):
        with suppress(FileExistsError):
            with Folder.open(path.parent) as above:
                above.make_folder(path.name)
            undo.callback(_remove_empty, path)
    for path in missing:
        sync_folder(path.parent)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _refuse_file(folder: Path, target: Path) -> None:
    if os.path.lexists(target) and not target.is_dir():
        raise ExistsError(f"'{shortened(folder)}' is a file; name a folder")


def _refuse_foreign(folder: Path, target: Path, kind: Kind, *, inside: bool = False) -> None:
    """Raise if the target is no folder of this kind; with `inside` it may hold other files, too."""
    if not os.path.lexists(target):
        return
    _refuse_file(folder, target)
    is_known = has_file(target, kind.mark)
    if inside and (is_known or kind.among_others):
        return
    foreign = foreign_file(target, kind)
    if foreign is None and not is_known:
        # A folder with nothing but a report is no result either.
        names = sorted(path.name for path in target.iterdir() if not is_temporary(path.name))
        foreign = next((name for name in names if name not in kind.beside), None)
    if foreign is not None:
        why = "" if is_known else f": no earlier {kind.name} is there (no {kind.mark})"
        holds = f"'{shortened(folder)}' holds '{shortened(foreign)}', which ackclock did not write"
        raise ExistsError(f"{holds}{why}; name another folder, or move it away")


def recover(folder: Path) -> None:
    """Finish the work of a process that was killed while it wrote to `folder`."""
    with suppress(WriteError):
        _recover(followed(folder))


def _recover(folder: Path) -> None:
    tidy(folder.parent)
    tidy(folder)


def check_folder(
    folder: Path, kind: Kind, *, inside: bool = False, beneath: Path | None = None
) -> None:
    """Find out whether results of a kind can be written, by writing a trial file and removing it.

    With `inside` the results will be written by `whole_files`, so that other files may exist. From
    `beneath` on no symbolic link is followed; see `whole_folder`.

    Raises
    ------
    FileExistsError
        If the folder holds something that ackclock did not write.
    WriteError
        If the folder cannot be written.
    """
    target = followed(folder, beneath)
    with ExitStack() as undo:
        _refuse_file(folder, target)
        with writing(folder):
            _measure(target)
            _make(target.parent, undo)
            _recover(target)
        _refuse_foreign(folder, target, kind, inside=inside)
        with writing(folder):
            places = [Staging.within(target)] if target.is_dir() else []
            if not inside or not places:
                places.append(_staging(target)[0])
            for place in places:
                undo.callback(place.close)
            trial = places[-1].new / _LONGEST_INSIDE
            trial.parent.mkdir()
            trial.write_bytes(bytes(_TRIAL_BYTES))


def _measure(target: Path) -> None:
    """Raise the system's error if the target's name, or the path of a file in it, is too long."""
    for path in (target, target / _LONGEST_INSIDE):
        with suppress(FileNotFoundError, NotADirectoryError):
            path.lstat()
