"""``ackclock demo``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.one_sweep import make_and_show
from ackclock.cli.options import out_option, workers_option
from ackclock.cli.output import Output, output_options
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text

__all__ = ["command"]

_OUT = Path("runs") / "demo"


@click.command("demo")
@out_option(
    f"Folder of the results [default: {_OUT.as_posix()}]. Earlier results there are replaced."
)
@workers_option
@output_options()
def command(*, out: str | None, workers: int | None, output: Output) -> None:
    """Answer a question with 50 runs and a report, in a few seconds.

    Does COS-Slow-Start lose fewer packets than Reno's slow start? Both send files through a router
    with a short queue, with 1 to 40 connections and five seeds each. The answer is the same on
    every machine.

    \b
    Example:
      ackclock demo
    """  # noqa: D301
    from ackclock.sweeps import open_sweep
    from ackclock.tools.demo import QUESTION, answer, question_design

    folder = chosen_folder(out, _OUT)
    is_shown = not output.quiet and not output.as_json
    if is_shown:
        click.echo(f"{QUESTION}\n")
    make_and_show(
        question_design(),
        folder,
        store=None,
        executor="threads",
        workers=workers,
        force=False,
        dry_run=False,
        output=Output(quiet=not is_shown),
    )
    differences = open_sweep(folder).to_dict(tables=True)["differences"]
    sentence = answer(differences)
    if output.as_json:
        document = {
            "question": QUESTION,
            "answer": sentence,
            "report": (folder / "report.html").as_posix(),
            "differences": differences,
        }
        click.echo(json_text(document))
    elif is_shown:
        _show(sentence, folder)


def _show(sentence: str, folder: Path) -> None:
    from rich.text import Text

    from ackclock.cli.console import Console

    console = Console()
    console.print(Text(f"\n{sentence}", "bold"))
    console.print("\nGo on with:")
    for command_, meaning in (
        (f"ackclock open {folder.as_posix()}", "the report in your browser"),
        ("ackclock examples", "scenarios to begin with"),
        ("ackclock new mine", "an algorithm of your own, against Reno and CUBIC"),
    ):
        console.print(f"  {command_:<24}  {meaning}", soft_wrap=True)
