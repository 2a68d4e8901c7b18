"""Rates of links: constant, by a schedule, or by a trace of delivery opportunities; and outages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    ValidationInfo,
    model_validator,
)

from ackclock.messages import shown
from ackclock.scenario import mahimahi
from ackclock.scenario.errors import problem
from ackclock.scenario.paths import find, message_of, where_else
from ackclock.scenario.quantities import (
    PS_PER_S,
    OptionalRate,
    PositiveTime,
    Rate,
    check_rate,
    check_time,
    rate_bps,
    time_ps,
)
from ackclock.scenario.steps import check_times
from ackclock.scenario.table import Table, pair, short_form

if TYPE_CHECKING:
    from ackclock.core_types.plan import (
        OutagePlan,
        ScheduleServicePlan,
        ServicePlan,
        TraceServicePlan,
    )

__all__ = [
    "LinkOutages",
    "LinkRate",
    "OptionalLinkRate",
    "Outages",
    "RateSchedule",
    "RateTrace",
    "nominal_bps",
    "service_plan",
]

_SHORTEST_PERIOD_PS = PS_PER_S // 1000


def _period_ps(period: str | None, least_ps: int, rule: str) -> int | None:
    """The period in ps, refused below 1 ms and below `least_ps`, as `rule` says."""
    if period is None:
        return None
    period_ps = time_ps(period)
    if period_ps < _SHORTEST_PERIOD_PS:
        raise problem(
            f"{shown(period)} is too short: a period is at least 1ms",
            key="period",
            kind="out-of-range",
        )
    if period_ps < least_ps:
        raise problem(f"{shown(period)} is too short: it must be {rule}", key="period")
    return period_ps


_Step = Annotated[
    list[str], pair("a step: write a time and the rate from then on, such as ['10s', '2Mbit/s']")
]


def _step_rate_bps(value: Any) -> int:
    """The rate of a step, which may be zero."""
    try:
        if isinstance(value, str) and rate_bps(value) == 0:
            return 0
    except (ValueError, OverflowError):
        pass
    return rate_bps(check_rate(value))


class RateSchedule(Table):
    """A rate that changes at given times, for a packet that is being sent, too."""

    schedule: list[_Step] = Field(min_length=1)
    """Times, ascending from "0s", with rates: [["0s", "10Mbit/s"], ["10s", "0bit/s"]]."""
    period: PositiveTime | None = None
    """Period after which the schedule starts again, "20s" (default: the last rate stays)."""

    @model_validator(mode="after")
    def _checked(self) -> RateSchedule:
        last, rates = check_times(self.schedule, "schedule", first="rate"), []
        for index, (_, rate) in enumerate(self.schedule):
            try:
                rates.append(_step_rate_bps(rate))
            except ValueError as error:
                raise problem(str(error), key=f"schedule.{index}") from None
        if not any(rates):
            raise problem("all of its rates are zero: nothing would ever be sent", key="schedule")
        _period_ps(self.period, last + 1, "after the last step")
        return self

    def plan(self) -> ScheduleServicePlan:
        """The schedule in the engine's form."""
        period = None if self.period is None else time_ps(self.period)
        return {
            "kind": "schedule",
            "rates": [[time_ps(time), rate_bps(rate)] for time, rate in self.schedule],
            "period_ps": period,
        }

    def nominal_bps(self) -> int:
        """The mean over a period; without one the first rate above zero."""
        steps = [(time_ps(time), rate_bps(rate)) for time, rate in self.schedule]
        if self.period is None:
            return next(rate for _, rate in steps if rate > 0)
        period = time_ps(self.period)
        ends = [*(time for time, _ in steps[1:]), period]
        return max(
            1,
            sum(rate * (end - begin) for (begin, rate), end in zip(steps, ends, strict=True))
            // period,
        )


class RateTrace(Table):
    """A Mahimahi trace: the times at which the link delivers, as mm-link plays them."""

    trace: str
    """File, relative to the scenario's, of times in ms at which 1500 bytes can leave."""

    _packed: str = PrivateAttr(default="")
    _nominal_bps: int = PrivateAttr(default=0)

    @model_validator(mode="after")
    def _read(self, info: ValidationInfo) -> RateTrace:
        folder = (info.context or {}).get("folder")
        path = find(self.trace, folder)
        try:
            self._packed, self._nominal_bps = mahimahi.read_packed(path)
        except mahimahi.TraceError as error:
            way = where_else(path, folder)
            about = message_of(error, path, folder, "no trace of a link")
            reason = f"there is no such file{way}" if way else about
            raise problem(f"{shown(self.trace)}: {reason}", key="trace") from None
        return self

    def plan(self) -> TraceServicePlan:
        """The trace in the engine's form."""
        return {"kind": "trace", "opportunities": self._packed}

    def nominal_bps(self) -> int:
        """The mean over the trace."""
        return self._nominal_bps


def _form(value: Any) -> str:
    if isinstance(value, RateTrace) or (isinstance(value, dict) and "trace" in value):
        return "rate-trace"
    return "rate-schedule" if isinstance(value, dict | RateSchedule) else "rate-text"


def _known_form(value: Any) -> Any:
    if isinstance(value, dict) and not {"schedule", "trace"} & set(value):
        raise problem(
            f"{shown(value)} is not a rate: write text such as '10Mbit/s', {{ schedule = [['0s', "
            f"'10Mbit/s'], ['10s', '2Mbit/s']] }} or "
            "{ trace = 'FILE' }"
        )
    return value


_Varying = Annotated[RateSchedule, Tag("rate-schedule")] | Annotated[RateTrace, Tag("rate-trace")]
LinkRate = Annotated[
    Annotated[Rate, Tag("rate-text")] | _Varying, Discriminator(_form), BeforeValidator(_known_form)
]
OptionalLinkRate = Annotated[
    Annotated[OptionalRate, Tag("rate-text")] | _Varying,
    Discriminator(_form),
    BeforeValidator(_known_form),
]

_Window = Annotated[list[str], pair("an outage: write its begin and its end, such as ['5s', '7s']")]


class Outages(Table):
    """Times when a link is down: packets wait, or are lost on the wire."""

    windows: list[_Window]
    """Begin and end of each outage, ascending: [["5s", "7s"], ["12s", "13s"]]."""
    period: PositiveTime | None = None
    """Period after which the outages start again, such as "15s" (default: never)."""
    lossy: bool = False
    """Whether packets of an outage are sent and lost, as in a handover; otherwise they wait."""

    @model_validator(mode="after")
    def _checked(self) -> Outages:
        before = -1
        for window in self.windows:
            begin, end = (time_ps(check_time(time)) for time in window)
            if end <= begin:
                raise problem(
                    f"{shown(window[1])} is not after {shown(window[0])}: an outage ends after it "
                    "begins"
                )
            if begin <= before:
                raise problem(
                    f"{shown(window[0])} is not after the outage that precedes it: outages are in "
                    "order and apart"
                )
            before = end
        period = _period_ps(self.period, before, "no less than the end of the last outage")
        if (
            period is not None
            and self.windows
            and time_ps(self.windows[0][0]) == 0
            and len(self.windows) == 1
            and before == period
        ):
            raise problem("the link would be down for ever: the outage takes the whole period")
        return self

    def plan(self) -> OutagePlan:
        """The outages in the engine's form."""
        return {
            "windows": [[time_ps(begin), time_ps(end)] for begin, end in self.windows],
            "period_ps": None if self.period is None else time_ps(self.period),
        }


LinkOutages = Annotated[Outages, short_form("windows", list, schema=list[_Window] | Outages)]


def nominal_bps(rate: str | RateSchedule | RateTrace) -> int | None:
    """The rate of a bdp in bit/s, without outages; `None`: unlimited."""
    if isinstance(rate, str):
        return None if rate == "unlimited" else rate_bps(rate)
    return rate.nominal_bps()


def service_plan(
    rate: str | RateSchedule | RateTrace, outages: Outages | None
) -> ServicePlan | None:
    """A varying rate or outages in the engine's form; `None` for a constant rate."""
    stops = outages is not None and bool(outages.windows) and not outages.lossy
    if isinstance(rate, str):
        if not stops or rate == "unlimited":
            return None
        plan: ServicePlan = {"kind": "schedule", "rates": [[0, rate_bps(rate)]]}
    else:
        plan = rate.plan()
    if stops and outages is not None:
        plan["outages"] = outages.plan()
    return plan
