"""The folder of staged pages."""

import os
import re
from pathlib import Path

_LINK = re.compile(r"(?<!!)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


class Stage:
    """A folder that mirrors the repository's, so that relative links hold.

    Attributes
    ----------
    pages : set of str
        Pages written so far, as paths from the folder.
    """

    def __init__(self, root: Path, to: Path) -> None:
        self.root, self.to = root, to
        self.pages: set[str] = set()
        self._files: set[str] = set()
        self._folders: set[Path] = set()
        self._linked: set[Path] = set()

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file, unless it has this content already."""
        content = text.encode() if isinstance(text, str) else text
        target = self.to / name
        self._files.add(name)
        if target.suffix in {".md", ".rst", ".ipynb"}:
            self.pages.add(name)
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def copy(self, path: Path) -> None:
        """Copy a file of the repository to its place."""
        self.write(path.relative_to(self.root).as_posix(), path.read_bytes())

    def text(self, name: str) -> str:
        """Return the text of a staged page."""
        return (self.to / name).read_text(encoding="utf-8")

    def page(self, path: Path, *, is_aside: bool = False, text: str | None = None) -> None:
        """Stage a page in Markdown; links to folders lead to their first page.

        A page aside is reached by links alone, and is in no table of contents. A page that git does
        not have comes with its text.
        """
        text = path.read_text(encoding="utf-8") if text is None else text

        def leading(link: re.Match[str]) -> str:
            target = (path.parent / link[1]).resolve()
            if self.root not in target.parents:
                return link[0]
            if target.is_dir():
                beside = target.with_suffix(".md")
                if beside.is_file():
                    return f"]({link[1].rstrip('/')}.md{link[2] or ''})"
                return f"]({link[1].rstrip('/')}/{self._first_page(target)}{link[2] or ''})"
            if target.is_file():
                if target.suffix == ".md":
                    self._linked.add(target)
                else:
                    self.copy(target)
            return link[0]

        head = "---\norphan: true\n---\n\n" if is_aside else ""
        text = _outside_fences(_LINK, leading, text)
        self.write(path.relative_to(self.root).as_posix(), head + text)

    def _first_page(self, folder: Path) -> str:
        if (folder / "README.md").is_file():
            self._linked.add(folder / "README.md")
            return "README.md"
        self._folders.add(folder)
        return "files.md"

    def finish(self) -> None:
        """Stage all that pages lead to, and remove files of an earlier staging."""
        while aside := [
            path
            for path in sorted(self._linked)
            if path.relative_to(self.root).as_posix() not in self._files
        ]:
            for path in aside:
                self.page(path, is_aside=True)
        for folder in sorted(self._folders):
            self._list(folder)
        for path in sorted(self.to.rglob("*"), reverse=True):
            if path.is_dir():
                if not os.listdir(path):  # noqa: PTH208
                    path.rmdir()
            elif path.relative_to(self.to).as_posix() not in self._files:
                path.unlink()

    def _list(self, folder: Path) -> None:
        """Write the page of a folder without one of its own: its files, to be downloaded."""
        name = folder.relative_to(self.root).as_posix()
        lines = []
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix in {".toml", ".py", ".md", ".json", ".trace"}:
                if path.suffix != ".md":
                    self.copy(path)
                elif f"{name}/{path.name}" not in self.pages:
                    continue
                lines.append(f"- [{path.name}]({path.name}){_about(path)}\n")
        text = f"---\norphan: true\n---\n\n# Files of {name}\n\nThe files of this folder.\n\n"
        self.write(f"{name}/files.md", text + "".join(lines))


def _about(path: Path) -> str:
    """The first comment of a scenario, for the list of its folder."""
    if path.suffix != ".toml":
        return ""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        lines.append(line[2:].strip())
    first = re.split(r"(?<=[.?:]) ", " ".join(lines))[0]
    return f": {first}" if first else ""


def _outside_fences(pattern: re.Pattern[str], replace: object, text: str) -> str:
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(
        part if part.startswith("```") else pattern.sub(replace, part)  # type: ignore[call-overload]
        for part in parts
    )


__all__ = ["Stage"]
