"""Claims for other programs: CSV, Markdown, LaTeX; the paper's BibTeX entry; what made the runs."""

from __future__ import annotations

import csv
import io
import platform
import shutil
import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.results import files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.studies.study import Study

__all__ = ["ABOUT", "ABOUT_KIND", "FORMATS", "OWN", "bibtex_of", "claims_text", "export_claims"]

ABOUT = "study.json"
"""File in a study's folder that says which study it is, and what made its runs."""
ABOUT_KIND = "ackclock study"
"""What study.json says that it is."""
OWN = "study"
"""Folder in a study's folder that has a copy of the study's own files."""

FORMATS = ("csv", "md", "tex", "bib")
"""What `claims_text` and `bibtex_of` write."""

_COLUMNS = ("study", "id", "kind", "claim", "paper", "criterion", "reading", "verdict", "result", "quick", "results_version")
"""Columns of claims.csv: a row per claim, or per claim and reading where there are several."""


def export_claims(folder: Path, claims: Sequence[Mapping[str, Any]], study: Study) -> None:
    """Write claims.csv, claims.md, claims.tex, paper.bib, study.json and the copy of the study's files.

    Parameters
    ----------
    folder
        The study's folder, which is there.
    claims
        As claims.json has them.
    study
        Whose they are; its BibTeX entry goes to paper.bib, which is left out if it has none.
    """
    from ackclock.studies.owning import own_files

    own = own_files(study)
    texts = {f"claims.{each}": claims_text(claims, each) for each in ("csv", "md", "tex")}
    entry = getattr(study, "bibtex", "").strip()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    if entry:
        (folder / "paper.bib").write_text(f"{entry}\n", encoding="utf-8")
    else:
        (folder / "paper.bib").unlink(missing_ok=True)
    shutil.rmtree(folder / OWN, ignore_errors=True)
    for name, path in own.files.items():
        target = folder / OWN / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    about = {
        "kind": ABOUT_KIND,
        "name": study.name,
        "title": study.title,
        "paper": study.paper,
        "quick": any(each["quick"] for each in claims),
        "versions": _versions(),
        "own_files": {"folder": f"{OWN}/{own.home}".removesuffix("/."), "left_out": list(own.left_out)},
    }
    files.write_json(folder / ABOUT, about)


def _versions() -> dict[str, Any]:
    """Of all that has a hand in the numbers and figures."""
    from ackclock import _core

    return {
        "ackclock": _core.__version__,
        "results_version": _core.RESULTS_VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "polars", "scipy", "matplotlib")},
    }


def claims_text(claims: Sequence[Mapping[str, Any]], format_: str) -> str:
    """Claims as CSV, Markdown or LaTeX.

    Parameters
    ----------
    claims
        As claims.json has them, of one study or several.
    format_
        `csv` (a row per claim and reading, for spreadsheets), `md` (a table) or `tex` (a table of the
        package booktabs, to be read by \\input).
    """
    writers: dict[str, Callable[[Sequence[Mapping[str, Any]]], str]] = {"csv": _csv, "md": _markdown, "tex": _latex}
    return writers[format_](claims)


def bibtex_of(folder: Path) -> str:
    """BibTeX entries of the study in a folder, or of all studies in the folders below it.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    found = [folder / "paper.bib"] if (folder / ABOUT).is_file() else sorted(folder.glob("*/paper.bib"))
    texts = [each.read_text(encoding="utf-8") for each in found if each.is_file()]
    if not texts:
        raise FileNotFoundError(f"{folder}: no paper.bib in it: the study has no BibTeX entry (Study.bibtex)")
    return "\n".join(texts)


def readings_of(claim: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, verdict and sentence under each reading; one without a name where the claim has no readings."""
    several = claim.get("readings") or ()
    return [(each["reading"], each["verdict"], each["sentence"]) for each in several] or [("", claim["verdict"], claim["sentence"])]


def _headline(claim: Mapping[str, Any]) -> str:
    return str(claim.get("headline") or claim["verdict"])


def _csv(claims: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for each in claims:
        for reading, verdict, sentence in readings_of(each):
            writer.writerow(
                (
                    each["study"],
                    each["id"],
                    each["kind"],
                    each["text"],
                    each["paper"],
                    each["criterion"],
                    reading,
                    verdict,
                    sentence,
                    "yes" if each["quick"] else "no",
                    each["results_version"],
                )
            )
    return text.getvalue()


def _markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    rows = [("claim", "what is said", "verdict", "what came out")]
    rows += [(each["id"], each["text"], _headline(each), _told(each)) for each in claims]
    lines = ["| " + " | ".join(_markdown_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---|---|---|---|", *lines[1:], "", *_notes(claims)]) + "\n"


def _markdown_cell(text: str) -> str:
    for letter in "\\`*_|<>[]":
        text = text.replace(letter, f"\\{letter}")
    return " ".join(text.split())


def _told(claim: Mapping[str, Any]) -> str:
    """What came out, under the first reading where there are several."""
    reading, _, sentence = readings_of(claim)[0]
    return f"{reading}: {sentence}" if reading else sentence


def _notes(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    version_ = ", ".join(sorted({str(each["results_version"]) for each in claims}))
    kind = " Quick runs: fewer seeds and settings." if any(each["quick"] for each in claims) else ""
    return [f"Made by ackclock, version {version_} of the results.{kind}"] if claims else []


def _latex(claims: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        f"{_latex_text(each['id'])} & {_latex_text(each['text'])} & {_latex_text(_headline(each))} & {_latex_text(_told(each))} \\\\"
        for each in claims
    ]
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs} and \\usepackage{amssymb}; the widths are shares of \\linewidth.",
            *(f"% {note}" for note in _notes(claims)),
            "\\begin{tabular}{@{}lp{0.33\\linewidth}p{0.14\\linewidth}p{0.36\\linewidth}@{}}",
            "\\toprule",
            "Claim & What is said & Verdict & What came out \\\\",
            "\\midrule",
            *rows,
            "\\bottomrule",
            "\\end{tabular}",
            "",
        ]
    )


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "−": "$-$", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$", "·": r"$\cdot$", "≤": r"$\leq$",
    "≥": r"$\geq$", "≈": r"$\approx$", "≠": r"$\neq$", "√": r"$\surd$", "∞": r"$\infty$", "→": r"$\to$", "∝": r"$\propto$",
    "∑": r"$\sum$", "∫": r"$\int$", "∂": r"$\partial$", "∈": r"$\in$", "′": "$'$", "°": r"$^\circ$", "µ": r"$\mu$",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\dots{}", "\u00a0": "~", "\u202f": r"\,", "‑": "-",
    "§": r"\S{}",
}  # fmt: skip
_GREEK = {letter: rf"$\{unicodedata.name(letter).rsplit(' ', 1)[1].lower()}$" for letter in "αβγδεζηθικνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"}
# Capitals have names of their own in LaTeX; Unicode writes lamda.
_GREEK |= {letter: rf"$\{unicodedata.name(letter).rsplit(' ', 1)[1].capitalize()}$" for letter in "ΓΔΘΞΠΣΦΨΩ"}
_GREEK |= {"Λ": r"$\Lambda$", "λ": r"$\lambda$", "μ": r"$\mu$"}


def _latex_text(text: str) -> str:
    """Text as LaTeX prints it; what neither ASCII nor the table has is written as letters with their accents are: as it is."""
    return "".join(_latex_letter(letter) for letter in " ".join(text.split(" ")))


def _latex_letter(letter: str) -> str:
    found = _LATEX.get(letter) or _GREEK.get(letter)
    if found is not None:
        return found
    if letter.isspace():
        return " "
    if ord(letter) > 127 and not letter.isalpha():
        # ½, ², ₀ and their like: what they stand for.
        plain = unicodedata.normalize("NFKC", letter)
        if plain != letter:
            kind = unicodedata.decomposition(letter).split(" ")[0]
            inner = plain.replace("⁄", "/")
            return f"$^{{{inner}}}$" if kind == "<super>" else f"$_{{{inner}}}$" if kind == "<sub>" else f"${inner}$"
    return letter
