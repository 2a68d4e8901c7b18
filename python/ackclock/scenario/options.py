"""The transport options of each flow: profile, scenario, what the algorithm's name stands for, flow, in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.profiles import Options, implied_transport, lay_over, profile

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario
    from ackclock.scenario.transport import Transport

__all__ = ["flow_options", "given_options", "own_options", "shared_options"]


def given_options(table: Transport | None) -> Options:
    """What a table of transport options gives."""
    dumped: Options = {} if table is None else table.model_dump(exclude_none=True)
    return dumped


def shared_options(scenario: Scenario) -> Options:
    """The options of the profile with the scenario's own laid over."""
    return lay_over(profile(scenario.profile), given_options(scenario.transport), "transport")


def own_options(scenario: Scenario, index: int) -> Options:
    """What an entry of flows gives itself, its short forms included."""
    flow = scenario.flows[index]
    own = given_options(flow.transport)
    for name in ("ssthresh", "initial_window"):
        if getattr(flow, name) is not None:
            own[name] = getattr(flow, name)
    return own


def flow_options(scenario: Scenario, index: int) -> Options:
    """The complete options of an entry of flows.

    Raises
    ------
    ScenarioError
        If options contradict each other, or what the algorithm's name stands for.
    """
    flow = scenario.flows[index]
    key = f"flows.{index}"
    shared, own = given_options(scenario.transport), own_options(scenario, index)
    implied = {} if flow.cc is None else implied_transport(flow.cc, scenario.finder)
    for name, value in implied.items():
        given = own.get(name, shared.get(name, value))
        if given != value:
            place = f"{key}.transport" if name in own else "transport"
            stands_for = " and ".join(f"{option} = {shown(setting)}" for option, setting in implied.items())
            raise ScenarioError(
                f"{shown(flow.cc)} stands for {stands_for}, which contradicts {place}.{name} = {shown(given)}; leave one of the two out",
                key=f"{key}.cc",
                value=flow.cc,
            )
    options = lay_over(shared_options(scenario), implied, f"{key}.cc", shared)
    return lay_over(options, own, f"{key}.transport", shared)
