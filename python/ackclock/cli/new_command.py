"""``ackclock new``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import OneOf, quiet_option
from ackclock.cli.permitting import way_to_trust

if TYPE_CHECKING:
    from ackclock.templates.in_rust import Line

__all__ = ["command"]

# As in `ackclock.templates`, which takes longer to import than --help.
_KINDS = ("avoidance", "slow-start", "controller")


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--kind",
    metavar="avoidance|slow-start|controller",
    type=OneOf(_KINDS),
    default="avoidance",
    help="Role: growth and cuts after slow start [default: avoidance], slow start, or both in one.",
)
@click.option(
    "--rust",
    is_flag=True,
    help="Write it in Rust, into ackclock's sources: an avoidance or a slow start.",
)
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    type=click.Path(),
    help="Folder of the files [default: NAME]; with --rust, a clone of ackclock [default: .].",
)
@quiet_option
def command(name: str, *, kind: str, rust: bool, folder: str | None, quiet: bool) -> None:
    """Write a congestion control that runs as it is, to be made into your own.

    NAME.py is its class, with a comment on each method; NAME.toml compares it with Reno and CUBIC;
    test_NAME.py tests it with pytest. Nothing that exists is overwritten. A folder that is made is
    trusted (ackclock trust); one that existed is left as it was.

    \b
    Examples:
      ackclock new gentle
      ackclock new early-exit --kind slow-start
      ackclock new gentle --rust
    """  # noqa: D301
    from ackclock.templates import RUST_KINDS, SkeletonError, write_algorithm, write_in_rust

    try:
        if not rust:
            files = write_algorithm(name, Path(name if folder is None else folder), kind)
            text = _told(files, way_to_trust(files[0].parent))
        elif kind not in RUST_KINDS:
            raise InputError(
                f"--kind {kind}: --rust begins an avoidance or a slow start; a whole controller to "
                "begin from is crates/cc/src/controllers/copa.rs"
            )
        else:
            root = Path("." if folder is None else folder)
            text = _told_in_rust(name, *write_in_rust(name, root, kind))
    except SkeletonError as error:
        raise InputError(str(error)) from None
    if not quiet:
        click.echo(text)


def _told(files: list[Path], way: str) -> str:
    module, scenario, test = files
    first = f"  {way}\n" if way else ""
    return (
        f"{module}: the algorithm\n{scenario}: a scenario that compares it\n{test}: a test of it\n"
        f"\nNext:\n{first}  ackclock compare {scenario}\n  ackclock open\n  pytest {test}\n"
        f"Then change {module.name}; the comments say which method decides what.\n"
        "All that a class may do: docs/algorithms/your-own.md"
    )


def _told_in_rust(name: str, files: list[Path], lines: list[Line]) -> str:
    source, test = files
    rows = "\n".join(f"  {line.file}, below `{line.below}`:\n      {line.text}" for line in lines)
    return (
        f"{source}: the algorithm\n{test}: a test of it\n\nAdd these lines:\n{rows}\n\nNext:\n"
        f"  cargo fmt\n  cargo test -p ackclock-cc {source.stem}\n  make setup\n"
        f"  ackclock list cc {name.lower()}\n"
        "CONTRIBUTING.md goes on from there: a page, a test of its response function."
    )
