"""The command line ``ackclock``; `ackclock.cli.group` lists its commands."""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ackclock.atomic_io.errors import LinkError
from ackclock.cli.completion import VARIABLE, answer
from ackclock.cli.group import Interrupted, LazyGroup, ReaderGone
from ackclock.cli.terminal import OutputError, forget_output, guarded, sign_of_life
from ackclock.errors import Error
from ackclock.messages import LONGEST_MESSAGE, said, shorten, shown
from ackclock.runtime.interruption import (
    INTERRUPTED,
    INTERRUPTED_STATUS,
    is_ctrl_c,
    leave,
    may_raise,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["command", "main"]

_WRONG_INPUT = 2
_GONE = "the current folder no longer exists: go to another one, and try again"


def _print_version(context: click.Context, _option: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        from ackclock import _core

        click.echo(f"ackclock {_core.__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def command() -> None:
    """A laboratory for TCP congestion control.

    A scenario (TOML) goes in; a deterministic packet simulator runs it; tables, plots and a report
    come out.

    \b
    Example:
      ackclock run scenarios/reno-one-flow.toml --set flows.cc=cubic
    """  # noqa: D301


def _usage(error: click.UsageError) -> str:
    where = error.ctx.command_path if error.ctx is not None else "ackclock"
    message = shorten(_number(error) or error.format_message(), LONGEST_MESSAGE - 60).rstrip(".")
    link = " " if message.endswith("?") else "; "
    return f"{where}: {message}{link}{_way(error) or f'{where} --help shows what there is'}"


def _number(error: click.UsageError) -> str:
    """Describe an option's wrong number and the allowed range; "" for any other error."""
    if not isinstance(error, click.BadParameter) or error.param is None:
        return ""
    kind = error.param.type
    match = re.match(r"(.*) is not (?:a valid|in the range)", error.message, re.DOTALL)
    if not isinstance(kind, click.types.IntParamType | click.types.FloatParamType) or match is None:
        return ""
    noun = "whole number" if isinstance(kind, click.types.IntParamType) else "number"
    value = shown(match[1].strip("'\""))
    option = error.param.opts[0]
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is None:
        return f"{option}: {value} is not a {noun}"
    first = f"{'above' if getattr(kind, 'min_open', False) else 'from'} {least}"
    last = " on" if most is None else f" to {most:,}"
    return f"{option}: {value} is not allowed; {noun}s {first}{last} are"


def _way(error: click.UsageError) -> str:
    """Advice on a word that the command does not know, but that may be a key of a scenario."""
    takes_settings = error.ctx is not None and any(
        option.name == "settings" for option in error.ctx.command.params
    )
    match = re.search(
        r"(?:No such option:? '?|unexpected extra arguments? \()(\S{1,80}?)(?:'|\)|\s|$)",
        error.format_message(),
    )
    if not takes_settings or match is None:
        return ""
    from ackclock.scenario.synonyms import way_on_the_command_line

    return way_on_the_command_line(match[1])


def _complain(message: str) -> None:
    # Python's text of an error of the system; the reason follows.
    click.echo(shorten(re.sub(r"\[Errno \d+\] ", "", message), LONGEST_MESSAGE), err=True)


def _unexpected(error: BaseException) -> tuple[str, int]:
    """Message and exit status of an unexpected error: one in the user's code, or a defect."""
    from ackclock.studies.tools.finding import line_of

    where = line_of(error)
    if where is not None:
        return shorten(f"{where}: {said(error)}", LONGEST_MESSAGE), _WRONG_INPUT
    innermost = error.__traceback__
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    place = (
        ""
        if innermost is None
        else f" ({Path(innermost.tb_frame.f_code.co_filename).name}, line {innermost.tb_lineno})"
    )
    message = (
        f"a defect of ackclock, please report it: {said(error)}{place}; with "
        "ACKCLOCK_TRACEBACK=1 set, the same command shows more"
    )
    return message, 1


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    The exit status is 0 for success, 1 for a failure of the machine, 2 for wrong input and 130 for
    an interruption. `arguments` are by default those of this process.
    """
    with guarded(), _without_advice():
        try:
            words = sys.argv[1:] if arguments is None else arguments
            is_quiet = bool({"-q", "--quiet"} & set(words)) or arguments is not None
            # What a shell completes stands in the line that the user is typing.
            is_quiet = is_quiet or VARIABLE in os.environ
            with nullcontext() if is_quiet else sign_of_life():
                status = _status(arguments)
            status = _flushed() or status
        except KeyboardInterrupt:
            # A second Ctrl-C, or one while an error was being reported.
            status = _interrupted()
        leave()
    sys.exit(status)


@contextmanager
def _without_advice() -> Iterator[None]:
    """Leave out matplotlib's advice to the authors of a figure, with a line of ackclock's code.

    It says that a name leaves no room for a plot, or that a font lacks a letter. Warnings of the
    user's own modules are shown.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module=r"ackclock\b")
        yield


def _interrupted(error: BaseException | None = None) -> int:
    leave()
    if sys.stderr.isatty():
        # The terminal has written ^C into this line.
        click.echo(err=True)
    # A note names the user's algorithm that was interrupted.
    _complain("; ".join([INTERRUPTED, *getattr(error, "__notes__", [])]))
    return INTERRUPTED_STATUS


def _status(arguments: Sequence[str] | None) -> int:
    """Run the command line, report an error in one line, and return the exit status."""
    try:
        may_raise()
        answered = answer(command)
        if answered is not None:
            return answered
        result = command.main(
            args=None if arguments is None else list(arguments),
            prog_name="ackclock",
            standalone_mode=False,
        )
        return result if isinstance(result, int) else 0
    except (click.Abort, Interrupted, KeyboardInterrupt) as error:
        return _interrupted(error.__cause__ or error)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return _WRONG_INPUT
    except click.UsageError as error:
        _complain(_usage(error))
        return _WRONG_INPUT
    except OutputError as error:
        return _full(error)
    except click.ClickException as error:
        _complain(error.format_message())
        return error.exit_code
    except (BrokenPipeError, ReaderGone):
        return _without_reader()
    except LinkError as error:
        _complain(str(error))
        return _WRONG_INPUT
    except OSError as error:
        _complain(_of_the_system(error))
        return 1
    except BaseException as error:
        return _other(error)


def _of_the_system(error: OSError) -> str:
    """Describe an error of the operating system, with the place that it is about."""
    reason = error.strerror or str(error)
    if error.filename:
        return f"{error.filename}: {reason}"
    return reason if _is_somewhere() else _GONE


def _is_somewhere() -> bool:
    """Whether the current folder still exists."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _flushed() -> int:
    """Write what is left of the output; return the exit status if that fails, else 0."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        return _without_reader()
    except OutputError as error:
        return _full(error)
    return 0


def _full(error: OutputError) -> int:
    """Report that the output cannot be written."""
    forget_output()
    _complain(str(error))
    return 1


def _without_reader() -> int:
    """Give up the output, whose reader has gone; its buffer must not raise again at exit."""
    forget_output()
    return 1


def _other(error: BaseException) -> int:
    if is_ctrl_c(error):
        return _interrupted()
    if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
        # rich turns a BrokenPipeError into a SystemExit.
        return _without_reader()
    if isinstance(error, Error):
        _complain(str(error) if _is_somewhere() else f"{shorten(str(error), 200)}; {_GONE}")
        return _WRONG_INPUT
    if isinstance(error, MemoryError):
        _complain("there is not enough memory for it: see record and duration in the scenario")
        return 1
    if os.environ.get("ACKCLOCK_TRACEBACK"):
        traceback.print_exception(error)
        return 1
    message, status = _unexpected(error)
    _complain(message)
    return status
