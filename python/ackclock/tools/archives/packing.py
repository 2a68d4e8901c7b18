"""Packs a folder of results into one archive, and unpacks it.

The archive is a zip file, because every system opens one and a member can be read without unpacking
the others. Order, times and modes of the members are fixed, so that equal folders give equal bytes.
(tar.gz has the time of packing in its header, and has to be unpacked to its end for one file.)
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import LinkError, chosen, is_file, read_bytes, refuse_links, whole_file
from ackclock.atomic_io.contents import our_files
from ackclock.runtime.permission import modules_named
from ackclock.studies.sources import FOLDER
from ackclock.studies.tools.exporting import OWN
from ackclock.tools.archives.archive import (
    LAYOUT,
    MANIFEST,
    MOST,
    OF_RESULTS,
    OF_STUDIES,
    ArchiveError,
    check_members,
    read_archive,
)
from ackclock.tools.archives.kinds import kind_in
from ackclock.tools.archives.study import NEEDED, at_home, study_files, study_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.tools.archives.archive import Words

__all__ = ["Packed", "is_archive", "opened", "pack"]

# The earliest time that a zip file can store.
_TIME = (1980, 1, 1, 0, 0, 0)
# Compressed already.
_STORED = frozenset({".parquet", ".png"})
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Packed:
    """An archive that was written."""

    file: Path
    members: int
    size: int
    """Size of the archive, bytes."""
    left_out: tuple[str, ...]
    """Files or modules that the result names, and that the archive does not have."""
    place: str
    """The folder that they are outside of, in words."""


@dataclass(frozen=True)
class _Contents:
    """All that goes into an archive."""

    name: str
    """Name of the folder in it."""
    about: Mapping[str, Any]
    """Head of the manifest."""
    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()


def pack(folder: Path, file: Path | None = None, words: Words = OF_RESULTS) -> Packed:
    """Write a folder of results into one archive; equal folders give equal bytes.

    Parameters
    ----------
    folder
        A folder that ackclock wrote: of a run, a sweep, a study, an evaluation, a test, a
        validation. Files of the user in it are left out.
    file
        Where the archive shall be; by default the result's name with .zip, here. An earlier archive
        there is replaced.
    words
        The kinds of results that are taken, and the words for them.

    Raises
    ------
    ArchiveError
        If the folder has no such result, has links or too much for an archive, or the file is there
        and no archive.
    """
    is_study = words is OF_STUDIES or kind_in(folder).name == "study"
    if is_study:
        about = study_folder(folder)
        name = about["name"]
    else:
        about = {}
        name = _NO_NAME.sub("-", folder.resolve().name).strip("-.") or kind_in(folder).name
    if file is not None:
        return _packed(folder, name, about, file, words)
    with chosen(Path(f"{name}.zip")) as target:
        return _packed(folder, name, about, target, words)


def _packed(
    folder: Path, name: str, about: Mapping[str, Any], target: Path, words: Words
) -> Packed:
    try:
        refuse_links(target)
    except LinkError as error:
        raise ArchiveError(f"{error} with -o") from None
    if target.is_dir():
        raise ArchiveError(f"-o: '{target}' is a folder; name a file")
    if target.exists() and not is_archive(target, words):
        raise ArchiveError(
            f"-o: '{target}' is there, and no archive of {words.thing}; name another file, or move "
            "it away"
        )
    if not target.absolute().parent.is_dir():
        raise ArchiveError(f"-o: there is no folder '{target.parent}'")
    contents = _of_study(folder, about) if about else _of_result(folder, name)
    place = "the study's folder" if about else "the result's folder"
    manifest = {
        **contents.about,
        "files": {
            where: hashlib.sha256(content).hexdigest()
            for where, content in sorted(contents.files.items())
        },
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    _write(target, name, {**contents.files, MANIFEST: text.encode()})
    return Packed(target, len(contents.files) + 1, target.stat().st_size, contents.left_out, place)


def _of_study(folder: Path, about: Mapping[str, Any]) -> _Contents:
    own = about["own_files"]
    members = study_files(folder)
    _check(folder, [path.relative_to(folder).as_posix() for path in members])
    contents: dict[str, bytes] = {}
    own_paths = [
        path.relative_to(folder / OWN).as_posix()
        for path in members
        if path.is_relative_to(folder / OWN)
    ]
    for path in members:
        where = path.relative_to(folder).as_posix()
        content = path.read_bytes()
        if path.parent == folder / FOLDER and path.suffix == ".toml":
            content = at_home(content, where, f"../{own['folder']}", own_paths)
        contents[where] = content
    (kind,) = OF_STUDIES.kinds
    head = {
        "kind": kind,
        "layout": LAYOUT,
        "study": about["name"],
        **{key: about[key] for key in ("title", "quick", "versions")},
    }
    return _Contents(about["name"], head, contents, tuple(own["left_out"]))


def _of_result(folder: Path, name: str) -> _Contents:
    kind = kind_in(folder)
    try:
        names = sorted(file for file in our_files(folder, kind.files) if is_file(folder, file))
        _check(folder, names)
        contents = {file: read_bytes(folder, file, MOST.member) for file in names}
    except LinkError as error:
        raise ArchiveError(f"{error}; put the file itself there") from None
    except OSError as error:
        raise ArchiveError(f"{folder}: cannot be read: {error.strerror or error}") from None
    head = {"kind": OF_RESULTS.kinds[0], "layout": LAYOUT, "result": kind.name, "name": name}
    texts = [
        contents[file].decode() for file in ("scenario.toml", "sweep.toml") if file in contents
    ]
    own = [
        module for module in modules_named(*texts) if find_spec(module.partition(".")[0]) is None
    ]
    return _Contents(name, head, contents, tuple(own))


def _check(folder: Path, names: list[str]) -> None:
    sizes = {name: (folder / name).lstat().st_size for name in names}
    try:
        check_members({**sizes, MANIFEST: 0})
    except ArchiveError as error:
        raise ArchiveError(f"{folder}: {error}") from None


def _write(target: Path, name: str, contents: Mapping[str, bytes]) -> None:
    with whole_file(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for where, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(f"{name}/{where}", _TIME)
            # Always Unix, so that the bytes do not depend on the system that packs.
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            is_packed = PurePosixPath(where).suffix in _STORED
            entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)


def is_archive(file: Path, words: Words = OF_RESULTS) -> bool:
    """Return whether a file is a sound archive, as `pack` writes it."""
    try:
        with read_archive(file, words):
            return True
    except ArchiveError:
        return False


@contextmanager
def opened(file: Path, words: Words = OF_RESULTS) -> Iterator[Path]:
    """Yield a folder of results: the folder itself, or an archive unpacked until the block ends.

    Raises
    ------
    ArchiveError
        If it is neither, an archive is unsound or too large, or a file in it is not the one that
        was packed. An error of the block names the archive instead of the temporary folder.
    """
    if file.is_dir():
        _check_result(file, words)
        yield file
        return
    if not file.is_file():
        raise ArchiveError(
            f"{file}: there is no such file; give an archive that {words.command} wrote"
        )
    with tempfile.TemporaryDirectory(prefix="ackclock-") as temporary:
        with read_archive(file, words) as archive:
            is_study = archive.manifest["kind"] in OF_STUDIES.kinds
            missing = [name for name in NEEDED if is_study and name not in archive.digests]
            if missing:
                raise ArchiveError(f"not the archive of a study: {missing[0]} is missing")
            folder = archive.unpack(Path(temporary))
        try:
            _check_result(folder, OF_STUDIES if is_study else words)
            yield folder
        except ArchiveError as error:
            inside = str(error).replace(f"{folder}/", "").replace(str(folder), folder.name)
            raise type(error)(f"{file}: {inside}") from None


def _check_result(folder: Path, words: Words) -> None:
    if words is OF_STUDIES or kind_in(folder).name == "study":
        study_folder(folder)
