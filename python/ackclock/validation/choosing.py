"""Choice of the scenarios to compare and of the page's place, checked before anything runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import LinkError, entries_of, without_links
from ackclock.errors import Error
from ackclock.messages import did_you_mean
from ackclock.scenario.overrides import split_setting
from ackclock.validation.cases import Case, cases, folder, named

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PAGE", "PICTURES", "RefusalError", "changed", "check_target", "choose", "short_cases"]

SHORT = ("reno-10mbit-60ms-1bdp", "cubic-10mbit-60ms-1bdp", "bbr-10mbit-8ms-15bdp")
"""Scenarios that CI runs, cut to 10 s: one of each algorithm."""
PAGE, PICTURES = "validation.md", "validation"


class RefusalError(Error, ValueError):
    """A request that cannot be met."""


def _known() -> dict[str, Case]:
    where = folder()
    if where is None:
        raise RefusalError(
            "the kernel's recorded runs (14 MB) are not installed: they are validation/ of "
            "https://github.com/ackclock/ackclock; run the command in a clone of it, or give a "
            "scenario file and --live, which needs none"
        )
    return cases(where)


def choose(what: Sequence[str], *, live: bool, record: bool) -> list[Case]:
    """The cases that these names and files mean; without any, all that can be compared.

    Raises
    ------
    RefusalError
        If a name is unknown, or there is nothing to compare with.
    """
    files = [name for name in what if name.endswith(".toml") or Path(name).is_file()]
    if files and record:
        raise RefusalError(
            f"--record: '{files[0]}' is a file; recorded are scenarios of validation/, by name"
        )
    if files and not live:
        raise RefusalError(
            f"'{files[0]}': nothing is recorded of it; --live runs it on this machine's kernel"
        )
    known = {} if what and len(files) == len(what) else _known()
    runs = live or record
    if not what:
        return [case for case in known.values() if runs or case.has_recordings]
    chosen = []
    for name in what:
        if name in files:
            chosen.append(named(Path(name)))
        elif name not in known:
            near = did_you_mean(name, list(known)) or "; ackclock validate without a name is of all"
            raise RefusalError(
                f"there is no scenario '{name}' in validation/, and no such file{near}"
            )
        elif not runs and not known[name].has_recordings:
            raise RefusalError(
                f"'{name}': nothing is recorded of it yet; --live runs it on this machine's "
                "kernel, --record keeps the runs"
            )
        else:
            chosen.append(known[name])
    return chosen


def changed(chosen: Sequence[Case], settings: Sequence[str], *, live: bool) -> list[Case]:
    """The cases with other values for some keys of their scenarios.

    Parameters
    ----------
    chosen
        The cases.
    settings
        Each `KEY=VALUE`.
    live
        Whether the kernel runs the changed scenarios too; what is recorded is of others then, and
        is left out.

    Raises
    ------
    ScenarioError
        If a scenario has no such key, or the value is wrong.
    """
    if not settings:
        return list(chosen)
    changes = dict(map(split_setting, settings))
    return [
        replace(
            case,
            scenario=case.scenario.replace(changes),
            recordings=None if live else case.recordings,
        )
        for case in chosen
    ]


def short_cases() -> list[Case]:
    """Three scenarios of 10 s, without recordings."""
    known = _known()
    cut = {"duration": "10s", "warmup": "3s"}
    return [
        replace(
            known[name],
            name=f"{name}-10s",
            scenario=known[name].scenario.replace(cut),
            recordings=None,
        )
        for name in SHORT
    ]


def check_target(where: Path, *, whole: bool) -> Path:
    """The folder for the page and its figures, if they may go there.

    Parameters
    ----------
    where
        Place of the page and its figures.
    whole
        Whether they are of all scenarios.

    Raises
    ------
    RefusalError
        If it is a file, or holds something else under these names.
    """
    if where.exists() and not where.is_dir():
        raise RefusalError(f"--out: '{where}' is a file; name a folder")
    pictures = where / PICTURES
    try:
        without_links(where, PAGE)
        foreign = [name for name in entries_of(where, PICTURES) if not name.endswith(".svg")]
    except LinkError as error:
        raise RefusalError(f"--out: {error}") from None
    if foreign:
        raise RefusalError(
            f"--out: '{pictures}' holds '{min(foreign)}', which ackclock did not write; name "
            "another folder"
        )
    if not whole and where.resolve() == Path("docs").resolve():
        raise RefusalError(
            "--out: docs/validation.md is of all scenarios; name another folder for some of them"
        )
    return where
