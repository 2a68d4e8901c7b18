"""The benchmarks' scripts as modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts import ROOT, script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """bench/page.py, which imports the others by their names, as they stand beside each other."""
    monkeypatch.syspath_prepend(ROOT / "bench/peers")
    monkeypatch.syspath_prepend(ROOT / "bench")
    return script("bench/page.py")
