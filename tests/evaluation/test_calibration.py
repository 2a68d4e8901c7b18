"""Rules that are tried: references against themselves, and problems that are published.

`make calibrate` does so in all cells of all rows with many draws of seeds; here are the cells that
run in seconds.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ackclock as ac

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that the tests of this module share."""
    return tmp_path_factory.mktemp("evaluation") / "runs"


@pytest.mark.long
@pytest.mark.parametrize("subject", ["reno", "cubic"])
@pytest.mark.parametrize("row", ["E04", "E06", "E21", "E31", "E42"])
def test_a_reference_with_other_seeds_is_neither_a_concern_nor_better(
    subject: str, row: str, store: Path
) -> None:
    dossier = ac.evaluate(subject, only=[row], seeds=5, first_seed=20, store=store)
    assert dossier.seeds.subject_first == 1020
    wrong = [
        verdict
        for verdict in dossier.rows[0].judged
        if verdict.kind in ("beyond", "better") and not verdict.own
    ]
    assert not wrong


@pytest.mark.long
@pytest.mark.parametrize(
    ("subject", "row", "cell"),
    [
        # It never backs off.
        ("python:fixed:Fixed", "E01", "20 % loss"),
        ("python:fixed:Fixed(n=20)", "E03", "100 flows"),
        ("python:fixed:Fixed", "E06", "8 flows, 0.25 BDP"),
        # Li, Leith & Shorten, ToN 15(5), 2007.
        ("scalable", "E12", "reno, 100 Mbit/s, 40 ms, 0.25 BDP"),
        # Hock, Bless & Zitterbart, ICNP 2017, and RFC 9743 section 5.1.3.
        ("bbr", "E06", "2 flows, 1 BDP"),
        # Ma et al., Fairness of congestion-based congestion control, 2017.
        ("bbr", "E10", "10 ms, 2 BDP"),
        # Ware et al., IMC 2019: one BBR flow against nine.
        ("bbr", "E13", "cubic, 20 Mbit/s, 10 ms, 0.25 BDP, 1 beside 9"),
    ],
)
def test_a_published_problem_is_a_concern(subject: str, row: str, cell: str, store: Path) -> None:
    dossier = ac.evaluate(
        subject, only=[row], cell=cell, seeds=5, store=store, folder=ROOT / "tools/calibrate"
    )
    assert dossier.rows[0].kind == "concern", dossier.rows[0].judged


@pytest.mark.long
def test_vegas_starves_beside_cubic_and_that_is_no_concern_to_others(store: Path) -> None:
    # Mo, La, Anantharam & Walrand, INFOCOM 1999.
    cell = "cubic, 100 Mbit/s, 40 ms, 4 BDP, 5 beside 5"
    (row,) = ac.evaluate("vegas", only=["E13"], cell=cell, seeds=5, store=store).rows
    assert len(row.starves) == 1
    assert row.kind != "concern"


@pytest.mark.long
def test_highspeed_takes_from_reno_where_windows_are_large(store: Path) -> None:
    # Ten seeds: five find it in seven of ten draws only.
    cell = "reno, 100 Mbit/s, 40 ms, 4 BDP"
    (row,) = ac.evaluate("highspeed", only=["E12"], cell=cell, seeds=10, store=store).rows
    share = row.judged[0]
    assert share.mean is not None
    assert share.mean < 0.9 * (share.mean_of("reno") or 0.0)
