"""The files of a study's folder that go into an archive, its own files among them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import read_json
from ackclock.atomic_io.reading import decoding, parse_toml
from ackclock.studies.sources import FOLDER
from ackclock.studies.tools.exporting import ABOUT, ABOUT_KIND, OWN
from ackclock.tools.archives.archive import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["NEEDED", "at_home", "study_files", "study_folder"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
NEEDED = ("report.html", "claims.json", ABOUT)
"""Files that every study has."""
_ALONE = (*NEEDED, "claims.csv", "claims.md", "claims.tex", "paper.bib")
_FOLDERS = ("figures", FOLDER, OWN)


def study_folder(folder: Path) -> dict[str, Any]:
    """Return the content of study.json in a study's folder.

    Raises
    ------
    ArchiveError
        If it is none.
    """
    if not folder.is_dir():
        raise ArchiveError(f"{folder}: there is no such folder; give one that ackclock study wrote")
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        inside = sorted(path.parent.name for path in folder.glob(f"*/{ABOUT}"))
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


def study_files(folder: Path) -> list[Path]:
    """Return the files of the folder that belong to the study, without any others.

    Raises
    ------
    ArchiveError
        If one is a symbolic link: an archive would have what it leads to.
    """
    paths = [folder / name for name in (*_ALONE, *_FOLDERS)]
    for name in _FOLDERS:
        paths += [path for path in (folder / name).rglob("*") if "__pycache__" not in path.parts]
    for path in paths:
        if path.is_symlink():
            raise ArchiveError(f"{path}: a symbolic link; put the file itself there")
    return sorted(path for path in paths if path.is_file())


def at_home(content: bytes, name: str, home: str, own: Sequence[str]) -> bytes:
    """Return an experiment or a recorded scenario that names the archive's copies of files.

    Parameters
    ----------
    content
        TOML of the experiment or the scenario.
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
    longest = max(
        (name for name in own if PurePath(value).as_posix().endswith(f"/{name}")),
        key=len,
        default=None,
    )
    return value if longest is None else f"../{OWN}/{longest}"
