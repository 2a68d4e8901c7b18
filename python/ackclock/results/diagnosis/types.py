"""Types of the diagnosis in summary.json."""

from typing import Annotated

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

__all__ = ["FlowDiagnosis", "LimitRow"]

_STRICT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


@with_config(_STRICT)
class LimitRow(TypedDict):
    """A limit of a flow."""

    kind: Annotated[str, Field(description="Name of the kind of limit, as in docs/diagnosis.md.")]
    title: Annotated[str, Field(description="Name of the limit, in a few words.")]
    share: Annotated[float, Field(description="Share of the flow's time, 0 to 1.")]
    sentence: Annotated[
        str, Field(description="Figures behind the limit, and the closed form if there is one.")
    ]
    key: Annotated[
        str | None, Field(description="The scenario's key to change; null: there is none.")
    ]
    advice: Annotated[str, Field(description="Advice for the key.")]
    bound: Annotated[
        float | None,
        Field(description="Rate that the closed form allows, bit/s of payload; null without one."),
    ]
    law: Annotated[
        str | None, Field(description="Name and source of the closed form; null without one.")
    ]


@with_config(_STRICT)
class FlowDiagnosis(TypedDict):
    """The limits of a flow."""

    flow: Annotated[str, Field(description="The flow's name.")]
    cc: Annotated[str, Field(description="Congestion control.")]
    link: Annotated[
        str | None,
        Field(description="The busiest or slowest link of its path; null: none has a rate."),
    ]
    busy: Annotated[
        float | None, Field(description="Share of the flow's time that this link was busy, 0 to 1.")
    ]
    is_clear: Annotated[bool, Field(description="Whether the flow had its share of a busy link.")]
    limits: Annotated[list[LimitRow], Field(description="Limits in order of weight.")]
    looked_at: Annotated[list[str], Field(description="Quantities that were looked at.")]
    not_known: Annotated[
        list[str],
        Field(
            description="Quantities that could not be looked at, because a kernel does not report "
            "them."
        ),
    ]
    line: Annotated[str, Field(description="The diagnosis in a line.")]
