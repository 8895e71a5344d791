"""The registry as ONE document: every hook with its owner, and what stands beside the hooks.

It is applied whole or not at all, and lives under the key `current` of the KV bucket `HOOKS`: the bucket's revision is
the registry's. It is written as it was given, without defaults; its digest is taken with every default written out, so
that it tells what the rules mean.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from interpose.contracts.config import Configuration, Frame, HookKey, HookSpec
from interpose.contracts.digest import digest
from interpose.contracts.limits import MIB
from interpose.contracts.model import Closed, HookName, JsonObject

SCHEMA: Literal["interpose.registry/1"] = "interpose.registry/1"
RECORD_SCHEMA: Literal["interpose.registry-record/1"] = "interpose.registry-record/1"
REGISTRY_BYTES = 4 * MIB
"""The most that a document may have: as base64, and inside a record, it still passes the broker."""


class Owner(StrEnum):
    """Who put a hook into the registry. Nobody but a person with the operator's key alters another owner's hook."""

    FILE = "file"
    OPERATOR = "operator"
    WORKER = "worker"


class Entry(Closed):
    """One hook under one key. A disabled entry stays in the document and is not in force."""

    key: HookKey
    hook: HookSpec
    owner: Owner = Field(strict=False)
    source: str = Field(
        min_length=1,
        description="The file's path, `user@host` and the file of a temporary hook, or the worker's instance.",
    )
    enabled: bool = True
    temporary: bool = Field(default=False, description="Whether it goes when its worker stops cleanly.")

    @property
    def standing(self) -> tuple[HookSpec, Owner, str, bool, bool]:
        """Everything but the key: the same for all entries of one name."""
        return self.hook, self.owner, self.source, self.enabled, self.temporary


class Applied(Closed):
    """When, by whom and with which words a document was put in force."""

    at: datetime = Field(strict=False)
    by: str
    what: str


class Document(Frame):
    """The whole registry; entries stand in the order in which their hooks are asked."""

    document_schema: Literal["interpose.registry/1"] = Field(alias="schema")
    entries: list[Entry]
    applied: Applied

    @model_validator(mode="after")
    def _one_name_one_hook(self) -> Self:
        seen: dict[str, Entry] = {}
        for entry in self.entries:
            if seen.setdefault(entry.hook.name, entry).standing != entry.standing:
                raise ValueError(f"{entry.hook.name} stands in it twice and differs; one name is one hook of one owner")
        return self

    @property
    def frame(self) -> dict[str, Any]:
        """What it says beside its entries, by field name; fields that nobody wrote are absent."""
        return {name: getattr(self, name) for name in Frame.model_fields if name in self.model_fields_set}

    def configuration(self) -> Configuration:
        """The configuration in force: enabled entries by their keys, in order, and everything beside them."""
        hooks: dict[str, list[HookSpec]] = {}
        for entry in self.entries:
            if entry.enabled:
                hooks.setdefault(entry.key, []).append(entry.hook)
        return Configuration(hooks=hooks, **self.frame)

    def of(self, name: str) -> list[Entry]:
        """The entries of one hook."""
        return [entry for entry in self.entries if entry.hook.name == name]

    def to_wire(self) -> JsonObject:
        """The document as a JSON object: what was given, and no default."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def meaning(self) -> JsonObject:
        """All but `applied` with every default written out; a tool's `actionFrom` is absent where nobody gave one."""
        meaning = self.model_dump(mode="json", by_alias=True, exclude={"applied"})
        for name, tool in self.tools.items():
            if "action_from" not in tool.model_fields_set:
                del meaning["tools"][name]["actionFrom"]
        return meaning

    @property
    def digest(self) -> str:
        """Of its meaning: equal rules of equal owners, equal digests, whoever applied them and when."""
        return digest(self.meaning())


class RegistryRecord(Closed):
    """The record of one applied document: made of the document and its revision alone, so it can be made again."""

    model_config = Closed.model_config | {"serialize_by_alias": True}

    record_schema: Literal["interpose.registry-record/1"] = Field(default=RECORD_SCHEMA, alias="schema")
    at: datetime = Field(strict=False)
    by: str
    what: str
    revision: int
    digest: str
    document: Document

    @classmethod
    def of(cls, revision: int, document: Document) -> Self:
        """The record of this document under this revision."""
        applied = document.applied
        return cls(
            at=applied.at,
            by=applied.by,
            what=applied.what,
            revision=revision,
            digest=document.digest,
            document=document,
        )

    def to_wire(self) -> JsonObject:
        """The record as a JSON object; the document as it was given."""
        return self.model_dump(mode="json", exclude={"document"}) | {"document": self.document.to_wire()}


class Manifest(HookSpec):
    """What a worker says of its own hook in the `manifest` of its `$SRV.INFO`: the hook and its keys.

    It has a service, and so never a script: only the configuration says which program runs.
    """

    service: HookName
    keys: list[HookKey] = Field(min_length=1)

    @property
    def hook(self) -> HookSpec:
        """The hook that it asks for."""
        said = {name: getattr(self, name) for name in HookSpec.model_fields if name in self.model_fields_set}
        return HookSpec(**said)

    def to_wire(self) -> JsonObject:
        """The manifest as a JSON object, without defaults."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
