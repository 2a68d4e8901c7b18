"""Tries one scenario: it is refused, or runs, or an oracle complains about it."""

from __future__ import annotations

import re
import resource
import time
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock.estimating import size_of
from ackclock.scenario.errors import ScenarioError
from fuzz.oracles import complaints
from fuzz.trial import run

if TYPE_CHECKING:
    from pathlib import Path

    from fuzz.generate import Case
    from fuzz.trial import Trial

__all__ = ["MOST_GROWTH_KB", "Outcome", "attempt", "kind_of"]

MOST_GROWTH_KB = 300_000
"""Growth of peak memory beyond the estimate that is a failure; a hundredth of it is usual."""

_ROW_KB = 0.6
"""Memory of a recorded packet event: in the core, as a table, and in an oracle's sums."""
_SENT_KB = 0.3
"""Memory of a sent packet; all sent packets may stand in a queue."""


@dataclass
class Outcome:
    """The outcome of a scenario."""

    events: int = 0
    seconds: float = 0.0
    """Processor time."""
    refusal: str | None = None
    complaints: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of an oracle's name, or "exception", "memory", "hang", "crash", and a sentence."""


def kind_of(sentence: str) -> str:
    """Return the sentence without names and numbers, so that sentences of one kind count as one."""
    bare = re.sub(r"^[^:]{1,40}: ", "", sentence)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\{.*", "…", bare)
    return re.sub(r"(?<![A-Za-z])[-+]?[0-9][0-9.eE+-]*", "#", bare)[:100]


_largest_kb = 0
"""Peak memory of this process so far; 0 before it is known."""


def _memory_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _estimated_kb(trial: Trial | None) -> float:
    """Return the memory that users are told, plus that of recorded and of queued packets.

    No estimate knows the numbers of packets recorded and of packets in queues without a limit.
    """
    if trial is None:
        return 0.0
    size = size_of(trial.plan, pcap=trial.scenario.record.pcap, bounds=False)
    rows = len(next(iter(trial.packets.values()))) if trial.result.has_packets else 0
    sent = sum(flow["sent_packets"] for flow in trial.flows)
    return size.own_memory / 1e3 + _ROW_KB * rows + _SENT_KB * sent


def attempt(case: Case, number: int, folder: Path) -> Outcome:
    """Run a scenario in this process and ask all oracles."""
    global _largest_kb
    if not _largest_kb:
        _largest_kb = _memory_kb()
    began = time.process_time()
    outcome = Outcome()
    trial = None
    try:
        trial = run(case, number, folder)
        outcome.events = trial.core.events
        outcome.complaints = complaints(trial)
    except ScenarioError as error:
        outcome.refusal = str(error)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {error}".partition("\n")[0]
        where = f"{place.filename.rpartition('/')[2]}:{place.name}"
        outcome.complaints = [("exception", f"{said[:200]} ({where})")]
    for name in case.files:
        if not name.endswith(".py"):
            (folder / name).unlink(missing_ok=True)
    before, _largest_kb = _largest_kb, _memory_kb()
    if _largest_kb - before > MOST_GROWTH_KB + _estimated_kb(trial):
        outcome.complaints.append(("memory", f"{_largest_kb - before} kB more than before"))
    outcome.seconds = time.process_time() - began
    return outcome
