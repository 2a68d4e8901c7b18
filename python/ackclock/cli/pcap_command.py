"""``ackclock pcap``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.options import Whole, out_option
from ackclock.cli.output import Output, output_options

if TYPE_CHECKING:
    from ackclock.tools.pcap import Capture

__all__ = ["command"]

_TABLES = ("connections", "connection", "path")


@click.command("pcap")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--connection",
    metavar="N",
    type=Whole(0),
    help="Number of the connection, as in the list [default: the one with most payload].",
)
@out_option(
    "Folder for the picture (SVG), the figures (JSON), the scenario, and the tables of "
    "segments, SACK blocks and rates (Parquet)."
)
@click.option(
    "--scenario",
    "target",
    metavar="FILE",
    type=click.Path(),
    help="Write the estimated path as a scenario, which ackclock run takes.",
)
@output_options(*_TABLES)
def command(
    file: str, connection: int | None, out: str | None, target: str | None, output: Output
) -> None:
    """Read a capture (pcap or pcapng) of TCP: list connections, lay one out, estimate its path.

    \b
    Examples:
      ackclock pcap download.pcapng
      ackclock pcap download.pcapng --connection 3 --out seen
      ackclock pcap download.pcapng --scenario path.toml
      ackclock compare path.toml
    """  # noqa: D301
    from ackclock.cli.target import check_target, check_target_file
    from ackclock.tools.pcap import read_pcap
    from ackclock.tools.pcap.saving import CAPTURE
    from ackclock.tools.pcap.tables import tables

    folder = None if out is None else check_target(Path(out), CAPTURE)
    scenario_file = None if target is None else check_target_file(Path(target), "--scenario")
    capture = read_pcap(file, connection=connection)
    text = None if scenario_file is None else capture.toml()
    if folder is not None:
        capture.write(folder)
    if scenario_file is not None and text is not None:
        from ackclock.atomic_io import write_text

        write_text(scenario_file, text)
    output.show(lambda: capture, lambda: _json(capture), lambda: tables(capture))
    console = output.messages()
    if folder is not None:
        console.print(f"Written: {folder}", soft_wrap=True)
    if scenario_file is not None:
        console.print(f"Scenario: {scenario_file}", soft_wrap=True)


def _json(capture: Capture) -> dict[str, Any]:
    return {
        "file": str(capture.file),
        "listing": capture.listing,
        "connections": capture.connections.to_dicts(),
        "figures": capture.figures,
        "path": capture.estimated,
        "why_no_path": capture.why_no_path,
    }
