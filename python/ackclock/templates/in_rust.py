"""A first congestion control in Rust: its file, its test, and the lines that register both."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.templates.algorithm import class_of, stem_of
from ackclock.templates.filling import SkeletonError, template, write_new

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["RUST_KINDS", "Line", "write_in_rust"]

_MODULE = re.compile(r"(?:pub\(crate\) )?mod \w+;")
_CATALOGUE = "crates/cc/src/registry/catalogue.rs"


@dataclass(frozen=True)
class Line:
    """A line that registers a file, and its place."""

    text: str
    file: str
    """The file that the line belongs in, from the root of the sources."""
    below: str
    """The line above it."""


@dataclass(frozen=True)
class _Kind:
    folder: str
    claim: str
    """End of the test's name."""
    catalogue_below: str


_KINDS = {
    "avoidance": _Kind("avoidance", "gives_up_its_share", "avoidance::aimd::ENTRY,"),
    "slow-start": _Kind("slow_start", "ends_when_the_rtt_rises", "slow_start::cos::ENTRY,"),
}
RUST_KINDS: Sequence[str] = tuple(_KINDS)
"""Roles that can be begun in Rust."""


def write_in_rust(name: str, root: Path, kind: str = "avoidance") -> tuple[list[Path], list[Line]]:
    """Write a congestion control in Rust and its test into ackclock's sources.

    Parameters
    ----------
    name
        Name of the algorithm. The files have underscores in place of hyphens.
    root
        Folder of ackclock's sources.
    kind
        One of `RUST_KINDS`.

    Returns
    -------
    tuple of two paths, and the lines that register them
        The user adds the lines.

    Raises
    ------
    SkeletonError
        If the name is not valid or taken, the folder has no sources of ackclock, or one of the
        files exists; nothing is written then.
    ackclock.WriteError
        If the files cannot be written; none exists then.
    """
    stem = stem_of(name).lower()
    if not (root / _CATALOGUE).is_file():
        raise SkeletonError(
            f"'{root}' has no sources of ackclock ({_CATALOGUE}); --dir names a clone of its "
            "repository"
        )
    role = _KINDS[kind]
    test = f"{stem}_{role.claim}"
    words = {"name": name.lower(), "stem": stem, "type": class_of(stem)}
    files = write_new(
        root / "crates/cc",
        {
            f"{part}/{file}.rs": template("ackclock.templates", f"rust-{kind}/{source}").render(
                words
            )
            for part, file, source in (
                (f"src/{role.folder}", stem, "source.rs"),
                ("tests/algorithms", test, "test.rs"),
            )
        },
    )
    return files, [
        Line(f"{role.folder}::{stem}::ENTRY,", _CATALOGUE, role.catalogue_below),
        _module_line(f"pub(crate) mod {stem};", f"crates/cc/src/{role.folder}/mod.rs", root),
        _module_line(f"mod {test};", "crates/cc/tests/algorithms/main.rs", root),
    ]


def _module_line(text: str, file: str, root: Path) -> Line:
    """A line that declares a module, below the one that comes before it by its name."""
    lines = (root / file).read_text(encoding="utf-8").splitlines()
    groups = [
        list(group)
        for is_module, group in itertools.groupby(lines, lambda line: bool(_MODULE.fullmatch(line)))
        if is_module
    ]
    before = [line for line in groups[-1] if line < text]
    return Line(text, file, before[-1] if before else groups[-1][0])
