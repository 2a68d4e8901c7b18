"""The content security policy of the page: what the browser lets it load, run and ask.

`web/live.html` has the policy as a `meta` element, with the hashes of the page's own script and
style. So it holds for a file, too, and workers inherit it. A server sends it as a header besides,
which can forbid frames.
"""

from __future__ import annotations

import re

from ackclock.pages.live.error import LiveError

__all__ = ["OF_DATA", "header_of", "with_own_server"]

OF_DATA = "default-src 'none'; frame-ancestors 'none'"
"""Header of an answer that is no page."""

_NO_NETWORK = "connect-src 'none';"
_OWN_SERVER = "connect-src 'self';"
_NONE = "the page has no content security policy: make web builds it anew"
_META = re.compile(r'<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"')


def with_own_server(page: str) -> str:
    """The page, allowed to ask its own server; a page of one file may ask none.

    Raises
    ------
    LiveError
        If the page has no policy that forbids it.
    """
    policy, begin, end = _policy_of(page)
    if _NO_NETWORK not in policy:
        raise LiveError(_NONE)
    return f"{page[:begin]}{policy.replace(_NO_NETWORK, _OWN_SERVER)}{page[end:]}"


def header_of(page: str) -> str:
    """The header that a server sends with the page: the page's own policy, and no frame around it.

    Raises
    ------
    LiveError
        If the page has no policy.
    """
    return f"{_policy_of(page)[0]}; frame-ancestors 'none'"


def _policy_of(page: str) -> tuple[str, int, int]:
    """The page's policy, and where it begins and ends."""
    match = _META.search(page)
    if match is None:
        raise LiveError(_NONE)
    return match[1], *match.span(1)
