"""Queue disciplines: a file each, and a line in `QDISCS`."""

from __future__ import annotations

import sys
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.cobalt import Cobalt
from ackclock.scenario.qdisc.codel import Codel
from ackclock.scenario.qdisc.drr import Drr
from ackclock.scenario.qdisc.dualpi2 import Dualpi2
from ackclock.scenario.qdisc.fifo import Fifo
from ackclock.scenario.qdisc.fq_codel import FqCodel
from ackclock.scenario.qdisc.fq_pie import FqPie
from ackclock.scenario.qdisc.pie import Pie
from ackclock.scenario.qdisc.prio import Prio
from ackclock.scenario.qdisc.red import Red
from ackclock.scenario.qdisc.step import Step
from ackclock.scenario.qdisc.tbf import Tbf
from ackclock.scenario.table import read_kind

__all__ = ["QDISCS", "Discipline", "Fifo", "Qdisc"]

QDISCS: dict[str, type[Discipline]] = {
    "fifo": Fifo,
    "red": Red,
    "step": Step,
    "codel": Codel,
    "fq_codel": FqCodel,
    "pie": Pie,
    "fq_pie": FqPie,
    "cobalt": Cobalt,
    "dualpi2": Dualpi2,
    "prio": Prio,
    "drr": Drr,
    "tbf": Tbf,
}
"""Every discipline by its name."""


def _has_required(table: type[Discipline]) -> bool:
    return any(field.is_required() for key, field in table.model_fields.items() if key != "kind")


_SHORT_FORMS = tuple(name for name, table in QDISCS.items() if not _has_required(table))

if TYPE_CHECKING:
    Qdisc = Discipline
else:

    def _short(value: Any) -> Any:
        return read_kind(value, "a queue discipline", QDISCS)

    _Any = reduce(or_, QDISCS.values())
    Qdisc = Annotated[
        _Any,
        Field(discriminator="kind"),
        BeforeValidator(_short, json_schema_input_type=Literal[_SHORT_FORMS] | _Any),
    ]
    # Pydantic builds the schema of a model at first use, with the names of the model's module.
    for _parent in (Prio, Tbf):
        sys.modules[_parent.__module__].Qdisc = Qdisc
