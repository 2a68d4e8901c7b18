"""The files that a step depends on, as a digest of their names and contents.

A digest needs no history, so a shallow clone decides as a full one does, and edits that are not
committed count.
"""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Inputs:
    """Files of a clone that git knows, or would know."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def files(self, pathspecs: tuple[str, ...]) -> list[str]:
        """Names of the files that match, sorted; ignored ones are left out."""
        listed = self._git(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *pathspecs
        )
        names = sorted(set(listed.split("\0")) - {""})
        return [name for name in names if (self._root / name).is_file()]

    @cache  # noqa: B019 - one object for each run of the program
    def digest(self, pathspecs: tuple[str, ...]) -> str:
        """SHA-256 over names and contents of the files that match."""
        whole = hashlib.sha256()
        for name in self.files(pathspecs):
            content = hashlib.sha256((self._root / name).read_bytes()).hexdigest()
            whole.update(f"{content} {name}\n".encode())
        return whole.hexdigest()

    def first_change(self, pathspecs: tuple[str, ...], commit: str) -> str:
        """Name a file that differs from a commit, and count the others; "" if git cannot tell."""
        try:
            changed = self._git("diff", "--name-only", "-z", commit, "--", *pathspecs)
            new = self._git("ls-files", "-z", "--others", "--exclude-standard", "--", *pathspecs)
        except subprocess.CalledProcessError:
            return ""
        names = sorted({*changed.split("\0"), *new.split("\0")} - {""})
        if not names:
            return ""
        return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")

    def commit(self) -> str:
        """The commit that is checked out."""
        return self._git("rev-parse", "HEAD").strip()

    def is_clean(self) -> bool:
        """Whether nothing but the record itself differs from the commit."""
        changed = self._git("status", "--porcelain", "--", ".", ":!bench/nightly.json")
        return not changed.strip()

    def _git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self._root, check=True, capture_output=True, text=True
        )
        return done.stdout
