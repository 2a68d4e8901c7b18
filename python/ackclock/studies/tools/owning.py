"""Finds a study's own files, which it needs to run again elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io.reading import parse_toml
from ackclock.runtime.permission import modules_named
from ackclock.studies.tools.finding import is_installed, module_of
from ackclock.sweeps.own_code import files_behind, located

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.studies.study import Study

__all__ = ["OwnFiles", "own_files"]

# What stands between the names of files in a distribution or an option: cdf(sizes.csv).
_BETWEEN = re.compile(r"[\s(),='\"]+")


@dataclass(frozen=True)
class OwnFiles:
    """Files by the path that they have in a copy."""

    files: Mapping[str, Path]
    """Files by their relative paths with slashes, in order."""
    home: str
    """Folder in the copy that the experiments' files are relative to; ".": its top."""
    left_out: tuple[str, ...]
    """Files that the study names outside of its own folder, and that no copy has."""


def own_files(study: Study) -> OwnFiles:
    """Return the files of a study: its experiments, the files that they name, its modules.

    The Python modules count if the study is the user's. An installed study has its modules and
    experiments in its package; only the files that its scenarios read are listed.

    Parameters
    ----------
    study
        A study, or a part of one.
    """
    home = study.folder.resolve()
    names = [
        *(experiment.file for experiment in study.experiments),
        *(recording.file for recording in study.recordings),
    ]
    written = [home / name for name in dict.fromkeys(names)]
    named = [*_named_by(written, home), *(home / source.file for source in study.outside)]
    if is_installed(study):
        return _laid_out({}, named, home, home)
    modules = _modules(study, written)
    main = module_of(study)
    root = home if main is None or main.__file__ is None else _root(Path(main.__file__).resolve())
    return _laid_out(modules, [*written, *named], root, home)


def _modules(study: Study, written: list[Path]) -> dict[str, Path]:
    """Return the user's modules by the path that Python finds them under."""
    main = module_of(study)
    start: list[tuple[str, Path | None]] = []
    if main is not None and main.__file__ is not None:
        file = Path(main.__file__).resolve()
        start.append((_name_of(file), file))
    folders = [study.folder.resolve(), *(_root(file) for _, file in start if file is not None)]
    texts = [file.read_text(encoding="utf-8") for file in written if file.is_file()]
    modules = files_behind([*start, *_in_texts(texts, folders)], folders)
    # A metric that only a variant names stands in the study's Python.
    texts = [file.read_text(encoding="utf-8") for file in modules.values() if file.suffix == ".py"]
    modules |= files_behind(_in_texts(texts, folders), folders)
    return {_path_of(name, file): file for name, file in modules.items()}


def _in_texts(texts: list[str], folders: list[Path]) -> list[tuple[str, Path | None]]:
    return [(name, located(name, folders)) for name in modules_named(*texts)]


def _root(file: Path) -> Path:
    """Return the folder from which Python imports a file."""
    root = file.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    return root


def _name_of(file: Path) -> str:
    parts = file.relative_to(_root(file)).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _path_of(name: str, file: Path) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if file.name == "__init__.py" else f"{path}{file.suffix}"


def _named_by(written: list[Path], home: Path) -> list[Path]:
    """Return the files beside the study that its scenarios read, such as traces."""
    files: dict[Path, None] = {}
    waiting = list(written)
    while waiting:
        file = waiting.pop()
        if file.suffix != ".toml" or not file.is_file():
            continue
        try:
            data = parse_toml(file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            continue
        for text in _texts(data):
            for word in {text, *_BETWEEN.split(text)}:
                try:
                    path = home / word if word else home
                    is_there = path.is_file()
                except (OSError, ValueError):
                    continue
                if is_there and path not in files and path not in written:
                    files[path] = None
                    waiting.append(path)
    return list(files)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _laid_out(modules: dict[str, Path], data: list[Path], root: Path, home: Path) -> OwnFiles:
    files, left_out = dict(modules), []
    if not home.is_relative_to(root):
        root = home
    for path in data:
        if not path.is_file():
            continue
        where = path.resolve()
        if where.is_relative_to(root):
            files[where.relative_to(root).as_posix()] = path
        else:
            left_out.append(str(path))
    return OwnFiles(
        dict(sorted(files.items())), home.relative_to(root).as_posix(), tuple(sorted(set(left_out)))
    )
