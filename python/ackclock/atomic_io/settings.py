"""The user's folder of settings: the list of trusted folders, and a secret."""

from __future__ import annotations

from pathlib import Path

__all__ = ["settings_folder"]


def settings_folder() -> Path | None:
    """The folder, an absolute path, be it there or not; None if the user has no home folder."""
    import click

    folder = Path(click.get_app_dir("ackclock"))
    if folder.is_absolute():
        return folder
    # A relative XDG_CONFIG_HOME would lie in the current folder, which others may have written.
    try:
        return Path.home() / ".config" / "ackclock"
    except RuntimeError:
        return None
