"""The key of a run: two runs have equal keys if, and only if, their results must be equal bytes.

A key is a hash of the plan, of the versions of ackclock and of its results, and of the user's code
that takes part. The plan holds everything that the engine gets, with the seed and the contents of
traces, but without the names of files and scenarios.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock.runtime.permission import current, modules_named, search_folders
from ackclock.scenario.distributions import watched_draws
from ackclock.sweeps.carried import carry
from ackclock.sweeps.own_code import own_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ackclock.engine.linux.machine import Kernel
    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.scenario import Scenario
    from ackclock.sweeps.carried import Carried
    from ackclock.sweeps.responses import Response

__all__ = ["SettingPlans", "canonical", "names_of_own"]


def canonical(value: Any) -> str:
    """JSON text that is equal for equal values."""
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def names_of_own(plan: Mapping[str, Any], responses: Iterable[Response]) -> list[str]:
    """Names in a run that can stand for the user's code: algorithms and metrics."""
    return [
        *dict.fromkeys(str(flow["cc"]) for flow in plan["flows"]),
        *(getattr(response, "of", response).metric for response in responses),
    ]


class SettingPlans:
    """The plans of a setting's runs, as text, and their keys.

    If a scenario draws no starts and no access links, its plans differ by the seed only, and one
    plan serves all seeds. This saves a millisecond and the memory of a plan per seed.
    """

    def __init__(
        self,
        scenario: Scenario,
        responses: Iterable[Response],
        kernel: VirtualKernel | Callable[[], Kernel] | None = None,
    ) -> None:
        """Make the plan of the scenario's seed; `record` must hold only what the responses need.

        `kernel` runs it in virtual time, or is a function that gives this machine's kernel, or
        None: the simulator runs it.

        Raises
        ------
        ScenarioError
            If the scenario has no plan.
        """
        self._scenario = scenario
        self._responses = tuple(responses)
        self._kernel = kernel
        with watched_draws() as drawn:
            plan = scenario.plan()
        self.drawn = frozenset(drawn)
        """Keys of the scenario whose values are drawn for a plan."""
        self.draws = bool(drawn)
        """Whether plans of two seeds differ by more than the seed."""
        self._names = names_of_own(plan, self._responses)
        self._body = _body(plan)

    @cached_property
    def code(self) -> str:
        """The value for `Task.code`."""
        return own_code(
            self._names, self._scenario.folder, () if self.carried is None else self.carried.modules
        )

    @cached_property
    def permitted(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The value for `Task.permitted`."""
        folder = self._scenario.folder
        modules = () if self.carried is None else self.carried.modules
        return tuple(
            (name, tuple(map(str, search_folders(name, folder))))
            for name in dict.fromkeys([*modules_named(*self._names), *modules])
        )

    @cached_property
    def carried(self) -> Carried | None:
        """The value for `Task.carried`."""
        return None if current().looks else carry(self._names)

    @cached_property
    def _made_by(self) -> str:
        from ackclock import _core

        code = self.code
        if self.carried is not None:
            code = hashlib.sha256(code.encode() + b"\n" + self.carried.fingerprint).hexdigest()
        made_by = {
            "ackclock": _core.__version__,
            "code": code,
            "results_version": _core.RESULTS_VERSION,
        }
        if callable(self._kernel):
            made_by["kernel"] = self._kernel().release
        elif self._kernel is not None:
            made_by["kernel"] = {"release": self._kernel.kernel.release, **self._kernel.build}
        return canonical(made_by)

    def text(self, seed: int) -> str:
        """The plan of the run with this seed, as `Task.plan` holds it."""
        body = (
            self._body
            if not self.draws or seed == self._scenario.seed
            else _body(self._scenario.model_copy(update={"seed": seed}).plan())
        )
        return f'{{"seed":{seed},{body[1:]}'

    def key(self, text: str) -> str:
        """The key of the run with this plan."""
        return hashlib.sha256(f"{self._made_by}\n{text}".encode()).hexdigest()


def _body(plan: Mapping[str, Any]) -> str:
    """The canonical text of a plan without its seed.

    The transport of consecutive flows is put into text once: it is most of the text.
    """
    flows, written = [], []
    last = None
    for flow in plan["flows"]:
        if flow["transport"] != last:
            last = flow["transport"]
            written.append(f'"transport":{canonical(last)}')
        flows.append({**flow, "transport": len(written) - 1})
    text = canonical(
        {name: value for name, value in plan.items() if name != "seed"} | {"flows": flows}
    )
    # Quotation marks within texts are escaped, so the pattern can only match the key of a flow.
    return re.sub(r'"transport":(\d+)', lambda match: written[int(match[1])], text)
