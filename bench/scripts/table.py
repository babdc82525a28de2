"""The readable table: losses first, then void rows, then what was met.

In: a document and its verdicts. Out: text. Called by bench/run.
"""
from statistics import median

from . import rows as table_of_rows

COLUMNS = ("contestant", "median ms", "best ms", "cold ms", "per work", "ours/it", "error",
           "compile ms", "object B", "scratch B", "version")


def render(document, judged):
    lines = [head(document), ""]
    for group in judged:
        lines += [title(group)] + grid(group) + [""]
    counts = {v: sum(j.verdict == v for j in judged) for v in ("fail", "void", "pass", "shown")}
    lines.append(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return "\n".join(lines)


def head(document):
    machine, calibration = document["machine"], document["calibration"]
    if not machine:
        return "nothing was measured"
    roof = max(calibration["fma256_gflops"], calibration["fma512_gflops"])
    roof_two = max(calibration["fma256_two_gflops"], calibration["fma512_two_gflops"])
    short = {run["falls_short"] for run in calibration["runs"]} - {""}
    return "\n".join([
        f"{machine['cpu']} ({machine['kind']}), {machine['cores']} cores, "
        f"{' '.join(machine['features'])}, {machine['compiler']}, {machine['scheduling']}",
        f"clock {calibration['clock_ghz']:.2f} GHz; FMA {roof:.0f} GFLOP/s, two cores "
        f"{roof_two:.0f}; copy (read + write) L2 {calibration['l2_copy_gbs']:.0f}, L3 "
        f"{calibration['l3_copy_gbs']:.0f}, DRAM {calibration['dram_copy_gbs']:.0f} GB/s, two cores "
        f"{calibration['l2_copy_two_gbs']:.0f}, {calibration['l3_copy_two_gbs']:.0f}, "
        f"{calibration['dram_copy_two_gbs']:.0f}",
        f"falls short of the usual: {', '.join(sorted(short))}" if short
        else "calibration reaches the usual",
        "A/A: " + ", ".join(f"{a['ids'][0]}.. {a['frame']} x{a['threads']} {a['ratio']:.3f}"
                            f"{'' if a['valid'] else ' VOID'}" for a in document["aa"]),
    ])


def title(group):
    text = f"{group.verdict.upper():5} {group.id}  {group.case}, threads: {group.threads}"
    if group.ratios:
        text += "  " + "; ".join(f"{group.ours} / {rival} = {ratio:.3f} (at most {limit:.3g})"
                                 for rival, ratio, limit in group.ratios)
    if group.why:
        text += f"  [{group.why}]"
    return text


def grid(group):
    ours = next((r for r in group.rows if r["contestant"] == group.ours), None)
    body = []
    ordered = sorted(group.rows, key=lambda r: median(r["samples"]) if r["samples"] else 1e99)
    for row in ordered:
        if not row["samples"]:
            body.append([row["contestant"], row.get("absent") or "wrong answer"] + [""] * 4
                        + [number(row["error"])] + [""] * 4)
            continue
        ratio = median(a / b for a, b in zip(ours["samples"], row["samples"])) if ours else None
        body.append([
            row["contestant"], number(median(row["samples"])), number(min(row["samples"])),
            number(median(row["cold_samples"])) if row["cold_samples"] else "-", per_work(row),
            f"{ratio:.3f}" if ratio else "-", number(row["error"]), number(row["compile_ms"]),
            number(row["object_bytes"]), number(row["scratch_bytes"]),
            f"{row['version']} [{row['target']}]"])
    widths = [max(len(line[i]) for line in [COLUMNS] + body) for i in range(len(COLUMNS))]
    return ["  " + "  ".join(cell.rjust(width) if 0 < i < len(COLUMNS) - 1 else cell.ljust(width)
                             for i, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in [COLUMNS] + body]


def per_work(row):
    milliseconds = median(row["samples"])
    if row.get("work_unit") == "MP":
        return f"{milliseconds / row['work']:.4f} ms/MP"
    if row.get("work_unit") == "GFLOP":
        return f"{row['work'] / milliseconds * 1e3:.1f} GFLOP/s"
    if milliseconds < 0.01:
        return f"{milliseconds * 1e6:.1f} ns"
    return "-"


def number(value):
    if value is None:
        return "-"
    if value == int(value) and abs(value) < 1e12:
        return str(int(value))
    return f"{value:.4g}"


def bars(ids):
    return "\n".join(f"{row_id:14} {table_of_rows.ROWS[row_id].bar or 'no bar: shown only'}"
                     for row_id in ids)
