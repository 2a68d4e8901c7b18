"""The transport options of each flow.

Later sources prevail: the profile, the scenario, the options that the algorithm's name implies, and
the flow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.profiles import Options, implied_transport, lay_over, profile

if TYPE_CHECKING:
    from ackclock.scenario.base import ScenarioTables
    from ackclock.scenario.transport import Transport

__all__ = ["flow_options", "given_options", "own_options", "shared_options"]


def given_options(table: Transport | None) -> Options:
    """The options that a table of transport options sets."""
    dumped: Options = {} if table is None else table.model_dump(exclude_none=True)
    return dumped


def shared_options(scenario: ScenarioTables) -> Options:
    """The profile's options, with the scenario's in place of them where given."""
    return lay_over(profile(scenario.profile), given_options(scenario.transport), "transport")


def own_options(scenario: ScenarioTables, index: int) -> Options:
    """The options that an entry of flows sets, short forms included."""
    flow = scenario.flows[index]
    own = given_options(flow.transport)
    for name in ("ssthresh", "initial_window"):
        if getattr(flow, name) is not None:
            own[name] = getattr(flow, name)
    return own


def flow_options(scenario: ScenarioTables, index: int) -> Options:
    """The complete options of an entry of flows.

    Raises
    ------
    ScenarioError
        If options contradict each other, or those that the algorithm's name implies.
    """
    flow = scenario.flows[index]
    key = f"flows.{index}"
    shared, own = given_options(scenario.transport), own_options(scenario, index)
    implied = {} if flow.cc is None else implied_transport(flow.cc, scenario.finder)
    for name, value in implied.items():
        given = own.get(name, shared.get(name, value))
        if given != value:
            place = f"{key}.transport" if name in own else "transport"
            stands_for = " and ".join(
                f"{option} = {shown(setting)}" for option, setting in implied.items()
            )
            raise ScenarioError(
                f"{shown(flow.cc)} stands for {stands_for}, which contradicts {place}.{name} = "
                f"{shown(given)}; leave one of the two out",
                key=f"{key}.cc",
                value=flow.cc,
            )
    options = lay_over(shared_options(scenario), implied, f"{key}.cc", shared)
    return lay_over(options, own, f"{key}.transport", shared)
