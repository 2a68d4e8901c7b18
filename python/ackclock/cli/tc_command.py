"""``ackclock tc``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Whole, json_option, set_option
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.core_types.plan import LinkPlan, Plan
    from ackclock.scenario import Scenario
    from ackclock.scenario.tc import LinkCommands

__all__ = ["command"]


@click.command("tc")
@click.argument("file", type=click.Path())
@click.option(
    "--link",
    "link_names",
    metavar="NAME",
    multiple=True,
    help="A direction of a link: bottleneck, bottleneck.reverse [default: all]. Repeatable.",
)
@click.option(
    "--dev",
    "devices",
    metavar="[LINK=]DEVICE",
    multiple=True,
    help="Device with the queue of a link; a DEVICE alone is that of the only --link, or of the "
    "bottleneck. Repeatable [default: a variable of the script].",
)
@click.option(
    "--wire",
    "wires",
    metavar="[LINK=]DEVICE",
    multiple=True,
    help="Device behind the queue, for delay and loss [default: that of the queue]. Repeatable.",
)
@click.option(
    "--header",
    metavar="BYTES",
    type=Whole(0, 256),
    default=14,
    show_default=True,
    help="Link-layer header of the devices: 14 for Ethernet and veth, 0 for tun.",
)
@set_option
@json_option
def command(
    file: str,
    link_names: tuple[str, ...],
    devices: tuple[str, ...],
    wires: tuple[str, ...],
    header: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the tc commands that give Linux the queues of the scenario in FILE.

    The output is a shell script: a token bucket for the rate, the discipline inside it with its
    parameters in tc's names and units, netem for delay and loss, and the steps of schedules with
    the pauses between them. Comments name everything that tc cannot express. Where tc's words make
    another queue, a warning says so on standard error too. docs/tc.md says more.

    \b
    Examples:
      ackclock tc scenarios/codel.toml --link bottleneck --dev eth1
      ackclock tc scenarios/rate-steps.toml > queues.sh
    """  # noqa: D301
    from ackclock.cli.progress import messages
    from ackclock.results.queue_limits import full_packets
    from ackclock.results.terminal import warning_lines
    from ackclock.scenario import load
    from ackclock.scenario.tc import commands_of
    from ackclock.tools.tc import script_of
    from ackclock.tools.tc.script import variable_of

    scenario = load(file, settings=settings)
    plan = scenario.plan()
    links = _chosen(scenario, plan, link_names, devices)
    given = _devices(links, devices, "--dev")
    behind = _devices(links, wires, "--wire")
    sizes = dict(zip((link["name"] for link in plan["links"]), full_packets(plan), strict=True))
    per_link = [
        commands_of(link, sizes[link["name"]], header=header, apart=link["name"] in behind)
        for link in links
    ]
    for line in warning_lines(_warnings(per_link)):
        messages(quiet=False).print(line, soft_wrap=True)
    if as_json:
        click.echo(json.dumps([_plain(commands, given, behind) for commands in per_link], indent=2))
        return
    variables = {variable_of(name): device for name, device in given.items()}
    variables |= {variable_of(name, "WIRE"): device for name, device in behind.items()}
    click.echo(script_of(per_link, name=scenario.name, devices=variables), nl=False)


def _warnings(per_link: Sequence[LinkCommands]) -> list[str]:
    """Each warning once, with the links that it is about."""
    links: dict[str, list[str]] = {}
    for commands in per_link:
        for sentence in commands.warnings:
            links.setdefault(sentence, []).append(commands.link)
    return [f"{', '.join(names)}: {sentence}" for sentence, names in links.items()]


def _chosen(
    scenario: Scenario, plan: Plan, names: Sequence[str], devices: Sequence[str]
) -> list[LinkPlan]:
    from ackclock.scenario.topology import directed_links

    routers = {link.name for link in directed_links(scenario.network)}
    known = {link["name"]: link for link in plan["links"] if link["name"] in routers}
    for name in names:
        if name not in known:
            raise InputError(
                f"--link: there is no link '{name}', only "
                f"{', '.join(known)}{did_you_mean(name, known)}"
            )
    if names:
        return [known[name] for name in dict.fromkeys(names)]
    if devices and all("=" not in device for device in devices):
        return [known[scenario.bottlenecks()[0]]] if scenario.bottlenecks() else []
    return list(known.values())


def _devices(links: Sequence[LinkPlan], texts: Sequence[str], option: str) -> dict[str, str]:
    """Devices by link."""
    names = [link["name"] for link in links]
    devices: dict[str, str] = {}
    for text in texts:
        name, equals, device = text.rpartition("=")
        if not equals:
            if len(names) != 1:
                raise InputError(
                    f"{option}: '{text}' is for one link, and there are {len(names)}: write "
                    f"{names[0]}={text}, or name one by --link"
                )
            name = names[0]
        if name not in names:
            raise InputError(
                f"{option}: there is no link '{name}' here, only "
                f"{', '.join(names)}{did_you_mean(name, names)}"
            )
        if not _is_device(device):
            raise InputError(f"{option}: '{device}' is not the name of a network device")
        devices[name] = device
    return devices


def _is_device(name: str) -> bool:
    """Whether Linux allows the name (``dev_valid_name``), and a shell needs no quotes for it."""
    return 0 < len(name) <= 15 and all(letter.isalnum() or letter in "-_.@+" for letter in name)


def _plain(
    commands: LinkCommands, devices: Mapping[str, str], wires: Mapping[str, str]
) -> dict[str, Any]:
    from ackclock.scenario.tc.link import DEVICE, WIRE
    from ackclock.tools.tc.script import variable_of

    def words(command: Sequence[str]) -> list[str]:
        names = {
            DEVICE: devices.get(commands.link, f"${variable_of(commands.link)}"),
            WIRE: wires.get(commands.link, f"${variable_of(commands.link, WIRE)}"),
        }
        return ["tc", *(names.get(word, word) for word in command)]

    return {
        "link": commands.link,
        "commands": [words(command) for command in commands.setup],
        "later": [
            {
                "meaning": timed.meaning,
                "steps": [[at / 1e12, words(command)] for at, command in timed.steps],
                "period": None if timed.period_ps is None else timed.period_ps / 1e12,
            }
            for timed in commands.later
        ],
        "notes": commands.notes,
        "warnings": commands.warnings,
    }
