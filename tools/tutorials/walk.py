"""A walk through a page: its files are saved, its commands run, its outputs and pictures taken.

- A block after “Save this as `NAME`” is saved under that name.
- A block in `sh` is run, all blocks in one folder, in order.
- A block in `text` right after it is its standard output.
- `<!-- picture: FILE -->` above an image says which file of the results the image is.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Walk", "follow"]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SAVE = re.compile(r"[Ss]ave this as\s+`([^`]+)`")
_PICTURE = re.compile(r"<!-- picture: (\S+) -->\n!\[[^\]]*\]\(([^)]+)\)")


@dataclass
class Walk:
    """A page as it would be if its outputs were those of this walk.

    Attributes
    ----------
    text : str
        The page with each output replaced.
    commands : int
        Blocks of commands that ran.
    pictures : dict of str to bytes
        Content of each picture, by the image's path in the page.
    """

    text: str = ""
    commands: int = 0
    pictures: dict[str, bytes] = field(default_factory=dict)


def follow(text: str, folder: Path) -> Walk:
    """Walk through a page in an empty folder.

    Parameters
    ----------
    text : str
        The page in Markdown.
    folder : Path
        Folder for files and results.

    Raises
    ------
    RuntimeError
        If a command fails; the text is the command and what it says.
    """
    walk = Walk()
    parts: list[str] = []
    end = 0
    output: str | None = None
    for block in _BLOCK.finditer(text):
        between = text[end : block.start()]
        parts.append(between)
        shown = block[0]
        names = _SAVE.findall(between)
        if names and block[1] != "sh":
            (folder / names[-1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / names[-1]).write_text(block[2], encoding="utf-8")
        elif block[1] == "sh":
            output = _run(block[2], folder)
            walk.commands += 1
        elif block[1] == "text" and not between.strip() and output is not None:
            shown = f"```text\n{''.join(_lines(output))}```"
            output = None
        parts.append(shown)
        end = block.end()
    parts.append(text[end:])
    walk.text = "".join(parts)
    for made, name in _PICTURE.findall(text):
        walk.pictures[name] = (folder / made).read_bytes()
    return walk


def _run(commands: str, folder: Path) -> str:
    """Standard output of a block of commands, on a terminal of 80 columns without colours."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{commands.strip()}\n{done.stdout}{done.stderr}")
    return done.stdout


def _lines(output: str) -> Iterator[str]:
    """Lines without spaces at their ends, without blank ones at beginning and end."""
    for line in output.strip("\n").splitlines():
        if line.strip() or output.strip():
            yield f"{line.rstrip()}\n"
