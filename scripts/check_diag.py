#!/usr/bin/env python3
"""Checks that every diagnostic kind has a page and a test that sees it.

In: src/diag/kinds_*.def, docs/errors/, and the sources below tests/*/fail/. Out: the kinds without
docs/errors/<CODE>.md, and those whose code no test under a fail/ folder mentions; a status of 1 if
there is any. Called by ctest.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, read_text, tree_files  # noqa: E402

KIND = re.compile(r"^\s*HOCKET_KIND\(\s*([A-Z]\d{4})\s*,\s*(\w+)", re.MULTILINE)


def read_kinds(root: pathlib.Path) -> list[tuple[str, str]]:
    """Code and name of every kind."""
    kinds = []
    for path in sorted((root / "src/diag").glob("kinds_*.def")):
        text = path.read_text(encoding="utf-8")
        kinds += KIND.findall(text)
    return kinds


def check(root: pathlib.Path) -> list[str]:
    seen = set()
    for path in tree_files(root):
        parts = path.relative_to(root).parts
        if parts[0] == "tests" and "fail" in parts:
            seen.update(re.findall(r"\b[A-Z]\d{4}\b", read_text(path) or ""))
    findings = []
    for code, name in read_kinds(root):
        if not (root / "docs/errors" / f"{code}.md").exists():
            findings.append(f"{code} {name}: no page docs/errors/{code}.md")
        if code not in seen:
            findings.append(f"{code} {name}: no test under tests/*/fail/ mentions it")
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "diag: every kind has a page and a test")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
