"""Do two thousand random scenarios hold, and do they use all that there is?"""

import json
import os
from pathlib import Path

import pytest

from fuzz.campaign import campaign
from fuzz.features import all_algorithms, all_keys
from fuzz.generate import generate
from fuzz.relations import RELATIONS

pytestmark = pytest.mark.slow

COUNT, SEED = 2000, 1


# One test, so that one worker runs the campaign once; it uses all cores. Some seconds on two of
# them, some minutes if others use them, too.
@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_oracle_and_no_relation_objects(tmp_path: Path) -> None:
    totals = campaign(SEED, COUNT, workers=os.cpu_count() or 1, state=tmp_path / "state.json")
    assert totals.scenarios == COUNT
    assert totals.failures == {}, f"again: python -m fuzz --seed {SEED} --only NUMBER"
    # One scenario in four; a few have too many packets for two more runs.
    assert sum(totals.related.values()) >= COUNT // 4 - 10
    assert {name for name, count in totals.related.items() if count >= 20} == set(RELATIONS)
    # A refused scenario tests nothing: one in a hundred is refused at most.
    assert sum(totals.refused.values()) <= COUNT // 100, totals.refused
    assert all_keys() - set(totals.keys) == set()
    assert all_algorithms() - set(totals.algorithms) == set()


def test_a_scenario_is_the_same_each_time():
    for number in range(50):
        first, other = generate(7, number), generate(7, number)
        assert (first.data, first.files) == (other.data, other.files)
        assert first.data != generate(8, number).data


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_stopped_campaign_goes_on_and_finds_the_same(tmp_path: Path):
    whole = campaign(3, 120, workers=2, state=tmp_path / "whole.json")
    part = tmp_path / "part.json"
    campaign(3, 50, workers=1, state=part)
    assert json.loads(part.read_text())["left"] == []
    longer = campaign(3, 120, workers=1, state=part)
    for name in ("scenarios", "events", "refused", "keys", "failures", "pending", "related"):
        assert getattr(longer, name) == getattr(whole, name), name
