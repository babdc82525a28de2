"""Configures and builds the row programs in Release mode with clang 22.

In: the rivals' Python environment. Out: the folder of the programs. Called by bench/run.
"""
import os
import subprocess
from pathlib import Path

from .peers import FOLDER, ROOT


def programs(venv: Path, rivals_only: bool) -> Path:
    folder = built(venv, rivals_only, "bench_all")
    return folder if rivals_only else folder / "bench"


def meaning_programs(venv: Path) -> Path:
    return built(venv, False, "bench_meaning") / "bench"


def built(venv: Path, rivals_only: bool, target: str) -> Path:
    source = ROOT / "bench" if rivals_only else ROOT
    folder = FOLDER / ("rivals" if rivals_only else "cmake")
    configure = ["cmake", "-G", "Ninja", "-S", str(source), "-B", str(folder),
                 "-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_C_COMPILER=clang-22",
                 "-DCMAKE_BUILD_TYPE=Release", "-DHOCKET_BENCH=ON", f"-DHOCKET_BENCH_VENV={venv}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    jobs = os.environ.get("HOCKET_JOBS", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", str(folder), "--target", target, "-j", jobs],
                   check=True, stdout=subprocess.DEVNULL)
    return folder
