#!/usr/bin/env python3
"""Checks that what the docs show works: programs, commands and links.

In: README.md, CONTRIBUTING.md and docs/**/*.md, the command line (--hocket), a build folder that can
be installed (--build) and examples/. Out: one line a finding, and a status of 1 if there is any. Called
by ./dev docs and ctest.

What a fenced block must do follows from its first line, ```WORD ...:
  hk                `hocket check` accepts it
  hk file=NAME      as above, and commands of the same page find it as NAME
  hk refused=CODE   `hocket check` refuses it with that code
  hk schedule=NAME  this schedule alone is checked, not the default one
  hk part           a part of a program, shown only
  c file=NAME, cpp file=NAME
                    commands of the same page find it as NAME
  cpp body          statements of a C++ program: they are compiled and run
  sh                each line is run: `hocket ...`, and what compiles and runs C and C++ (`cc`, `c++`,
                    `./NAME`), in a folder that holds examples/, apps/, data/ and the page's files;
                    `./dev VERB` has to be a verb; other lines are not run
Blocks of any other kind are shown only. C and C++ are built against Hocket as --build installs it.
Without --hocket programs and `hocket` lines are counted as not run, without --build C and C++.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house import ROOT, tree_files  # noqa: E402

FENCE = re.compile(r"^```(.*)$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
TIMEOUT_S = 120


class Block:
    def __init__(self, line: int, info: str, text: str):
        self.line, self.text = line, text
        words = info.split()
        self.kind = words[0] if words else ""
        self.options = dict(w.partition("=")[::2] for w in words[1:])


def read_blocks(text: str) -> tuple[list[Block], str]:
    """The fenced blocks of a page, and the page without them (line numbers kept)."""
    blocks, prose, inside, start, info = [], [], None, 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.match(line)
        if match and inside is None:
            inside, start, info = [], number, match.group(1)
        elif match:
            blocks.append(Block(start, info, "\n".join(inside) + "\n"))
            inside = None
        elif inside is not None:
            inside.append(line)
        prose.append("" if inside is not None or match else line)
    return blocks, "\n".join(prose)


def check_links(root: pathlib.Path, page: pathlib.Path, prose: str) -> list[str]:
    findings = []
    for number, line in enumerate(prose.splitlines(), start=1):
        for target in LINK.findall(line):
            if re.match(r"^[a-z]+:", target) or target.startswith("#"):
                continue
            if not (page.parent / target.split("#")[0]).exists():
                findings.append(f"{page.relative_to(root)}:{number}: the link `{target}` leads nowhere")
    return findings


def dev_verbs(root: pathlib.Path) -> set[str]:
    text = subprocess.run([root / "dev", "help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([a-z]+)\b", text, re.MULTILINE)) | {"help"}


BODY = """#include <hocket/hocket.h>
using namespace hocket;
int main() {
%s}
"""
BUILD_LINE = "c++ -std=c++20 {0}.cpp $(pkg-config --cflags --libs hocket) -o {0} && ./{0}"


def installed(build: pathlib.Path, prefix: pathlib.Path) -> dict[str, str]:
    """Installs a build; the environment in which C and C++ find it."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    pc = next(prefix.rglob("hocket.pc"))
    return {**os.environ, "PKG_CONFIG_PATH": str(pc.parent), "LD_LIBRARY_PATH": str(pc.parent.parent)}


class Runner:
    """Runs the programs and commands of one page in a folder of its own."""

    def __init__(self, hocket: pathlib.Path, root: pathlib.Path, folder: pathlib.Path,
                 environment: dict[str, str] | None):
        self.hocket, self.folder, self.environment = hocket, folder, environment
        for name in ("examples", "apps", "data"):
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name)

    def hocket_says(self, arguments: list[str]) -> tuple[int, str]:
        done = subprocess.run(
            [self.hocket, *arguments], cwd=self.folder, capture_output=True, text=True,
            timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout + done.stderr

    def shell(self, line: str) -> str | None:
        done = subprocess.run(["sh", "-c", line], cwd=self.folder, capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False, env=self.environment)
        said = done.stdout + done.stderr
        return None if done.returncode == 0 else f"`{line}` ends with status {done.returncode}:\n{said}"

    def body(self, block: Block) -> str | None:
        name = f"body{block.line}"
        (self.folder / f"{name}.cpp").write_text(BODY % block.text, encoding="utf-8")
        return self.shell(BUILD_LINE.format(name))

    def program(self, block: Block) -> str | None:
        name = block.options.get("file", f"block{block.line}.hk")
        (self.folder / name).write_text(block.text, encoding="utf-8")
        chosen = block.options.get("schedule")
        status, said = self.hocket_says(["check", name] + (["-s", chosen] if chosen else []))
        code = block.options.get("refused")
        if code is None:
            return None if status == 0 else f"`hocket check` refuses the program:\n{said}"
        if status == 0:
            return f"`hocket check` accepts a program that should be refused with {code}"
        return None if f"[{code}]" in said else f"refused, but not with {code}:\n{said}"

    def command(self, words: list[str]) -> str | None:
        status, said = self.hocket_says(words[1:])
        return None if status == 0 else f"`{shlex.join(words)}` ends with status {status}:\n{said}"


def check_page(root: pathlib.Path, page: pathlib.Path, hocket: pathlib.Path | None,
               environment: dict[str, str] | None, verbs: set[str], count: dict[str, int]) -> list[str]:
    blocks, prose = read_blocks(page.read_text(encoding="utf-8"))
    findings = check_links(root, page, prose)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(hocket, root, pathlib.Path(folder), environment) if hocket else None
        builder = runner if environment else None
        for block in blocks:
            where = f"{page.relative_to(root)}:{block.line}"
            if block.kind == "hk" and "part" not in block.options:
                count["ran" if runner else "not run"] += 1
                wrong = runner.program(block) if runner else None
                findings += [f"{where}: {wrong}"] if wrong else []
            if block.kind in ("c", "cpp") and "file" in block.options and runner:
                (runner.folder / block.options["file"]).write_text(block.text, encoding="utf-8")
            if block.kind == "cpp" and "body" in block.options:
                count["ran" if builder else "not run"] += 1
                wrong = builder.body(block) if builder else None
                findings += [f"{where}: {wrong}"] if wrong else []
            if block.kind != "sh":
                continue
            for offset, line in enumerate(block.text.splitlines(), start=1):
                words = shlex.split(line, comments=True)
                if words[:1] == ["./dev"] and (words + ["help"])[1] not in verbs:
                    findings.append(f"{where}: ./dev has no verb `{words[1]}`")
                built = words[:1] in (["cc"], ["c++"]) or re.match(r"^\./(?!dev\b)", line)
                if words[:1] == ["hocket"] or built:
                    able = builder if built else runner
                    count["ran" if able else "not run"] += 1
                    wrong = (able.shell(line) if built else able.command(words)) if able else None
                    findings += [f"{page.relative_to(root)}:{block.line + offset}: {wrong}"] if wrong else []
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--hocket", type=pathlib.Path, help="the command line to run things with")
    parser.add_argument("--build", type=pathlib.Path, help="a build folder to install, for C and C++")
    options = parser.parse_args()
    hocket = options.hocket.resolve() if options.hocket else None
    root = options.root
    verbs = dev_verbs(root)
    pages = [p for p in tree_files(root) if p.suffix == ".md" and
             (p.parent == root or p.relative_to(root).parts[0] in ("docs", "examples"))]
    count = {"ran": 0, "not run": 0}
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        environment = installed(options.build, pathlib.Path(folder)) if options.build else None
        for page in pages:
            findings += check_page(root, page, hocket, environment, verbs, count)
    print("\n".join(findings) if findings else "docs: nothing found")
    print(f"docs: {len(pages)} pages, {count['ran']} programs and commands ran, {count['not run']} did not")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
