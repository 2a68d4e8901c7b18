"""The studies that installed packages register."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.runtime.installed import GROUP, entries

if TYPE_CHECKING:
    from ackclock.studies.study import Study

__all__ = ["NONE_INSTALLED", "find_study", "studies"]

NONE_INSTALLED = (
    "no studies are installed: the papers' entry points are missing from this installation of "
    "ackclock; install it again, or name a study of your own by its file"
)
"""How to get the papers, for messages."""


def studies() -> tuple[str, ...]:
    """Names of the installed studies, sorted.

    Examples
    --------
    >>> from ackclock.studies import studies
    >>> list(studies()) == sorted(studies())
    True
    """
    return tuple(entries())


def find_study(name: str) -> Study:
    """An installed study by its name.

    Parameters
    ----------
    name
        One of `studies`.

    Raises
    ------
    UnknownNameError
        With the nearest name that exists, or with how to get the papers.
    StudyError
        If a package that registers it is at fault: which package, and how.

    Examples
    --------
    >>> from ackclock.studies import find_study, studies
    >>> [find_study(name).name for name in studies()] == list(studies())
    True
    """
    from ackclock.errors import UnknownNameError
    from ackclock.messages import did_you_mean, said
    from ackclock.studies.errors import StudyError
    from ackclock.studies.study import Study

    known = entries()
    if not known:
        raise UnknownNameError(f"there is no study '{name}': {NONE_INSTALLED}")
    if name not in known:
        raise UnknownNameError(
            f"there is no study '{name}', only {', '.join(known)}{did_you_mean(name, known)}"
        )
    entry, *others = known[name]
    owner = entry.dist.name if entry.dist is not None else entry.value
    if others:
        raise StudyError(
            f"two packages register a study '{name}' ({entry.value} and {others[0].value}): remove "
            "one of them"
        )
    try:
        study = entry.load()
    except Exception as error:
        raise StudyError(
            f"{owner} registers the study '{name}' as {entry.value}, which raised {said(error)}"
        ) from error
    if not isinstance(study, Study) or study.name != name:
        what = f"the study '{study.name}'" if isinstance(study, Study) else "no Study"
        raise StudyError(
            f"{owner} registers the study '{name}' in the group {GROUP} as {entry.value}, which is "
            f"{what}"
        )
    return study
