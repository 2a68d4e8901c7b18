"""The playground, ackclock's page in the browser: scenarios as it takes them, and its addresses."""

from ackclock.pages.playground.address import (
    PLAYGROUND,
    VARIABLE,
    Link,
    PlaygroundError,
    address_of,
    link,
    playground,
)
from ackclock.pages.playground.scenario import (
    NotInAPageError,
    Sharable,
    check_own,
    named_files,
    sharable,
)

__all__ = [
    "PLAYGROUND",
    "VARIABLE",
    "Link",
    "NotInAPageError",
    "PlaygroundError",
    "Sharable",
    "address_of",
    "check_own",
    "link",
    "named_files",
    "playground",
    "sharable",
]
