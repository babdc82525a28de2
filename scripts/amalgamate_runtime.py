#!/usr/bin/env python3
"""Folds src/abi and src/runtime into one C file, hocket_runtime.c, which ships.

Usage: amalgamate_runtime.py [OUTPUT]      (without OUTPUT: standard output)

The file needs nothing but libc, libm and pthreads:  cc -std=c11 -O2 -c hocket_runtime.c -lpthread
Own headers are put in place of their first #include; system headers stay where they are. A name
that two files define for themselves is an error here, since they now share one file.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN_INCLUDE = re.compile(r'^#include "((?:abi|runtime)/[a-z_]+\.h)"$')
DEFINITION = re.compile(r"^static (?!inline\b)[^;=]*?\b([a-z_0-9]+)\(|^(?:static|typedef)[^(;]*?\b([a-z_0-9]+)(?: =|;|\[)")


def expand(path, done, out):
    """Appends the lines of `path`, each own header once."""
    relative = path.relative_to(ROOT / "src")
    out.append(f"/* ======== {relative} ======== */")
    for line in path.read_text().splitlines():
        match = OWN_INCLUDE.match(line)
        if not match:
            out.append(line)
        elif match.group(1) not in done:
            done.add(match.group(1))
            expand(ROOT / "src" / match.group(1), done, out)


def check_names(sources):
    """Two files that define the same file-local name cannot be one file."""
    owner = {}
    for path in sources:
        for line in path.read_text().splitlines():
            match = DEFINITION.match(line)
            name = match and (match.group(1) or match.group(2))
            if name and owner.setdefault(name, path) != path:
                sys.exit(f"{name} is defined by {owner[name].name} and {path.name}")


def main():
    sources = sorted((ROOT / "src" / "runtime").glob("*.c"))
    check_names(sources)
    out = ["/* Hocket's runtime in one file; made by scripts/amalgamate_runtime.py from src/runtime. */"]
    done = set()
    for path in sources:
        expand(path, done, out)
    text = "\n".join(out) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
