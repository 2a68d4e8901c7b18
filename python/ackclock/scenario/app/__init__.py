"""Applications: a file each, and a line in `APPS`."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ackclock.scenario.app.adaptive_video import AdaptiveVideo
from ackclock.scenario.app.application_limited import ApplicationLimited
from ackclock.scenario.app.base import Application, Session, Stream, Transfer
from ackclock.scenario.app.bulk import Bulk
from ackclock.scenario.app.cbr import Cbr
from ackclock.scenario.app.file import File
from ackclock.scenario.app.incast import Incast
from ackclock.scenario.app.on_off import OnOff
from ackclock.scenario.app.repeated import Repeated
from ackclock.scenario.app.request_response import RequestResponse
from ackclock.scenario.app.short_flows import ShortFlows
from ackclock.scenario.app.video import Video
from ackclock.scenario.app.voice import Voice
from ackclock.scenario.app.web import Web
from ackclock.scenario.app.writes import Writes
from ackclock.scenario.table import read_kind

__all__ = ["APPS", "App", "Bulk", "Session", "Stream", "Transfer"]

APPS: dict[str, type[Application]] = {
    "bulk": Bulk,
    "file": File,
    "writes": Writes,
    "application-limited": ApplicationLimited,
    "on-off": OnOff,
    "repeated": Repeated,
    "short-flows": ShortFlows,
    "web": Web,
    "request-response": RequestResponse,
    "incast": Incast,
    "adaptive-video": AdaptiveVideo,
    "cbr": Cbr,
    "voice": Voice,
    "video": Video,
}
"""Every application by its name."""

if TYPE_CHECKING:
    App = Application
else:

    def _short(value: Any) -> Any:
        return read_kind(value, "an application", APPS)

    _Any = reduce(or_, APPS.values())
    App = Annotated[
        _Any,
        Field(discriminator="kind"),
        BeforeValidator(_short, json_schema_input_type=Literal["bulk"] | _Any),
    ]
