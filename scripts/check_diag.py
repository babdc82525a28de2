#!/usr/bin/env python3
"""Checks that every diagnostic kind has a page and a test that sees its text and its place.

In: src/diag/kinds_*.def, docs/errors/, and the sources below tests/*/fail/. Out: the kinds without
docs/errors/<CODE>.md, and those without a test that expects all three: the code, words of the
message, and the place (or that there is none); a status of 1 if there is any. Called by ctest.

What counts, read from the text of the tests, comments aside:
  - a TEST that names the code, or a TEST of a file that names it in a table outside its tests;
  - with the functions and macros that it calls, as far as its file and what its room (or
    tests/testing) has beside its tests define them;
  - TEXT and PLACE below: what an expectation of words, and of a place, looks like here.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, read_text, tree_files  # noqa: E402

KIND = re.compile(r"^\s*HOCKET_KIND\(\s*([A-Z]\d{4})\s*,\s*(\w+)", re.MULTILINE)
CODE = re.compile(r"\b[A-Z]\d{4}\b")
COMMENT = re.compile(r"//.*")

TEST = re.compile(r"^TEST(?:_P|_F)?\(.*?^\}", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(
    r"^(?P<in>  )?[A-Za-z_][\w:<>&*, ]*?[ &*](?P<name>\w+)\([^;{}]*?\)(?: const)? \{.*?^(?(in)  )\}",
    re.MULTILINE | re.DOTALL)
MACRO = re.compile(r"^#define (?P<name>\w+)\((?:.*\\\n)*.*", re.MULTILINE)
CALL = re.compile(r"\b(\w+)\(")

TEXT = re.compile(r"message\(\)|\.what\(\)|HasSubstr|StartsWith|EndsWith|starts_with|render_text|\"(?:error|warning)\[")
# `d.place.line`, `"  --> "`, `"a.hk:3:5"`, or the whole rendered text compared with ==.
PLACE = re.compile(r"\bplace\b|-->|\"[^\"\n]*:\d+[:\" ]|EXPECT_EQ\([^;]*\"(?:error|warning)\[")

KIND_FOLDERS = {"golden", "run", "fail", "fuzz"}


def read_kinds(root: pathlib.Path) -> list[tuple[str, str]]:
    """Code and name of every kind."""
    kinds = []
    for path in sorted((root / "src/diag").glob("kinds_*.def")):
        text = path.read_text(encoding="utf-8")
        kinds += KIND.findall(text)
    return kinds


def helpers(text: str) -> dict[str, str]:
    """Functions and macros of a file, by name; those that share a name together."""
    found: dict[str, str] = {}
    for match in [*FUNCTION.finditer(text), *MACRO.finditer(text)]:
        found[match["name"]] = found.get(match["name"], "") + match[0]
    return found


def with_helpers(body: str, known: dict[str, str]) -> str:
    """The body, and behind it every function that it calls, however deep."""
    whole, waiting, seen = body, [body], set()
    while waiting:
        for name in set(CALL.findall(waiting.pop())) & known.keys() - seen:
            seen.add(name)
            whole += known[name]
            waiting.append(known[name])
    return whole


class Tests:
    """What the tests under tests/*/fail/ expect: for each code, whether one has the text, both."""

    def __init__(self, root: pathlib.Path):
        self.named: set[str] = set()
        self.checked: set[str] = set()
        shared: dict[str, dict[str, str]] = {}
        sources = []
        for path in tree_files(root):
            parts = path.relative_to(root).parts
            if parts[0] != "tests" or len(parts) < 3:
                continue
            if not KIND_FOLDERS.intersection(parts) and path.suffix in (".h", ".cpp"):
                shared.setdefault(parts[1], {}).update(helpers(self.code_of(path)))
            elif "fail" in parts and path.suffix == ".cpp":
                sources.append((parts[1], path))
        for room, path in sources:
            known = shared.get("testing", {}) | shared.get(room, {})
            self.read(self.code_of(path), known)

    @staticmethod
    def code_of(path: pathlib.Path) -> str:
        return COMMENT.sub("", read_text(path) or "")

    def read(self, text: str, known: dict[str, str]) -> None:
        known = known | helpers(text)
        in_tables = set(CODE.findall(TEST.sub("", text)))
        for match in TEST.finditer(text):
            codes = in_tables | set(CODE.findall(match[0]))
            self.named |= codes
            whole = with_helpers(match[0], known)
            if TEXT.search(whole) and PLACE.search(whole):
                self.checked |= codes


def check(root: pathlib.Path) -> list[str]:
    tests = Tests(root)
    findings = []
    for code, name in read_kinds(root):
        if not (root / "docs/errors" / f"{code}.md").exists():
            findings.append(f"{code} {name}: no page docs/errors/{code}.md")
        if code not in tests.named:
            findings.append(f"{code} {name}: no test under tests/*/fail/ names it")
        elif code not in tests.checked:
            findings.append(f"{code} {name}: no test under tests/*/fail/ checks both its text and its place")
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "diag: every kind has a page, and a test of its text and place")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
