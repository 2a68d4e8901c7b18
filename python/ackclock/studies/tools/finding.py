"""Finds the study that a word on the command line names: by name, file, or module."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean, nearest_file, shorten
from ackclock.runtime.interruption import is_ctrl_c
from ackclock.runtime.permission import files_of, require_files, stands_in
from ackclock.scenario.own import on_path
from ackclock.studies.errors import StudyError

if TYPE_CHECKING:
    from types import ModuleType, TracebackType

    from ackclock.studies.study import Study

__all__ = ["TAKEN", "find", "is_installed", "line_of", "module_of"]

_PACKAGE = Path(__file__).parents[2]

TAKEN = (
    "index.html",
    "claims.json",
    "runs",
    "parts",
    "all",
    "list",
    "new",
    "check",
    "export",
    "pack",
    "verify",
    "diff",
)
"""Names that no study may have, because of files in a folder of pages or commands."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def find(word: str) -> Study:
    """Return the study that a word names.

    Parameters
    ----------
    word
        The name of an installed study (`cos-slow-start`); a file with the study as `STUDY` or
        another name (`vegas.py`, `vegas.py:OTHER`); or a module in the current directory or on
        Python's path, with the name in it (`papers.vegas:STUDY`).

    Raises
    ------
    StudyError
        In one line: what is wrong, where in the user's file, and the nearest name.
    NotTrustedError
        If it is a file or module in a folder that the user of the command line has not trusted.
    """
    place, colon, name = word.rpartition(":")
    if colon and place.endswith(".py") and name.isidentifier():
        return _checked(_of_file(Path(place)), name, place)
    if (
        word.endswith(".py")
        or Path(word).is_file()
        or (not colon and ("/" in word or "\\" in word))
    ):
        return _checked(_of_file(Path(word)), "", word)
    if colon:
        return _checked(_of_module(place, name), name, place)
    return _by_name(word)


def _by_name(word: str) -> Study:
    from ackclock.studies.registered import find_study

    try:
        return find_study(word)
    except ValueError as error:
        there = next(
            (path for path in (f"{word}.py", f"{word}/{word}.py") if Path(path).is_file()), None
        )
        beside = f"; there is a file {there}: write ackclock study {there}" if there else ""
        raise StudyError(f"{error}{beside}") from None


def _of_file(file: Path) -> ModuleType:
    if file.is_dir():
        raise StudyError(f"{file}: this is a folder; name the file in it that has the study")
    if not file.is_file():
        raise StudyError(f"{file}: there is no such file{nearest_file(file, suffix='.py')}")
    if file.suffix != ".py":
        raise StudyError(f"{file}: a study is a Python file, its name ends in .py")
    where = file.resolve()
    # Inside a package its modules import one another by dots, so it gets the package's name.
    root, parts = where.parent, [where.stem] if where.stem != "__init__" else []
    while (root / "__init__.py").is_file():
        root, parts = root.parent, [root.name, *parts]
    name = ".".join(parts)
    known = sys.modules.get(name)
    if known is not None and not _is(known, where):
        # Such as a study in random.py: importing it by its name would give Python's own module.
        name = f"study_in_{re.sub(r'[^0-9A-Za-z_]', '_', name)}"
        known = sys.modules.get(name)
    if known is not None and _is(known, where):
        return known
    # Packages above it run first, from their own folder.
    require_files([where], root)
    with on_path([root]):
        spec = importlib.util.spec_from_file_location(name, where)
        assert spec is not None
        assert spec.loader is not None
        try:
            for at in range(1, len(parts)):
                importlib.import_module(".".join(parts[:at]))
            if name in sys.modules and _is(sys.modules[name], where):
                return sys.modules[name]
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        except BaseException as error:
            sys.modules.pop(name, None)
            if not isinstance(error, Exception) and is_ctrl_c(error):
                raise
            raise _cannot_import(str(file), error) from error
    if str(root) not in sys.path:
        # Functions may import from here when they are called; it comes last on the path.
        sys.path.append(str(root))
    return module


def _of_module(place: str, name: str) -> ModuleType:
    if not name or not all(part.isidentifier() for part in (*place.split("."), name)):
        raise StudyError(
            f"'{place}:{name}' names no study: write MODULE:NAME, such as papers.vegas:STUDY"
        )
    here = Path.cwd()
    require_files(files_of(place, [here]), here)
    # An installed package imports nothing from the current directory, which may be of others.
    with on_path([here] if stands_in(place, here) else []):
        try:
            return importlib.import_module(place)
        except BaseException as error:
            if not isinstance(error, Exception) and is_ctrl_c(error):
                raise
            if (
                isinstance(error, ModuleNotFoundError)
                and error.name
                and f"{place}.".startswith(f"{error.name}.")
            ):
                near = did_you_mean(place, sorted(path.stem for path in Path.cwd().glob("*.py")))
                raise StudyError(
                    f"there is no module '{place}' in the current directory or on Python's "
                    f"path{near}"
                ) from None
            raise _cannot_import(place, error) from error


def _is(module: ModuleType, file: Path) -> bool:
    origin = getattr(module, "__file__", None)
    return origin is not None and Path(origin).exists() and file.samefile(origin)


def _cannot_import(place: str, error: BaseException) -> StudyError:
    """Return the error with the line of the user's file that led to it."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return StudyError(f"{_shown(error.filename)}:{error.lineno}: SyntaxError: {error.msg}")
    where, is_within = _line(error.__traceback__)
    what = shorten(str(error), 100)
    if isinstance(error, SystemExit):
        what = (
            'it ends Python while it is imported: put what runs below `if __name__ == "__main__":`'
        )
    elif not (is_within and isinstance(error, ValueError)):
        what = f"{type(error).__name__}{what and f': {what}'}"
    return StudyError(f"{where or place}: {what}")


def _is_users(file: Path) -> bool:
    """Return whether a file is neither Python's own nor installed; `<frozen runpy>` is no file."""
    return file.suffix == ".py" and not any(file.is_relative_to(place) for place in _places())


@cache
def _places() -> tuple[Path, ...]:
    return tuple(
        Path(place)
        for place in {
            sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
        }
        if place
    )


def _line(traceback: TracebackType | None) -> tuple[str | None, bool]:
    """Return the innermost line of the user's code, and whether ackclock is further in."""
    line, is_within = None, False
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        is_within = Path(file).is_relative_to(_PACKAGE)
        if not is_within and "importlib" not in file and _is_users(Path(file)):
            line = f"{_shown(file)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return line, is_within


def line_of(error: BaseException) -> str | None:
    """Return the innermost line of the user's code behind an error (`vegas.py:12`), or None."""
    return _line(error.__traceback__)[0]


def _shown(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file


def _checked(module: ModuleType, name: str, place: str) -> Study:
    """Return the study of that name in a module, by default `STUDY`."""
    from ackclock.studies.study import Study

    others = [attribute for attribute, value in vars(module).items() if isinstance(value, Study)]
    if not hasattr(module, name or "STUDY"):
        if name:
            raise StudyError(
                f"{place}: there is no '{name}' in it{_only(others)}{did_you_mean(name, others)}"
            )
        if not others:
            raise StudyError(
                f"{place}: no STUDY in it: write STUDY = Study(...), or let ackclock study new "
                "make a first one"
            )
        what = (
            f"its study is called {others[0]}"
            if len(others) == 1
            else f"it has several studies, {', '.join(others)}"
        )
        raise StudyError(
            f"{place}: no STUDY in it; {what}: name the one that you mean, {place}:{others[0]}"
        )
    study: Any = getattr(module, name or "STUDY")
    if not isinstance(study, Study):
        kind = "the class Study itself" if study is Study else f"a {type(study).__name__}"
        raise StudyError(
            f"{place}: {name or 'STUDY'} is {kind}, and no "
            f"ackclock.studies.study.Study{_only(others)}"
        )
    _check_name(study, place)
    return study


def _only(names: list[str]) -> str:
    return f", only {', '.join(names)}" if names else ""


def _check_name(study: Study, place: str) -> None:
    from ackclock.runtime.installed import entries

    if not _NAME.fullmatch(study.name) or study.name.endswith("."):
        raise StudyError(
            f"{place}: {study.name!r} is no name for a study: a folder is called so; take letters, "
            "digits, '.', '-' and '_'"
        )
    if study.name in TAKEN or (study.name in entries() and not is_installed(study)):
        raise StudyError(f"{place}: the name '{study.name}' is taken: call the study otherwise")


def is_installed(study: Study) -> bool:
    """Return whether an installed package registers the study; if not, it is the user's."""
    from ackclock.runtime.installed import entries, home_of

    homes = [home_of(entry) for entry in entries().get(study.name, ())]
    return any(home is not None and study.folder.resolve().is_relative_to(home) for home in homes)


def module_of(study: Study) -> ModuleType | None:
    """Return the imported module that has the study, or None for one typed at a prompt.

    A part of a study (`--claim`) is another object with that name and folder.
    """
    from ackclock.studies.study import Study

    candidates: list[tuple[bool, ModuleType]] = []
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if isinstance(value, Study) and (
                value is study or (value.name, value.folder) == (study.name, study.folder)
            ):
                file = getattr(module, "__file__", None)
                if file is not None and Path(file).is_file():
                    # A file that only imports the study comes after the one that defines it.
                    beside = Path(file).resolve().parent == study.folder.resolve()
                    candidates.append((not (beside and name == "STUDY"), module))
    return min(candidates, key=lambda candidate: candidate[0])[1] if candidates else None
