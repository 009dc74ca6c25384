"""Small sessions for the engine's tests: one lamp, or two in a group, in both directions."""

from __future__ import annotations

from dataclasses import replace

from simverity_engine.session.manifest import ManifestRow, SessionManifest, TrialKey
from simverity_engine.session.pairing import TrialPair, judged, pair
from simverity_engine.session.validity import Phase, ReferenceStrobe, SessionValidity, assess
from simverity_engine.terms import Digest, Direction, Path, Rung, SessionId, SubjectId
from simverity_engine.trace.samples import LoggedChannel
from simverity_engine.trace.trace import Goal, PreState, Return, Trace
from tests.engine.examples import GROUP, LAMP, OFF, ON, OTHER, T0, report

SESSION = SessionId("s-1")


def row(
    name: str,
    direction: Direction,
    *,
    repetitions: int = 2,
    targets: tuple[SubjectId, ...] = (LAMP,),
    **changes: object,
) -> ManifestRow:
    """A row; with several targets its subject is the group."""
    plain = ManifestRow(
        row=name,  # type: ignore[arg-type]
        path=Path.SINGLE_LIGHT if len(targets) == 1 else Path.MULTI_TARGET,
        subject=targets[0] if len(targets) == 1 else GROUP,
        targets=targets,
        direction=direction,
        service=f"light.turn_{direction}",
        repetitions=repetitions,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def manifest(*rows: ManifestRow, **changes: object) -> SessionManifest:
    """A manifest of these rows, or of one lamp in both directions."""
    plain = SessionManifest(
        schema=1,
        session=SESSION,
        seed=7,
        rows=rows or (row("lamp-on", ON), row("lamp-off", OFF)),
        settle_from=10.0,
        settle_window=2.0,
        n_min=2,
        confidence=0.95,
        completeness=0.95,
        monitors=Digest("m" * 64),
        coordinates=Digest("c" * 64),
        qualifications=((LAMP, Digest("q" * 64)),),
        declared_at="2026-12-01T03:00:00+00:00",
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def key(name: str = "lamp-on", repetition: int = 0) -> TrialKey:
    """A trial's key."""
    return TrialKey(session=SESSION, row=name, repetition=repetition)  # type: ignore[arg-type]


def twin_of(trial: Trace, *, works: bool = True, prefix: str = "edge ") -> Trace:
    """The twin of a trace: the same command on virtual edges, which take effect and report after 1 ms, or never."""

    def edge(subject: SubjectId) -> SubjectId:
        return SubjectId(f"{prefix}{subject}")

    subjects = {edge(trial.subject), *(edge(goal.subject) for goal in trial.goals)}
    return replace(
        trial,
        rung=Rung.SOFTWARE,
        void=None,
        returned=Return(
            at=T0 + 0.002,
            states=tuple((s, (trial.direction if works else trial.direction.opposite).value) for s in sorted(subjects)),
        ),
        subject=edge(trial.subject),
        goals=tuple(Goal(subject=edge(goal.subject), state=goal.state) for goal in trial.goals),
        pre_states=tuple(PreState(subject=s, value=trial.direction.opposite.value, age=1.0) for s in sorted(subjects)),
        feedback=tuple(report(0.001, trial.direction.value, subject=s) for s in sorted(subjects)) if works else (),
        channels=tuple(
            LoggedChannel(
                subject=edge(goal.subject),
                initial=goal.state.opposite,
                effects=((T0 + 0.001, goal.state),) if works else (),
                watched_until=T0 + 12.0,
            )
            for goal in trial.goals
        ),
        quiet=(),
    )


def pairs_of(*trials: Trace, works: bool = True, name: str = "lamp-on") -> tuple[TrialPair, ...]:
    """Pair each physical trace, as the repetitions of one row, with its twin."""
    keys = [key(name, index) for index in range(len(trials))]
    reals = [judged(one, trial) for one, trial in zip(keys, trials, strict=True)]
    doubles = [judged(one, twin_of(trial, works=works)) for one, trial in zip(keys, trials, strict=True)]
    return pair(reals, doubles)


def strobes(*subjects: SubjectId, wrong: tuple[tuple[Phase, Direction], ...] = ()) -> tuple[ReferenceStrobe, ...]:
    """Two obeyed strobes of each state at start and end; for ``wrong`` both show the other state."""
    return tuple(
        ReferenceStrobe(
            subject=subject,
            phase=phase,
            state=state,
            observed=state.opposite if (phase, state) in wrong else state,
        )
        for subject in subjects or (LAMP,)
        for phase in Phase
        for state in Direction
        for _ in range(2)
    )


def valid(declared: SessionManifest, pairs: tuple[TrialPair, ...]) -> SessionValidity:
    """The validity of a session whose strobes were all obeyed."""
    return assess(declared, traces=[one.physical.trace for one in pairs], strobes=strobes(LAMP, OTHER))
