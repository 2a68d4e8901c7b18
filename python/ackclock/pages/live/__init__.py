"""A scenario on one page of its own: a file, or a server on this machine whose resolver is Python.

The page is the one of `web/`; `make web` puts it into this folder as `live.html`.
"""

from ackclock.pages.live.error import LiveError
from ackclock.pages.live.page import TEMPLATE, live_page, write_live
from ackclock.pages.live.server import LiveServer

__all__ = ["TEMPLATE", "LiveError", "LiveServer", "live_page", "write_live"]
