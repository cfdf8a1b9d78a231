"""A study: `evaluate` mapped over tracks, choices and repetitions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lmdk_widgets.page.progress import Progress
from lmdk_widgets.study.plan import StudyPlan
from lmdk_widgets.study.run import results

if TYPE_CHECKING:
    from pandas import DataFrame


class Study(StudyPlan):
    """Every combination of tracks and choices, evaluated several times with independent noise.

    Parameters
    ----------
    trajectories : tracks or series, sample names or file paths, as a list or as a mapping from names to them; or `People`,
        each a track with its own landmarks.
    grid : names of choices with their values, a list or a single one: ``{"scheme": ["uniform", "skip"], "epsilon":
        [0.5, 1]}``. `share` is the share of the timestamps that are landmarks, 0 to 1, and `layout` how they are spread
        over time, a key of `LAYOUTS`; each repetition draws them again. Without `share` they are those in `landmarks`,
        otherwise those that came with the track. All others are fields of a `Scenario`: scheme, epsilon, target,
        window, radius_m, mechanism, place_m, increase, decrease, landmarks, correlation, smoothing, states, cell_m,
        matrix, adversary; for dummies, hide, and with it hide_method, hide_chance (if left out, the proposed one),
        hide_epsilon, hide_most. What the attacker knows: attacker_cells, attacker_start, attacker_moves,
        attacker_step_m. What is done today beside the release: practice, such as "zone 400" or "zone 400, rounding 3", and
        practice_knows.
    repetitions : how many times each setting is evaluated, at least 1.
    measures : what is recorded for each outcome, keys of `MEASURES`.
    read : for how many repetitions of each setting, starting with the first, the measures in `SLOW` are computed, such
        as the reader's error and the attacker's, with which an evaluation takes four to five times as long; missing in the
        rest. None: for all.

    Attributes
    ----------
    tracks : the tracks by name. axes : the values of each choice. repetitions, measures, read : as above.

    Raises
    ------
    InputError : an unknown name, a value that is not allowed, a duplicate, more than 100,000,000 evaluations.

    Notes
    -----
    Random numbers depend only on the settings: a hash of each setting is the seed, which `numpy.random.SeedSequence`
    expands. A different grid, order or number of workers does not change a setting's numbers, to the last bit on
    processors of the same kind. The noise of two settings is independent, except that attackers who know different
    things attack the same releases. For a given track, layout and repetition, every scheme has the same landmarks, and
    a larger share contains those of a smaller one. The same is true of dummies: random ones with a larger chance
    contain those with a smaller one. The errors are computed from the true tracks, so a study is for the tracks' owner.

    Examples
    --------
    >>> study = Study(["bob"], {"scheme": ["event", "uniform"], "epsilon": [0.5, 1]}, measures=["theorem_sum"])
    >>> len(study), study.setting(3)
    (4, {'track': 'bob', 'scheme': 'uniform', 'epsilon': 1.0, 'repetition': 0})
    >>> study.run(None, jobs=1).theorem_sum.round(9).tolist()
    [2.5, 5.0, 0.5, 1.0]
    """

    def run(
        self,
        directory: str | os.PathLike[str] | None,
        *,
        jobs: int | None = None,
        dask: str | None = None,
        resume: bool = True,
        progress: Progress = None,
    ) -> DataFrame:
        """Evaluate everything, or what is left of it; the results do not depend on how or where this is done.

        Parameters
        ----------
        directory : where each finished part is stored as a Parquet file: an empty or a new directory, or one with this
            study; None: parts are kept only in memory. `pandas.read_parquet(directory)` reads them too.
        jobs : number of parallel processes; None: one for each processor core. More than one needs `joblib`.
        dask : the address of a Dask scheduler, such as ``"tcp://10.0.0.5:8786"``, whose workers evaluate instead of
            `jobs`.
        resume : continue with the parts of this study that are in the directory; False: remove them first.
        progress : called with how many evaluations are done, and of how many; True: a bar of tqdm; None: silent.

        Returns
        -------
        DataFrame
            A row for each evaluation, in order: `evaluation`, from 0; `track`; a column for each choice of the grid;
            `repetition`, from 0; a column for each measure; `refused`, the reason why it cannot be evaluated, or "".

        Raises
        ------
        InputError : a directory with other contents, no scheduler at the address, a missing library (the message says
            what to install), a `progress` that cannot be called.

        Notes
        -----
        A finished part is never computed again: after Ctrl+C, or after the process or a worker was killed, the same
        call continues. Memory does not grow with the number of evaluations until the data frame is built.
        """
        return results(self, directory, jobs=jobs, dask=dask, resume=resume, progress=progress)
