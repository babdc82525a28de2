"""Verdicts, computed from the raw samples alone.

In: a document {machine, calibration, aa, rows} and the bars of rows.py. Out: one Judged a row id,
case and thread count. Called by bench/run; anyone may run it on a document of an earlier day
(`bench/run --read FILE`).

  pass   every contestant that the row names is there and valid, and the bar is met
  fail   the bar is missed, or Hocket's side is absent or wrong
  void   a rival is absent or wrong, or the run was too noisy: to be repeated, never a tie
  shown  measured, without a bar
"""
from dataclasses import dataclass, field
from statistics import median

from . import rows as table_of_rows

ORDER = ("fail", "void", "pass", "shown")


@dataclass
class Judged:
    id: str
    case: str
    threads: int
    verdict: str = "shown"
    why: str = ""
    ours: str = ""
    ratios: list = field(default_factory=list)   # (rival, median ratio, limit)
    rows: list = field(default_factory=list)


def judge(document, ids):
    groups = {}
    for row in document["rows"]:
        if row["id"] in ids:
            groups.setdefault((row["id"], row["case"], row["threads"]), []).append(row)
    judged = [judge_group(key, group, document) for key, group in groups.items()]
    for row_id in ids:
        row = table_of_rows.ROWS.get(row_id)
        if row and row.any_of and not any(j.id == row_id for j in judged):
            judged.append(Judged(row_id, "-", 0, "void", "nothing was measured"))
    return sorted(judged, key=lambda j: ORDER.index(j.verdict))


def judge_group(key, group, document):
    row_id, case, threads = key
    result = Judged(row_id, case, threads, rows=group)
    row = table_of_rows.ROWS[row_id]
    if not row.any_of or (row.judged and (case, threads) not in row.judged):
        return result
    usable = [r for r in group if usable_row(r)]
    ours = fastest([r for r in usable if r["ours"]])
    rivals = [r for r in usable if not r["ours"]]
    if ours is None:
        mine = [r for r in group if r["ours"]]
        reason = mine[0].get("absent") if mine else "not built"
        result.verdict, result.why = "fail", f"hocket: {reason or 'a wrong answer'}"
        return result
    result.ours = ours["contestant"]
    for word in row.needs:
        if not any(word in r["contestant"] for r in rivals):
            result.verdict, result.why = "void", f"{word} is missing"
            return result
    for against in row.any_of:
        rival = fastest([r for r in rivals if against.word in r["contestant"]])
        ratio = paired_ratio(ours, rival)
        result.ratios.append((rival["contestant"], ratio, against.limit))
    void = noise(document, ours, threads)
    if void:
        result.verdict, result.why = "void", void
    else:
        met = any(ratio <= limit for _, ratio, limit in result.ratios)
        result.verdict = "pass" if met else "fail"
    return result


def usable_row(row):
    """Right and measured. A row without an error figure is void."""
    return bool(row["samples"]) and row["error"] is not None


def fastest(candidates):
    return min(candidates, key=lambda r: median(r["samples"]), default=None)


def paired_ratio(ours, theirs):
    return median(a / b for a, b in zip(ours["samples"], theirs["samples"]))


def noise(document, row, threads):
    """Why the run that `row` came from does not count, or an empty text."""
    if len(row["samples"]) < 20 and median(row["samples"]) < 2000:
        return "fewer than 20 rounds"
    limit = 0.03 if threads > 1 else 0.02
    for pair in document["aa"]:
        if row["id"] not in pair["ids"] or pair["threads"] != threads:
            continue
        if not row["case"].startswith(pair["frame"]):
            continue
        ratio = median(b / a for a, b in zip(pair["first"], pair["twin"]))
        if abs(ratio - 1) > limit:
            return f"A/A {ratio:.3f}"
        if not pair["valid"]:
            return "the calibration falls short of the usual"
        return ""
    return "no A/A pair"


def exit_status(judged):
    verdicts = {j.verdict for j in judged}
    if "fail" in verdicts:
        return 1
    return 3 if "void" in verdicts else 0
