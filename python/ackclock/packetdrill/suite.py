"""A suite of scripts: which of them apply, how they went, and what of that was expected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.packetdrill.host import NotApplicableError, base_host
from ackclock.packetdrill.language import ScriptError, parse
from ackclock.packetdrill.player import play
from ackclock.scenario.paths import UnreadableError, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ackclock.packetdrill.expectations import Expectations

__all__ = ["Outcome", "Result", "SuiteError", "Verdict", "find_scripts", "run_suite"]

Verdict = Literal["passed", "failed", "known", "unexpected pass", "not applicable"]
_EXPECTED: tuple[Verdict, ...] = ("passed", "known", "not applicable")


class SuiteError(ValueError):
    """There is nothing to run where somebody pointed."""


@dataclass(frozen=True)
class Result:
    """How one script went."""

    name: str
    """Its path below the folder that was named."""
    topic: str
    verdict: Verdict
    reason: str = ""
    """Why it does not apply, what the host did otherwise, or why that is known."""
    exchange: tuple[str, ...] = ()

    @property
    def is_expected(self) -> bool:
        """Whether it went as it was said to."""
        return self.verdict in _EXPECTED

    def as_json(self) -> dict[str, Any]:
        """Write it for machines."""
        return {"script": self.name, "topic": self.topic, "verdict": self.verdict, "reason": self.reason, "exchange": list(self.exchange)}


@dataclass
class Outcome:
    """How a suite went."""

    results: list[Result] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    """Scripts of the expectations that were not there, or do not apply."""

    @property
    def is_expected(self) -> bool:
        """Whether everything went as it was said to."""
        return not self.stale and all(result.is_expected for result in self.results)

    def counts(self, topic: str | None = None) -> dict[str, int]:
        """Count scripts, all or those of a topic."""
        chosen = [result for result in self.results if topic is None or result.topic == topic]
        found = Counter(result.verdict for result in chosen)
        return {
            "scripts": len(chosen),
            "applicable": len(chosen) - found["not applicable"],
            "passed": found["passed"] + found["unexpected pass"],
            "failed": found["failed"],
            "known": found["known"],
        }

    def topics(self) -> list[str]:
        """Name the topics, in order."""
        return list(dict.fromkeys(result.topic for result in self.results))

    def as_json(self) -> dict[str, Any]:
        """Write it for machines."""
        return {
            "total": self.counts(),
            "topics": {topic: self.counts(topic) for topic in self.topics()},
            "scripts": [result.as_json() for result in self.results],
            "stale": self.stale,
            "as_expected": self.is_expected,
        }


def find_scripts(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """Find scripts: a file is one, of a folder all ``.pkt`` files below it; with the name that expectations know them by.

    Raises
    ------
    SuiteError
        A path is not there, or a folder has no scripts.
    """
    found: list[tuple[str, Path]] = []
    for path in paths:
        if path.is_file():
            # As in the folder of its topic.
            found.append((f"{path.absolute().parent.name}/{path.name}", path))
        elif path.is_dir():
            inside = sorted(path.rglob("*.pkt"), key=lambda script: script.relative_to(path).as_posix())
            if not inside:
                raise SuiteError(f"{path}: no packetdrill script (*.pkt) is below it")
            flat = all(script.parent == path for script in inside)
            base = path.absolute().parent if flat else path.absolute()
            found += [(script.absolute().relative_to(base).as_posix(), script) for script in inside]
        else:
            raise SuiteError(f"{path}: no such file or folder; get a suite first, as docs/packetdrill.md says")
    return found


def run_suite(
    scripts: Iterable[tuple[str, Path]],
    expectations: Expectations,
    *,
    profile: str = "linux",
    settings: Sequence[str] = (),
    is_whole: bool = True,
    progress: Callable[[float], None] = lambda _: None,
) -> Outcome:
    """Play scripts on the simulator's sender and receiver.

    Parameters
    ----------
    scripts
        Names and paths, as `find_scripts` gives them.
    expectations
        What is known not to hold.
    profile, settings
        The host, as `base_host` takes them.
    is_whole
        Whether a script of the expectations that is not among these is an error.
    progress
        Called with the share that is done.

    Raises
    ------
    ScenarioError
        A setting is wrong.
    """
    host = base_host(profile, [*expectations.settings, *settings])
    outcome = Outcome()
    listed = list(scripts)
    for done, (name, path) in enumerate(listed):
        progress(done / len(listed))
        known = expectations.known.get(name)
        topic = str(Path(name).parent)
        try:
            played = play(parse(read_bytes(path).decode(errors="replace")), host, path.parent)
        except (ScriptError, NotApplicableError, UnreadableError) as problem:
            outcome.results.append(Result(name, topic, "not applicable", str(problem)))
            continue
        exchange = tuple(played.exchange)
        if played.problem is None:
            verdict: Verdict = "passed" if known is None else "unexpected pass"
            reason = "" if known is None else f"expected to fail: {known.why}"
        else:
            verdict = "failed" if known is None else "known"
            reason = played.problem if known is None else f"{known.right} right: {known.why} ({played.problem})"
        outcome.results.append(Result(name, topic, verdict, reason, exchange))
    verdicts = {result.name: result.verdict for result in outcome.results}
    outcome.stale = [name for name in expectations.known if (is_whole and name not in verdicts) or verdicts.get(name) == "not applicable"]
    return outcome
