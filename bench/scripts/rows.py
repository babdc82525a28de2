"""The rows: which program measures them, on which frames and threads, and the bar of each.

Data only. Read by merge.py (what to run), verdict.py (what to reach) and table.py.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One process: a program of bench/rows with its frame and thread count."""
    program: str
    frame: str
    threads: int


@dataclass(frozen=True)
class Against:
    """A rival by the word in its name, and the largest median of ours / theirs.

    An empty word stands for every rival of the row: the fastest of them counts.
    """
    word: str
    limit: float


@dataclass(frozen=True)
class Row:
    runs: tuple
    bar: str                    # in words, for the table
    needs: tuple                # words that must be among the valid contestants
    any_of: tuple               # the bar is met where one of these is
    judged: tuple = ()          # (case, threads) that carry the bar; empty: all


AS_FAST = 1.02
BLUR = (Run("bench_blur", "12 MP", 2), Run("bench_blur", "12 MP", 1),
        Run("bench_blur", "100 MP", 2))

ROWS = {
    "blur.sse": Row(
        runs=BLUR,
        bar="at most half of hand sse, or at most 1.15 of the vector copy where that is slower",
        needs=("hand sse", "vector copy", "memcpy"),
        any_of=(Against("hand sse", 0.5), Against("vector copy", 1.15)),
        judged=(("12 MP", 2),)),
    "blur.seed": Row(
        runs=BLUR, bar="the tiled schedule of Halide's paper at least as fast as hand sse",
        needs=("hand sse",), any_of=(Against("hand sse", AS_FAST),)),
    "blur.halide": Row(
        runs=BLUR, bar="at least as fast as Halide 21, tiled and best",
        needs=("halide",), any_of=(Against("", AS_FAST),)),
    "blur.ceiling": Row(
        runs=BLUR, bar="", needs=(), any_of=()),
    "sgemm.first": Row(
        runs=(Run("bench_sgemm", "1024", 1),),
        bar="at least 80 % of the speed of the best of OpenBLAS and oneDNN",
        needs=("openblas", "onednn"), any_of=(Against("", 1 / 0.8),)),
    "compile.first": Row(
        runs=(Run("bench_compile", "blur", 1),), bar="at most half of Halide 21's time",
        needs=("halide",), any_of=(Against("", 0.5),)),
    "call": Row(
        runs=(Run("bench_call", "empty", 1),), bar="at most Halide 21's",
        needs=("halide",), any_of=(Against("", AS_FAST),)),
}

IDS = tuple(ROWS)
