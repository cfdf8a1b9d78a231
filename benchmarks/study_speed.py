"""Measures a study of 288 timestamps: the time for an evaluation, and the share of it spent in `evaluate`.

    python benchmarks/study_speed.py [--json FILE] [--figures FIGURES.md] [--quick]

The study is the landmark paper's: schemes, shares and layouts of landmarks, correlations, epsilons, and repetitions.
Promised: 100,000 evaluations in 3 minutes on two cores, 90 % of the cores' time in `evaluate`, and memory that does not grow;
in a smaller study, with the honest reader and the attacker in every repetition, at most four times the time without them.
The processor time of this process and all workers is counted, so other programs on the machine hardly matter; "in
`evaluate`" includes the measures of its outcome.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from contextlib import suppress  # noqa: E402
from pathlib import Path  # noqa: E402
from time import perf_counter, process_time  # noqa: E402

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE / "pages")]

import numpy as np  # noqa: E402
import psutil  # noqa: E402
from measured import asked, write  # noqa: E402
from track import columns  # noqa: E402

from lmdk_widgets.study import Study  # noqa: E402
from lmdk_widgets.study.parts import Directory, Part  # noqa: E402
from lmdk_widgets.study.run import complete, compute, cores  # noqa: E402
from lmdk_widgets.trajectory.model import Trajectory  # noqa: E402

PROMISED_S, PROMISED_SHARE = 180.0, 0.9
PROMISED_TIMES = 4.0
EVALUATIONS, CORES = 100_000, 2
ATTACKED = ["reader_error_m", "attacker_error_m", "attacker_right", "home_found", "landmark_chance"]
"""Measures added to the usual ones in the study with reader and attacker."""
TENTH, ROUNDS = 10, 9
GRID = {
    "scheme": ["uniform", "skip", "adaptive", "budget-absorption"],
    "epsilon": [0.1, 0.5, 1, 2],
    "share": [0, 0.2, 0.4, 0.6, 0.8],
    "layout": ["uniform", "skewed", "symmetric", "bimodal"],
    "correlation": ["weak", "moderate", "strong"],
}


def attacked_times(day: Trajectory) -> dict[str, float]:
    """How many times as long an evaluation takes with reader and attacker: in a tenth of the repetitions, and in all."""
    grid = {**GRID, "epsilon": [0.5, 2], "share": [0.2], "layout": ["uniform"]}
    plain = Study({"day": day}, grid, repetitions=TENTH)
    with_all = (*plain.measures, *ATTACKED)
    some, every = (Study({"day": day}, grid, repetitions=TENTH, measures=with_all, read=read) for read in (1, TENTH))
    cost: dict[str, list[float]] = {"plain": [], "some": [], "every": []}
    compute(plain, 0)  # so that everything kept by track and chain is cached
    for _ in range(ROUNDS):
        for (_, spent), study in zip(cost.items(), (plain, some, every), strict=True):
            spent.append(sum(compute(study, part).busy_s for part in range(study.parts)))
    least = {name: min(spent) for name, spent in cost.items()}
    return {"tenth_times": least["some"] / least["plain"], "every_times": least["every"] / least["plain"]}


class Watched(Directory):
    """Records the memory and the processor time of this process and its workers whenever a part is stored."""

    def __init__(self, path: str, study: Study) -> None:
        super().__init__(path, study)
        self.sizes_mb: list[float] = []
        self.cpu_s: dict[int, float] = {}

    def put(self, part: int, found: Part) -> None:
        super().put(part, found)
        here, size = psutil.Process(), 0.0
        for one in [here, *here.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                times = one.cpu_times()
                self.cpu_s[one.pid] = times.user + times.system
                size += one.memory_info().rss / 1e6
        self.sizes_mb.append(size)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write the figures."""
    parser = asked(__doc__, quick="a tenth of the evaluations")
    options = parser.parse_args(arguments)
    latitude, longitude, moments, _ = columns(288)
    before_s = process_time()
    evaluations = EVALUATIONS // 10 if options.quick else EVALUATIONS
    several = evaluations // int(np.prod([len(axis) for axis in GRID.values()]))
    study = Study({"day": Trajectory(latitude, longitude, moments)}, GRID, repetitions=several)
    with tempfile.TemporaryDirectory() as folder:
        keeper = Watched(folder, study)
        start = perf_counter()
        busy_s = complete(study, keeper)
        wall_s, start = perf_counter() - start, perf_counter()
        assert len(study.run(folder, jobs=1)) == len(study)
        read_s = perf_counter() - start
    cpu_s = sum(keeper.cpu_s.values()) - before_s
    found = {"evaluations": len(study), "cores": cores(), "wall_s": wall_s, "cpu_s": cpu_s, "share": busy_s / cpu_s}
    found |= {"read_s": read_s, "memory_mb": keeper.sizes_mb[-1]}
    found |= {"grown_mb": keeper.sizes_mb[-1] - keeper.sizes_mb[len(keeper.sizes_mb) // 4]}
    found |= attacked_times(study.tracks["day"])
    table = markdown(found, os.getloadavg()[0])
    print(table)
    write(options, "study", found, table)
    return 0


def markdown(found: dict, load: float) -> str:
    """The table of the figures."""
    each_ms = found["cpu_s"] / found["evaluations"] * 1e3
    expected_s = each_ms * EVALUATIONS / CORES / 1e3
    held = (expected_s <= PROMISED_S, found["share"] >= PROMISED_SHARE, found["every_times"] <= PROMISED_TIMES)
    verdicts = ["met" if each else "NOT MET" for each in held]
    rows = [
        ("one evaluation, total processor time, ms", f"{each_ms:.2f}", "", ""),
        (
            f"{EVALUATIONS:,} evaluations on {CORES} dedicated cores, s",
            f"{expected_s:.0f}",
            f"{PROMISED_S:.0f}",
            verdicts[0],
        ),
        ("share of the processor time in `evaluate`", f"{found['share']:.1%}", f"{PROMISED_SHARE:.0%}", verdicts[1]),
        (
            "with reader and attacker in every repetition, times as long",
            f"{found['every_times']:.1f}",
            f"{PROMISED_TIMES:.0f}",
            verdicts[2],
        ),
        ("with both in one of ten repetitions, times as long", f"{found['tenth_times']:.1f}", "", ""),
        (f"{found['evaluations']:,} evaluations on this machine, s", f"{found['wall_s']:.0f}", "", ""),
        ("memory of all processes, MB", f"{found['memory_mb']:.0f}", "", ""),
        ("memory growth since the first quarter, MB", f"{found['grown_mb']:+.1f}", "", ""),
        ("reading the results as a data frame, s", f"{found['read_s']:.2f}", "", ""),
    ]
    about = (
        f"{len(GRID['scheme'])} schemes, 288 timestamps, {found['cores']} cores; load average when written {load:.1f}."
    )
    about += (
        " With reader and attacker, most of the time is spent on products of 32 beliefs at a time, 16 going forward and 16"
        " going back, with the matrices of moves and of distances, which symmetry halves. They run at the processor's peak,"
        " which limits what can still be saved. If other programs are running, they wait for the processor's cache."
    )
    head = ["| A study | measured | promised | |", "|---|--:|--:|---|"]
    return "\n".join([about, "", *head, *(f"| {' | '.join(row)} |" for row in rows)])


if __name__ == "__main__":
    sys.exit(main())
