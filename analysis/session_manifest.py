"""A session's manifest as JSON, read back strictly."""

from simverity_engine.message import Fields, integer, member, number, several, text
from simverity_engine.session.manifest import ManifestRow, SessionManifest
from simverity_engine.session.validity import Phase, ReferenceStrobe
from simverity_engine.terms import Boundary, Digest, Direction, Path, RowId, SessionId, SubjectId


def parse_manifest(value: object, at: str) -> SessionManifest:
    """Read a manifest.

    Raises:
        MessageError: it does not have the agreed form.
    """
    fields = Fields(value, at)
    manifest = SessionManifest(
        schema=fields.get("schema", integer),
        session=SessionId(fields.get("session", text)),
        seed=fields.get("seed", integer),
        rows=fields.each("rows", _row),
        settle_from=fields.get("settle_from", number),
        settle_window=fields.get("settle_window", number),
        n_min=fields.get("n_min", integer),
        confidence=fields.get("confidence", number),
        completeness=fields.get("completeness", number),
        grid=fields.each("grid", _boundary),
        monitors=Digest(fields.get("monitors", text)),
        coordinates=Digest(fields.get("coordinates", text)),
        qualifications=fields.each("qualifications", _qualification),
        declared_at=fields.get("declared_at", text),
    )
    fields.close()
    return manifest


def parse_strobe(value: object, at: str) -> ReferenceStrobe:
    """Read one commanded reference state.

    Raises:
        MessageError: it does not have the agreed form.
    """
    fields = Fields(value, at)
    strobe = ReferenceStrobe(
        subject=fields.get("subject", _subject),
        phase=fields.get("phase", member(Phase)),
        state=fields.get("state", member(Direction)),
        observed=fields.optional("observed", member(Direction)),
    )
    fields.close()
    return strobe


def _row(value: object, at: str) -> ManifestRow:
    fields = Fields(value, at)
    row = ManifestRow(
        row=RowId(fields.get("row", text)),
        path=fields.get("path", member(Path)),
        subject=fields.get("subject", _subject),
        targets=fields.each("targets", _subject),
        direction=fields.get("direction", member(Direction)),
        service=fields.get("service", text),
        repetitions=fields.get("repetitions", integer),
        quiet=fields.each("quiet", _subject),
    )
    fields.close()
    return row


def _boundary(value: object, at: str) -> Boundary:
    fields = Fields(value, at)
    boundary = Boundary(seconds=fields.get("seconds", number), kind=fields.get("kind", text))
    fields.close()
    return boundary


def _qualification(value: object, at: str) -> tuple[SubjectId, Digest]:
    subject, digest = several(text, 2)(value, at)
    return SubjectId(subject), Digest(digest)


def _subject(value: object, at: str) -> SubjectId:
    return SubjectId(text(value, at))
