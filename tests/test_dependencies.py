"""Is every package that users get under a permissive licence, and every tool under a free one?"""

import re
from collections import deque
from importlib import metadata

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_USUAL = ("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Zlib")
PERMISSIVE = {*_USUAL, "CC0-1.0", "HPND", "MIT-CMU", "PSF-2.0", "Python-2.0", "Unlicense"}
# Weak copyleft: what links to it stays its author's. Only for tools, which are not passed on.
FOR_TOOLS = {"MPL-2.0"}
# What packages write instead of an SPDX expression.
OLD_NAMES = {
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "isc license (iscl)": "ISC",
}
# Classifiers that name no licence.
NO_LICENCE = {"OSI Approved", "DFSG approved"}


def licences(name: str) -> set[str]:
    """SPDX identifiers of a package's metadata; of alternatives all are listed."""
    about = metadata.metadata(name)
    # Older packages write the name of the licence, an expression or the whole text here.
    first_line = (about.get("License") or "").strip().split("\n")[0]
    expression = about.get("License-Expression") or first_line
    words = {word for word in re.split(r"[\s()]+", expression) if word} - {"AND", "OR", "WITH"}
    if "License-Expression" in about or set() < words <= PERMISSIVE | FOR_TOOLS:
        return words
    classifiers = [
        line.split(" :: ")[-1]
        for line in about.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    named = [licence for licence in classifiers if licence not in NO_LICENCE] or [first_line]
    return {OLD_NAMES.get(licence.lower(), licence) for licence in named}


def needed(*extras: str) -> set[str]:
    """Every installed package that this one needs, with these of its extras."""
    packages: set[str] = set()
    waiting = deque([("ackclock", extra) for extra in ("", *extras)])
    seen = set(waiting)
    while waiting:
        name, extra = waiting.popleft()
        for text in metadata.requires(name) or []:
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate(
                {**default_environment(), "extra": extra}
            ):
                continue
            packages.add(canonicalize_name(requirement.name))
            for pair in [(requirement.name, extra) for extra in ("", *requirement.extras)]:
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
    return packages


def test_what_users_get_is_permissive() -> None:
    packages = needed("dask", "plots", "science", "video") - {"ackclock"}
    assert {"numpy", "polars", "pydantic", "av", "distributed"} <= packages, "the search finds them"
    assert {
        name: licences(name) - PERMISSIVE for name in packages if licences(name) - PERMISSIVE
    } == {}


def test_tools_are_free() -> None:
    allowed = PERMISSIVE | FOR_TOOLS
    installed = {canonicalize_name(distribution.name) for distribution in metadata.distributions()}
    assert len(installed) > 50, "the environment of `make setup`"
    assert {name: licences(name) - allowed for name in installed if licences(name) - allowed} == {}


def test_another_licence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from email.message import Message

    about = Message()
    about["Classifier"] = "License :: OSI Approved :: GNU General Public License v3 (GPLv3)"
    monkeypatch.setattr(metadata, "metadata", lambda _name: about)
    assert licences("some-package") == {"GNU General Public License v3 (GPLv3)"}
