"""Views that results ask for by name."""

import pytest

from ackclock.views import VIEWS, view


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_each_view_is_found(name: str) -> None:
    assert callable(view(name))
