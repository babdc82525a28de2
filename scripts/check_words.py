#!/usr/bin/env python3
"""Checks that no file holds words that do not belong in the project (scripts/words.txt).

In: every text file of the tree. Out: one line for each match, and a status of 1 if there is any.
Called by ./dev lint, .ci/run and ctest.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, read_text, tree_files  # noqa: E402

LIST = "scripts/words.txt"
# Texts that are not the project's own words.
SKIP = {LIST, "LICENSE"}


def read_words(text: str) -> list[tuple[re.Pattern, str]]:
    words = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pattern, _, reason = line.rpartition(" # ")
        words.append((re.compile(pattern, re.IGNORECASE), reason))
    return words


def check(root: pathlib.Path, words: list[tuple[re.Pattern, str]]) -> list[str]:
    findings = []
    for path in tree_files(root):
        where = path.relative_to(root).as_posix()
        if where in SKIP:
            continue
        text = read_text(path)
        if text is None:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            for pattern, reason in words:
                match = pattern.search(line)
                if match:
                    findings.append(f"{where}:{number}: `{match.group(0)}`: {reason}")
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    root = parser.parse_args().root
    findings = check(root, read_words((ROOT / LIST).read_text(encoding="utf-8")))
    print("\n".join(findings) if findings else "words: nothing found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
