"""Source of the page's `traits.ts`, from the core's entries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["traits_source"]

_HEAD = """// Made by `python tools/border`.

/** What a congestion control is like. */
export interface Algorithm {
  /** Whether its slow start ends at no ssthresh. */
  readonly isWhole: boolean;
  readonly slowStartsAfterLoss: boolean;
  /** Phases that it tells of itself: the internal with their number, and their names. */
  readonly phases: { readonly internal: string; readonly names: readonly string[] } | null;
}

/** What a queue discipline is like. */
export interface Discipline {
  /** Whether packets leave in the order in which they came. */
  readonly inOrder: boolean;
  /** Whether each flow has a queue of its own. */
  readonly isFair: boolean;
  /** Whether it drops none that waits. */
  readonly keepsWaiting: boolean;
}
"""


def traits_source() -> str:
    """The text of traits.ts."""
    algorithms = {
        entry["name"]: {
            "isWhole": entry["role"] == "whole",
            "slowStartsAfterLoss": entry["traits"]["slow_starts_after_loss"],
            "phases": entry["traits"]["phases"],
        }
        for entry in _core.list_cc()
    }
    disciplines = {
        entry["name"]: {
            "inOrder": entry["traits"]["in_order"],
            "isFair": entry["traits"]["is_fair"],
            "keepsWaiting": entry["traits"]["keeps_waiting"],
        }
        for entry in _core.list_qdisc()
    }
    return "\n".join(
        (
            _HEAD,
            _table("ALGORITHMS", "Algorithm", algorithms.items()),
            _table("DISCIPLINES", "Discipline", disciplines.items()),
        )
    )


def _table(name: str, kind: str, rows: Iterable[tuple[str, object]]) -> str:
    lines = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in rows)
    return (
        "// biome-ignore format: a line for each\n"
        f"export const {name}: Readonly<Record<string, {kind}>> = {{\n{lines}}};\n"
    )
