"""A Sphinx extension: the site loads nothing from elsewhere, not even for formulas or widgets."""

from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def _refuse_elsewhere(
    app: Sphinx,  # noqa: ARG001
    page: str,
    template: str,  # noqa: ARG001
    context: dict[str, Any],
    doctree: object,  # noqa: ARG001
) -> None:
    for kind in ("script_files", "css_files"):
        for file in context.get(kind, ()):
            name = str(getattr(file, "filename", file) or "")
            if "//" in name:
                raise ExtensionError(f"{page}: loads {name} from elsewhere")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the check with Sphinx."""
    app.connect("html-page-context", _refuse_elsewhere, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
