"""What the checks of the house share: which files belong to the tree.

In: the root of a checkout (or any folder, in the tests of the checks). Out: paths below it.
"""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def tree_files(root: pathlib.Path) -> list[pathlib.Path]:
    """Files of a checkout that git tracks or would track; every file where git is not at hand."""
    listed = None
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            check=False,
        )
    if listed is not None and listed.returncode == 0:
        names = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
        found = [root / name for name in names if name]
    else:
        found = [p for p in root.rglob("*") if "build" not in p.relative_to(root).parts]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def read_text(path: pathlib.Path) -> str | None:
    """The text of a file; None where it is not text."""
    data = path.read_bytes()
    if b"\0" in data[:8192]:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
