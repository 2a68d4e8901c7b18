"""The group of commands; a command's module is imported when the command is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import click

from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["Interrupted", "LazyGroup", "ReaderGone"]

_COMMANDS = {
    "demo": "Answer a question about two algorithms, with a report.",
    "new": "Begin a congestion control of your own: class, scenario, test.",
    "doctor": "Tell what this machine can do, and what is missing.",
    "run": "Run one scenario.",
    "linux": "Run one scenario on this machine's real kernel.",
    "kernel": "Build and list kernels that run in virtual time.",
    "compare": "Run variants side by side, with several seeds.",
    "sweep": "Run a scenario over axes and seeds, with statistics.",
    "test": "Test whether a change has moved the figures of golden cells.",
    "study": "Run a paper's experiments and judge its claims.",
    "evaluate": "Judge a congestion control by the criteria of RFC 9743.",
    "validate": "Compare the simulator with the real kernel.",
    "size": "Find the smallest buffer that keeps a link busy.",
    "standard": "Run a named standard test: RRUL, or one of tcpeval's.",
    "tc": "Print the tc commands for a scenario's queues.",
    "packetdrill": "Run packetdrill scripts on the simulator's sender and receiver.",
    "open": "Open the report of earlier results in the browser.",
    "live": "Write a page that runs a scenario in the browser.",
    "runs": "List the results in a folder, and remove old ones.",
    "pack": "Put a folder of results into one archive.",
    "verify": "Make some runs of a result again and compare them.",
    "diff": "List the changes between two results.",
    "report": "Write the report of earlier results again.",
    "explain": "Explain why a sender did what it did, and what held it back.",
    "show": "Show the tables of earlier results, as text, CSV, Markdown or LaTeX.",
    "plot": "Draw the figures of an earlier run, for print.",
    "pcap": "Lay out a capture of TCP, and estimate its path.",
    "link-trace": "Write a link's rate as a Mahimahi trace.",
    "video-trace": "Read a film's frames into a trace that a flow can send.",
    "theory": "List closed forms, and evaluate one.",
    "examples": "List the example scenarios, or copy them.",
    "list": "List names for scenarios: cc, qdisc, app, profile, metric.",
    "schema": "Print the JSON Schema of a scenario.",
    "trust": "Trust a folder: run the Python code that its files name.",
    "completion": "Print the script that completes commands in bash, zsh or fish.",
}


class Interrupted(BaseException):
    """Ctrl-C ended a command; the cause is the KeyboardInterrupt."""


class ReaderGone(BaseException):
    """The reader of a command's output has gone; the cause is the BrokenPipeError."""


class LazyGroup(click.Group):
    """A group whose help knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands, in the order of a user's need."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(
            f"ackclock.cli.{cmd_name.replace('-', '_')}_command"
        ).command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option, without importing commands."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=summary)
            for name, summary in _COMMANDS.items()
            if name.startswith(incomplete)
        ]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or name the nearest."""
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            raise click.UsageError(
                f"there is no command '{args[0]}'{did_you_mean(args[0], _COMMANDS)}", ctx
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; Ctrl-C and a lost reader are passed on in a form that click ignores."""
        from ackclock.cli.permitting import looks_only, tell_left_out

        words = list(ctx.args)
        try:
            # A command that runs code says so, by `runs_code`.
            with looks_only():
                result = super().invoke(ctx)
                if not {"--quiet", "-q"} & set(words):
                    tell_left_out()
                return result
        except KeyboardInterrupt as error:
            raise Interrupted from error
        except BrokenPipeError as error:
            raise ReaderGone from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))
