"""Reference of the commands, made from the commands themselves: a new one appears by itself."""

import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from copying import Stage

from ackclock.cli.group import LazyGroup

MOST = 12
"""A group with more commands of its own, such as one per formula, names where they are listed."""


def write(staged: Stage) -> None:
    """Write commands/README.md and one page per command."""
    group = LazyGroup("ackclock")
    context = click.Context(group, info_name="ackclock", help_option_names=["-h", "--help"])
    lines = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        first = (command.help or "").split("\n\n", maxsplit=1)[0]
        lines.append(f"| [`ackclock {name}`]({name}.md) | {_cell(_one_line(first))} |\n")
        staged.write(f"commands/{name}.md", "\n".join(_page(command, name, context)))
    about = (
        "# Commands\n\nThis page lists the commands of `ackclock`, in the order of a user's need. "
        "Each page has the arguments, options and examples of one command, as `--help` prints "
        "them. After an error a command prints one line and exits with status 2.\n\n"
        "| command | for |\n|---|---|\n"
    )
    staged.write("commands/README.md", about + "".join(lines))


def _page(command: click.Command, name: str, above: click.Context) -> Iterator[str]:
    yield f"# ackclock {name}\n"
    yield from _body(command, click.Context(command, info_name=name, parent=above))


def _body(command: click.Command, context: click.Context, level: int = 2) -> Iterator[str]:
    yield from _help(command.help or command.short_help or "")
    usage = command.get_usage(context).replace("Usage: ", "")
    yield f"```text\n{usage}\n```\n"
    rows = _options(command, context)
    if rows:
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_code(names)}` | {_cell(about)} |" for names, about in rows)
        yield ""
    for name, part in getattr(command, "parts", {}).items():
        yield f"{'#' * level} {context.command_path} {name}\n"
        yield from _body(part, click.Context(part, info_name=name, parent=context), level + 1)
    if isinstance(command, click.Group):
        names = command.list_commands(context)
        if len(names) > MOST:
            yield f"`ackclock {context.info_name}` lists its {len(names)} commands by subject.\n"
            return
        for name in names:
            below = command.get_command(context, name)
            assert below is not None
            yield f"{'#' * level} {context.command_path} {name}\n"
            yield from _body(below, click.Context(below, info_name=name, parent=context), level + 1)


class _Recorder(click.HelpFormatter):
    """Keeps the lists of a help page by their headings, as a command writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.lists: dict[str, list[tuple[str, str]]] = {}
        self._heading = ""

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Begin a section."""
        self._heading = name
        yield

    def write_dl(self, rows: Sequence[tuple[str, str]], *_: int, **__: int) -> None:
        """Keep a list."""
        self.lists.setdefault(self._heading, []).extend(rows)


def _options(command: click.Command, context: click.Context) -> list[tuple[str, str]]:
    recorder = _Recorder()
    command.format_options(context, recorder)
    return recorder.lists.get("Options", [])


def _help(text: str) -> Iterator[str]:
    r"""The help in Markdown; what `\b` keeps from being wrapped is a block of code."""
    for paragraph in re.split(r"\n\s*\n|\n\s*(?=\x08)", inspect.cleandoc(text)):
        if not paragraph.startswith("\b"):
            yield f"{_prose(_one_line(paragraph))}\n"
            continue
        first, *rest = paragraph.removeprefix("\b").strip("\n").split("\n")
        indented = all(line.startswith(" ") or not line.strip() for line in rest)
        if first.rstrip().endswith(":") and rest and indented:
            yield f"{_prose(first)}\n"
        else:
            rest = [first, *rest]
        language = "sh" if rest[0].strip().startswith("ackclock") else "text"
        yield f"```{language}\n{textwrap.dedent(chr(10).join(rest)).rstrip()}\n```\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _prose(text: str) -> str:
    """Text with signs that Markdown would take for its own escaped, code in backticks aside."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", part) for part in parts
    )


def _cell(text: str) -> str:
    return _prose(_one_line(text)).replace("|", "\\|")


def _code(text: str) -> str:
    return text.replace("|", "\\|")
