"""Single files that are always whole, old or new."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ackclock.writing.errors import NOT_CONFIRMED, WriteError, shortened, writing
from ackclock.writing.names import is_staged
from ackclock.writing.staging import Staging, scratch, tidy
from ackclock.writing.system import is_dangling, sync_file, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["check_file", "whole_file", "write_bytes", "write_text"]

_TRIAL_BYTES = 4096


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path with `path`'s name, whose file replaces `path` if the block succeeds.

    The folder of `path` must exist, and a symbolic link is followed. Within a folder that is being
    made (`whole_folder`, `whole_files`) the result is `path` itself, because that folder moves into
    place as a whole. A device or a pipe gets the bytes at the end of the block.

    Raises
    ------
    WriteError
        If the file cannot be written; an earlier file is untouched.
    """
    if is_staged(path.absolute()):
        yield path
        return
    target = _followed(path)
    if os.path.lexists(target) and not target.is_file():
        with _to_device(path, target) as temporary:
            yield temporary
        return
    tidy(target.parent)
    with writing(path):
        staging = Staging.within(target.parent)
    with writing(path, staging.folder), staging:
        temporary = staging.new / target.name
        yield temporary
        sync_file(temporary)
        temporary.replace(target)
        try:
            sync_folder(target.parent)
        except OSError as error:
            raise WriteError(
                path, error.strerror or str(error), errno=error.errno, but=NOT_CONFIRMED
            ) from error


@contextmanager
def _to_device(path: Path, target: Path) -> Iterator[Path]:
    if target.is_dir():
        raise WriteError(path, "it is a folder; name a file")
    with scratch() as staging:
        temporary = staging.new / path.name
        yield temporary
        with writing(path), temporary.open("rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)


def _followed(path: Path) -> Path:
    if is_dangling(path):
        raise WriteError(
            path, f"it is a symbolic link to '{shortened(path.readlink())}', which is not there"
        )
    with suppress(OSError, RuntimeError):
        return path.resolve()
    return path.absolute()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all (`whole_file`)."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, lines ending as in the text, whole or not at all (`whole_file`)."""
    write_bytes(path, text.encode("utf-8"))


def check_file(path: Path) -> None:
    """Find out whether a file can be written, by writing another beside it.

    Raises
    ------
    WriteError
        If the file cannot be written.
    """
    target = _followed(path)
    if os.path.lexists(target) and not target.is_file():
        if target.is_dir():
            raise WriteError(path, "it is a folder; name a file")
        return
    if not target.parent.is_dir():
        raise WriteError(path, f"there is no folder '{shortened(path.parent)}'")
    tidy(target.parent)
    with writing(path):
        with suppress(FileNotFoundError):
            target.lstat()
        with Staging.within(target.parent) as staging:
            (staging.new / "trial").write_bytes(bytes(_TRIAL_BYTES))
