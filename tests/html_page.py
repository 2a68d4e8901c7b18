"""Reads a page: what is left open, its ids, and every address that a browser would fetch."""

from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "link", "img", "br"}:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            # A link is followed by a click only.
            if name in {"src", "href", "srcset", "data"} and value and tag != "a":
                self.addresses.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
