"""docs/performance.md, written from the documents in bench/results and from nothing else.

In: every document with a row of ours, and its verdicts. Out: one table a document, losses first.
Called by `bench/run --page`, which writes the page, and `bench/run --page --check`, which compares.
"""
import json
from pathlib import Path
from statistics import median

from . import rows as table_of_rows
from . import table, verdict

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
RESULTS = ROOT / "bench" / "results"

HEAD = """# Performance

Written by `bench/run --page` from the raw samples in [bench/results](../bench/results); not edited by
hand. [bench/README.md](../bench/README.md) says how a sample is taken and what a verdict is. A ratio is
the median of ours / theirs over the rounds of one run, so smaller is better for us. Measure your own
machine with `./dev bench --json FILE`.
"""


def write() -> str:
    parts = [HEAD]
    for file in sorted(RESULTS.glob("*.json")):
        document = json.loads(file.read_text())
        if any(row["ours"] and row["samples"] for row in document["rows"]):
            parts.append(section(file, document))
    return "\n".join(parts)


def section(file, document):
    machine = document["machine"]
    judged = verdict.judge(document, list(table_of_rows.ROWS))
    lines = [f"## {machine['cpu']} ({machine['kind']})", "",
             f"[{file.name}](../bench/results/{file.name}): {machine['cores']} cores, "
             f"{' '.join(machine['features'])}, {machine['compiler']}"
             + (f", commit {machine['revision']}, {machine['date']}" if machine.get("revision") else "")
             + ".", "",
             "| verdict | row | case | threads | ours | time | rival | its time | ratio | at most |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for group in judged:
        if not group.ratios:
            if group.why:
                lines.append(f"| {group.verdict} | `{group.id}` | {group.case} | {group.threads} | "
                             f"{group.why} | | | | | |")
            continue
        by_name = {row["contestant"]: row for row in group.rows}
        for rival, ratio, limit in group.ratios:
            lines.append(
                f"| {group.verdict} | `{group.id}` | {group.case} | {group.threads} | {group.ours} | "
                f"{spoken(by_name[group.ours])} | {rival} | {spoken(by_name[rival])} | {ratio:.3f} | "
                f"{limit:.3g} |")
    ours = {(row["contestant"], row.get("version")) for row in document["rows"] if row["ours"] and row["samples"]}
    lines += ["", "Schedules of ours: " + "; ".join(
        f"{name}: {version}" for name, version in sorted(ours) if version) + ".", ""]
    return "\n".join(lines)


def spoken(row):
    work = table.per_work(row)
    return work if work != "-" else f"{median(row['samples']):.2f} ms"
