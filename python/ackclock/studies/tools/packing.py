"""Packs a study's folder into one archive, and unpacks it.

The archive is a zip file, because every system opens one and a member can be read without unpacking
the others. Order, times and modes of the members are fixed, so that equal folders give equal bytes.
(tar.gz has the time of packing in its header, and has to be unpacked to its end for one file.)
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.studies.sources import FOLDER
from ackclock.studies.tools.exporting import ABOUT, ABOUT_KIND, OWN
from ackclock.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MANIFEST", "ArchiveError", "Packed", "is_archive", "opened", "pack", "study_folder"]

MANIFEST = "manifest.json"
"""File in an archive that has the checksum of every other."""
_KIND = "ackclock study archive"
_LAYOUT = 1
# The earliest time that a zip file can store.
_TIME = (1980, 1, 1, 0, 0, 0)
_ALONE = ("report.html", "claims.json", "claims.csv", "claims.md", "claims.tex", "paper.bib", ABOUT)
_NEEDED = ("report.html", "claims.json", ABOUT)
_FOLDERS = ("figures", FOLDER, OWN)
# Compressed already.
_STORED = frozenset({".parquet", ".png"})


class ArchiveError(Error, ValueError):
    """A folder or file is not a study, or a damaged one; the message is one line."""

    kind = "unreadable"


@dataclass(frozen=True)
class Packed:
    """An archive that was written."""

    file: Path
    members: int
    size: int
    """Size of the archive, bytes."""
    left_out: tuple[str, ...]
    """Files that the study names outside of its folder, which the archive does not have."""


def study_folder(folder: Path) -> dict[str, Any]:
    """Return the content of study.json in a study's folder.

    Raises
    ------
    ArchiveError
        If it is none.
    """
    if not folder.is_dir():
        raise ArchiveError(f"{folder}: there is no such folder; give one that ackclock study wrote")
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        inside = sorted(each.parent.name for each in folder.glob(f"*/{ABOUT}"))
        hint = (
            f"; it holds several studies: name one, such as {folder / inside[0]}" if inside else ""
        )
        raise ArchiveError(f"{folder}: not the folder of a study: {missing[0]} is missing{hint}")
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ArchiveError(
            f"{folder / ABOUT}: cannot be read ({error}): run the study again"
        ) from None
    if not isinstance(about, dict) or about.get("kind") != ABOUT_KIND:
        raise ArchiveError(
            f"{folder / ABOUT}: of something else; give a folder that ackclock study wrote"
        )
    return about


def pack(folder: Path, file: Path | None = None) -> Packed:
    """Write a study's folder into one archive; equal folders give equal bytes.

    Parameters
    ----------
    folder
        What `ackclock study` wrote for one study.
    file
        Where the archive shall be; by default the study's name with .zip, here. An earlier archive
        there is replaced.

    Raises
    ------
    ArchiveError
        If the folder is no study's, or the file is there and no archive of a study.
    """
    about = study_folder(folder)
    name = about["name"]
    target = Path(f"{name}.zip") if file is None else file
    if target.is_dir():
        raise ArchiveError(f"-o: '{target}' is a folder; name a file")
    if target.exists() and not is_archive(target):
        raise ArchiveError(
            f"-o: '{target}' is there, and no archive of a study; name another file, or move it "
            "away"
        )
    if not target.absolute().parent.is_dir():
        raise ArchiveError(f"-o: there is no folder '{target.parent}'")
    own = about["own_files"]
    contents: dict[str, bytes] = {}
    own_paths = [
        path.relative_to(folder / OWN).as_posix()
        for path in _members(folder)
        if path.is_relative_to(folder / OWN)
    ]
    for path in _members(folder):
        where = path.relative_to(folder).as_posix()
        content = path.read_bytes()
        if path.parent == folder / FOLDER and path.suffix == ".toml":
            content = _at_home(content, f"../{own['folder']}", own_paths)
        contents[where] = content
    manifest = {
        "kind": _KIND,
        "layout": _LAYOUT,
        "study": name,
        "title": about["title"],
        "quick": about["quick"],
        "versions": about["versions"],
        "files": {
            where: hashlib.sha256(content).hexdigest()
            for where, content in sorted(contents.items())
        },
    }
    contents[MANIFEST] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    _write(target, name, contents)
    return Packed(target, len(contents), target.stat().st_size, tuple(own["left_out"]))


def _members(folder: Path) -> list[Path]:
    """Return the files of the folder that belong to the study, without any others."""
    found = [folder / name for name in _ALONE if (folder / name).is_file()]
    for name in _FOLDERS:
        found += [
            path
            for path in (folder / name).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
    return sorted(found)


def _at_home(content: bytes, home: str, own: Sequence[str]) -> bytes:
    """Return an experiment or a recorded scenario that names the archive's copies of files.

    Parameters
    ----------
    content
        Its TOML.
    home
        The folder that an experiment's files are relative to.
    own
        Paths of the study's own files in the archive's folder of them.
    """
    import tomli_w

    data = tomllib.loads(content.decode())
    # An experiment says what its files are relative to; a recorded scenario names them from where
    # the study stands.
    beside = "" if "sweep" in data else home
    there = _with_own(data, own, beside)
    if "folder" in there.get("sweep", {}):
        there["sweep"]["folder"] = home
    return content if there == data else tomli_w.dumps(there).encode()


def _with_own(value: Any, own: Sequence[str], beside: str) -> Any:
    """Return the data with the archive's paths in place of absolute paths and of names `beside`."""
    if isinstance(value, dict):
        return {key: _with_own(inner, own, beside) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_own(inner, own, beside) for inner in value]
    if not isinstance(value, str):
        return value
    if not PurePath(value).is_absolute():
        named = f"{beside}/{value}".removeprefix(f"../{OWN}/")
        return f"{beside}/{value}" if beside and named in own else value
    found = max(
        (name for name in own if PurePath(value).as_posix().endswith(f"/{name}")),
        key=len,
        default=None,
    )
    return value if found is None else f"../{OWN}/{found}"


def _write(target: Path, name: str, contents: dict[str, bytes]) -> None:
    with whole_file(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for where, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(f"{name}/{where}", _TIME)
            # Always Unix, so that the bytes do not depend on the system that packs.
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            is_packed = PurePosixPath(where).suffix in _STORED
            entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)


def is_archive(file: Path) -> bool:
    """Return whether a file is an archive that `pack` wrote."""
    if not zipfile.is_zipfile(file):
        return False
    with zipfile.ZipFile(file) as archive:
        return any(
            PurePosixPath(name).name == MANIFEST and name.count("/") == 1
            for name in archive.namelist()
        )


@contextmanager
def opened(file: Path) -> Iterator[Path]:
    """Yield the folder of a study: the folder itself, or an archive unpacked until the block ends.

    Raises
    ------
    ArchiveError
        If it is neither, or a file in the archive is not the one that was packed.
    """
    if file.is_dir():
        study_folder(file)
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="ackclock-") as temporary:
        yield _unpacked(file, Path(temporary))


def _unpacked(file: Path, where: Path) -> Path:
    if not file.is_file():
        raise ArchiveError(
            f"{file}: there is no such file; give an archive that ackclock study pack wrote"
        )
    if not is_archive(file):
        raise ArchiveError(
            f"{file}: no archive of a study: it has no {MANIFEST}; give one that ackclock study "
            "pack wrote"
        )
    try:
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                parts = PurePosixPath(name).parts
                if name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
                    raise ArchiveError(
                        f"{file}: '{name}' in it would be unpacked elsewhere: not written by "
                        "ackclock study pack"
                    )
            archive.extractall(where)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise ArchiveError(f"{file}: damaged: {error}") from None
    (mark,) = list(where.glob(f"*/{MANIFEST}"))[:1]
    folder = mark.parent
    try:
        manifest = json.loads(mark.read_text(encoding="utf-8"))
        layout, packed = manifest["layout"], dict(manifest["files"])
    except (ValueError, KeyError, TypeError):
        raise ArchiveError(f"{file}: damaged: {MANIFEST} cannot be read") from None
    if manifest.get("kind") != _KIND or layout != _LAYOUT:
        raise ArchiveError(
            f"{file}: an archive of layout {layout}, and this ackclock reads {_LAYOUT}: take the "
            "ackclock that packed it"
        )
    for name, digest in packed.items():
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise ArchiveError(
                f"{file}: '{name}' in it is "
                f"{'not what was packed' if path.is_file() else 'missing'}: take another copy"
            )
    return folder
