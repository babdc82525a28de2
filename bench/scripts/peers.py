"""Installs the rivals under build/bench; nothing else of the project needs them.

In: nothing. Out: the Python environment with the wheels. Called by bench/run. Wheels go into an
environment of their own; Debian's libraries are installed where that is permitted, and otherwise
the modules that want them are left out and their rows say so.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "bench"

WHEELS = ("halide==21.0.0", "onednn-cpu-gomp==2023.2.0", "onednn-devel-cpu-gomp==2023.2.0")
# A package, and a file that is there once it is installed.
PACKAGES = (
    ("clang-22", "/usr/bin/clang++-22"),
    ("libomp-22-dev", "/usr/lib/llvm-22/lib/libomp.so"),
    ("libopenblas-pthread-dev", "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so"),
    ("libdnnl-dev", "/usr/include/dnnl.hpp"),
)


def install():
    install_packages()
    return install_wheels()


def install_packages():
    missing = [name for name, proof in PACKAGES if not Path(proof).exists()]
    if not missing:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"not installed (rows that need them will be void): {' '.join(missing)}",
              file=sys.stderr)
        return
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends"] + missing
    if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        subprocess.run(["apt-get", "update", "-q"], stdout=subprocess.DEVNULL)
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL)


def install_wheels():
    venv = FOLDER / "venv"
    stamp = FOLDER / "wheels.txt"
    wanted = "\n".join(WHEELS)
    if stamp.exists() and stamp.read_text() == wanted:
        return venv
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (venv / "bin" / "pip").exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    for wheel in WHEELS:
        # Only the libraries inside are used: their Python dependencies are not.
        command = [str(venv / "bin" / "pip"), "install", "-q", "--no-deps", wheel]
        if subprocess.run(command).returncode != 0:
            print(f"not installed (its rows will be void): {wheel}", file=sys.stderr)
            return venv
    stamp.write_text(wanted)
    return venv
