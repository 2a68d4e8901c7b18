"""A Sphinx extension: a last pass over each page for readers with a keyboard or a screen reader.

Blocks that scroll sideways can be reached by keyboard, headings of the navigation have a level,
landmarks have names, and signatures are no lists. The theme and Sphinx leave these out.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

_SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
_CHANGES = (
    (re.compile(r'<p class="caption" role="heading">'),
     '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'),
     '<aside class="sidebar-drawer" aria-label="Pages of this site">'),
    (re.compile(r'<aside class="toc-drawer([^"]*)">'),
     r'<aside class="toc-drawer\1" aria-label="On this page">'),
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (re.compile(r'<div class="table-wrapper ([^"]*)">'),
     r'<div class="table-wrapper \1" tabindex="0">'),
    (re.compile(r'<div class="cell_output ([^"]*)">'),
     r'<div class="cell_output \1" tabindex="0">'),
    # The dash between a parameter and its meaning, which Sphinx leaves to smart quotes.
    (re.compile(r"(</(?:strong|em|a|span)>\)?) -- "), r"\1 – "),
    # A corner of a table heads nothing.
    (re.compile(r'<th class="(head[^"]*)"><p></p></th>'), r'<td class="\1"></td>'),
)  # fmt: skip


def mended(page: str) -> str:
    """Return a page with what the theme leaves out; a mended page stays as it is."""
    for pattern, new in _CHANGES:
        page = pattern.sub(new, page)
    return _SIGNATURE.sub(lambda match: _plain(match[0]), page)


def _plain(signature: str) -> str:
    """A signature over several lines without a list in it."""
    for old, new in (
        ("<dl>", '<span class="sig-lines">'),
        ("</dl>", "</span>"),
        ("<dd>", '<span class="sig-line">'),
        ("</dd>", "</span>"),
    ):
        signature = signature.replace(old, new)
    return signature


def _mend(app: Sphinx, error: Exception | None) -> None:
    if error is not None:
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        new = mended(page)
        if new != page:
            path.write_text(new, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the pass with Sphinx."""
    app.connect("build-finished", _mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
