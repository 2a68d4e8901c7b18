"""A scenario with every default written out, for the folder of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ackclock import _core
from ackclock.scenario.network import Dumbbell, ParkingLot
from ackclock.scenario.options import flow_options, given_options, own_options, shared_options
from ackclock.scenario.plan import sample_period_ps
from ackclock.scenario.profiles import HONEST, Options, implied_transport, visible
from ackclock.scenario.record import Record
from ackclock.scenario.transport import Transport

if TYPE_CHECKING:
    from ackclock.scenario.base import ScenarioTables
    from ackclock.scenario.flows import Flow
    from ackclock.scenario.network import Bottleneck, Network

__all__ = ["resolve"]

_Scenario = TypeVar("_Scenario", bound="ScenarioTables")

# Options that an algorithm's name may imply, and those that follow from them. Written out, they
# would bind every algorithm of a comparison to the options of one.
_OF_THE_NAME = ("loss_detection", "dupack_recovery", "window_approach", "tail_loss_probe", "dsack")


def _without_names_options(scenario: ScenarioTables, options: Options, given: Options) -> Options:
    if scenario.compare is None or scenario.compare.cc is None:
        return options
    compared = [*scenario.compare.cc, *(flow.cc for flow in scenario.flows if flow.cc is not None)]
    of_the_names = {
        *_OF_THE_NAME,
        *(name for cc in compared for name in implied_transport(cc, scenario.finder)),
    }
    if "timestamps" in of_the_names:
        # The default header has room for timestamps where there are any.
        of_the_names.add("header")
    return {
        name: value for name, value in options.items() if name in given or name not in of_the_names
    }


def _resolved_flow(scenario: ScenarioTables, index: int, shared: Options, written: Options) -> Flow:
    flow = scenario.flows[index]
    routers = scenario.routers()
    options = visible(flow_options(scenario, index))
    # An option that the entry leaves hidden keeps the shared value, which has no effect there
    # either.
    given = own_options(scenario, index)
    own = {
        name: value
        for name, value in options.items()
        if shared.get(name) != value
        or (name in given and name not in written and HONEST.get(name) != value)
    }
    own = _without_names_options(scenario, own, given)
    return flow.model_copy(
        update={
            "name": scenario.entry_names()[index],
            "source": flow.source or routers[0],
            "destination": flow.destination or routers[-1],
            "app": flow.app.resolved(scenario.folder),
            "ssthresh": None,
            "initial_window": None,
            "transport": Transport.model_validate(own) if own else None,
        }
    )


def _resolved_bottleneck(spec: Bottleneck) -> Bottleneck:
    if spec.limit is not None:
        return spec
    reverse = spec.reverse
    if (
        reverse is not None
        and reverse.qdisc is not None
        and reverse.limit is None
        and reverse.rate != "unlimited"
    ):
        # Without its own limit it would take the one that is written out here.
        reverse = reverse.model_copy(update={"limit": reverse.qdisc.default_limit})
    return spec.model_copy(update={"limit": spec.qdisc.default_limit, "reverse": reverse})


def _resolved_network(network: Network) -> Network:
    if isinstance(network, Dumbbell):
        return network.model_copy(update={"bottleneck": _resolved_bottleneck(network.bottleneck)})
    if isinstance(network, ParkingLot):
        return network.model_copy(
            update={
                "bottlenecks": [
                    _resolved_bottleneck(bottleneck) for bottleneck in network.bottlenecks
                ]
            }
        )
    return network


def resolve(scenario: _Scenario) -> _Scenario:
    """The scenario with every default written out; the plan stays equal."""
    shared = visible(shared_options(scenario))
    written = _without_names_options(scenario, shared, given_options(scenario.transport))
    # An honest receiver needs no words.
    written = {name: value for name, value in written.items() if HONEST.get(name) != value}
    record = scenario.record
    if record.samples == "auto":
        record = Record.model_validate(
            {
                **record.model_dump(exclude_none=True),
                "samples": _core.format_time(sample_period_ps(scenario)),
            }
        )
    return scenario.model_copy(
        update={
            "network": _resolved_network(scenario.network),
            "transport": Transport.model_validate(written),
            "flows": [
                _resolved_flow(scenario, index, shared, written)
                for index in range(len(scenario.flows))
            ],
            "record": record,
            # Defaults written out here would bind every value of an axis to those of one.
            "sweep": None,
        }
    )
