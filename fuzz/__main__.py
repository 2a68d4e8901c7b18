"""The command line: `python -m fuzz 2000 --seed 1`; docs/fuzzing.md."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import click

from fuzz.attempt import ALL, attempt
from fuzz.campaign import HANG_S, Totals, campaign
from fuzz.features import all_algorithms, all_keys
from fuzz.generate import Case, generate
from fuzz.page import ONCE
from fuzz.relations import RELATIONS, Subject, plans
from fuzz.shrink import Prober, shrunk
from fuzz.trial import checked

_MOST_SHRUNK = 20


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class _Progress:
    """Prints a line of progress every ten seconds."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()
        self._before: int | None = None

    def __call__(self, totals: Totals, left: int) -> None:
        now = time.monotonic()
        if self._before is None:
            self._before = totals.scenarios
        if now - self._said < 10:
            return
        self._said = now
        rate = (totals.scenarios - self._before) / (now - self._began)
        minutes = left / rate / 60 if rate else 0.0
        failures = sum(one["count"] for one in totals.failures.values())
        _say(
            f"{totals.scenarios} tried, {left} left, {rate:.0f}/s, {minutes:.0f} min; "
            f"{failures} failures"
        )


def _one(case: Case, number: int, relation: str | None) -> bool:
    """Try one scenario in this process and print its outcome; True if nothing is wrong."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        outcome = attempt(case, number, Path(folder), relation)
    if outcome.refusal is not None:
        _say(f"refused: {outcome.refusal}")
    for oracle, sentence in outcome.complaints:
        _say(f"{oracle}: {sentence}")
    if outcome.related or relation:
        _say(f"relations that apply: {', '.join(outcome.related) or 'none'}")
    _say(f"{outcome.events} events, {outcome.seconds:.3f} s, {len(outcome.complaints)} complaints")
    return not outcome.complaints


def _keep(totals: Totals, folder: Path) -> None:
    """Write each kind of failure as a minimal scenario with the command that tries it again."""
    shutil.rmtree(folder, ignore_errors=True)
    if not totals.failures:
        return
    prober = Prober()
    for index, (kind, found) in enumerate(sorted(totals.failures.items())[:_MOST_SHRUNK]):
        number = found["numbers"][0]
        here = folder / f"{index:02}-{found['oracle']}"
        here.mkdir(parents=True)
        _say(f"shrinking {kind} (scenario {number})")
        case = generate(totals.seed, number)
        small = shrunk(case, number, (found["oracle"], found["sentence"]), prober)
        small.lay_out(here)
        again = f"python -m fuzz --file {here / 'scenario.toml'} --number {number}"
        if found["oracle"] in RELATIONS:
            again += f" --relation {found['oracle']}"
            _write_plans(small, number, found["oracle"], here)
        head = (
            f"# {found['oracle']}: {found['sentence']}\n"
            f"# Scenario {number} of seed {totals.seed}, shrunk; again: {again}\n"
        )
        (here / "scenario.toml").write_text(head + small.toml(), encoding="utf-8")
        (here / "whole.toml").write_text(case.toml(), encoding="utf-8")
    prober.end()


def _write_plans(case: Case, number: int, relation: str, folder: Path) -> None:
    """Write the plans that a relation compares."""
    subject = Subject(case, folder, *checked(case, folder))
    for index, plan in enumerate(plans(relation, subject, number), start=1):
        text = json.dumps(plan, indent=1)
        (folder / f"plan-{index}.json").write_text(text + "\n", encoding="utf-8")


def _relations(totals: Totals) -> None:
    """Print for each relation how often it applied, and the time of 50,000 of it on two cores."""
    for name, count in sorted(totals.related.items()):
        seconds = totals.related_seconds[name]
        minutes = seconds / count * ONCE / 2 / 60
        _say(
            f"  {name}: {count} compared, {1e3 * seconds / count:.1f} ms each; "
            f"{ONCE} take {minutes:.0f} min on two cores"
        )


def _summary(totals: Totals) -> None:
    refused = sum(totals.refused.values())
    _say(
        f"{totals.scenarios} scenarios, {totals.events} events, {totals.seconds:.0f} s of CPU "
        f"({1e3 * totals.seconds / max(totals.scenarios, 1):.1f} ms each); {refused} refused"
    )
    _relations(totals)
    missed = len(all_keys() - set(totals.keys))
    unused = len(all_algorithms() - set(totals.algorithms))
    _say(
        f"keys and words: all {len(all_keys())} but {missed}; "
        f"algorithms, parameters, pairs: all {len(all_algorithms())} but {unused}"
    )
    for kind, count in totals.refused.most_common(10):
        _say(f"  refused {count} times: {kind}")
    for what, count in totals.pending.most_common():
        _say(f"  known, {count} times: {what}")
    for kind, found in sorted(totals.failures.items()):
        _say(
            f"  FAILED {found['count']} times: {kind} "
            f"(scenarios {', '.join(map(str, found['numbers']))}): {found['sentence'][:200]}"
        )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("count", type=click.IntRange(1), default=2000)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the scenarios."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    help="Processes (default: one per core).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs/fuzz"),
    show_default=True,
    help="Folder for the state and the findings.",
)
@click.option("--fresh", is_flag=True, help="Begin again, without an earlier state.")
@click.option(
    "--hang",
    type=float,
    default=HANG_S,
    show_default=True,
    help="Seconds after which a scenario counts as hanging.",
)
@click.option("--only", type=click.IntRange(0), help="Try this scenario in this process.")
@click.option("--show", type=click.IntRange(0), help="Print this scenario of the seed as TOML.")
@click.option(
    "--file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Try a scenario file in this process.",
)
@click.option(
    "--number",
    type=click.IntRange(0),
    default=0,
    help="Number to try the file as: some oracles judge only every 128th scenario.",
)
@click.option(
    "--relation",
    type=click.Choice([*RELATIONS, ALL]),
    help="Ask this relation, or all of them, in place of the oracles.",
)
def main(
    count: int,
    seed: int,
    workers: int,
    out: Path,
    fresh: bool,
    hang: float,
    only: int | None,
    show: int | None,
    file: Path | None,
    number: int,
    relation: str | None,
) -> None:
    """Run COUNT random scenarios and hold every run against all oracles.

    One in four is also compared with a changed copy, by a relation that is drawn. With --relation
    all are, by this relation alone or by all of them.

    A stopped campaign continues where it was. The status is 1 if anything failed; each kind of
    failure is then shrunk to a minimal scenario in the folder.
    """
    if show is not None:
        print(generate(seed, show).toml())
        return
    if only is not None:
        sys.exit(0 if _one(generate(seed, only), only, relation) else 1)
    if file is not None:
        files = {
            path.name: path.read_text()
            for path in file.parent.iterdir()
            if path.suffix in {".txt", ".py"}
        }
        case = Case(tomllib.loads(file.read_text()), files)
        sys.exit(0 if _one(case, number, relation) else 1)
    folder = out / (f"seed-{seed}" if relation is None else f"seed-{seed}-{relation}")
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / "state.json"
    if fresh:
        state.unlink(missing_ok=True)
    # After SIGTERM, as after Ctrl-C, the campaign is saved and can continue.
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, signal.default_int_handler)
    try:
        totals = campaign(seed, count, workers, state, hang, _Progress(), relation)
    except KeyboardInterrupt:
        _say(f"stopped; repeat the command to continue ({state})")
        sys.exit(130)
    report = {
        "count": count,
        "keys_known": len(all_keys()),
        "algorithms_known": len(all_algorithms()),
        **totals.as_json(),
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    _summary(totals)
    _keep(totals, folder / "failures")
    sys.exit(1 if totals.failures else 0)


if __name__ == "__main__":
    main()
