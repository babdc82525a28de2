"""Runs the row programs one after the other and merges their documents into one.

In: the programs' folder and the ids wanted. Out: {machine, calibration, aa, rows}. Called by
bench/run. What a processor of a kind usually reaches comes from bench/usual.json; a kind that is
not there is learnt into build/bench/usual.json, the best of all runs so far.
"""
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from . import rows
from .peers import FOLDER, ROOT

USUAL = ROOT / "bench" / "usual.json"
LEARNT = FOLDER / "usual.json"
FIGURES = ("fma256_gflops", "fma256_two_gflops", "l2_copy_gbs")


def run_all(programs: Path, ids, budget: float):
    runs = []
    for row_id in ids:
        runs += [run for run in rows.ROWS[row_id].runs if run not in runs]
    document = {"machine": {}, "calibration": {"runs": []}, "aa": [], "rows": []}
    for run in runs:
        part = run_one(programs, run, budget)
        if part is None:
            continue
        document["machine"] = part["machine"]
        document["calibration"]["runs"].append(
            {"program": run.program, "frame": run.frame, "threads": run.threads,
             "peak_rss_kib": part["peak_rss_kib"], **part["calibration"]})
        document["aa"] += part["aa"]
        document["rows"] += [row for row in part["rows"] if row["id"] in ids]
    calibrations = document["calibration"]["runs"]
    for figure in calibrations[0] if calibrations else ():
        if figure.endswith(("_gflops", "_gbs", "_ghz")):
            document["calibration"][figure] = max(c[figure] for c in calibrations)
    if document["machine"]:
        document["machine"].update(of_what())
    learn(document)
    return document


def of_what():
    """What was measured: the commit, with a + where files differ from it, and the day."""
    def git(*words):
        done = subprocess.run(["git", *words], capture_output=True, text=True, cwd=Path(__file__).parent)
        return done.stdout.strip() if done.returncode == 0 else ""
    changed = git("status", "--porcelain", "--untracked-files=no")
    return {"revision": git("rev-parse", "--short", "HEAD") + ("+" if changed else ""),
            "date": datetime.date.today().isoformat()}


def run_one(programs: Path, run, budget: float):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "rows.json"
        command = [str(programs / run.program), "--frame", run.frame, "--threads",
                   str(run.threads), "--budget", str(budget), "--out", str(out)]
        usual = usual_of(kind())
        for option, figure in (("--usual-fma", FIGURES[0]), ("--usual-fma-two", FIGURES[1]),
                               ("--usual-l2", FIGURES[2])):
            if usual.get(figure):
                command += [option, str(usual[figure])]
        print(f"measuring {run.program} {run.frame}, threads: {run.threads}", file=sys.stderr)
        status = subprocess.run(command).returncode
        if not out.exists():
            print(f"{run.program} ended with status {status} and wrote nothing", file=sys.stderr)
            return None
        return json.loads(out.read_text())


def kind():
    """The same words as machine.cpp: vendor family/model."""
    values = {}
    for line in Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines():
        name, _, value = line.partition(":")
        values[name.strip()] = value.strip()
    return f"{values.get('vendor_id')} {values.get('cpu family')}/{values.get('model')}"


def usual_of(machine_kind: str):
    for file in (USUAL, LEARNT):
        if file.exists():
            entry = json.loads(file.read_text()).get(machine_kind)
            if entry:
                return entry
    return {}


def learn(document):
    machine_kind = document["machine"].get("kind")
    if not machine_kind or machine_kind in json.loads(USUAL.read_text()):
        return
    known = json.loads(LEARNT.read_text()) if LEARNT.exists() else {}
    entry = known.setdefault(machine_kind, {"name": document["machine"]["cpu"]})
    for figure in FIGURES:
        entry[figure] = max(entry.get(figure, 0), document["calibration"][figure])
    LEARNT.write_text(json.dumps(known, indent=2) + "\n")


def to_text(document) -> str:
    """One line for each row and each A/A pair, so that two documents can be compared by line."""
    parts = [f'"machine": {json.dumps(document["machine"])}',
             f'"calibration": {json.dumps(document["calibration"])}']
    for name in ("aa", "rows"):
        lines = ",\n".join(json.dumps(entry) for entry in document[name])
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{" + ",\n".join(parts) + "}\n"
