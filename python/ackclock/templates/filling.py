"""Files from templates, written where none of them is yet."""

from __future__ import annotations

import keyword
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, recover, whole_files, write_text
from ackclock.errors import Error
from ackclock.runtime.permission import trust_new

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Template

__all__ = ["SkeletonError", "check_name", "template", "write_new"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


class SkeletonError(Error, ValueError):
    """A name is no name for new files, or files of this name exist."""


def check_name(name: str, of: str) -> str:
    """The name of a Python module for a name: underscores in place of hyphens.

    Parameters
    ----------
    name
        The user's name.
    of
        The thing that has the name, for messages: "a study".

    Raises
    ------
    SkeletonError
        If no Python module can have the name, or a module of Python has it.
    """
    stem = name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(stem):
        raise SkeletonError(
            f"{name!r} is no name for {of}: take letters, digits, '-' and '_', a letter first"
        )
    if stem in sys.stdlib_module_names or stem == "ackclock":
        raise SkeletonError(
            f"{stem}.py would stand in the way of Python's own module '{stem}': take another name"
        )
    return stem


def template(package: str, name: str) -> Template:
    """A template in the folder `templates` of a package; its braces are ``<<`` and ``>>``.

    Parameters
    ----------
    package
        Dotted name of the package.
    name
        Path of the template in the folder, without ``.jinja``.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, "templates"),
        # The texts are TOML, Python and Rust, and the name needs no escaping.
        autoescape=False,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        # Other braces belong to the files.
        variable_start_string="<<",
        variable_end_string=">>",
    )
    return environment.get_template(f"{name}.jinja")


def write_new(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write new files into a folder, all or none; the folder is created, and trusted if it is new.

    Parameters
    ----------
    folder
        The folder.
    texts
        The text of each file by its path in the folder, with slashes.

    Returns
    -------
    list of Path
        The files, in order.

    Raises
    ------
    SkeletonError
        If one of the files exists; nothing is written then.
    ackclock.WriteError
        If the files cannot be written; none exists then.
    """
    files = [folder / name for name in texts]
    is_new = not os.path.lexists(folder)
    if folder.exists() and not folder.is_dir():
        raise SkeletonError(f"'{folder}' is a file; name a folder with --dir")
    # A process killed while it wrote has left all files, some of them perhaps not in their place.
    recover(folder)
    for file in files:
        if os.path.lexists(file):
            raise SkeletonError(
                f"'{file}' is there already, and is left as it is; take another name, or another "
                "folder with --dir"
            )
    kind = Kind("new files", files[-1].name, lambda _: set(), among_others=True)
    with whole_files(folder, kind) as temporary:
        for name, text in texts.items():
            Path(temporary / name).parent.mkdir(parents=True, exist_ok=True)
            write_text(temporary / name, text)
    if is_new:
        trust_new(folder)
    return files
