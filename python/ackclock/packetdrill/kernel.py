"""Run ackclock's transcripts on this machine's kernel, with the packetdrill program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.atomic_io import scratch, write_text
from ackclock.errors import Error
from ackclock.packetdrill.transcript import RefusalError, Transcript, export, read_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.packetdrill.expectations import Expectations

__all__ = ["Answer", "KernelError", "KernelOutcome", "ask_kernel", "export_all", "find_transcripts"]

Verdict = Literal["agrees", "disagrees", "known", "unexpected agreement", "not asked", "disturbed"]

_FOLDER = Path("crates/packetdrill/tests/transcripts")
_SOURCE = Path(__file__).parents[3] / _FOLDER
_TRIES = 8
"""Most runs of a script whose packets arrive too late, as happens on a busy machine."""
_LATE_TRIES = 3
"""Most runs of a script in which the kernel sends at another time, before it counts."""
_LEARNING = 60
"""Most segments of a script whose PSH flag is corrected by the kernel's answer."""
_SECONDS = 300
_WRONG_PSH = re.compile(r":(\d+): .*tcp_psh: expected: (\d)")
_SENT = re.compile(r"> ((?:\[\w+\] )?F?)(P?)(W?)\. ")


class KernelError(Error):
    """The kernel cannot be asked here; the message says why."""

    kind = "unavailable"


@dataclass(frozen=True)
class Answer:
    """The kernel's answer to one transcript."""

    name: str
    verdict: Verdict
    reason: str = ""


@dataclass
class KernelOutcome:
    """The kernel's answers to all transcripts."""

    kernel: str
    answers: list[Answer] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def named(self, *verdicts: Verdict) -> list[Answer]:
        """Answers with these verdicts."""
        return [answer for answer in self.answers if answer.verdict in verdicts]

    @property
    def is_expected(self) -> bool:
        """Whether every answer is as expected."""
        return not self.stale and not self.named("disagrees", "unexpected agreement")

    def as_json(self) -> dict[str, Any]:
        """The outcome as JSON data."""
        return {
            "kernel": self.kernel,
            "asked": len(self.answers) - len(self.named("not asked", "disturbed")),
            "agrees": len(self.named("agrees", "unexpected agreement")),
            "transcripts": [
                {"name": answer.name, "verdict": answer.verdict, "reason": answer.reason}
                for answer in self.answers
            ],
            "stale": self.stale,
            "as_expected": self.is_expected,
        }

    def lines(self, *, verbose: bool) -> list[str]:
        """The outcome as text: the share of agreements, then all other answers."""
        asked = len(self.answers) - len(self.named("not asked", "disturbed"))
        agrees = len(self.named("agrees", "unexpected agreement"))
        share = f"{agrees} of {asked} transcripts that it can be asked about"
        lines = [f"The kernel ({self.kernel}) agrees with {share}."]
        shown: tuple[Verdict, ...] = ("known", "disagrees", "unexpected agreement", "disturbed")
        lines += [
            f"  {answer.verdict}: {answer.name}: {answer.reason}"
            for answer in self.answers
            if answer.verdict in shown
        ]
        left_out = self.named("not asked")
        if left_out:
            lines.append(f"It cannot be asked about {len(left_out)}:")
            lines += [f"  {answer.name}: {answer.reason}" for answer in left_out]
        if verbose:
            lines += [f"  agrees: {answer.name}" for answer in self.named("agrees")]
        lines += [
            f"  stale: {name}: the expectations name it, but the kernel was not asked about it"
            for name in self.stale
        ]
        return lines


def find_transcripts(paths: Sequence[Path]) -> list[Transcript]:
    """Read the transcripts at these paths, by default those of the source tree.

    Raises
    ------
    KernelError
        If there are none.
    TranscriptError
        If a transcript is not understood.
    """
    if not paths:
        where = next((folder for folder in (_FOLDER, _SOURCE) if folder.is_dir()), None)
        if where is None:
            raise KernelError(
                f"there is no folder {_FOLDER} here: go to the source tree, or name transcripts"
            )
        paths = [where]
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(path.glob("*.pkt"))
        elif path.is_file():
            files.append(path)
        else:
            raise KernelError(f"{path}: no such file or folder")
    if not files:
        raise KernelError(f"{paths[0]}: no transcript (*.pkt) is in it")
    return [read_transcript(file) for file in files]


def export_all(transcripts: Sequence[Transcript], where: Path) -> tuple[list[str], dict[str, str]]:
    """Write transcripts as packetdrill scripts; return the names written, and reasons of others."""
    written, refused = [], {}
    where.mkdir(parents=True, exist_ok=True)
    for transcript in transcripts:
        try:
            write_text(where / f"{transcript.name}.pkt", export(transcript), beneath=where)
            written.append(transcript.name)
        except RefusalError as reason:
            refused[transcript.name] = str(reason)
    return written, refused


def ask_kernel(
    transcripts: Sequence[Transcript], program: str, expectations: Expectations
) -> KernelOutcome:
    """Run transcripts on this machine's kernel, one after another, each in a new namespace.

    `program` is the packetdrill program, a path or a name on PATH. `expectations` has the known
    differences of the kernel, by the transcript's name.

    Raises
    ------
    KernelError
        If there is no such program, or this machine permits no network namespace.
    """
    executable = shutil.which(program)
    if executable is None:
        raise KernelError(
            f"{program}: no such program; docs/packetdrill.md says how to build packetdrill"
        )
    run = _Runner(str(Path(executable).absolute()))
    outcome = KernelOutcome(f"{os.uname().sysname} {os.uname().release}")
    with scratch() as staging:
        for transcript in transcripts:
            outcome.answers.append(_ask(transcript, run, staging.new, expectations))
    verdicts = {answer.name: answer.verdict for answer in outcome.answers}
    outcome.stale = [name for name in expectations.known if verdicts.get(name) == "not asked"]
    return outcome


def _ask(transcript: Transcript, run: _Runner, folder: Path, expectations: Expectations) -> Answer:
    name = transcript.name
    known = expectations.known.get(name)
    try:
        script = export(transcript)
    except RefusalError as reason:
        return Answer(name, "not asked", str(reason))
    problem = run.script(script, folder / f"{name}.pkt")
    if problem is None:
        return (
            Answer(name, "agrees")
            if known is None
            else Answer(name, "unexpected agreement", f"expected not to: {known.why}")
        )
    if "expected inbound packet" in problem:
        return Answer(name, "disturbed", f"this machine was too busy {_TRIES} times: {problem}")
    if known is not None:
        return Answer(name, "known", f"{known.right} right: {known.why}")
    return Answer(name, "disagrees", problem)


class _Runner:
    """Runs packetdrill in network namespaces, with real-time priority if allowed."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._prefix = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]
        try:
            subprocess.run(
                [*self._prefix, "ip", "link", "set", "lo", "up"],
                check=True,
                capture_output=True,
                timeout=_SECONDS,
            )
        except FileNotFoundError as error:
            raise KernelError(
                f"{error.filename}: no such program, and packetdrill needs it here"
            ) from None
        except subprocess.CalledProcessError as error:
            raise KernelError(
                "this machine permits no network namespace: "
                f"{error.stderr.decode(errors='replace').strip()}"
            ) from None
        # Timers must not wait for other programs.
        real_time = ["chrt", "-f", "50"]
        if shutil.which("chrt"):
            tried = subprocess.run([*real_time, "true"], capture_output=True, check=False)
            if tried.returncode == 0:
                self._prefix = [*real_time, *self._prefix]

    def script(self, script: str, path: Path) -> str | None:
        """Run a script until its times are kept; return the kernel's deviation, or None."""
        lines = script.split("\n")
        shell = ["sh", "-c", 'ip link set lo up; exec "$0" "$1"', self._program, str(path)]
        disturbed = late = learned = 0
        while True:
            path.write_text("\n".join(lines))
            done = subprocess.run(
                [*self._prefix, *shell],
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
            if done.returncode == 0:
                return None
            problem = " ".join(f"{done.stdout} {done.stderr}".replace(f"{path}:", "line ").split())
            psh = _WRONG_PSH.search(f"{done.stdout}{done.stderr}")
            if psh is not None and learned < _LEARNING:
                # PSH is no claim of a transcript: the kernel's flag is put into the script.
                learned += 1
                number = int(psh[1]) - 1
                lines[number] = _SENT.sub(
                    lambda m: f"> {m[1]}{'' if m[2] else 'P'}{m[3]}. ", lines[number], count=1
                )
            elif "expected inbound packet" in problem and disturbed < _TRIES:
                disturbed += 1
            elif "timing error" in problem and late < _LATE_TRIES:
                late += 1
            else:
                return _short(problem)


def _short(problem: str) -> str:
    problem = re.sub(r"Traceback \(most recent call last\):.*?, in <module> ", "", problem)
    problem = re.sub(r"\^+ ", "", problem)
    return re.sub(r" line : error executing code: .*$", "", problem)[:600]
