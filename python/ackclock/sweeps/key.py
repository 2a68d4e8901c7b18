"""The key of a run: the same if, and only if, the same bytes must come out.

It is made of the plan, which holds all that the engine is given (the seed and the contents of traces included; names of files and
scenarios not), of the versions of ackclock and of its results, and of the code of the user's own that runs with it.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock.scenario.distributions import watched_draws
from ackclock.sweeps.carried import carry
from ackclock.sweeps.own_code import own_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ackclock.scenario import Scenario
    from ackclock.sweeps.carried import Carried
    from ackclock.sweeps.responses import Response

__all__ = ["SettingPlans", "canonical", "names_of_own"]


def canonical(value: Any) -> str:
    """JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def names_of_own(plan: Mapping[str, Any], responses: Iterable[Response]) -> list[str]:
    """What in a run can name code of the user's: algorithms and metrics."""
    return [
        *dict.fromkeys(str(flow["cc"]) for flow in plan["flows"]),
        *(getattr(response, "of", response).metric for response in responses),
    ]


class SettingPlans:
    """The plans of a setting's runs, as text with their keys.

    Where a scenario draws nothing before the engine does (starts, access links), its plans differ by the seed only, and one is made for
    all: making a plan takes a millisecond, and many seeds' plans the memory of as many.
    """

    def __init__(self, scenario: Scenario, responses: Iterable[Response]) -> None:
        """Make the plan of the scenario's own seed.

        Parameters
        ----------
        scenario
            The setting's, its `record` reduced to what the responses need.
        responses
            What is measured.

        Raises
        ------
        ScenarioError
            If it has no plan.
        """
        self._scenario = scenario
        self._responses = tuple(responses)
        with watched_draws() as drawn:
            plan = scenario.plan()
        self.drawn = frozenset(drawn)
        """Keys of the scenario whose values are drawn for a plan."""
        self.draws = bool(drawn)
        """Whether plans of two seeds differ by more than the seed."""
        self._names = names_of_own(plan, self._responses)
        self._body = None if self.draws else _body(plan)

    @cached_property
    def code(self) -> str:
        """As `Task.code`."""
        return own_code(self._names, self._scenario.folder, () if self.carried is None else self.carried.modules)

    @cached_property
    def carried(self) -> Carried | None:
        """As `Task.carried`."""
        return carry(self._names)

    @cached_property
    def _made_by(self) -> str:
        from ackclock import _core

        code = self.code
        if self.carried is not None:
            code = hashlib.sha256(code.encode() + b"\n" + self.carried.fingerprint).hexdigest()
        return canonical({"ackclock": _core.__version__, "code": code, "results_version": _core.RESULTS_VERSION})

    def text(self, seed: int) -> str:
        """The plan of the run with that seed, as `Task.plan`."""
        body = self._body if self._body is not None else _body(self._scenario.model_copy(update={"seed": seed}).plan())
        return f'{{"seed":{seed},{body[1:]}'

    def key(self, text: str) -> str:
        """The key of the run whose plan this is, as `Task.key`."""
        return hashlib.sha256(f"{self._made_by}\n{text}".encode()).hexdigest()


def _body(plan: Mapping[str, Any]) -> str:
    """The canonical text of a plan without its seed; what flow after flow has for its transport is written once."""
    flows, written = [], []
    last = None
    for flow in plan["flows"]:
        if flow["transport"] != last:
            last = flow["transport"]
            written.append(f'"transport":{canonical(last)}')
        flows.append({**flow, "transport": len(written) - 1})
    text = canonical({name: value for name, value in plan.items() if name != "seed"} | {"flows": flows})
    # No text in it has a quotation mark that is not escaped, so only the key of a flow looks like this.
    return re.sub(r'"transport":(\d+)', lambda found: written[int(found[1])], text)
