"""``ackclock kernel``: kernels that run in virtual time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.options import Whole
from ackclock.cli.output import Output, output_options

if TYPE_CHECKING:
    from ackclock.engine.linux.virtual.kernels import VirtualKernel

__all__ = ["command"]

_HZ = (24, 1000)
_OBJECTS = 900
"""Objects of a lean kernel, about: for the progress line."""


@click.group("kernel")
def command() -> None:
    """Build and list Linux kernels that run as a process, in virtual time.

    Such a kernel's clock jumps to the next event, so a run needs no root and no idle machine, and
    two runs are equal: ackclock linux FILE --virtual. docs/linux.md says more.
    """


@command.command("build")
@click.option(
    "--package",
    default="",
    metavar="NAME",
    help="Installed Debian package of a source, such as linux-source-6.12; default: the newest.",
)
@click.option(
    "--source", type=click.Path(file_okay=False), help="Folder of a kernel's source: your own tree."
)
@click.option(
    "--name", help="Name for --virtual=NAME; default: 6.12 of linux-source-6.12, or the folder's."
)
@click.option("--hz", type=Whole(*_HZ), default=250, show_default=True, help="Ticks per second.")
@click.option(
    "--config-add",
    "changes",
    multiple=True,
    metavar="K=V",
    help="Symbol of the configuration, without CONFIG_; more than once.",
)
@output_options()
def build(
    package: str,
    source: str | None,
    name: str | None,
    hz: int,
    changes: tuple[str, ...],
    output: Output,
) -> None:
    """Build a kernel from a package or from your own source tree; some minutes, once.

    \b
    Examples:
      ackclock kernel build --package linux-source-6.12
      ackclock kernel build --source ~/net-next --name mine
    """  # noqa: D301
    from ackclock.cli.progress import Meter
    from ackclock.engine.linux.virtual.building import build as build_kernel
    from ackclock.engine.linux.virtual.building import newest_package

    if source is not None and package:
        raise click.UsageError("--package and --source name two sources: give one")
    wrong = [pair for pair in changes if "=" not in pair]
    if wrong:
        raise click.UsageError(f"--config-add {wrong[0]}: write KEY=VALUE, such as NET_SCH_CAKE=n")
    if source is None:
        package = package or newest_package()
    # As in --virtual=6.12.
    name = name or (Path(source).resolve().name if source else package).removeprefix(
        "linux-source-"
    )
    with Meter(output.messages(), f"kernel {name}") as meter:
        kernel = build_kernel(
            name,
            source=None if source is None else Path(source),
            package=package,
            hz=hz,
            changes=dict(pair.split("=", 1) for pair in changes),
            progress=lambda step, count: meter.update(
                min(count / _OBJECTS, 0.99), f"{step} {count or ''}".strip()
            ),
        )
    if output.as_json:
        click.echo(json.dumps(_facts(kernel), indent=2))
    elif not output.quiet:
        click.echo(
            f"{kernel.name}: Linux {kernel.kernel.release}, {kernel.hz} Hz, "
            f"{len(kernel.kernel.congestion_controls)} congestion controls; "
            f"ackclock linux FILE --virtual={kernel.name}"
        )


def _facts(kernel: VirtualKernel) -> dict[str, Any]:
    return {
        "name": kernel.name,
        "release": kernel.kernel.release,
        **kernel.build,
        "congestion_controls": list(kernel.kernel.congestion_controls),
        "folder": str(kernel.folder),
    }


@command.command("list")
@output_options()
def list_kernels(output: Output) -> None:
    """List the kernels that were built."""
    from ackclock.engine.linux.virtual.kernels import built

    kernels = built()
    if output.as_json:
        click.echo(json.dumps([_facts(kernel) for kernel in kernels], indent=2))
        return
    if not kernels:
        click.echo("no kernel is built for virtual time: ackclock kernel build")
    for kernel in kernels:
        click.echo(
            f"{kernel.name}: Linux {kernel.kernel.release}, {kernel.hz} Hz, "
            f"digest {kernel.digest[:12]}, {', '.join(kernel.kernel.congestion_controls)}"
        )
