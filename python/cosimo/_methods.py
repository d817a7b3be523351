"""Methods of optimisation, each a generator: it yields points of the unit cube and is sent their scores.

A generator that has nothing more to ask for returns. The driver closes it when the evaluations are used up. No method
looks at clocks, so that the same seed and batch give the same points.
"""
from __future__ import annotations

import queue
import threading
import warnings
from typing import Any, Callable, Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple

from ._space import Space, missing
from .errors import wrong


class Score(NamedTuple):
    """Goals as numbers to make small, and by how much each bound is violated (0 or below: it holds)."""

    goals: Tuple[float, ...]
    violations: Tuple[float, ...] = ()


Unit = Sequence[float]
Scores = List[Optional[Score]]  # None: the point failed
Search = Generator[List[Unit], Scores, None]


class Task(NamedTuple):
    """What a method is told."""

    space: Space
    goals: int
    bounds: int
    batch: int
    evaluations: int
    seed: int
    tolerance: float  # in the unit cube
    difference: float  # of numerical derivatives, in the unit cube


# -- Optuna: ask and tell -------------------------------------------------------------------------------------


def _optuna(task: Task, make: Callable[[Any, Callable[[Any], Sequence[float]]], Any]) -> Search:
    try:
        import optuna
    except ImportError:
        raise missing("python3-optuna", "this method") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    kinds: Dict[str, Any] = {}
    for axis in task.space.axes:
        kinds[axis.key] = (optuna.distributions.CategoricalDistribution(tuple(range(len(axis.choices))))
                           if axis.choices else optuna.distributions.FloatDistribution(0.0, 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # bounds and batches are new there, and said to be
        sampler = make(optuna.samplers, lambda trial: trial.user_attrs.get("violations", (1.0,) * task.bounds))
        study = optuna.create_study(directions=["minimize"] * task.goals, sampler=sampler)
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trials = [study.ask(kinds) for _ in range(task.batch)]
        # A choice is in the middle of its part of the cube.
        points = [[(t.params[a.key] + 0.5) / len(a.choices) if a.choices else t.params[a.key]
                   for a in task.space.axes] for t in trials]
        scores = yield points
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for trial, score in zip(trials, scores):
                if score is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                    continue
                trial.set_user_attr("violations", score.violations)
                study.tell(trial, list(score.goals))


def tpe(task: Task) -> Search:
    def make(samplers: Any, violations: Any) -> Any:
        return samplers.TPESampler(seed=task.seed, multivariate=True, constant_liar=task.batch > 1,
                                   constraints_func=violations if task.bounds else None)

    return _optuna(task, make)


def nsga2(task: Task) -> Search:
    def make(samplers: Any, violations: Any) -> Any:
        # A generation is a whole number of batches.
        size = max(2, -(-min(50, max(8, task.evaluations // 10)) // task.batch) * task.batch)
        return samplers.NSGAIISampler(seed=task.seed, population_size=size,
                                      constraints_func=violations if task.bounds else None)

    return _optuna(task, make)


def random(task: Task) -> Search:
    return _optuna(task, lambda samplers, _: samplers.RandomSampler(seed=task.seed))


# -- SciPy and NLopt: they call a function, which waits for its answers ---------------------------------------


class _Ended(Exception):
    """There are no more answers."""


class _Job:
    """A search in a thread of its own. It asks for some points at a time and waits."""

    def __init__(self, search: Callable[["_Job"], None]):
        self.asked: "queue.SimpleQueue[Optional[List[Unit]]]" = queue.SimpleQueue()
        self.answers: "queue.SimpleQueue[Optional[Scores]]" = queue.SimpleQueue()
        self.raised: Optional[BaseException] = None
        self._known: Dict[Tuple[float, ...], Optional[Score]] = {}
        self._worst = 0.0
        self._thread = threading.Thread(target=self._run, args=(search,), daemon=True)
        self._thread.start()

    def _run(self, search: Callable[["_Job"], None]) -> None:
        try:
            search(self)
        except _Ended:
            pass
        except BaseException as raised:  # pylint: disable=broad-except
            self.raised = raised
        self.asked.put(None)

    def scores(self, points: Sequence[Unit]) -> Scores:
        keys = [tuple(min(1.0, max(0.0, float(u))) for u in point) for point in points]
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            self.asked.put([list(key) for key in new])
            answers = self.answers.get()
            if answers is None:
                raise _Ended
            self._known.update(zip(new, answers))
        return [self._known[key] for key in keys]

    def goal(self, score: Optional[Score]) -> float:
        """A failed point is worse than all that this search has seen."""
        if score is None:
            return self._worst + abs(self._worst) + 1.0
        self._worst = max(self._worst, score.goals[0])
        return score.goals[0]

    def end(self) -> None:
        self.answers.put(None)
        self._thread.join()


def _lockstep(searches: List[Callable[[_Job], None]]) -> Search:
    """All searches ask, in their order; when everybody has, the points of all are one batch."""
    jobs = [_Job(search) for search in searches]
    try:
        while jobs:
            asked = [(job, job.asked.get()) for job in jobs]
            for job, points in asked:
                if points is None and job.raised is not None:
                    raise job.raised
            jobs = [job for job, points in asked if points is not None]
            asked = [(job, points) for job, points in asked if points is not None]
            if not asked:
                return
            scores = yield [point for _, points in asked for point in points or []]
            for job, points in asked:
                job.answers.put(scores[:len(points or [])])
                scores = scores[len(points or []):]
    finally:
        for job in jobs:
            job.end()


def _starts(task: Task, count: int) -> List[List[List[float]]]:
    """Where searches may begin: the middle, then points that fill the cube. Each search has several, for the case that
    one fails."""
    from scipy.stats import qmc

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the number is no power of two
        points = qmc.Sobol(len(task.space), seed=task.seed).random(8 * count - 1).tolist()
    points.insert(0, [0.5] * len(task.space))
    return [points[k::count] for k in range(count)]


def _begin(job: _Job, candidates: List[List[float]]) -> List[float]:
    for point in candidates:
        if job.scores([point])[0] is not None:
            return point
    raise _Ended


def _need_scipy() -> None:
    try:
        import scipy  # noqa: F401  # pylint: disable=unused-import
    except ImportError:
        raise missing("python3-scipy", "this method") from None


def _nlopt(task: Task, name: str) -> Search:
    _need_scipy()
    try:
        import nlopt
    except ImportError:
        raise missing("python3-nlopt", "this method") from None

    def search(starts: List[List[float]]) -> Callable[[_Job], None]:
        def run(job: _Job) -> None:
            ended: List[BaseException] = []

            def guarded(value: Callable[[Optional[Score]], float], x: Any) -> float:
                try:
                    return value(job.scores([x])[0])
                except BaseException as raised:
                    ended.append(raised)
                    raise

            solver = nlopt.opt(getattr(nlopt, name), len(task.space))
            solver.set_lower_bounds([0.0] * len(task.space))
            solver.set_upper_bounds([1.0] * len(task.space))
            solver.set_initial_step([0.2] * len(task.space))
            solver.set_min_objective(lambda x, _: guarded(job.goal, x))
            for k in range(task.bounds):
                solver.add_inequality_constraint(
                    lambda x, _, k=k: guarded(lambda s: 1.0 if s is None else s.violations[k], x), 1e-10)
            solver.set_xtol_abs([task.tolerance] * len(task.space))
            try:
                solver.optimize(_begin(job, starts))
            except nlopt.RoundoffLimited:
                pass  # it is as near as numbers allow
            except Exception:
                if ended:
                    raise ended[0] from None
                raise

        return run

    return _lockstep([search(starts) for starts in _starts(task, task.batch)])


def bobyqa(task: Task) -> Search:
    if task.bounds:
        raise wrong("bobyqa knows no bounds over measures", "use cobyla or slsqp", field="method", value="bobyqa")
    if len(task.space) < 2:
        return _nlopt(task, "LN_SBPLX")  # BOBYQA needs two unknowns
    return _nlopt(task, "LN_BOBYQA")


def subplex(task: Task) -> Search:
    if task.bounds:
        raise wrong("subplex knows no bounds over measures", "use cobyla or slsqp", field="method", value="subplex")
    return _nlopt(task, "LN_SBPLX")


def cobyla(task: Task) -> Search:
    return _nlopt(task, "LN_COBYLA")


def slsqp(task: Task) -> Search:
    """SciPy's, with derivatives from points on both sides, which are one batch."""
    _need_scipy()
    size = len(task.space)

    def search(starts: List[List[float]]) -> Callable[[_Job], None]:
        def run(job: _Job) -> None:
            import numpy as np
            from scipy.optimize import minimize

            def ask(x: Any) -> Any:
                """Value and slopes of the goal and of every bound."""
                low, high = np.maximum(0, x - task.difference), np.minimum(1, x + task.difference)
                points = [x]
                for k in range(size):
                    for side in (low, high):
                        points.append(np.where(np.arange(size) == k, side, x))
                scores = job.scores(points)
                goals = np.array([job.goal(s) for s in scores])
                rows = [goals] + [np.array([1.0 if s is None else s.violations[b] for s in scores])
                                  for b in range(task.bounds)]
                return [(row[0], (row[2::2] - row[1::2]) / (high - low)) for row in rows]

            bounds = [{"type": "ineq", "fun": lambda x, b=b: -ask(x)[b + 1][0],
                       "jac": lambda x, b=b: -ask(x)[b + 1][1]} for b in range(task.bounds)]
            minimize(lambda x: ask(x)[0], _begin(job, starts), jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * size,
                     constraints=bounds, options={"ftol": task.tolerance ** 2, "maxiter": task.evaluations})

        return run

    count = max(1, task.batch // (2 * size + 1))
    return _lockstep([search(starts) for starts in _starts(task, count)])


def evolution(task: Task) -> Search:
    """SciPy's differential evolution; a generation is one batch."""
    _need_scipy()
    if task.bounds:
        raise wrong("evolution knows no bounds over measures", "use nsga2, tpe, cobyla or slsqp", field="method",
                    value="evolution")

    def run(job: _Job) -> None:
        from scipy.optimize import differential_evolution

        def values(points: Any) -> Any:
            if points.ndim == 1:
                return job.goal(job.scores([points])[0])
            return [job.goal(score) for score in job.scores(points.T)]

        each = max(15, -(-task.batch // len(task.space)))
        differential_evolution(values, [(0.0, 1.0)] * len(task.space), seed=task.seed, popsize=each, vectorized=True,
                               updating="deferred", tol=task.tolerance, atol=task.tolerance, polish=False,
                               maxiter=task.evaluations)

    return _lockstep([run])


#: name: method, and whether it can do: choices, several goals
METHODS: Dict[str, Tuple[Callable[[Task], Search], bool, bool]] = {
    "tpe": (tpe, True, True),
    "nsga2": (nsga2, True, True),
    "random": (random, True, True),
    "bobyqa": (bobyqa, False, False),
    "subplex": (subplex, False, False),
    "cobyla": (cobyla, False, False),
    "slsqp": (slsqp, False, False),
    "evolution": (evolution, False, False),
}
