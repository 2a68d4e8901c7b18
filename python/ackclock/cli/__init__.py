"""The command line: ``ackclock run | linux | compare | sweep | study | report | link-trace | video-trace | theory | list | schema``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ackclock.cli.group import LazyGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["command", "main"]

# Status of a run that was interrupted, as shells have it: 128 + SIGINT.
_INTERRUPTED = 130
_WRONG_INPUT = 2


def _print_version(context: click.Context, _option: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        from ackclock import _core

        click.echo(f"ackclock {_core.__version__}")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Show the version and exit.")
def command() -> None:
    """A laboratory for TCP congestion control.

    A scenario (TOML) goes in; a deterministic packet simulator runs it; tables, plots and a report come out.

    \b
    Example:
      ackclock run scenarios/reno-one-flow.toml --set flows.cc=cubic
    """  # noqa: D301


def _usage(error: click.UsageError) -> str:
    where = error.ctx.command_path if error.ctx is not None else "ackclock"
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{where}: {message}; {where} --help shows what there is"


def _complain(message: str) -> None:
    click.echo(" ".join(message.split()), err=True)


def _is_interruption(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it: what runs while a module is imported may turn the interruption into an error of its own."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 the machine failed us, 2 wrong input, 130 interrupted."""
    from ackclock.cli.errors import InputError

    status = 0
    try:
        result = command.main(args=None if arguments is None else list(arguments), prog_name="ackclock", standalone_mode=False)
        status = result if isinstance(result, int) else 0
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted: nothing incomplete was left")
        status = _INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = _WRONG_INPUT
    except click.UsageError as error:
        _complain(_usage(error))
        status = _WRONG_INPUT
    except click.ClickException as error:
        _complain(error.format_message())
        status = error.exit_code
    except InputError as error:
        _complain(str(error))
        status = _WRONG_INPUT
    except BrokenPipeError:
        # The reader of our output has gone; what is left in the buffer must not raise again at exit.
        sys.stdout = sys.__stderr__
        status = 1
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        status = 1
    except ValueError as error:
        # ScenarioError is imported only when it is needed: it brings pydantic with it.
        from ackclock.metrics import MetricError, UnknownMetricError
        from ackclock.scenario.errors import ScenarioError

        if not isinstance(error, ScenarioError | MetricError | UnknownMetricError):
            raise
        _complain(str(error))
        status = _WRONG_INPUT
    except RuntimeError as error:
        from ackclock._core import AlgorithmError

        if isinstance(error, AlgorithmError):
            _complain(str(error))
            status = _WRONG_INPUT
        elif _is_interruption(error):
            _complain("interrupted: nothing incomplete was left")
            status = _INTERRUPTED
        else:
            raise
    sys.exit(status)
