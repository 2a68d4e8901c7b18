"""``ackclock study``: run a paper's experiments, and work with their claims."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ackclock.cli.completion.names import studies
from ackclock.cli.study.check import command as check
from ackclock.cli.study.diff import command as diff
from ackclock.cli.study.export import command as export
from ackclock.cli.study.list import command as list_
from ackclock.cli.study.new import command as new
from ackclock.cli.study.pack import command as pack
from ackclock.cli.study.run import command as run
from ackclock.cli.study.verify import command as verify

__all__ = ["command"]


class _ByFirstWord(click.Group):
    """A group whose first word is one of its commands, or the study to run."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete an option of running a study, a study, a command or a file."""
        if incomplete.startswith("-"):
            return run.shell_complete(ctx, incomplete)
        commands = [
            CompletionItem(name, help=command.get_short_help_str())
            for name, command in self.commands.items()
            if name.startswith(incomplete)
        ]
        completions = [*commands, *studies(ctx, run.params[0], incomplete)]
        named = [completion for completion in completions if completion.type == "plain"]
        return named or completions

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; any other first word belongs to running a study."""
        if args and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return None, run, args

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both usages: running a study, and the commands."""
        formatter.write_usage(ctx.command_path, "[OPTIONS] NAME|FILE.py|MODULE:NAME|all")
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of running a study, then the commands."""
        records = [
            record
            for option in run.get_params(ctx)
            if isinstance(option, click.Option)
            and (record := option.get_help_record(ctx)) is not None
        ]
        with formatter.section("Options"):
            formatter.write_dl(records)
        self.format_commands(ctx, formatter)


@click.group(
    "study",
    cls=_ByFirstWord,
    commands=[list_, new, check, export, pack, verify, diff],
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
def command() -> None:
    """Run a paper's experiments and judge its claims one by one, by declared criteria.

    The paper's figures, the verdicts and their evidence go to report.html, and to claims.json for
    machines. Stopped at any moment, the same command goes on where it was. A study is an installed
    one, the STUDY of a Python file, or a name in a module; its errors are reported before anything
    runs.

    \b
    Papers (ackclock study list has more):
      cos-slow-start     Ru & Liu 2007: a cosine in place of slow start's doubling.
      bbr-latency        Huang, Zhu & Wang 2022: BBR with a smaller queue.
      small-buffers      Wang, Lan & Li 2008: small buffers and real-time traffic.
      tcp-criteria       Pham & Le 2005: criteria for TCP's successors.
      sizing-buffers     Appenzeller et al. 2004: how small a router's buffer may be.
      bbr-beside-loss    Ware et al. 2019: what BBR leaves to loss-based flows.
      congestion-based   Cardwell et al. 2017: BBR itself.
      lessons            The playground's lessons, sentence by sentence.

    \b
    Examples:
      ackclock study cos-slow-start --quick
      ackclock study all
      ackclock study vegas.py --claim V-1 --seeds 20
      ackclock study papers.vegas:STUDY
    """  # noqa: D301
