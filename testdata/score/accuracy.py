#!/usr/bin/env python3
"""Score a lastwords binary on testdata and write the figures as a page.

    accuracy.py BINARY PAGE
"""
import math, sys, tarfile, tempfile
from pathlib import Path

import score

DATA = Path(__file__).resolve().parent.parent
FIGURES = [("ending", "ending", "n"), ("proving line", "line_ok", "lines"), ("exception", "exc_ok", "exc_n"), ("signal", "sig_ok", "sig_n"),
           ("last words", "words_ok", "words_n"), ("pattern", "pattern_ok", "pattern_n")]
COUNTS = [("same by stdin", lambda s: f"{s.same_ok} of {s.same_n}" if s.same_n else "–"), ("extra rows", lambda s: s.extra),
          ("false memory", lambda s: s.false_memory), ("crashes", lambda s: s.crash)]


def wilson(ok, n, z=1.959964):
    """The 95 % interval of a share, in per cent."""
    p = ok / n
    mid, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return 100 * (mid - half) / (1 + z * z / n), 100 * (mid + half) / (1 + z * z / n)


def share(ok, n):
    if not n:
        return "–"
    low, high = wilson(ok, n)
    return f"{100 * ok / n:.1f} ({low:.1f}–{min(high, 100):.1f}), {ok} of {n}"


def add(total, s):
    for name, value in vars(s).items():
        if isinstance(value, int) and not isinstance(value, bool):
            setattr(total, name, getattr(total, name) + value)


def unpack(archive, to):
    with tarfile.open(archive) as t:
        t.extractall(to, filter="data")


def cases(binary, folder, tmp):
    """The cases of a folder, those with archives unpacked."""
    s = score.Score(False)
    for expect in sorted(folder.glob("*/expect.json")):
        case = expect.parent
        packed = case / "files.tar.gz"
        if packed.exists():
            case = tmp / folder.name / expect.parent.name
            unpack(packed, case)
            (case / "expect.json").write_bytes(expect.read_bytes())
        score.score_case(binary, case, s)
    return s


def captures(binary, tmp):
    for truth in sorted((DATA / "real").glob("*.truth.jsonl")):
        name = truth.name.removesuffix(".truth.jsonl")
        folder = tmp / name
        unpack(truth.with_name(name + ".tar.gz"), folder)
        (folder / "truth.jsonl").write_bytes(truth.read_bytes())
        (folder / "partial").touch()  # some task instances were left out
        for alone in (False, True):
            s = score.Score(False)
            score.score_lab(binary, folder, s, alone)
            yield name, alone, s


def table(rows):
    heads = ["set", "tries", *(f[0] for f in FIGURES), *(c[0] for c in COUNTS)]
    out = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for name, s in rows:
        cells = [name, str(s.n), *(share(getattr(s, ok), getattr(s, n)) for _, ok, n in FIGURES), *(str(f(s)) for _, f in COUNTS)]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out)


def main():
    binary, page = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as t:
        tmp = Path(t)
        known = cases(binary, DATA / "cases", tmp)
        evidence = cases(binary, DATA / "cases-evidence", tmp)
        together, alone = [("cases", known)], [("cases", known)]
        for name, logs_only, s in captures(binary, tmp):
            (alone if logs_only else together).append((name, s))
    for rows in (together, alone):
        total = score.Score(False)
        for _, s in rows:
            add(total, s)
        rows.append(("**all**", total))
    page.write_text(f"""# How often it is right

Written by `make accuracy`: `testdata/score/score.py` on the cases of `testdata/cases` (each a folder with an `expect.json`; `CONVENTION.md` there says which
lines prove an ending) and on `testdata/real`, what real Airflows of the named versions and executors wrote while things were done to their tasks.
A figure is a percentage with its Wilson 95 % interval and the counts behind it.

The cases were at hand while the rules were written. Their figures say what is covered, not what to expect of logs that nobody here has seen.

## With the logs of schedulers and workers

{table(together)}

## The task logs alone

Captures without their schedulers' and workers' logs; the cases as they are.

{table(alone)}

## Deaths that only pods, nodes or the kernel explain

The cases of `testdata/cases-evidence`. What pods and events say is not read yet, so only the endings are to be judged.

{table([("cases-evidence", evidence)])}

Counts: *same by stdin*: a log through a pipe has the ending, cause and certainty that it has as a file. *Extra rows* stand for no try.
*False memory*: memory named as proven (or likely) where nothing proves it.
""")
    print(f"{page}: ending {share(together[-1][1].ending, together[-1][1].n)}")


main()
