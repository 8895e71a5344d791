"""Workers that register themselves, through the real permissions: what is added, and what a manifest can never do."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpose import Ask, Hook, Verdict, allow
from interpose.config.load import load
from interpose.embedded import stream
from interpose.embedded.registration import MANIFEST, Registration
from interpose.hook.worker import Endpoint, attend
from interpose.registry.apply import apply_file
from interpose.registry.changes import now, switched
from interpose.registry.store import Store

pytestmark = pytest.mark.server


class Scene:
    """An operator that looks for manifests, and what it told."""

    def __init__(self, broker: Any, operator: Any, path: Path) -> None:
        self.broker = broker
        self.operator = operator
        self.store = Store(operator)
        self.told: list[str] = []
        self.registration = Registration(self.store, lambda event: self.told.append(event.message))
        self._path = path

    async def apply(self, configuration: dict[str, Any]) -> None:
        """Put a file in force."""
        self._path.write_text(json.dumps(configuration))
        await apply_file(self.store, load(self._path), "me")

    async def serve(self, service: str, instance: str, manifest: str | None) -> Any:
        """A worker of that service that announces this text."""
        client = await self.broker.connect(f"service-{service}")
        endpoint = Hook(service).endpoint()
        metadata = {} if manifest is None else {MANIFEST: manifest}
        told = Endpoint(endpoint.role, service, "1", endpoint.subject, endpoint.queue, endpoint.handle, metadata)
        await attend(client, told, instance, 4)
        return client

    async def entries(self) -> list[tuple[str, str, str, str]]:
        """Key, name, owner and source of each entry."""
        document = (await self.store.read()).document()
        return [(each.key, each.hook.name, each.owner.value, each.source) for each in document.entries]


@pytest.fixture
async def scene(broker: Any, tmp_path: Path) -> Scene:
    """Stream and bucket are made; nothing is in force."""
    operator = await broker.connect("operator")
    await stream.ensure(operator)
    return Scene(broker, operator, tmp_path / "interpose.json")


def manifest(name: str = "validator", **settings: Any) -> str:
    """What `interpose run` announces for a hook with one handler before and one after."""
    hook = Hook(name, **settings)

    @hook.before("Bash")
    def before(_ask: Ask) -> Verdict:
        return allow()

    hook.after("web_fetch")(before)
    said = hook.manifest()
    assert said is not None
    return json.dumps(said.to_wire())


async def test_a_manifest_adds_its_hook_once(scene: Scene) -> None:
    """Behind the file's, under each key, as the worker's; more looks and a second worker add nothing."""
    await scene.apply({"hooks": {"before:*": [{"name": "own", "service": "own"}]}})
    await scene.serve("validator", "v-1", manifest(fail_mode="warn", timeout_ms=700))

    await scene.registration.look()
    await scene.serve("validator", "v-2", manifest(fail_mode="warn", timeout_ms=700))
    for _ in range(2):
        await scene.registration.look()

    added = [("before:Bash", "validator", "worker", "v-1"), ("after:web_fetch", "validator", "worker", "v-1")]
    assert [("before:*", "own", "file", str(scene._path)), *added] == await scene.entries()
    assert 2 == (await scene.store.read()).revision
    assert 1 == len(scene.told)
    assert "interpose hooks remove validator" in scene.told[0]


async def test_a_hook_stays_registered_when_its_worker_goes(scene: Scene) -> None:
    """Registered and absent is a failure, never "not there"."""
    await scene.apply({"hooks": {}})
    worker = await scene.serve("validator", "v-1", manifest())
    await scene.registration.look()

    await worker.close()
    await scene.registration.look()

    assert 2 == len(await scene.entries())


Said = Callable[[], str]

LEFT_ALONE: dict[str, tuple[dict[str, Any], str, str]] = {
    "the file's hook of that name": (
        {"hooks": {"before:*": [{"name": "validator", "service": "validator"}]}},
        manifest(fail_mode="warn"),
        "those of the file count",
    ),
    "closed registration": ({"hooks": {}, "registration": "closed"}, manifest(), "registration is closed"),
    "no JSON": ({"hooks": {}}, "{", "not acceptable JSON"),
    "another form": ({"hooks": {}}, '{"name": "validator"}', "$.keys: is required"),
    "an unknown field": ({"hooks": {}}, json.dumps(json.loads(manifest()) | {"x": 1}), "unknown field"),
    "a script": (
        {"hooks": {}},
        json.dumps(json.loads(manifest()) | {"script": "/bin/sh"}),
        "exactly one of service and script",
    ),
    "another service": ({"hooks": {}}, manifest("script-runner"), "and it serves validator"),
    "a hook that needs nobody": ({"hooks": {}}, manifest(needs=["nobody"]), "nobody"),
}


@pytest.mark.parametrize(("rules", "announced", "said"), LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
async def test_what_is_not_registered_is_told_once(
    scene: Scene, rules: dict[str, Any], announced: str, said: str
) -> None:
    """The registry stays as it is."""
    await scene.apply(rules)
    before = await scene.entries()
    await scene.serve("validator", "v-1", announced)

    for _ in range(2):
        await scene.registration.look()

    assert before == await scene.entries()
    assert 1 == len(scene.told)
    assert said in scene.told[0]


def heard(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What workers were told by the operator, in their own logs."""
    return [record.getMessage() for record in caplog.records if record.name == "interpose.bus.announcer"]


NOT_IN_FORCE: dict[str, tuple[dict[str, Any], str, str]] = {
    "closed registration": (
        {"hooks": {}, "registration": "closed"},
        manifest(),
        "hook validator is NOT in force: registration is closed, so no worker brings a hook in; write it into the"
        " configuration and apply that",
    ),
    "the file's hook of that name": (
        {"hooks": {"before:*": [{"name": "validator", "service": "validator"}]}},
        manifest(fail_mode="warn"),
        "hook validator is not in force as it is announced here: the file (",
    ),
    "another form": (
        {"hooks": {}},
        '{"name": "validator"}',
        "what is announced here is NOT in force: the manifest of v-1 is not acceptable",
    ),
}


@pytest.mark.parametrize(("rules", "announced", "said"), NOT_IN_FORCE.values(), ids=NOT_IN_FORCE.keys())
async def test_a_worker_whose_hook_is_not_in_force_is_told_so(
    scene: Scene, caplog: pytest.LogCaptureFixture, rules: dict[str, Any], announced: str, said: str
) -> None:
    """With the reason, once; who announces as it stands in the registry hears nothing."""
    await scene.apply(rules)
    worker = await scene.serve("validator", "v-1", announced)

    for _ in range(2):
        await scene.registration.look()
        await scene.broker.settle(scene.operator, worker)

    [told] = heard(caplog)
    assert told.startswith(f"the operator says: {said}")
    assert {"WARNING"} == {record.levelname for record in caplog.records if record.getMessage() == told}


async def test_a_worker_is_told_when_its_hook_comes_into_force(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """Closed, then written into the file, then disabled: each once."""
    await scene.apply({"hooks": {}, "registration": "closed"})
    worker = await scene.serve("validator", "v-1", manifest())
    written = {key: [{"name": "validator", "service": "validator"}] for key in ("before:Bash", "after:web_fetch")}
    mended = {"hooks": written, "registration": "closed"}

    async def look() -> None:
        for _ in range(2):
            await scene.registration.look()
            await scene.broker.settle(scene.operator, worker)

    await look()
    await scene.apply(mended)
    await look()
    version = await scene.store.read()
    await scene.store.put(switched(version.document(), "validator", now("x", "x"), enabled=False), version.revision)
    await look()

    first, second, third = heard(caplog)
    assert "is NOT in force: registration is closed" in first
    assert second == "the operator says: hook validator is in force as it is announced here"
    assert third.endswith(
        "hook validator is NOT in force: it is disabled; `interpose hooks enable validator` ends that"
    )


async def test_closed_registration_says_nothing_of_a_hook_that_the_file_has(scene: Scene) -> None:
    """It is in force as it is announced, and nothing has to be done."""
    hooks = {key: [{"name": "validator", "service": "validator"}] for key in ("before:Bash", "after:web_fetch")}
    await scene.apply({"hooks": hooks, "registration": "closed"})
    await scene.serve("validator", "v-1", manifest())

    await scene.registration.look()

    assert [] == scene.told


async def test_nobody_but_the_operator_tells_a_worker(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """The broker refuses it to everybody else, and a worker drops what has another's reply subject."""
    worker = await scene.serve("validator", "v-1", manifest())
    for label in ("gateway", "client-local", "service-script-runner", "tool-echo"):
        other = await scene.broker.connect(label)
        await other.publish("$SRV.TELL.validator.v-1", b"all is well", reply="_INBOX_operator.x")
        await scene.broker.settle(other, worker)
        assert any("$srv.tell" in str(error).lower() for error in scene.broker.errors[label])
    await scene.operator.publish("$SRV.TELL.validator.v-1", b"all is well", reply="_INBOX_client.local.x")
    await scene.broker.settle(scene.operator, worker)

    assert [] == heard(caplog)


async def test_a_manifest_alters_no_worker_s_hook(scene: Scene) -> None:
    """Another announcement under a registered name changes nothing, whoever makes it: nothing proves who it is."""
    await scene.apply({"hooks": {}})
    first = await scene.serve("validator", "v-1", manifest())
    await scene.registration.look()
    before = (await scene.store.read()).data
    await first.close()
    await scene.serve("validator", "v-2", manifest(fail_mode="warn"))

    await scene.registration.look()

    assert before == (await scene.store.read()).data
    assert "those of the worker count, or `interpose hooks remove validator` to have it anew" in scene.told[-1]


async def test_no_manifest_opens_a_gateway_without_rules(scene: Scene) -> None:
    """Where nothing is in force every call is refused, and a worker cannot change that."""
    await scene.serve("validator", "v-1", manifest())

    await scene.registration.look()

    assert 0 == (await scene.store.read()).revision


async def test_an_installed_service_announces_nothing(scene: Scene) -> None:
    """Only `interpose run` announces a manifest."""
    await scene.apply({"hooks": {}})
    await scene.serve("validator", "v-1", None)

    await scene.registration.look()

    assert ([], []) == (await scene.entries(), scene.told)
