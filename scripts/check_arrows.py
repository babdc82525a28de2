#!/usr/bin/env python3
"""Checks the arrows of the house: which room may include which.

In: the table in cmake/rooms.cmake and every #include line below src/ and include/. Out: one line
for each include that the table forbids, and a status of 1 if there is any. Called by ./dev lint,
.ci/run and ctest.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, read_text, tree_files  # noqa: E402

SOURCES = {".h", ".hpp", ".c", ".cc", ".cpp", ".def", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Headers of the dependencies that one folder alone may see.
FENCED = {
    "LLVM": (re.compile(r"^(llvm|llvm-c|clang|lld)/"), "src/codegen/llvm"),
    "Z3": (re.compile(r"^z3(\+\+|_.*)?\.h$"), "src/analysis"),
}
# What a public header may include of the house.
PUBLIC = {"abi", "api", "hocket"}


def read_table(root: pathlib.Path) -> dict[str, list[str]]:
    text = (root / "cmake/rooms.cmake").read_text(encoding="utf-8")
    table = {}
    for room, uses in re.findall(r'^\s*"([a-z]+):\s*([a-z* ]*)"\s*$', text, re.MULTILINE):
        table[room] = uses.split()
    if not table:
        raise SystemExit("cmake/rooms.cmake has no table of rooms")
    for room, uses in table.items():
        unknown = [use for use in uses if use != "*" and use not in table]
        if unknown:
            raise SystemExit(f"cmake/rooms.cmake: `{room}` may use {unknown}, which is no room")
    everything = [room for room, uses in table.items() if uses != ["*"]]
    return {room: everything if uses == ["*"] else uses for room, uses in table.items()}


def check_include(name: str, quoted: bool, path: str, room: str | None, table: dict) -> str | None:
    """What is wrong with one include line, or None."""
    for library, (pattern, folder) in FENCED.items():
        if pattern.match(name) and not path.startswith(folder + "/"):
            return f"{library}'s header <{name}> is for {folder} alone"
    first = name.split("/")[0] if "/" in name else None
    if room is None:  # include/hocket
        if first in table and first not in PUBLIC:
            return f"a public header includes room `{first}`; it may use: {', '.join(sorted(PUBLIC))}"
        return None
    if room == "runtime" and not quoted and not name.endswith(".h"):
        return f"the runtime is C11 and includes <{name}> of the C++ library"
    if first in table and first != room and first not in table[room]:
        allowed = ", ".join(table[room]) or "no other room"
        return f"room `{room}` includes room `{first}`; it may use: {allowed}"
    if first == "hocket" and table[room] != table["tools"]:
        return f"room `{room}` includes the public header <{name}>; include the room's own header"
    if quoted and first is None:
        return f'"{name}" has no room; write the path from src/'
    return None


def check(root: pathlib.Path) -> list[str]:
    table = read_table(root)
    findings = []
    for path in tree_files(root):
        parts = path.relative_to(root).parts
        if path.suffix not in SOURCES or parts[0] not in ("src", "include"):
            continue
        where = path.relative_to(root).as_posix()
        room = parts[1] if parts[0] == "src" else None
        if room is not None and room not in table:
            findings.append(f"{where}:1: `{room}` is no room of cmake/rooms.cmake")
            continue
        if room == "runtime" and path.suffix not in (".c", ".h", ".inc", ".def"):
            findings.append(f"{where}:1: the runtime is C11; {path.suffix} is not")
        for number, line in enumerate((read_text(path) or "").splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            wrong = check_include(match.group(2), match.group(1) == '"', where, room, table)
            if wrong:
                findings.append(f"{where}:{number}: {wrong}")
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "arrows: every include follows the table")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
