"""What a gateway hears on the bus: calls, and the requests of agents that run their own tools."""

from interpose.bus import subjects
from interpose.bus.responder import Handler, Responder
from interpose.contracts.clients import Scope
from interpose_gateway.adapters.agent_door import AgentDoor
from interpose_gateway.adapters.bus_calls import Answer, BusCalls, BusRequests, own_inbox
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.door import Door
from interpose_gateway.composition.line import Line
from interpose_gateway.settings import GatewaySettings

ASKS = (Scope.EVALUATE,)
ANSWERS = (Scope.EVALUATE, Scope.OPERATE)


async def listen(  # noqa: PLR0913, PLR0917 (what is joined here)
    line: Line, instance: str, settings: GatewaySettings, clients: ClientsFile, door: Door, agents: AgentDoor
) -> list[Responder]:
    """Open every endpoint; calls are the first."""

    def respond(subject: str, handle: Handler) -> Responder:
        queue, most = subjects.GATEWAY_QUEUE, settings.most_in_flight
        return Responder(line.client, subject, queue, instance, handle, own_inbox, concurrency=most)

    def answer(subject: str, how: Answer, scopes: tuple[Scope, ...]) -> Responder:
        return respond(subject, BusRequests(clients, how, scopes).handle)

    responders = [
        respond(subjects.CALLS, BusCalls(door, clients).handle),
        answer(subjects.EVALUATIONS, agents.evaluate, ASKS),
        answer(subjects.REPORTS, agents.report, ASKS),
        answer(subjects.INSTALLS, agents.install, ASKS),
        answer(subjects.APPROVALS, agents.resolve, ANSWERS),
    ]
    for each in responders:
        await each.start()
    return responders
