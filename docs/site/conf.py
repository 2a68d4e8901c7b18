"""Sphinx's settings for the site; `python docs/site` stages the pages and calls Sphinx.

The theme is furo. It serves phones and dark mode, loads nothing from elsewhere, and needs no
scripts beyond its own small one; pydata-sphinx-theme brings Bootstrap and Font Awesome, ten times
as much to load.
"""

import sys
from pathlib import Path

import ackclock

sys.path.insert(0, str(Path(__file__).parent))

project = "ackclock"
release = version = ackclock.__version__
author = "ackclock contributors"
copyright = author  # noqa: A001
language = "en"
# Two hyphens are an option's, not a dash.
smartquotes = False

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "accessible",
    "docstrings",
    "plain",
]
root_doc = "index"
exclude_patterns: list[str] = []

# Markdown: headings can be linked as on a code host.
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]
# Pages begin with `# Title`, and some tables of figures skip a level.
# Some types have one name in several packages (`Estimate`).
suppress_warnings = ["myst.header", "misc.highlighting_failure", "ref.python"]
# Notebooks show the outputs that are committed; `make notebooks` executes and compares them.
nb_execution_mode = "off"
nb_mime_priority_overrides = [("html", "image/svg+xml", 0)]

# Docstrings: a word in single backticks is code.
default_role = "code"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_preprocess_types = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
add_module_names = False
toc_object_entries_show_parents = "hide"

# Every reference between pages must hold. Types in signatures name classes of polars, numpy and
# the standard library, whose pages are elsewhere.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]

html_theme = "furo"
html_title = "ackclock"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
# Read from a file, a page may not fetch the pages that it found; the titles are enough.
html_show_search_summary = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5f94", "color-brand-content": "#0b5f94"},
    "dark_css_variables": {"color-brand-primary": "#7cc4f4", "color-brand-content": "#7cc4f4"},
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
