"""The examples by name, with the files that each needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.atomic_io.reading import parse_toml
from ackclock.errors import Error, UnknownNameError
from ackclock.messages import nearest_or_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Command", "Example", "MissingExamplesError", "examples", "files", "find", "folder"]

Command = Literal["run", "compare", "sweep"]
"""The command that an example is made for."""

_INSTALLED = Path(__file__).parent / "scenarios"
_CLONE = Path(__file__).parents[4]

_OWN_CODE = re.compile(r"python:([A-Za-z_][A-Za-z0-9_]*):")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s")


class MissingExamplesError(Error, FileNotFoundError):
    """The installation has no example scenarios."""

    kind = "unreadable"


@dataclass(frozen=True)
class Example:
    """An example scenario."""

    name: str
    """Path below the folder of the examples, without .toml: "reno-one-flow", "sweeps/paths"."""
    path: Path
    """The file, where it is installed."""
    command: Command
    description: str
    """A sentence."""
    needs: tuple[str, ...]
    """Paths of the other files that it reads, below the folder of the examples, with slashes."""

    @property
    def file(self) -> str:
        """Path of the file below the folder of the examples, with slashes."""
        return f"{self.name}.toml"


def folder() -> Path:
    """The folder of the examples: in a clone `scenarios/`, else in the installed package.

    Raises
    ------
    MissingExamplesError
        If there is neither.
    """
    place = _CLONE / "scenarios" if (_CLONE / "Cargo.toml").is_file() else _INSTALLED
    if not place.is_dir():
        raise MissingExamplesError(
            "this installation of ackclock has no example scenarios: install it again from its "
            "wheel"
        )
    return place


def files() -> dict[str, Path]:
    """Every file of the examples, by its path below their folder, with slashes; sorted.

    Raises
    ------
    MissingExamplesError
        If the examples are not installed.
    """
    top = folder()
    paths = {
        path.relative_to(top).as_posix(): path
        for path in top.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return dict(sorted(paths.items()))


def examples() -> dict[str, Example]:
    """The examples by name, sorted.

    Raises
    ------
    MissingExamplesError
        If the examples are not installed.
    """
    known = files()
    return {
        name.removesuffix(".toml"): _read(name, path, known)
        for name, path in known.items()
        if path.suffix == ".toml"
    }


def find(name: str) -> Example:
    """Return an example by its name; "scenarios/NAME.toml" is the same as "NAME".

    Raises
    ------
    ackclock.UnknownNameError
        If there is no such example; the text has the nearest name.
    MissingExamplesError
        If the examples are not installed.
    """
    known = examples()
    wanted = plain(name)
    if wanted not in known:
        near = nearest_or_all(wanted, known)
        raise UnknownNameError(
            f"there is no example '{name}'{near} (all of them: ackclock examples)"
        )
    return known[wanted]


def plain(name: str) -> str:
    """The name that a user means: without the examples' folder, .toml and a slash at the end."""
    text = name.replace("\\", "/").removeprefix("./").removeprefix("scenarios/")
    return text.removesuffix(".toml").rstrip("/")


def _read(name: str, path: Path, known: Mapping[str, Path]) -> Example:
    text = path.read_text(encoding="utf-8")
    content = parse_toml(text)
    command: Command = (
        "sweep" if "sweep" in content else "compare" if "compare" in content else "run"
    )
    described = _first_sentence(text) or str(content.get("description", ""))
    needs = tuple(sorted(set(_needed(path, content, known))))
    return Example(name.removesuffix(".toml"), path, command, described, needs)


def _first_sentence(text: str) -> str:
    """The first sentence of the comment at a file's top; editors' directives are left out."""
    words = []
    for line in text.splitlines():
        if line.startswith("#:"):
            continue
        if not line.startswith("#") or not line.strip("# "):
            break
        words.append(line.removeprefix("#").strip())
    return _SENTENCE_END.split(" ".join(words))[0]


def _needed(path: Path, content: Mapping[str, Any], known: Mapping[str, Path]) -> Iterator[str]:
    """Names of the files that a scenario's values name."""
    names = {file.resolve(): name for name, file in known.items()}
    for text in _texts(content):
        own = _OWN_CODE.search(text)
        target = f"{own[1]}.py" if own else text
        if "\n" not in target and (file_name := names.get((path.parent / target).resolve())):
            yield file_name


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)
