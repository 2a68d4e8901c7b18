"""Do two thousand random scenarios hold, and do they use all that there is?"""

import json
import os
from pathlib import Path

import pytest

from fuzz.campaign import Totals, campaign
from fuzz.features import all_algorithms, all_keys
from fuzz.generate import generate
from fuzz.relations import RELATIONS

pytestmark = pytest.mark.slow

COUNT, SEED = 2000, 1


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> Totals:
    state = tmp_path_factory.mktemp("fuzz") / "state.json"
    return campaign(SEED, COUNT, workers=os.cpu_count() or 1, state=state)


# Some seconds on two cores; one that others use, too, may take some minutes.
@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_oracle_and_no_relation_objects(totals):
    assert totals.scenarios == COUNT
    assert totals.failures == {}, f"again: python -m fuzz --seed {SEED} --only NUMBER"


@pytest.mark.long
@pytest.mark.timeout(900)
def test_five_hundred_scenarios_are_compared_with_a_changed_copy(totals):
    """One scenario in four; a few have too many packets for two more runs."""
    assert sum(totals.related.values()) >= COUNT // 4 - 10
    assert {name for name, count in totals.related.items() if count >= 20} == set(RELATIONS)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nearly_all_scenarios_are_valid(totals):
    """A refused scenario tests nothing: one in a hundred is refused at most."""
    assert sum(totals.refused.values()) <= COUNT // 100, totals.refused


@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_key_word_algorithm_parameter_and_pair_is_used(totals):
    assert all_keys() - set(totals.keys) == set()
    assert all_algorithms() - set(totals.algorithms) == set()


def test_a_scenario_is_the_same_each_time():
    for number in range(50):
        one, other = generate(7, number), generate(7, number)
        assert (one.data, one.files) == (other.data, other.files)
        assert one.data != generate(8, number).data


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
