"""Packs a study's folder into one archive, and unpacks it.

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
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.reading import decoding, parse_toml
from ackclock.studies.sources import FOLDER
from ackclock.studies.tools.archive import (
    KIND,
    LAYOUT,
    MANIFEST,
    ArchiveError,
    check_members,
    read_archive,
)
from ackclock.studies.tools.exporting import ABOUT, ABOUT_KIND, OWN
from ackclock.writing import LinkError, chosen, read_json, refuse_links, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MANIFEST", "ArchiveError", "Packed", "is_archive", "opened", "pack", "study_folder"]

# The earliest time that a zip file can store.
_TIME = (1980, 1, 1, 0, 0, 0)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_ALONE = ("report.html", "claims.json", "claims.csv", "claims.md", "claims.tex", "paper.bib", ABOUT)
_NEEDED = ("report.html", "claims.json", ABOUT)
_FOLDERS = ("figures", FOLDER, OWN)
# Compressed already.
_STORED = frozenset({".parquet", ".png"})


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
        about = read_json(folder, ABOUT)
    except (ValueError, OSError) as error:
        raise ArchiveError(f"{error}: run the study again") from None
    if not isinstance(about, dict) or about.get("kind") != ABOUT_KIND:
        raise ArchiveError(
            f"{folder / ABOUT}: of something else; give a folder that ackclock study wrote"
        )
    wrong = _wrong_key(about)
    if wrong:
        raise ArchiveError(f"{folder / ABOUT}: {wrong} is missing or wrong: run the study again")
    return about


def _wrong_key(about: dict[str, Any]) -> str:
    """Return the first key of study.json whose value cannot be; "" if all can."""
    versions, own = about.get("versions"), about.get("own_files")
    sound = {
        "name": isinstance(about.get("name"), str) and bool(_NAME.fullmatch(about["name"])),
        "title": isinstance(about.get("title"), str),
        "quick": isinstance(about.get("quick"), bool),
        "versions": isinstance(versions, dict)
        and isinstance(versions.get("ackclock"), str)
        and isinstance(versions.get("results_version"), int),
        "own_files": isinstance(own, dict)
        and isinstance(own.get("folder"), str)
        and isinstance(own.get("left_out"), list)
        and all(isinstance(name, str) for name in own["left_out"]),
    }
    return next((key for key, is_sound in sound.items() if not is_sound), "")


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
        If the folder is no study's, has links or too much for an archive, or the file is there and
        no archive of a study.
    """
    about = study_folder(folder)
    if file is not None:
        return _packed(folder, about, file)
    with chosen(Path(f"{about['name']}.zip")) as target:
        return _packed(folder, about, target)


def _packed(folder: Path, about: dict[str, Any], target: Path) -> Packed:
    try:
        refuse_links(target)
    except LinkError as error:
        raise ArchiveError(f"{error} with -o") from None
    name = about["name"]
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
    members = _members(folder)
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in members}
    try:
        check_members({**sizes, MANIFEST: 0})
    except ArchiveError as error:
        raise ArchiveError(f"{folder}: {error}") from None
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
            content = _at_home(content, where, f"../{own['folder']}", own_paths)
        contents[where] = content
    manifest = {
        "kind": KIND,
        "layout": LAYOUT,
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
    """Return the files of the folder that belong to the study, without any others.

    Raises
    ------
    ArchiveError
        If one is a symbolic link: an archive would have what it leads to.
    """
    found = [folder / name for name in (*_ALONE, *_FOLDERS)]
    for name in _FOLDERS:
        found += [path for path in (folder / name).rglob("*") if "__pycache__" not in path.parts]
    for path in found:
        if path.is_symlink():
            raise ArchiveError(f"{path}: a symbolic link; put the file itself there")
    return sorted(path for path in found if path.is_file())


def _at_home(content: bytes, name: str, home: str, own: Sequence[str]) -> bytes:
    """Return an experiment or a recorded scenario that names the archive's copies of files.

    Parameters
    ----------
    content
        Its TOML.
    name
        Name of the file, for messages.
    home
        The folder that an experiment's files are relative to.
    own
        Paths of the study's own files in the archive's folder of them.
    """
    import tomli_w

    with decoding(name, "an experiment or a scenario"):
        data = parse_toml(content.decode())
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
    """Return whether a file is a sound archive, as `pack` writes it."""
    try:
        with read_archive(file):
            return True
    except ArchiveError:
        return False


@contextmanager
def opened(file: Path) -> Iterator[Path]:
    """Yield the folder of a study: the folder itself, or an archive unpacked until the block ends.

    Raises
    ------
    ArchiveError
        If it is neither, an archive is unsound or too large, or a file in it is not the one that
        was packed. An error of the block names the archive instead of the temporary folder.
    """
    if file.is_dir():
        study_folder(file)
        yield file
        return
    if not file.is_file():
        raise ArchiveError(
            f"{file}: there is no such file; give an archive that ackclock study pack wrote"
        )
    with tempfile.TemporaryDirectory(prefix="ackclock-") as temporary:
        with read_archive(file) as archive:
            missing = [name for name in _NEEDED if name not in archive.digests]
            if missing:
                raise ArchiveError(f"not the archive of a study: {missing[0]} is missing")
            folder = archive.unpack(Path(temporary))
        try:
            study_folder(folder)
            yield folder
        except ArchiveError as error:
            inside = str(error).replace(f"{folder}/", "").replace(str(folder), folder.name)
            raise ArchiveError(f"{file}: {inside}") from None
