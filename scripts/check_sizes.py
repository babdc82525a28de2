#!/usr/bin/env python3
"""Checks the length of source files: one idea per file.

In: C, C++, Python and shell sources, and scripts/size_allow.txt. Out: a warning for files over 600
lines; a finding, and a status of 1, for files over 1,000 that the list does not excuse and for
lines of the list that excuse nothing. Called by ./dev lint, .ci/run and ctest.
"""

import argparse
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, read_text, tree_files  # noqa: E402

SOURCES = {".h", ".hpp", ".c", ".cpp", ".def", ".inc", ".py", ".sh", ".hk", ".cmake"}
WARN, LIMIT = 600, 1000


def read_allowed(root: pathlib.Path) -> dict[str, str]:
    path = root / "scripts/size_allow.txt"
    allowed = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(":")
            allowed[name.strip()] = reason.strip()
    return allowed


def check(root: pathlib.Path) -> tuple[list[str], list[str], list[int]]:
    """Findings, warnings and the lengths of all sources."""
    allowed = read_allowed(root)
    findings, warnings, lengths = [], [], []
    used = set()
    for path in tree_files(root):
        if path.suffix not in SOURCES:
            continue
        where = path.relative_to(root).as_posix()
        length = len((read_text(path) or "").splitlines())
        lengths.append(length)
        if length > LIMIT and allowed.get(where):
            used.add(where)
            warnings.append(f"{where}: {length} lines, allowed: {allowed[where]}")
        elif length > LIMIT:
            findings.append(f"{where}: {length} lines; over {LIMIT} needs scripts/size_allow.txt")
        elif length > WARN:
            warnings.append(f"{where}: {length} lines; over {WARN}, does it hold one idea?")
    findings += [f"scripts/size_allow.txt excuses `{name}` in vain" for name in allowed if name not in used]
    return findings, warnings, lengths


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    findings, warnings, lengths = check(parser.parse_args().root)
    for warning in warnings:
        print("warning:", warning)
    for finding in findings:
        print(finding)
    if lengths:
        print(f"sizes: {len(lengths)} files, median {int(statistics.median(lengths))} lines, longest {max(lengths)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
