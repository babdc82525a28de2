#!/usr/bin/env python3
"""Writes the headers that a program outside needs: hocket/hocket.h, what it includes, the ABI header.

In: the tree's include/ and src/, a folder to fill. Out: FOLDER/hocket_abi.h, FOLDER/hocket/hocket.h
and FOLDER/hocket/<room>/..., which include each other as "hocket/<room>/...": one include folder
serves everything, and no `ir/` or `support/` of Hocket's meets one of the user's. Headers that
nothing public includes are left out. Called by the build (cmake/install.cmake).
"""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT  # noqa: E402

INCLUDE = re.compile(r'^(\s*#\s*include\s+)"([^"]+)"', re.MULTILINE)
ABI = "abi/hocket_abi.h"
FIRST = "hocket/hocket.h"


def installed_name(name: str) -> str:
    """Where a header goes that the tree includes as `name`."""
    if name == ABI:
        return "hocket_abi.h"  # as emitted headers and C files include it
    return name if name == FIRST else f"hocket/{name}"


def source_of(root: pathlib.Path, name: str) -> pathlib.Path:
    return root / ("include" if name == FIRST else "src") / name


def write_headers(root: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Fills `folder`; what it says is wrong, one line each."""
    findings: list[str] = []
    waiting, seen = [FIRST, ABI], {FIRST, ABI}
    while waiting:
        name = waiting.pop()
        text = source_of(root, name).read_text(encoding="utf-8")
        for _, included in INCLUDE.findall(text):
            if not source_of(root, included).is_file():
                findings.append(f"{name} includes \"{included}\", which is not in include/ or src/")
            elif included not in seen:
                seen.add(included)
                waiting.append(included)
        target = folder / installed_name(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(INCLUDE.sub(lambda m: f'{m[1]}"{installed_name(m[2])}"', text), encoding="utf-8")
    return findings


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    findings = write_headers(ROOT, folder)
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
