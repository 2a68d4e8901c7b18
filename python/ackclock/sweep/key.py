"""The key of a run: the same if, and only if, the same bytes must come out.

It is made of the plan, which holds all that the engine is given (contents of traces included, names of files and scenarios not), the seed,
the versions of ackclock and of its results, and the code of the user's own that runs with it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.sweep.own_code import own_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ackclock.sweep.responses import Response

__all__ = ["SettingPlan", "canonical", "names_of_own"]


def canonical(value: Any) -> str:
    """JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def names_of_own(plan: Mapping[str, Any], responses: Iterable[Response]) -> list[str]:
    """What in a run can name code of the user's: algorithms and metrics."""
    return [*dict.fromkeys(str(flow["cc"]) for flow in plan["flows"]), *(response.metric for response in responses)]


@dataclass(frozen=True)
class SettingPlan:
    """A setting's plan, whose runs differ by their seed only."""

    body: str
    """Canonical JSON of the plan without its seed."""
    code: str
    """As `Task.code`: the hash of the user's own modules that its algorithms and the responses' metrics stand in; "": there are none."""
    digest: str
    """Of all that the setting's runs have in common."""

    @classmethod
    def of(cls, plan: Mapping[str, Any], responses: Iterable[Response], folder: Path | None) -> SettingPlan:
        """What the setting's runs have in common.

        Parameters
        ----------
        plan
            The plan of any of them, `record` reduced to what the responses need.
        responses
            What is measured.
        folder
            Where the user's own modules are looked for first.
        """
        from ackclock import _core

        body = canonical({name: value for name, value in plan.items() if name != "seed"})
        code = own_code(names_of_own(plan, responses), folder)
        made_by = {"ackclock": _core.__version__, "results_version": _core.RESULTS_VERSION, "code": code}
        return cls(body, code, hashlib.sha256(f"{canonical(made_by)}\n{body}".encode()).hexdigest())

    def text(self, seed: int) -> str:
        """The plan with a seed, as `Task.plan`."""
        return f'{{"seed":{seed},{self.body[1:]}'

    def key(self, seed: int) -> str:
        """The key of the run with that seed, as `Task.key`."""
        return hashlib.sha256(f"{self.digest} {seed}".encode()).hexdigest()
