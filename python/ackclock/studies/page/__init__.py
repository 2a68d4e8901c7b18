"""A study's report.html, and the index over several."""

from ackclock.studies.page.index import index_page
from ackclock.studies.page.study import study_page

__all__ = ["index_page", "study_page"]
