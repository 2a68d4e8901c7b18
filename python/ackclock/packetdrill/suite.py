"""Play a suite of scripts, and compare the outcomes with expectations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.errors import Error
from ackclock.packetdrill.host import NotApplicableError, base_host
from ackclock.packetdrill.script import ScriptError, parse, play
from ackclock.scenario.paths import UnreadableError, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ackclock.packetdrill.expectations import Expectations

__all__ = ["Outcome", "Result", "SuiteError", "Verdict", "find_scripts", "run_suite"]

Verdict = Literal["passed", "failed", "known", "unexpected pass", "not applicable"]
_EXPECTED: tuple[Verdict, ...] = ("passed", "known", "not applicable")


class SuiteError(Error, ValueError):
    """A path has no scripts to run."""

    kind = "unreadable"


@dataclass(frozen=True)
class Result:
    """The outcome of one script."""

    name: str
    """Path of the script below the given folder."""
    topic: str
    verdict: Verdict
    reason: str = ""
    """Reason why the script does not apply or fails, or why a failure is known."""
    exchange: tuple[str, ...] = ()

    @property
    def is_expected(self) -> bool:
        """Whether the outcome is as expected."""
        return self.verdict in _EXPECTED

    def as_json(self) -> dict[str, Any]:
        """The outcome as JSON data."""
        return {
            "script": self.name,
            "topic": self.topic,
            "verdict": self.verdict,
            "reason": self.reason,
            "exchange": list(self.exchange),
        }


@dataclass
class Outcome:
    """The outcome of a suite."""

    results: list[Result] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    """Scripts of the expectations that do not exist, or do not apply."""

    @property
    def is_expected(self) -> bool:
        """Whether all outcomes are as expected."""
        return not self.stale and all(result.is_expected for result in self.results)

    def counts(self, topic: str | None = None) -> dict[str, int]:
        """Numbers of scripts, of a topic or of all, by outcome."""
        chosen = [result for result in self.results if topic is None or result.topic == topic]
        by_verdict = Counter(result.verdict for result in chosen)
        return {
            "scripts": len(chosen),
            "applicable": len(chosen) - by_verdict["not applicable"],
            "passed": by_verdict["passed"] + by_verdict["unexpected pass"],
            "failed": by_verdict["failed"],
            "known": by_verdict["known"],
        }

    def topics(self) -> list[str]:
        """Names of the topics, in order."""
        return list(dict.fromkeys(result.topic for result in self.results))

    def as_json(self) -> dict[str, Any]:
        """The outcome as JSON data."""
        return {
            "total": self.counts(),
            "topics": {topic: self.counts(topic) for topic in self.topics()},
            "scripts": [result.as_json() for result in self.results],
            "stale": self.stale,
            "as_expected": self.is_expected,
        }


def find_scripts(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """Find scripts, given as files or folders of ``.pkt`` files; with their names in expectations.

    Raises
    ------
    SuiteError
        If a path does not exist, or a folder has no scripts.
    """
    scripts: list[tuple[str, Path]] = []
    for path in paths:
        if path.is_file():
            # The name that the script has below the folder above its topic.
            scripts.append((f"{path.absolute().parent.name}/{path.name}", path))
        elif path.is_dir():
            inside = sorted(
                path.rglob("*.pkt"), key=lambda script: script.relative_to(path).as_posix()
            )
            if not inside:
                raise SuiteError(f"{path}: no packetdrill script (*.pkt) is below it")
            flat = all(script.parent == path for script in inside)
            base = path.absolute().parent if flat else path.absolute()
            scripts += [
                (script.absolute().relative_to(base).as_posix(), script) for script in inside
            ]
        else:
            raise SuiteError(
                f"{path}: no such file or folder; get a suite first, as docs/packetdrill.md says"
            )
    return scripts


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
        Names and paths from `find_scripts`.
    expectations
        Known failures.
    profile, settings
        Host under test, as in `base_host`.
    is_whole
        Whether a script of the expectations that is not among `scripts` counts as stale.
    progress
        Function that is called with the share that is done.

    Raises
    ------
    ScenarioError
        If a setting is wrong.
    """
    settings = [*expectations.settings, *settings]
    hosts = {profile: base_host(profile, settings)}
    outcome = Outcome()
    listed = list(scripts)
    for done, (name, path) in enumerate(listed):
        progress(done / len(listed))
        known = expectations.known.get(name)
        topic = str(Path(name).parent)
        try:
            script = parse(read_bytes(path).decode(errors="replace"))
            wanted = script.profile or profile
            if wanted not in hosts:
                hosts[wanted] = base_host(wanted, settings)
            played = play(script, hosts[wanted], path.parent)
        except (ScriptError, NotApplicableError, UnreadableError) as problem:
            outcome.results.append(Result(name, topic, "not applicable", str(problem)))
            continue
        exchange = tuple(played.exchange)
        if played.problem is None:
            verdict: Verdict = "passed" if known is None else "unexpected pass"
            reason = "" if known is None else f"expected to fail: {known.why}"
        else:
            verdict, reason = "failed", played.problem
            if known is not None:
                verdict, reason = "known", f"{known.right} right: {known.why} ({played.problem})"
        outcome.results.append(Result(name, topic, verdict, reason, exchange))
    verdicts = {result.name: result.verdict for result in outcome.results}
    outcome.stale = [
        name
        for name in expectations.known
        if (is_whole and name not in verdicts) or verdicts.get(name) == "not applicable"
    ]
    return outcome
