"""Single files that are always whole, old or new."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ackclock.atomic_io.beneath import without_links
from ackclock.atomic_io.chosen import chosen_part
from ackclock.atomic_io.errors import NOT_CONFIRMED, WriteError, shortened, writing
from ackclock.atomic_io.staging import Staging, is_staged, scratch, tidy
from ackclock.atomic_io.system import is_dangling, sync_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["check_file", "followed", "whole_file", "write_bytes", "write_text"]

_TRIAL_BYTES = 4096


@contextmanager
def whole_file(path: Path, *, beneath: Path | None = None) -> Iterator[Path]:
    """A temporary path with `path`'s name, whose file replaces `path` if the block succeeds.

    The folder of `path` must exist. Within a folder that is being made (`whole_folder`,
    `whole_files`) the result is `path` itself, because that folder moves into place as a whole. A
    device or a pipe that the user named gets the bytes at the end of the block.

    Parameters
    ----------
    path : Path
        Path of the file.
    beneath : Path, optional
        Folder that the user named; from there on no symbolic link is followed. By default the user
        named the whole path, and links are followed.

    Raises
    ------
    WriteError
        If the file cannot be written; an earlier file is untouched.
    """
    if is_staged(path):
        yield path
        return
    target = followed(path, beneath)
    if _is_no_file(target):
        with _to_device(path, target, beneath) as temporary:
            yield temporary
        return
    tidy(target.parent)
    with writing(path):
        staging = Staging.within(target.parent)
    with writing(path, staging.folder), staging:
        temporary = staging.new / target.name
        yield temporary
        sync_file(temporary)
        with staging.opened.within(staging.new.name) as new:
            new.move(target.name, staging.parent, target.name)
        try:
            staging.parent.sync()
        except OSError as error:
            raise WriteError(
                path, error.strerror or str(error), errno=error.errno, but=NOT_CONFIRMED
            ) from error


def _is_no_file(target: Path) -> bool:
    return os.path.lexists(target) and not stat.S_ISREG(target.lstat().st_mode)


def _refuse(path: Path, target: Path, beneath: Path | None) -> None:
    """Raise if what is no file cannot be written to either."""
    if target.is_dir():
        raise WriteError(path, "it is a folder; name a file")
    if beneath is not None or chosen_part(path) is not None:
        raise WriteError(path, "it is a pipe or a device; remove it, or name another file")


@contextmanager
def _to_device(path: Path, target: Path, beneath: Path | None) -> Iterator[Path]:
    _refuse(path, target, beneath)
    with scratch() as staging:
        temporary = staging.new / path.name
        yield temporary
        with writing(path), temporary.open("rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)


def followed(path: Path, beneath: Path | None = None) -> Path:
    """A path without symbolic links: those that the user named are followed.

    Parameters
    ----------
    path : Path
        A path.
    beneath : Path, optional
        The part of the path that the user named; by default the whole path, or of a place that
        ackclock chose (`chosen`) the folder that was current.

    Raises
    ------
    WriteError
        If a link from `beneath` on is on the way, or the user named a link to nothing.
    """
    if beneath is not None:
        with writing(path):
            return without_links(beneath, path.relative_to(beneath).as_posix())
    part = chosen_part(path)
    if part is not None:
        with writing(path):
            return without_links(*part)
    if is_dangling(path):
        raise WriteError(
            path, f"it is a symbolic link to '{shortened(path.readlink())}', which is not there"
        )
    with suppress(OSError, RuntimeError):
        return path.resolve()
    return path.absolute()


def write_bytes(path: Path, content: bytes, *, beneath: Path | None = None) -> None:
    """Write a file whole or not at all (`whole_file`)."""
    with whole_file(path, beneath=beneath) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str, *, beneath: Path | None = None) -> None:
    """Write a file in UTF-8, lines ending as in the text, whole or not at all (`whole_file`)."""
    write_bytes(path, text.encode("utf-8"), beneath=beneath)


def check_file(path: Path, *, beneath: Path | None = None) -> None:
    """Find out whether a file can be written, by writing another beside it.

    Raises
    ------
    WriteError
        If the file cannot be written.
    """
    target = followed(path, beneath)
    if _is_no_file(target):
        _refuse(path, target, beneath)
        return
    if not target.parent.is_dir():
        raise WriteError(path, f"there is no folder '{shortened(path.parent)}'")
    tidy(target.parent)
    with writing(path):
        with suppress(FileNotFoundError):
            target.lstat()
        with Staging.within(target.parent) as staging:
            (staging.new / "trial").write_bytes(bytes(_TRIAL_BYTES))
