"""The group of commands; a command's module is imported when the command is asked for."""

from __future__ import annotations

import importlib

import click

from ackclock.cli.near import nearest

__all__ = ["Interrupted", "LazyGroup", "ReaderGone"]

_COMMANDS = {
    "run": "Run one scenario.",
    "linux": "Run one scenario on this machine's real kernel.",
    "compare": "Run variants side by side, with several seeds.",
    "sweep": "Run a scenario over axes and seeds, with statistics.",
    "study": "Run a paper's experiments and judge its claims.",
    "validate": "Hold the simulator against the real kernel.",
    "packetdrill": "Run packetdrill scripts on the simulator's sender and receiver.",
    "report": "Write the report of earlier results anew.",
    "link-trace": "Write a link's rate as a Mahimahi trace.",
    "video-trace": "Read a film's frames into a trace that a flow can send.",
    "theory": "List closed forms, and evaluate one.",
    "list": "List what there is: cc, qdisc, app, profile, metric.",
    "schema": "Print the JSON Schema of a scenario.",
}


class Interrupted(BaseException):
    """A command that heard Ctrl-C; its cause is the KeyboardInterrupt."""


class ReaderGone(BaseException):
    """A command whose output nobody reads any more; its cause is the BrokenPipeError."""


class LazyGroup(click.Group):
    """A group whose help knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands, in the order of a user's need."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        found = importlib.import_module(f"ackclock.cli.{cmd_name.replace('-', '_')}_command").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or name the nearest."""
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            raise click.UsageError(f"there is no command '{args[0]}', only {', '.join(_COMMANDS)}{nearest(args[0], _COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. What click would take for itself is passed on: Ctrl-C, and that nobody reads."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interrupted from error
        except BrokenPipeError as error:
            raise ReaderGone from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))
