"""``ackclock study check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import studies
from ackclock.cli.options import json_option, quiet_option
from ackclock.cli.permitting import runs_code
from ackclock.cli.study.targets import wanted
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from ackclock.studies.study import Study

__all__ = ["command"]


@click.command("check", short_help="Look through a study without running it.")
@click.argument("word", metavar="NAME|FILE.py|MODULE:NAME|all", shell_complete=studies)
@json_option
@quiet_option
@runs_code()
def command(word: str, *, as_json: bool, quiet: bool) -> int:
    """Look through a study without running it, for unknown names and other problems.

    Names are those of experiments, responses, axes, labels and algorithms. Every setting of every
    experiment is made, in full and quick; every criterion is applied, and every figure drawn, with
    made-up values. Each problem is a line; the exit status is 1 if there is any.

    \b
    Examples:
      ackclock study check cos-slow-start
      ackclock study check vegas.py
    """  # noqa: D301
    from ackclock.cli.progress import messages
    from ackclock.studies.tools.checking import problems_of

    problems = {}
    for study in wanted(word):
        with messages(quiet=quiet).status(f"checking {study.name}"):
            problems[study.name] = problems_of(study)
        if not as_json and not quiet and not problems[study.name]:
            click.echo(f"{study.name}: sound ({_counts(study)})")
        elif not as_json:
            for problem in problems[study.name]:
                click.echo(f"{study.name}: {problem}")
    if as_json:
        rows = [
            {
                "study": name,
                "where": problem.where,
                "experiment": problem.experiment,
                "key": problem.key,
                "problem": problem.text,
            }
            for name, several in problems.items()
            for problem in several
        ]
        click.echo(json_text(rows))
    return int(any(problems.values()))


def _counts(study: Study) -> str:
    counts = {
        "claim": len(study.claims),
        "question": len(study.questions),
        "experiment": len(study.experiments),
        "recording": len(study.recordings),
        "figure": len(study.figures),
        "table": len(study.tables),
        "reading": len(study.readings),
        "item": len(study.items),
    }
    return ", ".join(
        f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count
    )
