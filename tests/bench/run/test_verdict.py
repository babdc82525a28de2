"""Verdicts from raw samples: what passes, what is missed, what is void, and in which order."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))
from scripts import merge, table, verdict  # noqa: E402

ROUNDS = 20


def row(row_id, case, contestant, samples, threads=2, ours=False, error=0):
    samples = samples if isinstance(samples, list) else [samples] * ROUNDS
    return {"id": row_id, "case": case, "threads": threads, "contestant": contestant,
            "ours": ours, "samples": samples, "cold_samples": [], "error": error, "valid": True,
            "version": "1", "target": "t", "compile_ms": None, "object_bytes": None,
            "scratch_bytes": None}


def document(rows, twin=1.0, threads=2, frame="12 MP", valid=True):
    ids = sorted({r["id"] for r in rows})
    pair = {"ids": ids, "frame": frame, "threads": threads, "first": [1.0] * ROUNDS,
            "twin": [twin] * ROUNDS, "ratio": twin, "limit": 0.03, "valid": valid}
    return {"machine": {}, "calibration": {}, "aa": [pair], "rows": rows}


def sse(ours, hand=4.0, copy=2.0, **more):
    rows = [row("blur.sse", "12 MP", "hand sse", hand),
            row("blur.sse", "12 MP", "vector copy", copy * 1.5),
            row("blur.sse", "12 MP", "vector copy nt", copy),
            row("blur.sse", "12 MP", "memcpy", copy)]
    if ours is not None:
        rows.append(row("blur.sse", "12 MP", "hocket best", ours, ours=True, **more))
    return rows


def judged(rows, **more):
    return verdict.judge(document(rows, **more), sorted({r["id"] for r in rows}))


class Verdicts(unittest.TestCase):
    def test_half_of_hand_sse_passes(self):
        self.assertEqual(judged(sse(2.0, copy=1.0))[0].verdict, "pass")

    def test_more_than_half_and_far_from_the_copy_fails(self):
        self.assertEqual(judged(sse(2.1, copy=1.0))[0].verdict, "fail")

    def test_close_to_the_best_copy_passes_where_that_is_slower(self):
        self.assertEqual(judged(sse(2.3, copy=2.0))[0].verdict, "pass")
        self.assertEqual(judged(sse(2.4, copy=2.0))[0].verdict, "fail")

    def test_not_built_is_a_failure(self):
        rows = sse(None) + [row("blur.sse", "12 MP", "hocket", [], ours=True, error=None)]
        rows[-1]["absent"] = "not built"
        result = judged(rows)[0]
        self.assertEqual((result.verdict, result.why), ("fail", "hocket: not built"))
        self.assertEqual(judged(sse(None))[0].verdict, "fail")

    def test_a_wrong_answer_is_a_failure(self):
        rows = sse(None) + [row("blur.sse", "12 MP", "hocket best", [], ours=True, error=7)]
        self.assertEqual(judged(rows)[0].verdict, "fail")

    def test_no_error_figure_is_no_contestant(self):
        self.assertEqual(judged(sse(1.0, error=None))[0].verdict, "fail")

    def test_a_missing_rival_makes_the_row_void(self):
        rows = [r for r in sse(1.0) if "copy" not in r["contestant"]]
        self.assertEqual(judged(rows)[0].verdict, "void")

    def test_noise_is_void_and_never_a_pass(self):
        self.assertEqual(judged(sse(1.0), twin=1.031)[0].verdict, "void")
        self.assertEqual(judged(sse(1.0), twin=1.029)[0].verdict, "pass")
        self.assertEqual(judged(sse(1.0), valid=False)[0].verdict, "void")

    def test_one_thread_has_the_tighter_limit(self):
        rows = [row("blur.seed", "12 MP", "hand sse", 4.0, threads=1),
                row("blur.seed", "12 MP", "hocket tiled", 4.0, threads=1, ours=True)]
        self.assertEqual(judged(rows, threads=1, twin=1.025)[0].verdict, "void")
        self.assertEqual(judged(rows, threads=1, twin=1.015)[0].verdict, "pass")

    def test_too_few_rounds_are_void(self):
        rows = [row(r["id"], r["case"], r["contestant"], r["samples"][:19], ours=r["ours"])
                for r in sse(1.0)]
        self.assertEqual(judged(rows)[0].verdict, "void")

    def test_ratios_are_paired(self):
        # The machine slows down by and by; every round says 1.0 although the medians could differ.
        drift = [1.0 + 0.1 * i for i in range(ROUNDS)]
        rows = [row("blur.seed", "12 MP", "hand sse", drift),
                row("blur.seed", "12 MP", "hocket tiled", list(drift), ours=True)]
        result = judged(rows)[0]
        self.assertEqual((result.verdict, result.ratios[0][1]), ("pass", 1.0))

    def test_the_fastest_rival_counts(self):
        rows = [row("sgemm.first", "1024", "openblas", 25.0, threads=1, error=1e-5),
                row("sgemm.first", "1024", "onednn 3 matmul", 20.0, threads=1, error=1e-5),
                row("sgemm.first", "1024", "hocket", 25.5, threads=1, error=1e-5, ours=True)]
        result = judged(rows, threads=1, frame="1024")[0]
        self.assertEqual(result.verdict, "fail")
        self.assertEqual(result.ratios[0][0], "onednn 3 matmul")

    def test_cases_of_one_row_are_judged_apart(self):
        rows = [row("blur.halide", "12 MP tiled", "halide tiled", 5.0),
                row("blur.halide", "12 MP tiled", "hocket tiled", 4.0, ours=True),
                row("blur.halide", "12 MP best", "halide best", 2.0),
                row("blur.halide", "12 MP best", "hocket best", 2.1, ours=True)]
        verdicts = {j.case: j.verdict for j in judged(rows)}
        self.assertEqual(verdicts, {"12 MP tiled": "pass", "12 MP best": "fail"})

    def test_losses_come_first(self):
        rows = [row("blur.halide", "12 MP tiled", "halide tiled", 5.0),
                row("blur.halide", "12 MP tiled", "hocket tiled", 4.0, ours=True),
                row("blur.halide", "12 MP best", "halide best", 2.0),
                row("blur.halide", "12 MP best", "hocket best", 2.1, ours=True)]
        result = judged(rows)
        self.assertEqual([j.verdict for j in result], ["fail", "pass"])
        text = table.render(document(rows), result)
        self.assertLess(text.index("FAIL"), text.index("PASS"))

    def test_a_row_that_nobody_measured_is_void(self):
        result = verdict.judge(document(sse(1.0)), ["blur.sse", "call"])
        self.assertEqual({j.id: j.verdict for j in result}, {"blur.sse": "pass", "call": "void"})
        self.assertEqual(verdict.exit_status(result), 3)

    def test_other_frames_of_blur_sse_carry_no_bar(self):
        rows = [row("blur.sse", "100 MP", "hand sse", 4.0),
                row("blur.sse", "100 MP", "hocket best", 9.0, ours=True)]
        self.assertEqual(judged(rows, frame="100 MP")[0].verdict, "shown")


class Documents(unittest.TestCase):
    def test_text_reads_back(self):
        import json
        before = document(sse(1.0))
        self.assertEqual(json.loads(merge.to_text(before)), before)


if __name__ == "__main__":
    unittest.main()
