"""Executes a notebook and keeps its outputs small, clean and comparable."""

import copy
import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

__all__ = ["MOST_BYTES", "differences", "execute", "faults", "read", "write"]

MOST_BYTES = 200_000
"""Largest size of a notebook with its outputs."""
_PATHS = re.compile(r"(?<![\w.])/(?:home|root|tmp|work|Users|private|var)/")


def read(path: Path) -> Any:
    """Return a notebook."""
    return nbformat.read(path, as_version=4)


def execute(notebook: Any) -> Any:
    """Execute a copy of a notebook in an empty folder, and return it, clean."""
    made = copy.deepcopy(notebook)
    with TemporaryDirectory() as folder:
        NotebookClient(
            made, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()
    return _clean(made)


def _clean(notebook: Any) -> Any:
    """Leave nothing that another execution would change: counts, times, versions."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = _joined(_slim(output) for output in cell.outputs if _is_shown(output))
    return notebook


def _joined(outputs: Iterable[Any]) -> list[Any]:
    """Join what was printed in several pieces: the pieces depend on time."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream":
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _is_shown(output: Any) -> bool:
    return not (output.output_type == "stream" and output.name == "stderr")


def _slim(output: Any) -> Any:
    if output.output_type in {"execute_result", "display_data"}:
        output.metadata = {}
        if output.output_type == "execute_result":
            output.execution_count = None
        # A figure is one picture, its text says nothing.
        if "image/svg+xml" in output.data:
            output.data = {"image/svg+xml": output.data["image/svg+xml"]}
    return output


def write(notebook: Any, path: Path) -> None:
    """Write a notebook."""
    nbformat.validate(notebook)
    text = nbformat.writes(notebook)
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def differences(committed: Any, made: Any) -> list[str]:
    """Return a line for each output that is not the committed one; pictures count by their kind.

    A picture's bytes depend on the version of the library that draws it; its numbers do not.
    """
    lines = []
    for number, (old, new) in enumerate(zip(committed.cells, made.cells, strict=True), 1):
        if old.cell_type == "code" and _told(old) != _told(new):
            lines += [f"  cell {number}:", f"    committed: {_told(old)}", f"    now: {_told(new)}"]
    return lines


def _told(cell: Any) -> list[Any]:
    contents: list[Any] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            contents.append(output.text)
        elif output.output_type == "error":
            contents.append((output.ename, output.evalue))
        else:
            contents.append(
                {
                    kind: "a picture" if kind.startswith("image/") else content
                    for kind, content in output.data.items()
                }
            )
    return contents


def faults(path: Path) -> list[str]:
    """List the faults of a committed notebook: size, counts, errors, absolute paths."""
    text = path.read_text(encoding="utf-8")
    notebook = read(path)
    problems = []
    if len(text.encode()) > MOST_BYTES:
        problems.append(f"{len(text.encode())} bytes, more than {MOST_BYTES}")
    if _PATHS.search(text):
        problems.append("an absolute path")
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code":
            continue
        if cell.execution_count is not None:
            problems.append(f"cell {number}: an execution count")
        problems += [
            f"cell {number}: an error, or words on standard error"
            for output in cell.outputs
            if output.output_type == "error" or not _is_shown(output)
        ]
    return problems
