"""The registry: what is in force, whether every gateway plans on it, and whether the file says the same."""

from collections.abc import Iterator, Sequence

from nats.aio.client import Client

from interpose.bus import presence
from interpose.bus.presence import Present
from interpose.config.load import Loaded, load
from interpose.contracts.registry import Document
from interpose.doctor.finding import Finding, bad, note, ok
from interpose.embedded.needs import Needs
from interpose.errors import BusUnavailable, ConfigurationError, InvalidInput, NoRegistry
from interpose.registry.apply import is_same, next_of
from interpose.registry.store import Store
from interpose.registry.version import Version

GATEWAY = "gateway"


async def check_registry(client: Client, needs: Needs) -> list[Finding]:
    """Everything about the rules in force; the gateways are asked now."""
    try:
        version = await Store(client).read()
    except BusUnavailable as error:
        return [bad("registry", str(error), "`interpose logs broker`")]
    gateways = await presence.info(client, GATEWAY)
    return [*check_document(version), *check_gateways(version.revision, gateways), *_check_file(version, needs)]


def check_document(version: Version) -> Iterator[Finding]:
    """Whether what stands can be planned on, and what in it is switched off."""
    try:
        document = version.document()
    except (NoRegistry, InvalidInput) as error:
        yield bad("registry", str(error), "`interpose hooks apply FILE`, or `interpose hooks rollback`")
        return
    yield ok("registry", f"revision {version.revision}, applied by {document.applied.by}: {document.applied.what}")
    if off := sorted({entry.hook.name for entry in document.entries if not entry.enabled}):
        yield note("registry", f"switched off: {', '.join(off)}", f"`interpose hooks enable {off[0]}` brings it back")


def check_gateways(revision: int, gateways: Sequence[Present]) -> Iterator[Finding]:
    """Whether each gateway that is present plans on that revision."""
    if not gateways:
        yield bad("gateways", "no gateway answers on the bus", "`interpose logs gateway`")
    for gateway in gateways:
        theirs = gateway.metadata.get("revision", "none")
        if theirs == str(revision):
            yield ok("gateways", f"{gateway.instance} plans on revision {revision}")
        else:
            said = f"{gateway.instance} plans on revision {theirs}, in force is {revision}"
            yield bad("gateways", said, "its log says why it cannot use the newer one: `interpose logs gateway`")


def _check_file(version: Version, needs: Needs) -> Iterator[Finding]:
    if needs.path is None:
        return
    try:
        yield check_file(version, load(needs.path))
    except ConfigurationError:
        return  # the configuration's own check has told that


def check_file(version: Version, loaded: Loaded) -> Finding:
    """Whether applying the file now would change anything."""
    if is_same(version, _applied(version, loaded)):
        return ok("file in force", f"{loaded.path} is in force as it stands")
    said = f"{loaded.path} says something else than what is in force"
    return note("file in force", said, f"`interpose hooks apply {loaded.path}` shows the difference, then applies it")


def _applied(version: Version, loaded: Loaded) -> Document:
    return next_of(version, loaded, "doctor").document
