"""The store: a folder of runs, in which each run is a whole file or absent.

::

    FOLDER/store.json    kind and version of the store
    FOLDER/a/KEY.json    a run: summary, figures, checksum; KEY begins with a
    FOLDER/unfinished/   files in progress
    FOLDER/claims        lock file; the process that makes a run locks a byte given by its key

A file is renamed into place: a run exists if its file does. `Store.tidy` renames files that a
killed process had written but not renamed. Files are not flushed to the disk one by one, which
would take longer than many a run: checksums find the half-written files of a power cut, and such
runs are made again. No file holds a time of day, so stores with the same runs have the same bytes.

Earlier stores (layout 1) had 256 folders, a Parquet file beside each run, and the diagnosis in the
summary. `Store.get` reads their runs. The first new run raises the version in store.json, so that
an earlier ackclock refuses the store.

*Lost: a Parquet file beside each run.* A second file costs as much as the first, and `read_json`
of DuckDB reads the first.

*Lost: 256 folders.* A sweep of a hundred runs made a folder for almost each of them.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.atomic_io import (
    LinkError,
    entries_of,
    files_of,
    is_file,
    make_place,
    read_json,
    refuse_links,
    without_links,
)
from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.reading import DamagedError, decoding, parse_json
from ackclock.atomic_io.system import READ_FILE
from ackclock.errors import Error
from ackclock.messages import shorten
from ackclock.results.diagnosis.sentences import cautions
from ackclock.results.summary import check
from ackclock.sweeps.claims import Claims
from ackclock.sweeps.key import canonical
from ackclock.sweeps.task import Outcome, definition, digest_of, figures_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from ackclock.sweeps.responses import Response

__all__ = ["Store", "StoreError"]

_KIND = "ackclock store"
_LAYOUT = 2
_EARLIER_LAYOUT = 1
_MARK = "store.json"
_UNFINISHED = "unfinished"
_CLAIMS = "claims"
_KEY_LENGTH = 64
# {"checksum":"...","run":{...}}: the checksum is of the bytes of {...}.
_HEAD = b'{"checksum":"'
_NECK = b'","run":'
_TAIL = b"}\n"
# Most readings of a file that another process replaces meanwhile.
_READINGS = 5


class StoreError(Error, ValueError):
    """A folder that is no store, or one of another version.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.StoreError, ValueError), ac.StoreError.kind
    (True, 'unreadable')
    """

    kind = "unreadable"


class _DamagedError(Exception):
    """The file of a run is damaged."""


class Store:
    """Runs by key, in a folder that several processes may share.

    Attributes
    ----------
    folder : Path
        Folder of the store.
    damaged : list of str
        A sentence for each run that was found damaged since the store was opened. A damaged run
        counts as missing.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from ackclock.sweeps import Store
    >>> Store(Path(mkdtemp()) / "runs").damaged
    []
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder as a store, unchecked; `open` checks it."""
        self.folder = folder
        self.damaged: list[str] = []
        self._claims: Claims | None = None
        self._shelves: set[str] = set()
        """Folders of runs that are no symbolic links."""
        self._has_earlier = False
        """Whether there may be runs in the folders of the earlier layout."""
        self._must_upgrade = False
        """Whether store.json still has the earlier layout."""

    @classmethod
    def open(cls, folder: str | Path, *, create: bool = False) -> Self:
        """Open a store; with `create`, make one in a folder that is empty or does not exist.

        Raises
        ------
        StoreError
            If the folder holds no store, or one of another version.
        """
        from ackclock import _core

        where = Path(folder)
        mark = where / _MARK
        try:
            if not is_file(where, _MARK):
                _check_new(where, create=create)
                make_place(where)
                _write_mark(where)
            for name in (_UNFINISHED, _CLAIMS):
                without_links(where, name)
        except LinkError as error:
            raise StoreError(str(error)) from None
        try:
            said = read_json(where, _MARK)
        except (ValueError, OSError) as error:
            raise StoreError(
                f"{mark}: cannot be read ({error}): restore it from another store of this "
                "version, or name another"
            ) from None
        if not isinstance(said, dict) or said.get("kind") != _KIND:
            raise StoreError(
                f"{where}: no store of ackclock: its {_MARK} is of something else; name another "
                "folder"
            )
        layout = said.get("layout")
        for what, version in (
            ("layout", _EARLIER_LAYOUT if layout == _EARLIER_LAYOUT else _LAYOUT),
            ("results_version", _core.RESULTS_VERSION),
        ):
            if said.get(what) != version:
                raise StoreError(
                    f"{where}: a store of another version, {what} {said.get(what)}, and this "
                    f"ackclock keeps {version}: name another folder, or go on with the ackclock "
                    "that made it"
                )
        store = cls(where)
        store._must_upgrade = layout == _EARLIER_LAYOUT
        store._has_earlier = store._must_upgrade or bool(said.get("has_earlier"))
        return store

    def tidy(self) -> None:
        """Move complete files of dead processes into place, and remove half-written ones."""
        with (
            Folder.open(self.folder) as opened,
            opened.within(_UNFINISHED, make=True) as unfinished,
        ):
            for name in unfinished.names():
                key = name.partition(".")[0]
                claim = self.claim(key) if _is_key(key) else None
                if claim is not None:
                    path = f"{self.folder}/{_UNFINISHED}/{name}"
                    with claim, suppress(OSError):
                        with suppress(_DamagedError):
                            if name.endswith(".json"):
                                _checked(_read(path), key, path)
                                self._move(path, key)
                        unfinished.remove_file(name)

    def has_any(self) -> bool:
        """Whether the store has any run."""
        try:
            with os.scandir(self.folder) as entries:
                return any(
                    _is_shelf(entry.name) and entry.is_dir(follow_symlinks=False)
                    for entry in entries
                )
        except FileNotFoundError:
            return False

    def get(self, key: str, responses: Sequence[Response]) -> Outcome | None:
        """A run with the figures of these responses, in this order.

        None if the run is missing or damaged, or lacks the figure of a response that cannot be
        computed from the run's summary.
        """
        return self.look(key, responses)[0]

    def look(self, key: str, responses: Sequence[Response]) -> tuple[Outcome | None, bool]:
        """A run as `get` returns it, and whether the store has no such run, or a damaged one."""
        run = self._run(key)
        if run is None:
            return None, True
        summary, kept = run["summary"], run["figures"]
        figures: dict[str, float | None] = {}
        is_checked = False
        for response in responses:
            known_as = definition(response)
            if known_as in kept:
                figures[response.name] = kept[known_as]
            elif getattr(response, "from_summary", False):
                if not is_checked and not self._is_summary(key, summary):
                    return None, True
                is_checked = True
                figures[response.name] = response.value(summary)
            else:
                return None, False
        text = canonical(summary)
        by_definition = {definition(response): figures[response.name] for response in responses}
        digest = run["digest"] if by_definition == kept else digest_of(text, by_definition)
        outcome = Outcome(key, run["seed"], summary, figures, digest, tuple(run["cautions"]), text)
        return outcome, False

    def put(
        self, outcome: Outcome, responses: Sequence[Response], *, is_missing: bool = False
    ) -> None:
        """Keep a run, together with earlier figures of it; the caller must have claimed the run.

        `is_missing`: `look` said so since the claim, and need not be asked again.

        Raises
        ------
        OSError
            If the run cannot be written; the store has no part of it then.
        """
        figures = figures_of(outcome, responses)
        summary = outcome.text or canonical(outcome.summary)
        digest = outcome.digest
        before = None if is_missing else self._run(outcome.key)
        if before is not None and before["summary"] == outcome.summary:
            figures = {**before["figures"], **figures}
            digest = digest_of(summary, figures)
        # In the order of `canonical`, which need not write the summary a second time.
        body = (
            f'{{"cautions":{canonical(outcome.cautions)},"digest":"{digest}",'
            f'"figures":{canonical(figures)},"key":"{outcome.key}","seed":{outcome.seed},'
            f'"summary":{summary}}}'
        ).encode()
        text = b"".join((_HEAD, hashlib.sha256(body).hexdigest().encode(), _NECK, body, _TAIL))
        if self._must_upgrade:
            _write_mark(self.folder, has_earlier=True)
            self._must_upgrade = False
        refuse_links(self.folder)
        temporary = f"{self.folder}/{_UNFINISHED}/{outcome.key}.{_unique()}.json"
        try:
            _write(temporary, text)
            self._move(temporary, outcome.key)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
            raise

    def keys(self) -> Iterator[str]:
        """The keys of all runs, in order; only `get` checks whether a run is damaged."""
        names: set[str] = set()
        for shelf in filter(_is_shelf, entries_of(self.folder)):
            files = files_of(self.folder, shelf, ".json")
            names.update(filter(_is_key, (name.removesuffix(".json") for name in files)))
        yield from sorted(names)

    def claim(self, key: str) -> AbstractContextManager[None] | None:
        """The right to make a run, until the context ends or the process dies; None if taken."""
        if self._claims is None:
            self._claims = Claims.of(self.folder / _CLAIMS)
        return self._claims.take(key)

    @property
    def has_locks(self) -> bool:
        """Whether other processes see claims; see `Claims.has_locks`."""
        return self._claims is None or self._claims.has_locks

    def _move(self, temporary: str, key: str) -> None:
        """Move a run's file into place."""
        # `os` instead of Path: a Path takes longer to make than the call, once per run.
        target = self._path(key)
        self._check_shelf(key[:1])
        try:
            os.replace(temporary, target)  # noqa: PTH105
        except FileNotFoundError:
            Path(target).parent.mkdir(exist_ok=True)
            os.replace(temporary, target)  # noqa: PTH105

    def _check_shelf(self, shelf: str) -> None:
        """Refuse a symbolic link in the place of a folder of runs; each is looked at once."""
        if shelf in self._shelves:
            return
        path = f"{self.folder}/{shelf}"
        with suppress(FileNotFoundError):
            if stat.S_ISLNK(os.lstat(path).st_mode):
                raise LinkError(Path(path))
            self._shelves.add(shelf)

    def _path(self, key: str) -> str:
        return f"{self.folder}/{key[:1]}/{key}.json"

    def _run(self, key: str) -> dict[str, Any] | None:
        """The content of a run's file, if the run exists and is not damaged."""
        self._check_shelf(key[:1])
        content = self._run_at(self._path(key), key)
        if content is None and self._has_earlier:
            self._check_shelf(key[:2])
            content = self._run_at(f"{self.folder}/{key[:2]}/{key}.json", key)
        return content

    def _is_summary(self, key: str, summary: object) -> bool:
        """Whether a run's summary has the shape that figures are made from."""
        try:
            check(summary, self._path(key))
        except DamagedError as error:
            self.damaged.append(str(error))
            return False
        return True

    def _run_at(self, target: str, key: str) -> dict[str, Any] | None:
        wrong = ""
        last = None
        for _ in range(_READINGS):
            try:
                text = _read(target)
            except FileNotFoundError:
                return None
            except OSError as error:
                wrong = f"{target}: cannot be read ({error.strerror})"
                break
            if text == last:
                break
            last = text
            try:
                return _checked(text, key, target)
            except _DamagedError as error:
                # Another process may be replacing the file: it is read again, until it is stable.
                wrong = str(error)
        if wrong not in self.damaged:
            self.damaged.append(wrong)
        return None


def _write_mark(folder: Path, *, has_earlier: bool = False) -> None:
    from ackclock import _core

    made: dict[str, Any] = {
        "kind": _KIND,
        "layout": _LAYOUT,
        "results_version": _core.RESULTS_VERSION,
    }
    if has_earlier:
        made["has_earlier"] = True
    with Folder.open(folder) as opened, opened.within(_UNFINISHED, make=True) as unfinished:
        name = f"{_MARK}.{_unique()}"
        _write(str(unfinished.path / name), f"{json.dumps(made, indent=2)}\n".encode())
        unfinished.move(name, opened, _MARK)


def _as_now(run: dict[str, Any]) -> dict[str, Any]:
    """A run as this layout keeps it, from one of the earlier layout."""
    summary = run["summary"]
    brief = {name: value for name, value in summary.items() if name != "diagnosis"}
    return {
        "cautions": cautions(summary),
        "digest": digest_of(canonical(brief), run["figures"]),
        "figures": run["figures"],
        "key": run["key"],
        "seed": run["seed"],
        "summary": brief,
    }


def _check_new(folder: Path, *, create: bool) -> None:
    if not folder.exists():
        if not create:
            raise StoreError(f"{folder}: there is no such folder")
        return
    if not folder.is_dir():
        raise StoreError(f"{folder}: a file, and no store of ackclock; name another")
    # A process that was killed before it wrote the mark leaves these two names.
    if any(name not in (_UNFINISHED, _MARK) for name in entries_of(folder)) or not create:
        raise StoreError(
            f"{folder}: no store of ackclock: it has no {_MARK}; name another folder, or an empty "
            "one"
        )


# Containers that share a disk may have equal process numbers, and a fork has an equal token.
_TOKEN = os.urandom(4).hex()
_numbers = itertools.count()


def _unique() -> str:
    return f"{os.getpid()}-{_TOKEN}-{next(_numbers)}"


def _is_shelf(name: str) -> bool:
    return len(name) in {1, 2} and all(letter in "0123456789abcdef" for letter in name)


def _is_key(text: str) -> bool:
    return len(text) == _KEY_LENGTH and all(letter in "0123456789abcdef" for letter in text)


def _checked(text: bytes, key: str, target: str) -> dict[str, Any]:
    start = len(_HEAD) + _KEY_LENGTH
    body = text[start + len(_NECK) : -len(_TAIL)]
    is_whole = text.startswith(_HEAD) and text[start:].startswith(_NECK) and text.endswith(_TAIL)
    if not is_whole or hashlib.sha256(body).hexdigest().encode() != text[len(_HEAD) : start]:
        raise _DamagedError(f"{target}: damaged: its checksum is of something else")
    try:
        run: dict[str, Any] = parse_json(body)
    except DamagedError as error:
        raise _DamagedError(f"{target}: {error}") from None
    wrong = _wrong_key(run)
    if wrong:
        raise _DamagedError(f"{target}: damaged: '{wrong}' is missing or wrong")
    if run["key"] != key:
        raise _DamagedError(f"{target}: the file of another run, {shorten(run['key'])}")
    if "cautions" in run:
        return run
    try:
        with decoding(target, "a run of an earlier layout"):
            return _as_now(run)
    except DamagedError as error:
        raise _DamagedError(str(error)) from None


def _wrong_key(run: Any) -> str:
    """The first key of a run whose value cannot be; "" if all can.

    A declared shape would take longer than to read the run.
    """
    if not isinstance(run, dict):
        return "key"
    figures, cautions_of = run.get("figures"), run.get("cautions", [])
    is_summary = isinstance(run.get("summary"), dict)
    sound = {
        "key": isinstance(run.get("key"), str),
        "seed": type(run.get("seed")) is int and abs(run["seed"]) < 2**63,
        "summary": is_summary,
        "figures": isinstance(figures, dict)
        and all(figure is None or type(figure) in {int, float} for figure in figures.values()),
        "cautions": isinstance(cautions_of, list)
        and all(isinstance(caution, str) for caution in cautions_of),
        "digest": isinstance(run.get("digest"), str) or "cautions" not in run,
    }
    return next((key for key, is_sound in sound.items() if not is_sound), "")


def _write(path: str, content: bytes) -> None:
    # With O_EXCL no link is followed.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
    finally:
        os.close(file)


def _read(path: str) -> bytes:
    file = os.open(path, READ_FILE)
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "this is not a file", path)
        content = os.read(file, about.st_size + 1)
        while more := os.read(file, 2**20):
            content += more
        return content
    finally:
        os.close(file)
