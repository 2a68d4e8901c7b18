"""The folder of runs: each is there whole, or not at all.

::

    FOLDER/store.json        what it is
    FOLDER/ab/KEY.json       a run: its summary and figures, checksums of itself and of its table; KEY begins with ab
    FOLDER/ab/KEY.parquet    the same figures, a row each, so that FOLDER/*/*.parquet reads as one table
    FOLDER/unfinished/       files that are being written
    FOLDER/claims            locked, at the byte that a run's key gives, by the process that makes it

Files are renamed into place, the table first: a run is there if its JSON is. What a killed process had written and not yet renamed is
renamed by the next (`Store.tidy`). They are not flushed to the disk one by one, which would take
longer than many a run; what a power cut leaves half-written is found by its checksum, named, and made again. Nothing in them is of the
clock, so that stores with the same runs have the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.sweeps.claims import Claims
from ackclock.sweeps.key import canonical
from ackclock.sweeps.table import table_of
from ackclock.sweeps.task import Outcome, definition, digest_of, digest_of_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from ackclock.sweeps.responses import Response

__all__ = ["Store", "StoreError"]

_KIND = "ackclock store"
_LAYOUT = 1
_MARK = "store.json"
_UNFINISHED = "unfinished"
_CLAIMS = "claims"
_KEY_LENGTH = 64
# {"checksum":"...","run":{...}}: the checksum is of the bytes of {...}.
_HEAD = b'{"checksum":"'
_NECK = b'","run":'
_TAIL = b"}\n"
# How often a file that another process replaces meanwhile is read anew.
_READINGS = 5


class StoreError(ValueError):
    """A folder that is no store, or one of another version."""


class _DamagedError(Exception):
    """What is wrong with a run's files."""


class Store:
    """Runs by key, in a folder that several processes may share.

    Attributes
    ----------
    folder : Path
        Where.
    damaged : list of str
        A sentence for each run that was found damaged since it was opened; such a run counts as not there.
    """

    def __init__(self, folder: Path) -> None:
        """Take a folder for a store; `open` looks whether it is one."""
        self.folder = folder
        self.damaged: list[str] = []
        self._claims: Claims | None = None

    @classmethod
    def open(cls, folder: str | Path, *, create: bool = False) -> Self:
        """Open a store.

        Parameters
        ----------
        folder
            Where it is.
        create
            Whether to make one of a folder that does not exist, or is empty.

        Raises
        ------
        StoreError
            If it is none, or one of another version.
        """
        from ackclock import _core

        where = Path(folder)
        mark = where / _MARK
        if not mark.exists():
            _check_new(where, create=create)
            (where / _UNFINISHED).mkdir(parents=True, exist_ok=True)
            text = json.dumps({"kind": _KIND, "layout": _LAYOUT, "results_version": _core.RESULTS_VERSION}, indent=2) + "\n"
            temporary = where / _UNFINISHED / f"{_MARK}.{_unique()}"
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(mark)
        try:
            said = json.loads(mark.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise StoreError(f"{mark}: cannot be read ({error}): restore it from another store of this version, or name another") from None
        if not isinstance(said, dict) or said.get("kind") != _KIND:
            raise StoreError(f"{where}: no store of ackclock: its {_MARK} is of something else; name another folder")
        for what, version in (("layout", _LAYOUT), ("results_version", _core.RESULTS_VERSION)):
            if said.get(what) != version:
                raise StoreError(
                    f"{where}: a store of another version, {what} {said.get(what)}, and this ackclock keeps {version}: name another "
                    "folder, or go on with the ackclock that made it"
                )
        return cls(where)

    def tidy(self) -> None:
        """Put into place what processes that died have written but not moved, and remove what they left half-written."""
        folder = self.folder / _UNFINISHED
        folder.mkdir(exist_ok=True)
        # A run's JSON comes before its table.
        for path in sorted(folder.iterdir()):
            key = path.name.partition(".")[0]
            claim = self.claim(key) if _is_key(key) else None
            if claim is not None:
                with claim:
                    if path.suffix == ".json":
                        self._complete(key, str(path.with_suffix("")))
                    path.unlink(missing_ok=True)

    def _complete(self, key: str, temporary: str) -> None:
        """Move a run into place if its JSON is whole, and its table is, there or moved already."""
        target, parquet = self._paths(key)
        with suppress(OSError):
            text = _read(f"{temporary}.json")
            for table in (f"{temporary}.parquet", parquet):
                with suppress(_DamagedError):
                    _checked(text, key, f"{temporary}.json", table)
                    if table == parquet:
                        os.replace(f"{temporary}.json", target)  # noqa: PTH105 - as in `_move`
                    else:
                        _move(temporary, target, parquet)
                    return

    def has_any(self) -> bool:
        """Whether a run is there."""
        with os.scandir(self.folder) as entries:
            return any(len(entry.name) == 2 and entry.is_dir() for entry in entries)

    def get(self, key: str, responses: Sequence[Response]) -> Outcome | None:
        """A run with figures of these responses, in this order; None: it is not there, damaged, or lacks one of them.

        What the run's summary gives is not lacking, whether or not it was asked for when the run was made.
        """
        run = self._run(key)
        if run is None:
            return None
        summary, kept = run["summary"], run["figures"]
        figures: dict[str, float | None] = {}
        for response in responses:
            known_as = definition(response)
            if known_as in kept:
                figures[response.name] = kept[known_as]
            elif getattr(response, "from_summary", False):
                figures[response.name] = response.value(summary)
            else:
                return None
        return Outcome(key, run["seed"], summary, figures, digest_of(summary, figures, responses))

    def put(self, outcome: Outcome, responses: Sequence[Response]) -> None:
        """Keep a run, with what other figures of it are there already; whoever puts it has claimed it.

        Raises
        ------
        OSError
            If it cannot be written; nothing of it is there then.
        """
        figures = {definition(one): outcome.figures[one.name] for one in responses}
        digest = outcome.digest
        before = self._run(outcome.key)
        if before is not None and before["summary"] == outcome.summary:
            figures = {**before["figures"], **figures}
            digest = digest_of_figures(outcome.summary, figures)
        figures = dict(sorted(figures.items()))
        table = table_of(outcome.key, outcome.seed, figures)
        run = {
            "digest": digest,
            "figures": figures,
            "key": outcome.key,
            "parquet": hashlib.sha256(table).hexdigest(),
            "seed": outcome.seed,
            "summary": outcome.summary,
        }
        body = canonical(run).encode()
        text = b"".join((_HEAD, hashlib.sha256(body).hexdigest().encode(), _NECK, body, _TAIL))
        target, parquet = self._paths(outcome.key)
        temporary = f"{self.folder}/{_UNFINISHED}/{outcome.key}.{_unique()}"
        try:
            _write(f"{temporary}.parquet", table)
            _write(f"{temporary}.json", text)
            _move(temporary, target, parquet)
        except BaseException:
            for suffix in ("parquet", "json"):
                with suppress(OSError):
                    Path(f"{temporary}.{suffix}").unlink(missing_ok=True)
            raise

    def keys(self) -> Iterator[str]:
        """The keys of all that is there, in order; whether it is whole `get` finds out."""
        for folder in sorted(path for path in self.folder.iterdir() if len(path.name) == 2 and path.is_dir()):
            yield from sorted(path.stem for path in folder.glob("*.json") if _is_key(path.stem))

    def claim(self, key: str) -> AbstractContextManager[None] | None:
        """The right to make a run, until the context ends or the process dies; None: another process, or this one, has it."""
        if self._claims is None:
            self._claims = Claims.of(self.folder / _CLAIMS)
        return self._claims.take(key)

    @property
    def has_locks(self) -> bool:
        """Whether claims are known to other processes; if not, two of them may make the same run, and keep the same bytes."""
        return self._claims is None or self._claims.has_locks

    def _paths(self, key: str) -> tuple[str, str]:
        beginning = f"{self.folder}/{key[:2]}/{key}"
        return f"{beginning}.json", f"{beginning}.parquet"

    def _run(self, key: str) -> dict[str, Any] | None:
        """What is kept of a run, if it is whole."""
        target, parquet = self._paths(key)
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
                return _checked(text, key, target, parquet)
            except _DamagedError as error:
                # Unless another process is just replacing it: then it is read once more, and is another or gone.
                wrong = str(error)
        if wrong not in self.damaged:
            self.damaged.append(wrong)
        return None


def _move(temporary: str, target: str, parquet: str) -> None:
    """Move a run's two files into place. Whoever is killed in between leaves what `Store.tidy` needs to go on."""
    # An earlier run's JSON does not belong to the table that takes its table's place.
    with suppress(FileNotFoundError):
        os.unlink(target)  # noqa: PTH108 - as often as there are runs; a Path takes longer to make than the call
    try:
        os.replace(f"{temporary}.parquet", parquet)  # noqa: PTH105
    except FileNotFoundError:
        Path(parquet).parent.mkdir(exist_ok=True)
        os.replace(f"{temporary}.parquet", parquet)  # noqa: PTH105
    os.replace(f"{temporary}.json", target)  # noqa: PTH105


def _check_new(folder: Path, *, create: bool) -> None:
    if not folder.exists():
        if not create:
            raise StoreError(f"{folder}: there is no such folder")
        return
    if not folder.is_dir():
        raise StoreError(f"{folder}: a file, and no store of ackclock; name another")
    # Killed before it had its mark.
    if any(path.name not in (_UNFINISHED, _MARK) for path in folder.iterdir()) or not create:
        raise StoreError(f"{folder}: no store of ackclock: it has no {_MARK}; name another folder, or an empty one")


def _unique() -> str:
    return f"{os.getpid()}-{os.urandom(4).hex()}"


def _is_key(text: str) -> bool:
    return len(text) == _KEY_LENGTH and all(letter in "0123456789abcdef" for letter in text)


def _checked(text: bytes, key: str, target: str, parquet: str) -> dict[str, Any]:
    start = len(_HEAD) + _KEY_LENGTH
    body = text[start + len(_NECK) : -len(_TAIL)]
    is_whole = text.startswith(_HEAD) and text[start:].startswith(_NECK) and text.endswith(_TAIL)
    if not is_whole or hashlib.sha256(body).hexdigest().encode() != text[len(_HEAD) : start]:
        raise _DamagedError(f"{target}: damaged: its checksum is of something else")
    run: dict[str, Any] = json.loads(body)
    if run["key"] != key:
        raise _DamagedError(f"{target}: the file of another run, {run['key']}")
    try:
        table = _read(parquet)
    except FileNotFoundError:
        raise _DamagedError(f"{parquet}: missing") from None
    except OSError as error:
        raise _DamagedError(f"{parquet}: cannot be read ({error.strerror})") from None
    if hashlib.sha256(table).hexdigest() != run["parquet"]:
        raise _DamagedError(f"{parquet}: damaged: its checksum is of something else")
    return run


def _write(path: str, content: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
    finally:
        os.close(file)


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return file.read()
