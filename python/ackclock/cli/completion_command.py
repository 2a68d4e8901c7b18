"""``ackclock completion``."""

from __future__ import annotations

import click

from ackclock.cli.completion import SHELLS, script_of
from ackclock.cli.options import OneOf

__all__ = ["command"]


@click.command("completion")
@click.argument("shell", metavar="bash|zsh|fish", type=OneOf(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script by which a shell completes the words of ackclock.

    The Tab key then completes commands, options, files of scenarios, folders of results, and the
    names of algorithms, metrics, disciplines and studies.

    \b
    Examples:
      eval "$(ackclock completion bash)"          in ~/.bashrc
      eval "$(ackclock completion zsh)"           in ~/.zshrc
      ackclock completion fish > ~/.config/fish/completions/ackclock.fish
    """  # noqa: D301
    click.echo(script_of(shell, context.find_root().command), nl=False)
