"""``ackclock packetdrill``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.options import json_option

if TYPE_CHECKING:
    from ackclock.packetdrill.expectations import Expectations
    from ackclock.packetdrill.kernel import KernelOutcome
    from ackclock.packetdrill.suite import Outcome

__all__ = ["command"]

_COLUMNS = ("scripts", "applicable", "passed", "failed", "known")


@click.command("packetdrill")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    type=click.Choice(["linux", "rfc", "classic"]),
    help="The host's transport [default: linux].",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another option of the transport, or cc=NAME. Repeatable.",
)
@click.option(
    "--expect",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Scripts that are known to fail, and why.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show each exchange, packet by packet.")
@click.option(
    "--export",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write ackclock's transcripts there as packetdrill scripts.",
)
@click.option(
    "--kernel",
    metavar="PROGRAM",
    help="Run ackclock's transcripts on this machine's kernel with that packetdrill program.",
)
@json_option
def command(
    paths: tuple[Path, ...],
    profile: str | None,
    settings: tuple[str, ...],
    expect: Path | None,
    verbose: bool,
    export: Path | None,
    kernel: str | None,
    as_json: bool,
) -> int:
    """Run packetdrill scripts on the simulator's sender and receiver, in virtual time.

    PATH is a script or a folder of scripts, in your copy: none is part of ackclock. The output
    counts scripts by topic, and names each script that does not apply, with the reason. The exit
    status is 1 if a script fails or passes unexpectedly.

    With --export or --kernel, PATH is one of ackclock's transcripts or a folder of them (by default
    the source tree's).

    \b
    Examples:
      ackclock packetdrill gtests/net/tcp --expect validation/packetdrill/google.toml
      ackclock packetdrill --kernel packetdrill --expect validation/packetdrill/transcripts.toml
    """  # noqa: D301
    from ackclock.cli.errors import InputError
    from ackclock.packetdrill.expectations import Expectations, ExpectationsError, read_expectations
    from ackclock.packetdrill.suite import SuiteError

    try:
        expectations = Expectations() if expect is None else read_expectations(expect)
        if export is not None or kernel is not None:
            if settings or profile:
                raise click.UsageError(
                    "--profile and --set are of the simulator's host: leave them out with "
                    "--export and --kernel"
                )
            return _transcripts(
                paths, export, kernel, expectations, verbose=verbose, as_json=as_json
            )
        if not paths:
            raise click.UsageError(
                "which scripts? Name a file or a folder; docs/packetdrill.md says where to get some"
            )
        return _suite(paths, profile, settings, expectations, verbose=verbose, as_json=as_json)
    except (ExpectationsError, SuiteError) as error:
        raise InputError(str(error)) from None


def _suite(
    paths: tuple[Path, ...],
    profile: str | None,
    settings: tuple[str, ...],
    expectations: Expectations,
    *,
    verbose: bool,
    as_json: bool,
) -> int:
    from ackclock.packetdrill.suite import find_scripts, run_suite

    is_whole = all(path.is_dir() for path in paths)
    chosen = profile or expectations.profile or "linux"
    outcome = run_suite(
        find_scripts(paths), expectations, profile=chosen, settings=settings, is_whole=is_whole
    )
    if as_json:
        click.echo(json.dumps(outcome.as_json(), indent=2))
    else:
        _show_suite(outcome, verbose=verbose)
    return 0 if outcome.is_expected else 1


def _show_suite(outcome: Outcome, *, verbose: bool) -> None:
    if verbose:
        for result in outcome.results:
            if result.exchange:
                click.echo(f"{result.name}: {result.verdict}")
                for line in result.exchange:
                    click.echo(f"  {line}")
                click.echo("")
    left_out = [result for result in outcome.results if result.verdict == "not applicable"]
    if left_out:
        click.echo("Not applicable:")
        for result in left_out:
            click.echo(f"  {result.name}: {result.reason}")
        click.echo("")
    width = max(len(name) for name in (*outcome.topics(), "topic", "all"))
    click.echo(f"{'topic':{width}}  " + "  ".join(f"{name:>10}" for name in _COLUMNS))
    for topic in (*outcome.topics(), None):
        counts = outcome.counts(topic)
        click.echo(
            f"{topic or 'all':{width}}  " + "  ".join(f"{counts[name]:>10}" for name in _COLUMNS)
        )
    for verdict in ("known", "failed", "unexpected pass"):
        for result in outcome.results:
            if result.verdict == verdict:
                click.echo(f"{verdict}: {result.name}: {result.reason}")
    for name in outcome.stale:
        click.echo(
            f"stale: {name}: the expectations name it, but it is not there or does not apply"
        )


def _transcripts(
    paths: tuple[Path, ...],
    export: Path | None,
    kernel: str | None,
    expectations: Expectations,
    *,
    verbose: bool,
    as_json: bool,
) -> int:
    from ackclock.cli.errors import InputError
    from ackclock.packetdrill.kernel import KernelError, ask_kernel, export_all, find_transcripts
    from ackclock.packetdrill.transcript import TranscriptError

    try:
        transcripts = find_transcripts(paths)
        if export is not None:
            written, refused = export_all(transcripts, export)
            if kernel is None and as_json:
                click.echo(json.dumps({"written": written, "refused": refused}, indent=2))
            elif not as_json:
                click.echo(
                    f"{len(written)} of {len(written) + len(refused)} transcripts are in {export}"
                )
                if kernel is None:
                    for name, reason in refused.items():
                        click.echo(f"  left out: {name}: {reason}")
        if kernel is None:
            return 0
        outcome = ask_kernel(transcripts, kernel, expectations)
    except (KernelError, TranscriptError) as error:
        raise InputError(str(error)) from None
    if as_json:
        click.echo(json.dumps(outcome.as_json(), indent=2))
    else:
        _show_kernel(outcome, verbose=verbose)
    return 0 if outcome.is_expected else 1


def _show_kernel(outcome: KernelOutcome, *, verbose: bool) -> None:
    for line in outcome.lines(verbose=verbose):
        click.echo(line)
