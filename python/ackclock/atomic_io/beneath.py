"""Files beneath an opened folder, reached without following a symbolic link.

A user may name a folder through links: `results` may be a link to a larger disk. From there on
each component is opened relative to the folder before it (`openat` with `O_NOFOLLOW`), so that a
link in a folder that others made leads nowhere. Where the system cannot do that (Windows), each
component is looked at before it is used.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from ackclock.atomic_io.chosen import chosen_part
from ackclock.atomic_io.errors import LinkError, shortened
from ackclock.atomic_io.reading import JSON, DamagedError, parse_json, parse_parquet
from ackclock.atomic_io.system import READ_FILE, exchange, sync_descriptor

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import TracebackType

    import polars as pl

    from ackclock.atomic_io.reading.json import Most

__all__ = [
    "Folder",
    "entries_of",
    "files_of",
    "has_file",
    "is_file",
    "is_folder",
    "make_folders",
    "make_place",
    "open_file",
    "read_bytes",
    "read_json",
    "read_table",
    "read_text",
    "remove_file",
    "without_links",
]

MOST_BYTES = 100_000_000
"""Largest file of a result that is read whole, bytes."""

_HAS_FOLDERS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_FOLDER = (
    os.O_RDONLY
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


class Folder:
    """An opened folder; all names are relative to it, and no link in it is followed.

    Attributes
    ----------
    path : Path
        Path of the folder, for messages and for libraries that take paths.
    file : int or None
        Descriptor of the folder; None where the system cannot open folders.
    """

    def __init__(self, path: Path, file: int | None) -> None:
        self.path = path
        self.file = file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder that the user named; links on the way are followed.

        On the way to a place that ackclock chose (`chosen`) none is followed.

        Raises
        ------
        LinkError
            If a link is on the way to a place that ackclock chose.
        OSError
            If there is no such folder.
        """
        part = chosen_part(path)
        if part is not None:
            with cls._opened(part[0]) as above:
                inner = above.within(part[1])
            inner.path = path
            return inner
        return cls._opened(path)

    @classmethod
    def _opened(cls, path: Path) -> Self:
        if not _HAS_FOLDERS:
            if not path.is_dir():
                raise _error(errno.ENOTDIR if os.path.lexists(path) else errno.ENOENT, path)
            return cls(path, None)
        try:
            return cls(path, os.open(path, _FOLDER))
        except PermissionError:
            # Names in a folder that may not be listed can be used all the same.
            return cls(path, os.open(path, _FOLDER | getattr(os, "O_PATH", 0)))

    def within(self, name: str, *, make: bool = False) -> Self:
        """Open a folder in this one; `name` may have slashes. With `make`, make those missing.

        Raises
        ------
        LinkError
            If a component is a symbolic link.
        OSError
            If a component is missing, or no folder.
        """
        folder = self._same()
        for part in _parts(name):
            try:
                if make:
                    with suppress(FileExistsError):
                        folder.make_folder(part)
                inner = folder._inner(part)
            finally:
                folder.close()
            folder = inner
        return folder

    def _same(self) -> Self:
        return type(self)(self.path, None if self.file is None else os.dup(self.file))

    def _inner(self, name: str) -> Self:
        path = self.path / name
        mode = self.mode(name)
        if mode is None:
            raise _error(errno.ENOENT, path)
        if not stat.S_ISDIR(mode):
            raise _error(errno.ENOTDIR, path)
        if self.file is None:
            return type(self)(path, None)
        with _named(path):
            return type(self)(path, os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=self.file))

    def _at(self, name: str) -> tuple[str, dict[str, int]]:
        """The name of an entry and options, as the functions of `os` take them."""
        if self.file is None:
            return str(self.path / name), {}
        return name, {"dir_fd": self.file}

    def stat(self, name: str) -> os.stat_result:
        """The state of an entry; of a link, its own.

        Raises
        ------
        OSError
            If there is no such entry.
        """
        name_, options = self._at(name)
        with _named(self.path / name):
            return os.stat(name_, follow_symlinks=False, **options)  # noqa: PTH116

    def mode(self, name: str) -> int | None:
        """The mode of an entry; None if there is none.

        Raises
        ------
        LinkError
            If the entry is a symbolic link.
        """
        try:
            mode = self.stat(name).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISLNK(mode):
            raise LinkError(self.path / name)
        return mode

    def has(self, name: str) -> bool:
        """Whether there is an entry of this name, be it a link."""
        try:
            self.stat(name)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def names(self) -> list[str]:
        """Names of all entries, sorted."""
        if self.file is None:
            return sorted(os.listdir(self.path))  # noqa: PTH208
        with _named(self.path):
            return sorted(os.listdir(self.file))  # noqa: PTH208

    def open_file(self, name: str) -> BinaryIO:
        """Open a regular file to read it; a pipe or device is refused without waiting for it.

        Raises
        ------
        LinkError
            If the file, or a folder on the way, is a symbolic link.
        OSError
            If there is no such file, or it is no regular file.
        """
        *above, last = _parts(name)
        with self.within("/".join(above)) as folder:
            path = folder.path / last
            mode = folder.mode(last)
            if mode is None:
                raise _error(errno.ENOENT, path)
            _check_regular(mode, path)
            name_, options = folder._at(last)
            with _named(path):
                file = os.open(name_, READ_FILE, **options)
            try:
                _check_regular(os.fstat(file).st_mode, path)
            except BaseException:
                os.close(file)
                raise
            return os.fdopen(file, "rb")

    def open_lock(self, name: str, *, make: bool = True) -> int:
        """Open a regular file for locks, and return its descriptor; with `make`, make it if needed.

        Raises
        ------
        LinkError
            If the file is a symbolic link.
        OSError
            If it cannot be opened, or is no regular file.
        """
        mode = self.mode(name)
        if mode is not None:
            _check_regular(mode, self.path / name)
        name_, options = self._at(name)
        flags = READ_FILE | os.O_RDWR | (os.O_CREAT if make else 0)
        with _named(self.path / name):
            file = os.open(name_, flags, 0o666, **options)
        try:
            _check_regular(os.fstat(file).st_mode, self.path / name)
        except BaseException:
            os.close(file)
            raise
        return file

    def make_folder(self, name: str, mode: int = 0o777) -> None:
        """Make a folder."""
        name_, options = self._at(name)
        with _named(self.path / name):
            os.mkdir(name_, mode, **options)  # noqa: PTH102

    def move(self, name: str, other: Folder, new_name: str) -> None:
        """Move an entry, a link itself; a file or link of the new name is replaced."""
        with _named(self.path / name):
            if self.file is None or other.file is None:
                os.replace(self.path / name, other.path / new_name)  # noqa: PTH105
            else:
                os.replace(name, new_name, src_dir_fd=self.file, dst_dir_fd=other.file)

    def exchange(self, name: str, other: Folder, other_name: str) -> bool:
        """Let two folders change places in one step; False if the system cannot do that."""
        files = (-1 if folder.file is None else folder.file for folder in (self, other))
        return exchange(self.path / name, other.path / other_name, *files)

    def remove_file(self, name: str) -> None:
        """Remove a file, or a link itself."""
        name_, options = self._at(name)
        with _named(self.path / name):
            os.unlink(name_, **options)

    def remove_empty(self, name: str) -> None:
        """Remove an empty folder."""
        name_, options = self._at(name)
        with _named(self.path / name):
            os.rmdir(name_, **options)

    def remove_tree(self, name: str) -> None:
        """Remove a folder and all in it, as far as possible; links are removed, not followed."""
        if self.file is None or not shutil.rmtree.avoids_symlink_attacks:
            shutil.rmtree(self.path / name, ignore_errors=True)
        else:
            shutil.rmtree(name, ignore_errors=True, dir_fd=self.file)

    def walk(self, skipped: frozenset[str] = frozenset()) -> Iterator[tuple[str, int]]:
        """Every entry at any depth: its name with slashes and its mode; sorted.

        Links are told and not followed. Entries of the folder itself in `skipped` are left out.
        """
        for name in self.names():
            if name in skipped:
                continue
            try:
                mode = self.stat(name).st_mode
            except FileNotFoundError:
                continue
            yield name, mode
            if stat.S_ISDIR(mode):
                with suppress(FileNotFoundError, LinkError), self.within(name) as inner:
                    for deeper, its_mode in inner.walk():
                        yield f"{name}/{deeper}", its_mode

    def sync(self) -> None:
        """Flush the names in the folder to the disk, if the file system can do that."""
        if self.file is not None:
            with _named(self.path):
                sync_descriptor(self.file)

    def close(self) -> None:
        """Close the folder."""
        if self.file is not None:
            os.close(self.file)
            self.file = None

    def __enter__(self) -> Self:
        """Use the folder."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the folder."""
        self.close()


def open_file(folder: Path, name: str) -> BinaryIO:
    """Open a regular file beneath a folder that the user named.

    Raises
    ------
    LinkError
        If the file, or a folder on the way from `folder`, is a symbolic link.
    OSError
        If there is no such file, or it is a folder, pipe or device.
    """
    with Folder.open(folder) as opened:
        return opened.open_file(name)


def read_bytes(folder: Path, name: str, most: int | None = MOST_BYTES) -> bytes:
    """Read a file beneath a folder that the user named; see `open_file`.

    Raises
    ------
    OSError
        As for `open_file`, and if the file has more than `most` bytes.
    """
    with open_file(folder, name) as stream:
        content = stream.read() if most is None else _start_of(stream, most + 1)
    if most is not None and len(content) > most:
        raise OSError(
            errno.EFBIG, f"more than {most:,} bytes, the most that is read of such a file", name
        )
    return content


def read_text(folder: Path, name: str, most: int = MOST_BYTES) -> str:
    """Read a file in UTF-8 beneath a folder that the user named; see `read_bytes`.

    Raises
    ------
    DamagedError
        If it is in another encoding.
    """
    try:
        return read_bytes(folder, name, most).decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedError(f"{shortened(folder / name)}: damaged: it is no text in UTF-8") from None


def read_json(folder: Path, name: str, most: Most = JSON) -> Any:
    """Read a file in JSON beneath a folder that the user named; see `open_file`.

    Raises
    ------
    DamagedError
        As for `ackclock.atomic_io.reading.parse_json`; the text names the file.
    """
    with open_file(folder, name) as stream, _of(folder, name):
        return parse_json(_start_of(stream, most.size + 1), most)


def _start_of(stream: BinaryIO, most: int) -> bytes:
    """The first `most` bytes; a buffer for all of them would take memory for a small file, too."""
    return stream.read(min(most, os.fstat(stream.fileno()).st_size + 1))


def read_table(
    folder: Path, name: str, *, most: int | None = None, columns: Collection[str] = ()
) -> pl.DataFrame:
    """Read a Parquet file beneath a folder that the user named; see `open_file`.

    Raises
    ------
    DamagedError
        As for `ackclock.atomic_io.reading.parse_parquet`; the text names the file.
    """
    with open_file(folder, name) as stream, _of(folder, name):
        return parse_parquet(stream, most=most, columns=columns)


@contextmanager
def _of(folder: Path, name: str) -> Iterator[None]:
    """Let errors of a file's content name the file."""
    try:
        yield
    except DamagedError as error:
        raise DamagedError(f"{shortened(folder / name)}: {error}") from None


def is_file(folder: Path, name: str) -> bool:
    """Whether there is a regular file beneath a folder that the user named.

    Raises
    ------
    LinkError
        If it, or a folder on the way from `folder`, is a symbolic link.
    """
    return _is(folder, name, stat.S_ISREG)


def has_file(folder: Path, name: str) -> bool:
    """Whether `is_file` holds; what is reached through a symbolic link does not count."""
    try:
        return is_file(folder, name)
    except LinkError:
        return False


def is_folder(folder: Path, name: str) -> bool:
    """Whether there is a folder beneath a folder that the user named; raises as `is_file` does."""
    return _is(folder, name, stat.S_ISDIR)


def _is(folder: Path, name: str, holds: Any) -> bool:
    *above, last = _parts(name)
    try:
        with Folder.open(folder) as opened, opened.within("/".join(above)) as inner:
            mode = inner.mode(last)
    except LinkError:
        raise
    except OSError:
        return False
    return mode is not None and bool(holds(mode))


def entries_of(folder: Path, name: str = "") -> list[str]:
    """Names of the entries of a folder beneath one that the user named; [] if there is none.

    Raises
    ------
    LinkError
        If a component of `name` is a symbolic link.
    """
    try:
        with Folder.open(folder) as opened, opened.within(name) as inner:
            return inner.names()
    except (FileNotFoundError, NotADirectoryError):
        return []


def files_of(folder: Path, name: str, suffix: str) -> list[str]:
    """Names of the regular files in a folder beneath one that the user named, by their suffix.

    Raises
    ------
    LinkError
        If a component of `name`, or an entry with the suffix, is a symbolic link.
    """
    try:
        with Folder.open(folder) as opened, opened.within(name) as inner:
            return [
                entry
                for entry in inner.names()
                if entry.endswith(suffix) and stat.S_ISREG(inner.mode(entry) or 0)
            ]
    except (FileNotFoundError, NotADirectoryError):
        return []


def remove_file(folder: Path, name: str) -> None:
    """Remove a file beneath a folder that the user named, if it is there; a link itself."""
    *above, last = _parts(name)
    with (
        suppress(FileNotFoundError, NotADirectoryError),
        Folder.open(folder) as opened,
        opened.within("/".join(above)) as inner,
    ):
        inner.remove_file(last)


def make_folders(folder: Path, name: str) -> Path:
    """Make a folder, and those above it, beneath a folder that the user named; return its path.

    Raises
    ------
    LinkError
        If a component of `name` is a symbolic link.
    """
    with Folder.open(folder) as opened, opened.within(name, make=True):
        return folder.joinpath(*_parts(name))


def make_place(folder: Path) -> None:
    """Make a folder, and those above it, that the user or ackclock (`chosen`) named.

    Raises
    ------
    LinkError
        If a link is on the way to a place that ackclock chose.
    OSError
        If it cannot be made.
    """
    part = chosen_part(folder)
    if part is None:
        folder.mkdir(parents=True, exist_ok=True)
    else:
        make_folders(*part)


def without_links(folder: Path, name: str) -> Path:
    """The path of an entry beneath a folder that the user named; the entry need not exist.

    Raises
    ------
    LinkError
        If a component of `name` is a symbolic link.
    """
    place = folder
    if chosen_part(folder) is None:
        with suppress(OSError, RuntimeError):
            place = folder.resolve()
    else:
        place = folder.absolute()
    parts = _parts(name)
    try:
        opened = Folder.open(folder)
    except (FileNotFoundError, NotADirectoryError):
        return place.joinpath(*parts)
    for part in parts:
        with opened:
            mode = opened.mode(part)
            if mode is None or not stat.S_ISDIR(mode):
                break
            inner = opened._inner(part)
        opened = inner
    opened.close()
    return place.joinpath(*parts)


def _parts(name: str) -> tuple[str, ...]:
    parts = PurePosixPath(name.replace(os.sep, "/")).parts
    if name.startswith("/") or ".." in parts or (os.name == "nt" and ":" in name):
        raise ValueError(f"'{shortened(name)}' leads out of the folder")
    return parts


def _check_regular(mode: int, path: Path) -> None:
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise _error(errno.EISDIR, path)
    what = "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
    raise OSError(errno.EINVAL, f"this is a {what}, not a file", str(path))


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let errors of the system name the whole path."""
    try:
        yield
    except LinkError:
        raise
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR} and path.is_symlink():
            raise LinkError(path) from None
        raise OSError(error.errno, error.strerror, str(path)) from None
