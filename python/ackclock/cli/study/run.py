"""``ackclock study NAME``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.completion.names import studies
from ackclock.cli.errors import InputError, failed_sweep
from ackclock.cli.options import (
    Whole,
    force_option,
    out_option,
    quiet_option,
    store_option,
    workers_option,
)
from ackclock.cli.output import check_junit, format_option, junit_option, write_junit
from ackclock.cli.permitting import runs_code
from ackclock.cli.study.targets import DEFAULT_OUT, pages_folder, wanted
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text
from ackclock.messages import said
from ackclock.runtime.interruption import is_ctrl_c

if TYPE_CHECKING:
    from ackclock.cli.console import Console
    from ackclock.studies.study import Study
    from ackclock.studies.study_run import StudyRun
    from ackclock.verdicts import Judgement

__all__ = ["command"]


class _AsTheGroup(click.Command):
    """The command without a name: errors in its words name the group."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the words; an error refers to the group."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            error.ctx = parent or error.ctx
            raise

    def get_help(self, ctx: click.Context) -> str:
        """The group's help, which has the options of this command."""
        return ctx.parent.get_help() if ctx.parent is not None else super().get_help(ctx)


@click.command("study", cls=_AsTheGroup)
@click.argument("word", metavar="NAME|FILE.py|MODULE:NAME|all", shell_complete=studies)
@click.option(
    "--quick",
    is_flag=True,
    help="Fewer seeds and settings, the same criteria: minutes instead of an hour.",
)
@click.option(
    "--claim",
    "claims",
    metavar="ID",
    multiple=True,
    help="Judge this claim alone, and run what it needs. Repeatable.",
)
@click.option(
    "--seeds",
    metavar="N",
    type=Whole(1, 1_000_000),
    help="Replications of every experiment [default: each one's own].",
)
@out_option(f"Folder of the pages [default: {DEFAULT_OUT}]; with --claim, parts in it.")
@store_option()
@junit_option
@workers_option
@force_option
@format_option
@quiet_option
@runs_code()
def command(
    word: str,
    *,
    quick: bool,
    claims: tuple[str, ...],
    seeds: int | None,
    out: str | None,
    store: str | None,
    junit: str | None,
    workers: int | None,
    force: bool,
    form: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run a paper's experiments and judge its claims."""
    from ackclock.atomic_io import read_json, without_links
    from ackclock.cli.progress import messages
    from ackclock.runtime.extras import require
    from ackclock.studies.verdicts import WORDS, judged
    from ackclock.sweeps import StoreError
    from ackclock.verdicts import Verdicts

    studies = _with(wanted(word), claims)
    if any(study.figures for study in studies):
        require("plots")
    top = chosen_folder(out, DEFAULT_OUT)
    runs = without_links(top, "runs") if store is None else Path(store)
    # The pages of some claims do not replace those of the whole study.
    folder = pages_folder(pages_folder(top, ()) / "parts" if claims else top, studies)
    check_junit(junit)
    console = messages(quiet=quiet)
    with console.status("looking through the study"):
        for study in studies:
            _check(study, claims, figures=not quick)
    judgements: list[Judgement] = []
    for study in studies:
        try:
            done = _carry_out(
                study,
                claims,
                folder,
                console,
                quick=quick,
                seeds=seeds,
                store=runs,
                workers=workers,
                force=force,
            )
        except StoreError as error:
            raise InputError(str(error)) from None
        judgements += judged(done)
        if not quiet and not as_json and form is None:
            _print(done)
    write_junit(junit, Verdicts("studies", word, tuple(judgements), WORDS))
    if as_json or form is not None:
        statements = [
            statement
            for study in studies
            for statement in read_json(folder, f"{study.name}/claims.json")
        ]
        _print_claims(statements, form)
    console.print(f"Pages: {folder / 'index.html'}", soft_wrap=True)


def _print_claims(claims: list[dict[str, Any]], form: str | None) -> None:
    """Print claims as CSV, Markdown or LaTeX, as ``ackclock study export`` does; else as JSON."""
    from ackclock.studies.tools.exporting import claims_text

    suffixes = {"csv": "csv", "markdown": "md", "latex": "tex"}
    if form is None:
        click.echo(json_text(claims))
    else:
        click.echo(claims_text(claims, suffixes[form]), nl=False)


def _with(studies: list[Study], claims: tuple[str, ...]) -> list[Study]:
    """The studies that have one of the claims; all studies without claims."""
    from ackclock.messages import did_you_mean

    if not claims:
        return studies
    known = [statement.id for study in studies for statement in study.statements]
    for name in claims:
        if name not in known:
            where = studies[0].name if len(studies) == 1 else "any study"
            raise InputError(
                f"--claim: there is no claim '{name}' in {where}{did_you_mean(name, known)} (all "
                f"of them: {', '.join(known)})"
            )
    return [
        study for study in studies if {statement.id for statement in study.statements} & set(claims)
    ]


def _check(study: Study, claims: tuple[str, ...], *, figures: bool) -> None:
    """Complain about names that nothing has, before anything runs."""
    from ackclock.studies.tools.checking import problems_of
    from ackclock.studies.tools.part import part_of

    ids = [statement.id for statement in study.statements if statement.id in claims]
    problems = (
        problems_of(part_of(study, ids), settings=False, figures=figures, whole=study)
        if claims
        else problems_of(study, settings=False, figures=figures)
    )
    if problems:
        others = (
            f" (and {len(problems) - 1} more: ackclock study check shows all)"
            if len(problems) > 1
            else ""
        )
        raise InputError(f"{study.name}: {problems[0]}{others}")


def _carry_out(
    study: Study,
    claims: tuple[str, ...],
    folder: Path,
    console: Console,
    *,
    quick: bool,
    seeds: int | None,
    store: Path,
    workers: int | None,
    force: bool,
) -> StudyRun:

    from ackclock.atomic_io import WriteError
    from ackclock.cli.progress import Meter
    from ackclock.studies.running import run_study
    from ackclock.studies.tools.finding import is_installed, line_of
    from ackclock.sweeps import SweepError
    from ackclock.sweeps.errors import SweepStoppedError

    ids = (
        [statement.id for statement in study.statements if statement.id in claims]
        if claims
        else None
    )
    began = time.perf_counter()
    try:
        with Meter(console, study.name) as meter:
            done = run_study(
                study,
                quick=quick,
                store=store,
                out=folder,
                workers=workers,
                progress=meter.show,
                claims=ids,
                seeds=seeds,
                force=force,
                tell=lambda estimate: console.print(f"{study.name}: {estimate}", soft_wrap=True),
            )
    except (SweepStoppedError, SweepError) as error:
        raise failed_sweep(error, f"{study.name}: {error}") from None
    except (WriteError, FileExistsError) as error:
        raise click.ClickException(
            f"{study.name}: the runs are kept in {store}, but {error}; the same command goes on "
            "from them"
        ) from None
    except BaseException as error:
        # An error (or sys.exit) in a rule or figure that the user wrote is reported with its line.
        if not isinstance(error, Exception) and is_ctrl_c(error):
            raise
        where = None if is_installed(study) else line_of(error)
        if where is None:
            raise
        raise click.ClickException(
            f"{where}: {said(error)}; the runs are kept, and the same command goes on from them"
        ) from error
    seconds = time.perf_counter() - began
    reused = f" ({done.reused:,} reused)" if done.reused else ""
    console.print(
        f"{study.name}: {done.made + done.reused:,} runs{reused} in {seconds:.0f} s", soft_wrap=True
    )
    return done


def _print(done: StudyRun) -> None:
    from ackclock.cli.console import Console
    from ackclock.studies.claim import Claim
    from ackclock.studies.weighing import capital
    from ackclock.tables.table import Table
    from ackclock.tables.terminal import GRID, KEPT, WRAPPED, drawn

    rows = []
    for statement in done.study.statements:
        judgement = done.judgements[statement.id]
        # The report has every reading; a terminal has room for the most literal one.
        first = judgement.cases[0]
        sentences = [statement.text]
        if len(judgement.ours) > 1 and isinstance(statement, Claim):
            sentences.append(capital(judgement.headline))
        sentences.append(first.verdict.text)
        sentences += [
            f"{case.simulator}: {case.verdict.kind}. {case.verdict.text}"
            for case in judgement.outside
            if case.reading == first.reading
        ]
        rows.append((statement.id, first.verdict.kind, "\n".join(sentences)))
    table = Table(("id", "verdict", "what came out"), rows, 3, title=done.study.title)
    Console().print(drawn(table, GRID, (KEPT, KEPT, WRAPPED._replace(is_rest=True))))
