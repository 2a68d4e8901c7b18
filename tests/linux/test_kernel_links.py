"""The kernel's own links: the translation, what it refuses, and runs beside the simulator's."""

from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.engine.linux import LinuxError, kernel_links, remarks, run_on_linux
from ackclock.engine.linux.links import check_tool
from ackclock.engine.linux.virtual.kernels import VirtualKernel, built, virtual
from ackclock.results.provenance import engine_of, timing_line
from ackclock.scenario import Scenario, ScenarioError, load

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def scenario(duration: str = "3s", *, cc: str = "reno", **link: Any) -> Scenario:
    settings = {"rate": "10Mbit/s", "rtt": "60ms", "flows": [ac.flow(cc)]} | link
    return ac.dumbbell(duration=duration, **settings)


def text(made: list[Any], link: int = 0) -> str:
    return "\n".join(" ".join(words) for words in made[link]["setup"])


def test_a_packet_leaves_its_queue_when_its_transmission_begins() -> None:
    made = kernel_links(scenario(buffer="50packets").plan())
    # One byte of burst, so that packets leave one by one, and netem takes their transmission's
    # time. The queue holds the scenario's packets and not the one that is being sent.
    assert text(made) == (
        "qdisc replace dev WIRE root handle 1: stab overhead -14 linklayer ethernet "
        "netem limit 11410 delay 30ms rate 10mbit\n"
        "qdisc replace dev DEVICE root handle 1: stab overhead -14 linklayer ethernet "
        "htb default 1\n"
        "class add dev DEVICE parent 1: classid 1:1 htb rate 10mbit burst 1 ceil 10mbit cburst 1 "
        "quantum 60000\n"
        "qdisc add dev DEVICE parent 1:1 handle 2: pfifo limit 50"
    )


def test_a_link_without_rate_and_delay_needs_no_device() -> None:
    plan = scenario().plan()
    plan["links"][1] |= {"rate_bps": None, "delay_ps": 0}
    assert kernel_links(plan)[1]["setup"] == []


def test_schedules_are_commands_with_times() -> None:
    steps = {"schedule": [["0s", "10Mbit/s"], ["1s", "5Mbit/s"]], "period": "2s"}
    later = kernel_links(scenario("5s", rate=steps).plan())[0]["later"]
    classes = [(at // 10**12, words[-9]) for at, words in later if words[0] == "class"]
    rates = ["10mbit", "5mbit"] * 3
    assert classes == list(enumerate(rates))
    wires = [(at // 10**12, words[-1]) for at, words in later if words[0] == "qdisc"]
    assert wires == classes


@pytest.mark.parametrize(("qdisc", "at_departure"), [("codel", True), ("fifo", False)])
def test_where_a_discipline_drops_is_told(qdisc: str, at_departure: bool) -> None:
    assert kernel_links(scenario(qdisc=qdisc).plan())[0]["drops_at_departure"] == at_departure


RED = {"kind": "red", "min_threshold": "5packets", "max_threshold": "15packets"}


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"qdisc": RED}, r"link bottleneck: .*wait = false"),
        ({"qdisc": {"kind": "prio", "children": ["fifo"] * 3}}, "socket's priority"),
    ],
)
def test_what_tc_cannot_say_is_refused_with_a_remedy(link: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message) as caught:
        kernel_links(scenario(**link).plan())
    assert caught.value.key == "network"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("loss", {"kind": "periodic", "period": 100}, "use 'bernoulli'"),
        ("impairments", [{"kind": "duplicate", "p": 0.01, "acks": False}], "nobody counts"),
        (
            "impairments",
            [{"kind": "jitter", "delay": {"kind": "exponential", "mean": 0.001}}],
            "use 'uniform' or 'normal'",
        ),
        (
            "impairments",
            [{"kind": "jitter", "delay": {"kind": "uniform", "low": 0.0, "high": 0.001}}],
            "write reorder = true",
        ),
        ("service", {"kind": "schedule", "rates": [[0, 10**7], [10**12, 0]]}, "rate of zero"),
    ],
)
def test_what_netem_cannot_do_is_refused(setting: str, value: Any, message: str) -> None:
    plan: Any = scenario().plan()
    plan["links"][0][setting] = value
    with pytest.raises(ScenarioError, match=message):
        kernel_links(plan)


def test_packets_of_links_are_refused() -> None:
    plan = scenario().replace({"record.packets": ["bottleneck"]}).plan()
    with pytest.raises(ScenarioError, match="record packets at hosts"):
        kernel_links(plan)


def test_a_discipline_that_this_tc_does_not_know_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ackclock.engine.linux.links._knows", lambda kind: kind != "codel")
    check_tool(scenario().plan())
    with pytest.raises(ScenarioError, match="does not know the discipline codel"):
        check_tool(scenario(qdisc="codel").plan())


def test_any_discipline_of_the_kernel_stands_in_by_its_words() -> None:
    plan = scenario(buffer="50packets").plan()
    instead = {"bottleneck": "cake besteffort rtt 60ms"}
    made = kernel_links(plan, instead)
    assert text(made).endswith("parent 1:1 handle 2: cake besteffort rtt 60ms")
    assert text(made, 1).endswith("pfifo limit 50")
    assert remarks(plan, instead)[0] == (
        "bottleneck: cake besteffort rtt 60ms stands in for the scenario's discipline."
    )
    with pytest.raises(ScenarioError, match="does not know the discipline cakes"):
        check_tool(plan, {"bottleneck": "cakes"})


def test_differences_are_told_with_their_links() -> None:
    told = remarks(scenario(qdisc="cobalt").plan())
    assert told[0].startswith("bottleneck, bottleneck.reverse: tc has COBALT in cake only")


def test_a_live_kernel_has_no_such_links() -> None:
    with pytest.raises(LinuxError, match="add --virtual"):
        run_on_linux(scenario(), links="kernel")


@pytest.fixture
def kernel() -> VirtualKernel:
    if not built():
        pytest.skip("no kernel is built for virtual time (ackclock kernel build)")
    return virtual()


@pytest.mark.slow
def test_a_lone_reno_meets_the_same_fifo(kernel: VirtualKernel) -> None:
    plan = scenario(buffer="50packets").replace({"record.samples": "10ms"})
    run, simulated = run_on_linux(plan, virtual=kernel, links="kernel"), ac.run(plan)
    assert run.provenance is not None
    assert engine_of(run.provenance).endswith("virtual time, the kernel's links")
    assert "the kernel's links" in timing_line(run.provenance, 3.0)
    # A write that is late by microseconds is another packet or two at the end.
    assert run.value("loss_rate") == pytest.approx(simulated.value("loss_rate"), rel=0.002)
    (link, back), (known, _) = run.brief()["links"], simulated.brief()["links"]
    assert link["dropped_packets"] == known["dropped_packets"] > 0
    assert back["dropped_packets"] == 0
    # Reading the clock costs virtual time, so that a write is up to some microseconds late.
    for figure in ("mean", "p95"):
        assert link["queue_delay"][figure] == pytest.approx(known["queue_delay"][figure], rel=0.01)
    # The queue's own statistics and the packets tell of the same queue.
    samples = run.samples.links
    assert samples["queue_packets"].max() == 50
    assert run.samples.flows["lost"].max() == samples["dropped"].max() == link["dropped_packets"]


@pytest.mark.slow
def test_calls_and_several_links_meet_the_same_network(kernel: VirtualKernel) -> None:
    names = ("voice-beside-cubic", "parking-lot")
    for name in names:
        plan = load(SCENARIOS / f"{name}.toml", settings=("duration=2s", "warmup=0s"))
        run, simulated = run_on_linux(plan, virtual=kernel, links="kernel"), ac.run(plan)
        rates = [sum(flow["goodput"] for flow in r.brief()["flows"]) for r in (run, simulated)]
        # Slow starts that overlap are one path of many; ACKs depend on it most.
        assert rates[0] == pytest.approx(rates[1], rel=0.15), name
        for link, known in zip(run.brief()["links"], simulated.brief()["links"], strict=True):
            close = pytest.approx(known["delivered_packets"], rel=0.3, abs=20)
            assert link["delivered_packets"] == close, link["name"]


@pytest.mark.slow
def test_two_runs_over_an_aqm_are_equal(kernel: VirtualKernel) -> None:
    plan = scenario(qdisc="fq_codel", flows=[ac.flow("bbr"), ac.flow("cubic")])
    first, again = (run_on_linux(plan, virtual=kernel, links="kernel") for _ in range(2))
    assert first.brief() == again.brief()
    assert first.provenance == again.provenance
    assert sum(flow["lost_packets"] for flow in first.brief()["flows"]) > 0
