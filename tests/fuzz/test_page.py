"""Does the page show what a campaign's report says?"""

from pathlib import Path

import pytest

from fuzz.campaign import Totals
from fuzz.page import written

PAGE = Path(__file__).parents[2] / "docs" / "fuzzing.md"


def test_a_campaign_is_a_row_of_the_page():
    totals = Totals(7, scenarios=2000, events=4_000_000, seconds=6.0)
    totals.refused["no"] = 3
    totals.fail(17, "flows", "f: 3 is wrong")
    totals.related["later"], totals.related_seconds["later"] = 400, 4.0
    page = written(PAGE.read_text(encoding="utf-8"), [totals.as_json()])
    assert "| 7 | 2,000 | 0.15 % | 4,000,000 | 3.0 ms | 1 |" in page
    assert "| 7 | 1 | 17 | `flows: # is wrong` |" in page
    assert "| `later` | 400 | 10.0 ms | 4 min |" in page
    assert written(page, []) != page


def test_a_page_without_a_place_is_told():
    with pytest.raises(ValueError, match="no place"):
        written("# Random scenarios", [])
