"""A folder that nobody trusts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ackclock.runtime.permission import Permission, session
from foreign_folder import MODULE, SCENARIO, Foreign, forget

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def nothing_is_trusted(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    from ackclock.metrics import registry

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
    forget()
    own = dict(registry._own)
    with session(Permission("own")):
        yield
    registry._own.clear()
    registry._own.update(own)
    forget()


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Foreign:
    """The current folder, which others made: a module, and a scenario that names it."""
    stranger = Foreign(tmp_path / "foreign")
    stranger.write("planted.py", MODULE)
    stranger.write("s.toml", SCENARIO)
    monkeypatch.chdir(stranger.folder)
    return stranger
