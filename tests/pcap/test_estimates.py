"""Is the path found again that a simulated transfer crossed?

The bounds are those that docs/pcap.md states.
"""

import itertools

import pytest

import ackclock as ac
from pcap.seen import captured

GRID = list(
    itertools.product(("2Mbit/s", "10Mbit/s", "50Mbit/s"), ("10ms", "40ms", "120ms"), (0.0, 0.001))
)
DURATION = {"2Mbit/s": "60s", "10Mbit/s": "30s", "50Mbit/s": "15s"}


def bits(text):
    return float(text.removesuffix("Mbit/s")) * 1e6


@pytest.mark.long
@pytest.mark.parametrize(("rate", "rtt", "loss"), GRID)
@pytest.mark.parametrize("point", ["sender", "receiver"])
def test_rate_rtt_and_loss_are_found(tmp_path, rate, rtt, loss, point):
    _, folder = captured(tmp_path, rate=rate, rtt=rtt, loss=loss, duration=DURATION[rate])
    capture = ac.read_pcap(folder / f"{point}.pcapng")
    path = capture.path
    base = float(rtt.removesuffix("ms")) / 1e3 + 1500 * 8 / bits(rate)
    assert path["rtt"]["value"] == pytest.approx(base, rel=0.05)
    if (rate, rtt) == ("2Mbit/s", "10ms"):
        # Five packets in path and buffer: CUBIC cannot keep this link busy.
        assert path["rate"]["is_at_least"]
        assert path["rate"]["value"] <= 1.03 * bits(rate)
        return
    if path["rate"]["is_at_least"]:
        # Random losses keep the window below the bandwidth-delay product.
        assert loss > 0
        assert path["rate"]["value"] <= 1.03 * bits(rate)
    else:
        assert path["rate"]["value"] == pytest.approx(bits(rate), rel=0.03)
    if not loss:
        packets = max(1.0, bits(rate) * base / 12_000)
        assert path["buffer"]["value"] == pytest.approx(packets, rel=0.25, abs=3)
    sent = capture.figures["packets"]
    # Counted losses scatter as a Poisson variable does: four standard deviations.
    assert path["loss"]["value"] * sent == pytest.approx(
        loss * sent, abs=4 * (loss * sent) ** 0.5 + 0.2 * loss * sent + 3
    )


def test_the_scenario_runs_and_gives_the_goodput_back(tmp_path):
    result, folder = captured(tmp_path)
    scenario = ac.read_pcap(folder / "sender.pcapng").scenario()
    again = ac.run(scenario.replace({"duration": "15s"}).without("compare"))
    assert again.flows["goodput"][0] == pytest.approx(result.flows["goodput"][0], rel=0.05)


PATHS = {
    "full": ("10Mbit/s", "40ms", 1.0, 0.0),
    "half": ("4Mbit/s", "100ms", 0.5, 0.0),
    "deep": ("10Mbit/s", "40ms", 4.0, 0.0),
    "lossy": ("10Mbit/s", "40ms", 1.0, 0.01),
}


@pytest.mark.long
@pytest.mark.parametrize("cc", ["reno", "bbr", "vegas", "copa", "ledbat"])
@pytest.mark.parametrize("path", PATHS)
def test_another_congestion_control_is_estimated_or_bounded(tmp_path, cc, path):
    """Vegas never fills a buffer, LEDBAT seldom: then a bound is said to be one."""
    rate, rtt, bdps, loss = PATHS[path]
    _, folder = captured(
        tmp_path,
        rate=rate,
        rtt=rtt,
        buffer=f"{bdps}bdp",
        loss=loss,
        flows=[ac.flow(cc)],
        record={"pcap": ["sender"]},
    )
    estimates = ac.read_pcap(folder / "sender.pcapng").path
    base = float(rtt.removesuffix("ms")) / 1e3 + 1500 * 8 / bits(rate)
    packets = bdps * bits(rate) * float(rtt.removesuffix("ms")) / 12e6
    assert estimates["rtt"]["value"] == pytest.approx(base, rel=0.05)
    for name, true, error in (("rate", bits(rate), 0.03), ("buffer", packets, 0.25)):
        if estimates[name]["is_at_least"]:
            assert estimates[name]["value"] <= (1 + error) * true
        else:
            assert estimates[name]["value"] == pytest.approx(true, rel=error, abs=3)
    if cc == "vegas" and path != "half":
        assert estimates["buffer"]["is_at_least"]
    if path != "lossy":
        assert not estimates["rate"]["is_at_least"]
