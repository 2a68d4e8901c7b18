"""JUnit XML of a test of golden cells, as GitHub's, GitLab's and Jenkins' readers take it.

The format has no standard. Elements and attributes are those of the schema of Jenkins' xUnit
plug-in (junit-10.xsd). Times are left out, so that equal results give equal bytes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from ackclock.golden.result import Check, GoldenResult, Tested

__all__ = ["junit_xml"]

# Characters that XML 1.0 does not allow (W3C Recommendation, section 2.2).
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(result: GoldenResult) -> str:
    """A suite for each cell, a case for each check; a check that is not judged is skipped."""
    name = Path(result.file).stem
    # The schema has no number of skipped cases here.
    counts = _counts(result.checks)
    del counts["skipped"]
    root = ElementTree.Element("testsuites", {"name": name, **counts})
    for cell in result.cells:
        checks = tuple(check for check in result.checks if check.cell == cell.name)
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": f"{name}.{cell.name}", **_counts(checks)}
        )
        _properties(suite, cell)
        for check in checks:
            _case(suite, check, f"{name}.{cell.name}", result.file)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_xml(text)}\n'


def _counts(checks: tuple[Check, ...]) -> dict[str, str]:
    skipped = sum(check.outcome == "not judged" for check in checks)
    failures = sum(not check.is_ok for check in checks)
    return {
        "tests": str(len(checks)),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
    }


def _properties(suite: ElementTree.Element, cell: Tested) -> None:
    values = {
        "scenario": cell.scenario,
        "cc": cell.cc,
        "seeds": f"{cell.seeds[0]} to {cell.seeds[1]}",
        "runs equal to the byte": "" if cell.same is None else str(cell.same),
    }
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in values.items():
        if value:
            ElementTree.SubElement(properties, "property", {"name": key, "value": _xml(value)})


def _case(suite: ElementTree.Element, check: Check, classname: str, file: str) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", {"name": _xml(check.metric), "classname": classname, "file": _xml(file)}
    )
    text = _xml(str(check))
    if not check.is_ok:
        failure = ElementTree.SubElement(case, "failure", {"message": text, "type": check.outcome})
        failure.text = text
    elif check.outcome == "not judged":
        ElementTree.SubElement(case, "skipped", {"message": text})
    else:
        ElementTree.SubElement(case, "system-out").text = text


def _xml(text: str) -> str:
    return _NOT_XML.sub("�", text)
