"""The gallery: pictures of example scenarios, run while the site is built."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from copying import Stage


class Entry(TypedDict):
    """One picture of gallery.toml."""

    name: str
    title: str
    """Name of the picture, in some words."""
    text: str
    """A sentence or two on the thing to see."""
    commands: list[str]
    """Commands that a reader can repeat; the last one makes the picture."""
    picture: str
    """The file among the results that is shown."""
    alt: str
    """The picture in words, for readers who do not see it."""


def read(file: Path) -> list[Entry]:
    """Return the entries of gallery.toml."""
    with file.open("rb") as opened:
        pictures: list[Entry] = tomllib.load(opened)["picture"]
    return pictures


def draw(entry: Entry, root: Path, folder: Path) -> bytes:
    """Run an entry's commands in an empty folder that sees the scenarios; return the picture."""
    (folder / "scenarios").symlink_to(root / "scenarios")
    for command in entry["commands"]:
        words = shlex.split(command)
        assert words[0] == "ackclock", command
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=folder,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"gallery, {entry['name']}: {command}: {done.stderr}")
    return (folder / entry["picture"]).read_bytes()


def _key(root: Path) -> str:
    """A digest of all that pictures depend on besides their entries: ackclock and the scenarios."""
    digest = hashlib.sha256()
    package = root / "python/ackclock"
    for path in sorted(
        [*package.rglob("*.py"), *package.glob("*.so"), *root.glob("scenarios/**/*")]
    ):
        if path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _scenario(entry: Entry, root: Path) -> Path | None:
    for command in entry["commands"]:
        for word in shlex.split(command):
            if word.startswith("scenarios/"):
                return root / word
    return None


def write(staged: Stage, file: Path) -> None:
    """Write gallery/README.md and its pictures; those of an earlier build are kept."""
    entries = read(file)

    kept = staged.root / "out/site-gallery" / _key(staged.root)[:16]
    kept.mkdir(parents=True, exist_ok=True)

    def drawn(entry: Entry) -> bytes:
        made_by = json.dumps([entry["commands"], entry["picture"]])
        name = hashlib.sha256(made_by.encode()).hexdigest()[:16]
        if not (kept / name).is_file():
            with TemporaryDirectory() as folder:
                picture = draw(entry, staged.root, Path(folder))
            (kept / name).write_bytes(picture)
        return (kept / name).read_bytes()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pictures = list(pool.map(drawn, entries))
    about = (
        "# Gallery\n\nThis page shows pictures that ackclock draws, each with the commands and the "
        "scenario that make it. They were run when this site was built. `ackclock examples copy` "
        "writes the scenarios.\n"
    )
    parts = [about]
    for entry, picture in zip(entries, pictures, strict=True):
        name = f"{entry['name']}{Path(entry['picture']).suffix}"
        staged.write(f"gallery/{name}", picture)
        commands = "\n".join(entry["commands"])
        parts.append(
            f"## {entry['title']}\n\n{entry['text'].strip()}\n\n![{entry['alt']}]({name})\n\n"
            f"```sh\n{commands}\n```\n"
        )
        scenario = _scenario(entry, staged.root)
        if scenario is not None:
            shown = scenario.relative_to(staged.root)
            staged.copy(scenario)
            parts.append(
                f":::{{dropdown}} {shown}\n```toml\n{scenario.read_text(encoding='utf-8')}```\n"
                f"[Download]({'../' + shown.as_posix()})\n:::\n"
            )
    staged.write("gallery/README.md", "\n".join(parts))
