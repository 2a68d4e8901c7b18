"""The map of stability regions."""

from pathlib import Path

import numpy as np
import pytest

from ackclock import theory
from ackclock.plot.stability import stability_map


def test_a_line_for_each_control_and_words_for_those_without(tmp_path: Path) -> None:
    rtts, rates = np.geomspace(0.01, 0.5, 12).tolist(), np.geomspace(1e3, 1e5, 10).tolist()
    regions = {
        cc: theory.stability_region(cc, rtts, rates, 50, min_threshold=100, max_threshold=500)
        for cc in ("reno", "scalable", "fast")
    }
    figure = stability_map(regions, rtts, rates)
    (axes,) = figure.axes
    # The lines are where the margin is nothing: on either side of each, by bisection along the
    # rates, signs differ.
    assert len(axes.collections) == 2
    for lines, margins in zip(
        axes.collections, (regions["reno"], regions["scalable"]), strict=True
    ):
        for rtt, rate in np.concatenate([path.vertices for path in lines.get_paths()])[::5]:
            row = int(np.argmin(np.abs(np.log(1e3 * np.array(rtts) / rtt))))
            near = np.abs(np.log(np.array(rates) * 12_000 / 1e6 / rate)) < np.log(
                rates[2] / rates[0]
            )
            rows = margins[max(row - 1, 0) : row + 2]
            assert np.nanmin(rows[:, near]) < 0 < np.nanmax(rows[:, near])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "reno",
        "scalable",
        "fast: stable throughout",
    ]
    assert (
        figure.write(tmp_path / "map.svg").read_bytes()
        == stability_map(regions, rtts, rates).write(tmp_path / "again.svg").read_bytes()
    )


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="told apart"):
        stability_map({str(n): np.ones((2, 2)) for n in range(8)}, [0.1, 0.2], [1e3, 1e4])
