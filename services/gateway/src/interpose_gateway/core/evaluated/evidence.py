"""What a report establishes beside its result: sifted entry by entry, kept where that can be. None fails another."""

from dataclasses import dataclass

from interpose.contracts.ask import Context
from interpose.contracts.digest import size
from interpose.contracts.evaluation import EVIDENCE_BYTES, EVIDENCE_ENTRIES, Evidence, EvidenceKept, Report, Reported
from interpose.contracts.record import KeptEvidence
from interpose_gateway.core.evaluated.ports import EvidenceStore

DEFAULT_TTL_S = 24 * 3600
"""How long evidence holds whose report does not say."""
UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Sifted:
    """One entry, and why it is not kept; None: it is to be."""

    entry: Evidence
    reason: str | None

    @property
    def kept(self) -> KeptEvidence:
        """As it stands on the record."""
        entry = self.entry
        return KeptEvidence(
            evidence_key=entry.evidence_key, evidence_data=entry.evidence_data, ttl_seconds=entry.ttl_seconds
        )


def sift(asked: Report, context: Context) -> list[Sifted]:
    """Every entry of a report, in its order."""
    return [Sifted(entry, _objection(place, entry, asked, context)) for place, entry in enumerate(asked.evidence)]


async def keep(store: EvidenceStore, context: Context, sifted: list[Sifted]) -> tuple[KeptEvidence, ...]:
    """Those that are durable now, in order. A store that is away is not asked for each of them."""
    kept: list[KeptEvidence] = []
    for each in sifted:
        if each.reason is None and context.session is not None:
            entry = each.entry
            ttl_s = entry.ttl_seconds or DEFAULT_TTL_S
            if not await store.keep(context.tenant, context.session, entry.evidence_key, entry.evidence_data, ttl_s):
                break
            kept.append(each.kept)
    return tuple(kept)


def told(sifted: list[Sifted], kept: list[KeptEvidence]) -> list[EvidenceKept]:
    """What the agent is told of each entry. The record has those that were kept: the first ones that could be."""
    left = len(kept)
    answers: list[EvidenceKept] = []
    for each in sifted:
        is_stored = each.reason is None and left > 0
        left -= is_stored
        reason = None if is_stored else each.reason or UNAVAILABLE
        answers.append(EvidenceKept(evidence_key=each.entry.evidence_key, stored=is_stored, reason=reason))
    return answers


def _objection(place: int, entry: Evidence, asked: Report, context: Context) -> str | None:
    if place >= EVIDENCE_ENTRIES:
        return "too_many"
    if asked.status is not Reported.SUCCESS:
        return "not_successful"
    if size(entry.evidence_data) > EVIDENCE_BYTES:
        return "too_large"
    return "no_session" if context.session is None else None
