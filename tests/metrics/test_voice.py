"""The E-model against ITU-T G.107 and the fit of Cole & Rosenbluth (2001)."""

from typing import Any

import pytest

from ackclock.formulas.voice import mos, r_factor, voice_figures

G711 = {"ie": 0.0, "bpl": 25.1}


def test_without_impairments_it_is_the_recommendations_default() -> None:
    # G.107 section 7.8: R = 93.2 with all parameters at their defaults.
    assert r_factor(0.0, 0.0, **G711) == pytest.approx(93.2, abs=0.05)
    assert mos(93.2) == pytest.approx(4.41, abs=0.005)


@pytest.mark.parametrize("delay_ms", [20, 50, 100, 150, 200, 250, 300])
def test_delay_costs_what_the_fit_says(delay_ms: int) -> None:
    # Id = 0.024 d + 0.11 (d - 177.3) above 177.3 ms is a fit of two straight lines; its authors
    # draw it within about 1 of the model.
    fit = 0.024 * delay_ms + 0.11 * max(0.0, delay_ms - 177.3)
    assert 93.2 - r_factor(delay_ms / 1000, 0.0, **G711) == pytest.approx(fit, abs=0.5)


def test_loss_costs_what_the_formula_says() -> None:
    best = r_factor(0.0, 0.0, **G711)
    # (95 - 0) 2 / (2 + 25.1)
    assert best - r_factor(0.0, 0.02, **G711) == pytest.approx(95 * 2 / 27.1)
    # Bursts of twice the length: (95 - 0) 2 / (2 / 2 + 25.1)
    assert best - r_factor(0.0, 0.02, burst_ratio=2.0, **G711) == pytest.approx(95 * 2 / 26.1)
    assert best - r_factor(0.0, 0.0, ie=11, bpl=19) == pytest.approx(11)
    assert r_factor(0.0, 0.0, advantage=10, **G711) - best == pytest.approx(10)


def test_opinions_stay_between_1_and_4_5() -> None:
    assert [mos(r) for r in (-10, 0, 3, 100, 120)] == [1.0, 1.0, 1.0, 4.5, 4.5]
    assert mos(50) == pytest.approx(2.575)


def _row(**changes: Any) -> dict[str, Any]:
    row = {
        "received_packets": 98,
        "late_packets": 0,
        "unplayed_packets": 2,
        "unplayed_bursts": 2,
        "playout_delay": 0.08,
    }
    return row | changes


APP = {"frame_ps": 20 * 10**9, "lookahead_ps": 0, "ie": 0.0, "bpl": 25.1, "advantage": 0.0}


def test_a_streams_figures_are_those_of_its_losses_and_its_delay() -> None:
    assert voice_figures(_row(), APP)["r_factor"] == pytest.approx(r_factor(0.1, 0.02, **G711))
    # Both in one run: twice as long, but 1 / 0.98 of it is chance.
    bursts = voice_figures(_row(unplayed_bursts=1), APP)["r_factor"]
    assert bursts == pytest.approx(r_factor(0.1, 0.02, burst_ratio=2 * 0.98, **G711))


def test_nothing_heard_has_no_figure_and_all_late_has_the_worst() -> None:
    assert voice_figures(_row(received_packets=0, unplayed_packets=0, playout_delay=None), APP) == {
        "r_factor": None,
        "mos": None,
    }
    assert voice_figures(_row(late_packets=98, unplayed_packets=100, unplayed_bursts=1), APP)[
        "mos"
    ] == pytest.approx(1.0, abs=0.15)
