"""The permission of this process, and the question to the user if there is none yet."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.errors import Error
from ackclock.runtime.nested import texts_in
from ackclock.runtime.permission.folders import TrustError, trust, trust_of_user
from ackclock.runtime.permission.locating import files_of, is_installed, own_folders, stands_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from ackclock.errors import Kind

__all__ = [
    "NotTrustedError",
    "Permission",
    "Question",
    "acting",
    "admit",
    "allow",
    "announce",
    "current",
    "is_permitted",
    "left_out",
    "looking",
    "modules_named",
    "require",
    "require_files",
    "require_in",
    "search_folders",
    "seen",
    "session",
    "standing_for",
    "what_was_left_out",
]

# Matches overlap, and a name may have any letters: none of them shall be missed.
_MODULE = re.compile(r"(?=python:([^:]*):)")
# Texts of a scenario that are for people.
_PROSE = ("description", "name")


class NotTrustedError(Error, RuntimeError):
    """A file names Python code in a folder that the user has not trusted; nothing was run.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.NotTrustedError, ac.Error), ac.NotTrustedError.kind
    (True, 'own-code')
    """

    kind: Kind = "own-code"


@dataclass(frozen=True)
class Question:
    """The question whether folders are trusted."""

    folders: tuple[Path, ...]
    """Real paths of the folders that are not trusted."""
    files: tuple[Path, ...]
    """Files that would be run."""
    by: str
    """File that names them, as the user gave it; "" if no file does."""
    archive: Path | None
    """Archive that brings the files. It is trusted once; its folder may hold anything."""


@dataclass(frozen=True)
class Permission:
    """The user's modules that may be imported.

    - "look": none. Names of modules stand for themselves.
    - "own": those of the program that uses ackclock as a library, which are its user's own code.
      A file that the program reads needs a trusted folder (`require`).
    - "ask": modules in trusted folders, and `modules`.
    """

    kind: Literal["look", "own", "ask"] = "ask"
    modules: frozenset[str] = frozenset()
    """Modules that the user named on the command line, or that a task brings."""
    places: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Folders in which a task's modules are looked for, by module."""
    everything: bool = False
    """Whether every module is permitted, as `--allow-code` says."""
    ask: Callable[[Question], bool] | None = field(default=None, compare=False)
    """Asks the user; None: nobody can be asked."""
    tell: Callable[[Path], None] | None = field(default=None, compare=False)
    """Tells the user which file is run."""

    @property
    def looks(self) -> bool:
        """Whether nothing may be imported."""
        return self.kind == "look"


_process = Permission("own")
_here: ContextVar[Permission | None] = ContextVar("permission", default=None)
# Folders that this process may run code of, by real path.
_allowed: set[Path] = set()
# Congestion controls that a command looked at without importing them.
_left_out: set[str] = set()
# Temporary folders, by real path, with the archives that were unpacked there.
_stand_ins: dict[Path, Path] = {}
_told: set[Path] = set()


def current() -> Permission:
    """Return the permission of this thread."""
    return _here.get() or _process


@contextmanager
def session(permission: Permission) -> Iterator[None]:
    """Give all threads of this process a permission, for one command."""
    global _process
    before, folders = _process, set(_allowed)
    _process = permission
    _told.clear()
    _left_out.clear()
    try:
        yield
    finally:
        _process = before
        _allowed.clear()
        _allowed.update(folders)


@contextmanager
def _with(permission: Permission) -> Iterator[None]:
    mark = _here.set(permission)
    try:
        yield
    finally:
        _here.reset(mark)


def looking() -> AbstractContextManager[None]:
    """Import nothing in the block: a context manager for functions that only read files."""
    return _with(Permission("look"))


def acting(places: Mapping[str, Iterable[str]]) -> AbstractContextManager[None]:
    """Import these modules alone in the block: a context manager for a task of a worker.

    `places` are the folders in which each module is looked for, from `search_folders`.
    """
    paths = {name: tuple(map(Path, folders)) for name, folders in places.items()}
    return _with(Permission("ask", frozenset(paths), paths))


def allow(folder: Path) -> None:
    """Trust a folder, and those below it, until this process ends."""
    _allowed.add(folder.resolve())


@contextmanager
def standing_for(temporary: Path, archive: Path) -> Iterator[None]:
    """Trust a temporary folder if the folder of the archive is trusted that was unpacked there.

    Nothing changes if `archive` is the folder itself.
    """
    real = temporary.resolve()
    if real == archive.resolve():
        yield
        return
    _stand_ins[real] = archive
    try:
        yield
    finally:
        del _stand_ins[real]


def left_out(spec: str) -> None:
    """Note that the transport options that a congestion control implies are not known."""
    _left_out.add(spec)


def what_was_left_out() -> list[str]:
    """Return what `left_out` noted in this command, sorted."""
    return sorted(_left_out)


def announce(file: Path) -> None:
    """Tell the user once which of the user's files is run."""
    permission = current()
    if permission.tell is None or file in _told or is_installed(file):
        return
    _told.add(file)
    permission.tell(file)


def modules_named(*texts: str) -> list[str]:
    """Modules that `python:MODULE:...` names in these texts, each once."""
    return list(dict.fromkeys(module for text in texts for module in _MODULE.findall(text)))


def admit(module: str, folder: Path | None) -> None:
    """Let a module be imported, or refuse it.

    Parameters
    ----------
    module
        Name of the module.
    folder
        Folder of the file that names it; None: the program itself does.

    Raises
    ------
    NotTrustedError
        If the user has not permitted it.
    ModuleNotFoundError
        If the folder is not trusted, and there is no such module.
    """
    permission = current()
    if permission.looks:
        raise NotTrustedError(f"'{module}' is not run here: this command only looks")
    if permission.kind == "own" or permission.everything or module in permission.modules:
        return
    home = Path.cwd() if folder is None else folder
    if not is_permitted(home) and module not in sys.modules and not _files(module, [home]):
        raise ModuleNotFoundError(module, name=module)
    _require([module], [home], "")


def search_folders(module: str, folder: Path | None) -> list[Path]:
    """Return the folders in which a module is looked for before Python's own path.

    A module that the user typed stands rather in the current directory than in the folder of a file
    that is not trusted.

    All that the module imports is looked for in these folders, too, and before Python's own
    modules. So a folder counts only if the module stands in it, or code in it is permitted: the
    current directory may be of others.
    """
    permission = current()
    asked = _folders_of(module, folder)
    home = next((place for place in asked if stands_in(module, place)), None)
    return [
        place
        for place in asked
        if place == home or (permission.everything and place == folder) or is_permitted(place)
    ]


def _folders_of(module: str, folder: Path | None) -> list[Path]:
    here = Path.cwd()
    permission = current()
    if module in permission.places:
        return [*permission.places[module], here]
    if folder is None:
        return [here]
    if module not in permission.modules or is_permitted(folder):
        return [folder, here]
    return [here] if stands_in(module, here) else [here, folder]


def require_in(data: Any, folders: Iterable[Path | None], by: str) -> None:
    """Require permission for all modules that the texts of a file name.

    Parameters
    ----------
    data
        Content of the file, as TOML gives it.
    folders
        Folders that the file stands in and says that it stands in.
    by
        The file, for messages.

    Raises
    ------
    NotTrustedError
        If one of the folders, or that of a named module, is not trusted.
    """
    top = (
        {key: value for key, value in data.items() if key not in _PROSE}
        if isinstance(data, dict)
        else data
    )
    require(modules_named(*(text for _, text in texts_in(top, keys=True))), folders, by)


def require(modules: Iterable[str], folders: Iterable[Path | None], by: str) -> None:
    """Require permission for modules that a file names; see `require_in`."""
    permission = current()
    if permission.looks or permission.everything:
        return
    names = [name for name in modules if name not in permission.modules]
    if permission.kind == "own":
        names = [name for name in names if not _is_in_hand(name)]
    homes = [folder for folder in folders if folder is not None]
    # A module that does not exist is reported where it is looked for, with its key.
    names = [name for name in names if name in sys.modules or _files(name, homes)]
    if names:
        _require(names, homes, by)


def require_files(files: Iterable[Path], folder: Path) -> None:
    """Require permission to run Python files, such as a study, unless they are installed.

    `folder` is the one that imports search first.

    Raises
    ------
    NotTrustedError
        If the folder of a file, or `folder`, is not trusted.
    """
    permission = current()
    own = [file for file in files if not is_installed(file)]
    if own and permission.looks:
        raise NotTrustedError(f"{seen(own[0])} is not run here: this command only looks")
    if own and permission.kind == "ask" and not permission.everything:
        _require_files(own, [folder], "", "")


def _require(modules: list[str], folders: list[Path], by: str) -> None:
    files = [file for name in modules for home in folders for file in _files(name, [home])]
    _require_files(files, folders, modules[0], by)


def _require_files(files: list[Path], folders: list[Path], module: str, by: str) -> None:
    wanted = [*folders]
    wanted += [file.resolve().parent for file in files if not is_installed(file)]
    missing = _topmost({folder.resolve() for folder in wanted if not is_permitted(folder)})
    if not missing:
        return
    permission = current()
    archive = next((path for path in map(_archive_of, missing) if path is not None), None)
    question = Question(missing, tuple(dict.fromkeys(files)), by, archive)
    if permission.ask is not None and permission.ask(question):
        _allowed.update(missing)
        if archive is None:
            for folder in missing:
                with suppress(TrustError):
                    # Too much to trust for good, such as the home folder: this once.
                    trust(folder)
        return
    raise NotTrustedError(_refusal(question, module, permission))


def is_permitted(folder: Path) -> bool:
    """Return whether code in a folder may be run: it is trusted, allowed for now, or installed."""
    real = folder.resolve()
    archive = _archive_of(real)
    if archive is not None and is_permitted(archive.resolve().parent):
        return True
    if any(real.is_relative_to(place) for place in (*_allowed, *own_folders())):
        return True
    return trust_of_user().covers(real)


def _archive_of(real: Path) -> Path | None:
    """Return the archive that was unpacked into a folder, or into one above it."""
    for temporary, archive in _stand_ins.items():
        if real.is_relative_to(temporary):
            return archive
    return None


def _is_in_hand(name: str) -> bool:
    """Return whether a program has imported a module of its user already."""
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and not is_installed(Path(file))


def _files(module: str, folders: list[Path]) -> list[Path]:
    return files_of(module, [*folders, Path.cwd()])


def _topmost(folders: set[Path]) -> tuple[Path, ...]:
    return tuple(
        sorted(
            folder
            for folder in folders
            if not any(other != folder and folder.is_relative_to(other) for other in folders)
        )
    )


def _refusal(question: Question, module: str, permission: Permission) -> str:
    if question.archive is not None:
        return (
            f"{seen(question.archive)}: it brings Python code, "
            f"{', '.join(file.name for file in question.files)}, which was not run: read the code, "
            "then --allow-code"
        )
    where = f"{question.by}: " if question.by else ""
    folder = question.folders[0]
    code = (
        ", ".join(seen(file) for file in question.files[:3])
        if question.files
        else f"the module '{module}'"
    )
    what = f"it names Python code, {code}," if module else f"{code} is Python code,"
    named = f"{where}{what} and {folder} is not trusted"
    if permission.kind == "own":
        return (
            f"{named}: read the code, then ackclock.trust({str(folder)!r}), or allow_code=True of "
            "ackclock.load for this once"
        )
    doubt = trust_of_user().doubt
    return (
        f"{named}: read the code, then ackclock trust {folder}, or --allow-code for this once"
        f"{f' ({doubt})' if doubt else ''}"
    )


def seen(file: Path) -> str:
    """Return a path as seen from the current folder, if it is below."""
    try:
        here = Path.cwd()
    except OSError:
        return str(file)
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)
