#!/usr/bin/env python3
"""Writes docs/errors/<CODE>.md as one C++ file, so that `hocket explain` needs no files.

In: the folder of pages, the file to write. Out: hocket::diag::error_pages(). Called by CMake.
"""

import pathlib
import re
import sys


def main() -> int:
    folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    pages = sorted(p for p in folder.glob("*.md") if re.fullmatch(r"[A-Z]\d{4}", p.stem))
    lines = [
        "// Generated from docs/errors/ by scripts/embed_error_pages.py.",
        '#include "diag/explain.h"',
        "",
        "namespace hocket::diag {",
        "",
    ]
    if pages:
        lines.append("static constexpr ErrorPage kPages[] = {")
        for page in pages:
            text = page.read_text(encoding="utf-8")
            # A raw string may hold only so much for some compilers: one literal a line of text.
            lines.append(f'  {{"{page.stem}",')
            lines += [f'   R"page({line}\n)page"' for line in text.splitlines()] or ['   ""']
            lines.append("  },")
        lines += ["};", "", "std::span<const ErrorPage> error_pages() { return kPages; }"]
    else:
        lines.append("std::span<const ErrorPage> error_pages() { return {}; }")
    lines += ["", "}  // namespace hocket::diag", ""]
    text = "\n".join(lines)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")
    else:
        target.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
