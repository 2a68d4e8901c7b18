"""Copies examples into a user's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ackclock.atomic_io import check_file, make_folders, make_place, read_bytes, write_bytes
from ackclock.atomic_io.errors import ExistsError, writing
from ackclock.errors import UnknownNameError
from ackclock.messages import nearest_or_all
from ackclock.runtime.permission import trust_new
from ackclock.templates.examples.catalogue import examples, files, plain

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["copy"]


def copy(names: Iterable[str], folder: Path, *, force: bool = False) -> list[str]:
    """Copy examples, and the files that they need, into a folder.

    Parameters
    ----------
    names
        Names of examples, of their folders ("sweeps") or of their files; none of them: all files.
    folder
        Folder for the copies; it is made if it is missing, and then trusted. A copy has the path
        that the example has below `scenarios/`.
    force
        Whether files of other content are replaced. Files of equal content are left alone anyway.

    Returns
    -------
    list of str
        Paths of the files below the folder, with slashes; sorted.

    Raises
    ------
    ackclock.UnknownNameError
        If there is no such example; the text has the nearest name.
    FileExistsError
        If a file of other content is there, and `force` is not set. Nothing has been written then.
    ackclock.WriteError
        If the folder cannot be written.
    """
    known = files()
    is_new = not os.path.lexists(folder)
    chosen = _chosen(tuple(names))
    content = {name: known[name].read_bytes() for name in chosen}
    new = [name for name in chosen if not _has(folder, name, content[name])]
    others = [name for name in new if os.path.lexists(folder / name)]
    if others and not force:
        more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
        raise ExistsError(
            f"'{folder / others[0]}'{more} exists and differs from the example: --force replaces "
            "it, and --to FOLDER copies elsewhere"
        )
    for name in new:
        with writing(folder):
            make_place(folder)
            make_folders(folder, name.rpartition("/")[0])
        check_file(folder / name, beneath=folder)
    for name in new:
        write_bytes(folder / name, content[name], beneath=folder)
    if is_new:
        trust_new(folder)
    return chosen


def _chosen(names: tuple[str, ...]) -> list[str]:
    """Files of the named examples, with the files that they need; sorted."""
    known = files()
    if not names:
        return list(known)
    all_examples = examples()
    folders = {name.rpartition("/")[0] for name in known} - {""}
    chosen: set[str] = set()
    for name in names:
        wanted = plain(name)
        if wanted in all_examples:
            chosen |= {all_examples[wanted].file, *all_examples[wanted].needs}
        elif wanted in folders:
            inside = [file for file in known if file.startswith(f"{wanted}/")]
            chosen.update(inside)
            for file in inside:
                if file.endswith(".toml"):
                    chosen.update(all_examples[file.removesuffix(".toml")].needs)
        elif wanted in known:
            chosen.add(wanted)
        else:
            near = nearest_or_all(wanted, [*all_examples, *sorted(folders)])
            raise UnknownNameError(
                f"there is no example '{name}'{near} (all of them: ackclock examples)"
            )
    return sorted(chosen)


def _has(folder: Path, name: str, content: bytes) -> bool:
    try:
        return read_bytes(folder, name) == content
    except OSError:
        return False
