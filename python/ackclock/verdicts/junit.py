"""JUnit XML of verdicts, as GitHub's, GitLab's and Jenkins' readers take it.

The format has no standard. Elements and attributes are those of the schema of Jenkins' xUnit
plug-in (junit-10.xsd). Times are left out, so that equal results give equal bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ackclock.verdicts.text import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.verdicts.judgement import Judgement
    from ackclock.verdicts.words import Words

__all__ = ["junit_xml"]

# Characters that XML 1.0 does not allow (W3C Recommendation, section 2.2).
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(
    name: str,
    file: str,
    judgements: Sequence[Judgement],
    words: Words,
    properties: Mapping[str, Mapping[str, str]],
) -> str:
    """A suite for each case, a test case for each figure; what is undecided is skipped.

    Parameters are the fields of `Verdicts`.
    """
    # The schema has no number of skipped cases here.
    counts = _counts(judgements)
    del counts["skipped"]
    root = ElementTree.Element("testsuites", {"name": _xml(name), **counts})
    by_case: dict[str, list[Judgement]] = {case: [] for case in properties}
    for judgement in judgements:
        by_case.setdefault(judgement.case, []).append(judgement)
    for case, here in by_case.items():
        place = _xml(f"{name}.{case}")
        suite = ElementTree.SubElement(root, "testsuite", {"name": place, **_counts(here)})
        _properties(suite, properties.get(case, {}))
        for judgement in here:
            _case(suite, judgement, place, file, words)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_xml(text)}\n'


def _counts(judgements: Sequence[Judgement]) -> dict[str, str]:
    return {
        "tests": str(len(judgements)),
        "failures": str(sum(not judgement.is_ok for judgement in judgements)),
        "errors": "0",
        "skipped": str(sum(judgement.kind == "undecided" for judgement in judgements)),
    }


def _properties(suite: ElementTree.Element, values: Mapping[str, str]) -> None:
    conditions = {key: value for key, value in values.items() if value}
    if not conditions:
        return
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in conditions.items():
        ElementTree.SubElement(properties, "property", {"name": key, "value": _xml(value)})


def _case(
    suite: ElementTree.Element, judgement: Judgement, place: str, file: str, words: Words
) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", {"name": _xml(judgement.figure), "classname": place, "file": _xml(file)}
    )
    text = _xml(sentence(judgement, words))
    if not judgement.is_ok:
        failure = ElementTree.SubElement(
            case, "failure", {"message": text, "type": words.of(judgement)}
        )
        failure.text = text
    elif judgement.kind == "undecided":
        ElementTree.SubElement(case, "skipped", {"message": text})
    else:
        ElementTree.SubElement(case, "system-out").text = text


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
