"""Compares what operators and small programs mean in Hocket and in Halide.

In: the folder of the programs that bench/meaning makes (each source once for either front end).
Out: every difference that KNOWN does not name. Called by bench/run --meaning.
"""
import subprocess
from collections import defaultdict

# Differences that are meant, by the words of a line's head: an operator, an operator and its types,
# or a program. Each has its reason; one that no longer shows is reported too.
KNOWN = {
    "abs i8": "keeps its type (docs/cpp.md)",
    "abs i16": "keeps its type",
    "abs i32": "keeps its type",
    "abs i64": "keeps its type",
    "saturate_f32 f64": "refused: no nearest value where a number is too large (docs/cpp.md)",
    "div_three f32": "exact; Halide multiplies by the reciprocal",
    "div_three f64": "exact; Halide multiplies by the reciprocal",
} | {f"cast_{kind}{bits} f{real}": "saturates, NaN gives 0 (docs/cpp.md)"
     for kind in "iu" for bits in (8, 16, 32, 64) for real in (32, 64)}

ZEROS = {"0x0p+0", "-0x0p+0"}  # Halide's min, max and select take either of two


def run(folder):
    """The number of differences that are not meant."""
    found, used, compared = defaultdict(list), set(), 0
    for name in ("operators", "programs"):
        ours, theirs = (said(folder / f"meaning_{name}_{front}") for front in ("hocket", "halide"))
        for head in ours.keys() | theirs.keys():
            compared += 1
            if ours.get(head) == theirs.get(head) or {ours.get(head), theirs.get(head)} == ZEROS:
                continue
            words = head.split(" | ")[0].split(":")[0]
            known = " ".join(words.split()[:2])
            if known in KNOWN:
                used.add(known)
            else:
                found[words].append((head, ours.get(head), theirs.get(head)))
    for words, lines in sorted(found.items()):
        head, our, their = sorted(lines, key=str)[0]
        print(f"DIFFERS  {words}: {len(lines)} lines; `{head}` is {our} here and {their} in Halide")
    for known in sorted(KNOWN.keys() - used):
        print(f"SAME     {known}: does not differ any more ({KNOWN[known]})")
    print(f"{compared} results compared, {len(found)} heads differ, {len(used)} as meant")
    return len(found) + len(KNOWN.keys() - used)


def said(program):
    """Result by what stands before it."""
    out = {}
    text = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          text=True).stdout
    for line in text.splitlines():
        for mark in (" = ", " -> ", ":"):
            head, found, value = line.rpartition(mark)
            if found:
                out[head] = value
                break
    return out
