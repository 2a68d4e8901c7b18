"""Results stay the same to the byte, from commit to commit and from machine to machine.

`record.json` holds the digests of earlier results. `python tests/digest/record.py` records
them again, for a commit that says which results it changes.
"""

import json

import pytest

from digest.plans import RECORD, digest, scenarios

RECORDED: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))
PLANS = dict(scenarios())


def test_every_plan_is_recorded() -> None:
    assert list(PLANS) == list(RECORDED)
    assert len(PLANS) >= 50


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDED)
def test_results_are_those_recorded(name: str) -> None:
    assert digest(PLANS[name]) == RECORDED[name]
