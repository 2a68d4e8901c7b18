"""Writing that leaves either the whole folder or nothing, and the same bytes every time."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.results.schema import TABLES, units

if TYPE_CHECKING:
    import polars as pl

MARK = "summary.json"


@contextmanager
def whole_folder(folder: Path, marks: tuple[str, ...]) -> Iterator[Path]:
    """A temporary folder that takes `folder`'s place if the block succeeds, and vanishes if it does not.

    Parameters
    ----------
    folder : Path
        Where the files shall be. An earlier result there is replaced.
    marks : tuple of str
        Names of files by which an earlier result is known; a folder with something else in it is left alone.

    Raises
    ------
    FileExistsError
        If `folder` holds something that is not a result.
    """
    if folder.exists() and not _replaceable(folder, marks):
        raise FileExistsError(f"{folder}: exists and is no result of ackclock; name another folder, or remove this one")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        temporary.chmod(0o755)
        yield temporary
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _replaceable(folder: Path, marks: tuple[str, ...]) -> bool:
    return folder.is_dir() and (not any(folder.iterdir()) or any((folder / mark).is_file() for mark in marks))


def write_json(path: Path, value: Any) -> None:
    """Numbers as the shortest text that reads back the same, keys in the order given, no NaN."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """What `write_json` wrote."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_table(folder: Path, name: str, frame: "pl.DataFrame") -> None:
    """`folder`/`name`.parquet, its units and meanings in the file's metadata."""
    path = folder / f"{name}.parquet"
    path.parent.mkdir(exist_ok=True)
    meanings = {column.name: column.meaning for column in TABLES[name][0]}
    frame.write_parquet(
        path, compression="zstd", metadata={"ackclock.units": json.dumps(units(name)), "ackclock.columns": json.dumps(meanings)}
    )
