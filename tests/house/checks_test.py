"""The checks of the house find what is planted for them, and pass a tree without it."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class HouseTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("cmake/rooms.cmake", (ROOT / "cmake/rooms.cmake").read_text())

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self, name, **environment):
        done = subprocess.run(
            [sys.executable, ROOT / "scripts" / f"check_{name}.py", "--root", self.root],
            capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def assert_found(self, name, text, **environment):
        status, said = self.run_check(name, **environment)
        self.assertEqual(status, 1, said)
        self.assertIn(text, said)

    def assert_clean(self, name, **environment):
        status, said = self.run_check(name, **environment)
        self.assertEqual(status, 0, said)
        return said


class Arrows(HouseTest):
    def test_allowed_includes_pass(self):
        self.write("src/lower/a.cpp", '#include "lower/a.h"\n#include <vector>\n#include "ir/expr.h"\n')
        self.write("src/codegen/llvm/jit.cpp", "#include <llvm/IR/Module.h>\n")
        self.write("src/analysis/prove.cpp", "#include <z3++.h>\n")
        self.write("src/tools/run.cpp", '#include "driver/compile.h"\n')
        self.assert_clean("arrows")

    def test_forbidden_room(self):
        self.write("src/codegen/c/a.cpp", '\n#include "schedule/seal.h"\n')
        self.assert_found(
            "arrows", "src/codegen/c/a.cpp:2: room `codegen` includes room `schedule`; "
            "it may use: support, diag, abi, ir, target")

    def test_angle_brackets_and_spaces_do_not_hide_an_include(self):
        self.write("src/ir/a.h", "  #  include  <text/parser.h>\n")
        self.assert_found("arrows", "src/ir/a.h:1: room `ir` includes room `text`")

    def test_nobody_includes_the_tools(self):
        self.write("src/driver/a.cpp", '#include "tools/run.h"\n')
        self.assert_found("arrows", "includes room `tools`")

    def test_llvm_and_z3_stay_behind_their_fences(self):
        self.write("src/codegen/c/a.cpp", "#include <llvm/IR/Module.h>\n")
        self.assert_found("arrows", "LLVM's header <llvm/IR/Module.h> is for src/codegen/llvm alone")
        self.write("src/codegen/c/a.cpp", "#include <z3++.h>\n")
        self.assert_found("arrows", "Z3's header <z3++.h> is for src/analysis alone")

    def test_the_runtime_is_c(self):
        self.write("src/runtime/a.c", "#include <stdio.h>\n#include <atomic>\n")
        self.assert_found("arrows", "src/runtime/a.c:2: the runtime is C11")
        self.write("src/runtime/a.c", "#include <stdio.h>\n")
        self.write("src/runtime/b.cpp", "")
        self.assert_found("arrows", "src/runtime/b.cpp:1: the runtime is C11; .cpp is not")

    def test_includes_name_their_room(self):
        self.write("src/ir/a.cpp", '#include "expr.h"\n')
        self.assert_found("arrows", '"expr.h" has no room')

    def test_public_headers_show_the_front_end_alone(self):
        self.write("include/hocket/a.h", '#include "api/func.h"\n#include "lower/loops.h"\n')
        self.assert_found("arrows", "include/hocket/a.h:2: a public header includes room `lower`")

    def test_unknown_folder(self):
        self.write("src/attic/a.cpp", "")
        self.assert_found("arrows", "`attic` is no room")


class Words(HouseTest):
    def test_absolute_paths_of_a_machine(self):
        self.write("docs/a.md", "fine: src/wo" + "rk/x and build/ro" + "ot/y\n")
        self.assert_clean("words")
        self.write("docs/a.md", "\nsee " + "/ho" + "me/someone/hocket\n")
        self.assert_found("words", "docs/a.md:2: ")

    def test_gaps_stand_in_the_plan(self):
        self.write("src/ir/a.cpp", "// TO" + "DO: later\n")
        self.assert_found("words", "src/ir/a.cpp:1: ")

    def test_binary_files_are_left_alone(self):
        (self.root / "a.png").write_bytes(b"\x89PNG\0\0 /ro" + b"ot/x")
        self.assert_clean("words")


class Sizes(HouseTest):
    def test_long_files_need_a_reason(self):
        self.write("src/ir/a.cpp", "\n" * 1001)
        self.assert_found("sizes", "src/ir/a.cpp: 1001 lines; over 1000 needs")
        self.write("scripts/size_allow.txt", "src/ir/a.cpp: a table that is generated\n")
        self.assertIn("allowed: a table that is generated", self.assert_clean("sizes"))

    def test_a_reason_may_not_be_empty_or_vain(self):
        self.write("src/ir/a.cpp", "\n" * 1001)
        self.write("scripts/size_allow.txt", "src/ir/a.cpp:\n")
        self.assert_found("sizes", "1001 lines")
        self.write("src/ir/a.cpp", "\n")
        self.assert_found("sizes", "excuses `src/ir/a.cpp` in vain")

    def test_over_six_hundred_is_a_warning(self):
        self.write("src/ir/a.cpp", "\n" * 601)
        self.assertIn("warning: src/ir/a.cpp: 601 lines", self.assert_clean("sizes"))


class Diag(HouseTest):
    def test_a_kind_needs_a_page_and_a_test(self):
        self.write("src/diag/kinds_parse.def", 'HOCKET_KIND(P0001, no_paren, error, malformed,\n "a", "b")\n')
        self.assert_found("diag", "P0001 no_paren: no page docs/errors/P0001.md")
        self.write("docs/errors/P0001.md", "# P0001: no_paren\n")
        self.assert_found("diag", "P0001 no_paren: no test under tests/*/fail/ names it")
        self.write("tests/text/run/a_test.cpp", self.source_of("d.message() d.place"))
        self.assert_found("diag", "P0001 no_paren: no test under tests/*/fail/ names it")
        self.write("tests/text/fail/a_test.cpp", "// P0001\nTEST(A, B) {\n  d.message() d.place\n}\n")
        self.assert_found("diag", "P0001 no_paren: no test under tests/*/fail/ names it")

    def test_a_test_of_a_kind_checks_text_and_place(self):
        self.write("src/diag/kinds_parse.def", 'HOCKET_KIND(P0001, no_paren, error, malformed,\n "a", "b")\n')
        self.write("docs/errors/P0001.md", "# P0001: no_paren\n")
        half = "P0001 no_paren: no test under tests/*/fail/ checks both its text and its place"
        for body in ("", "d.message()", "d.place.line", "unknown(1);"):
            self.write("tests/text/fail/a_test.cpp", self.source_of(body))
            self.assert_found("diag", half)
        self.write("tests/text/fail/a_test.cpp", self.source_of("d.message() d.place"))
        self.assert_clean("diag")
        # By a helper of the room, and for a table outside the test.
        self.write("tests/text/fail/a_test.cpp", 'T t[] = {"P0001"};\nTEST(A, B) {\n  said(t);\n}\n')
        self.write("tests/ir/helper.h", "void said(T t) {\n  d.message() d.place\n}\n")
        self.assert_found("diag", half)
        self.write("tests/text/helper.h", "void said(T t) {\n  d.message() d.place\n}\n")
        self.assert_clean("diag")

    @staticmethod
    def source_of(body: str) -> str:
        return f'TEST(A, B) {{\n  "P0001";\n  {body}\n}}\n'


class Docs(HouseTest):
    def setUp(self):
        super().setUp()
        self.write("dev", (ROOT / "dev").read_text())
        (self.root / "dev").chmod(0o755)
        # Stands in for the command line: refuses with P0001 what holds the word `bad`.
        self.write("hocket", '#!/bin/sh\n[ "$1" = check ] || exit 3\n'
                   'if grep -q bad "$2"; then echo "error[P0001]: bad"; exit 1; fi\n')
        (self.root / "hocket").chmod(0o755)

    builds = []

    def run_check(self, name, **environment):
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/check_docs.py", "--root", self.root,
             "--hocket", self.root / "hocket", *self.builds], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_links_programs_and_commands_that_work(self):
        self.write("docs/a.md", "[r](../README.md)\n```hk file=a.hk\nfine\n```\n"
                   "```hk refused=P0001\nbad\n```\n```sh\nhocket check a.hk\n./dev test\n```\n")
        self.write("README.md", "[d](docs/a.md#there) [w](https://example.org)\n")
        self.assertIn("2 pages, 3 programs and commands ran", self.assert_clean("docs"))

    def test_c_and_cpp_are_built_against_what_is_installed(self):
        page = ("```c file=a.c\nint main(void) { return 0; }\n```\n```sh\ncc a.c -o a\n./a\n```\n"
                "```cpp body\nreturn two() - 2;\n```\n")
        self.write("README.md", page)
        self.assertIn("0 programs and commands ran, 3 did not", self.assert_clean("docs"))
        # Stands in for a build folder: what it installs is a header.
        self.write("build/cmake_install.cmake",
                   'file(WRITE "${CMAKE_INSTALL_PREFIX}/hocket/hocket.h" "namespace hocket { inline int two() { return 2; } }")\n'
                   'file(WRITE "${CMAKE_INSTALL_PREFIX}/lib/pkgconfig/hocket.pc"\n'
                   '  "Name: a\\nDescription: a\\nVersion: 1\\nCflags: -I${CMAKE_INSTALL_PREFIX}\\n")\n')
        self.builds = ["--build", self.root / "build"]
        self.assertIn("3 programs and commands ran, 0 did not", self.assert_clean("docs"))
        self.write("README.md", page.replace("- 2", "- 1"))
        self.assert_found("docs", "README.md:8: `c++ ")
        self.write("README.md", page.replace("return 0", "return 3"))
        self.assert_found("docs", "README.md:6: `./a` ends with status 3")

    def test_findings(self):
        for text, finding in (
                ("[r](missing.md)\n", "README.md:1: the link `missing.md` leads nowhere"),
                ("```hk\nbad\n```\n", "README.md:1: `hocket check` refuses the program"),
                ("```hk refused=P0001\nfine\n```\n", "accepts a program that should be refused"),
                ("```hk refused=P0002\nbad\n```\n", "refused, but not with P0002"),
                ("```sh\nhocket draw\n```\n", "README.md:2: `hocket draw` ends with status 3"),
                ("```sh\n./dev dance\n```\n", "./dev has no verb `dance`")):
            self.write("README.md", text)
            self.assert_found("docs", finding)


class RoadTest(unittest.TestCase):
    """One function of src/driver/compile.cpp shows the whole road, and can be read at once."""

    def test_the_road_is_short(self):
        lines = (ROOT / "src/driver/compile.cpp").read_text().splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith("Result<Artifact> compile(")]
        self.assertEqual(len(starts), 1)
        end = next(i for i in range(starts[0], len(lines)) if lines[i] == "}")
        self.assertGreater(end - starts[0] + 1, 30)
        self.assertLessEqual(end - starts[0] + 1, 150)


if __name__ == "__main__":
    unittest.main()
