"""A document as a configuration file that, applied again, enforces the same: as JSON, or as YAML that says no more.

Hooks of all owners stand in it, and applying makes them the file's; temporary ones do not, since they end by
themselves. Whether a hook is disabled no file can say: the registry keeps that by its name.
"""

import json

import yaml

from interpose.config.yaml_scalars import resolve
from interpose.contracts.config import Frame
from interpose.contracts.faults import wire_names
from interpose.contracts.model import JsonObject
from interpose.contracts.registry import Document


def to_file(document: Document) -> JsonObject:
    """The configuration as it was given, without defaults."""
    wire = document.to_wire()
    hooks: dict[str, list[JsonObject]] = {}
    for entry, written in zip(document.entries, wire["entries"], strict=True):
        if not entry.temporary:
            hooks.setdefault(entry.key, []).append(written["hook"])
    return {"hooks": hooks} | {part: wire[part] for part in wire_names(Frame) if part in wire}


def to_json(value: JsonObject) -> str:
    """Indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def to_yaml(value: JsonObject) -> str:
    """YAML in the values' own order, every text in quotes that could be read as something else."""
    return str(yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120))


class _Plain(yaml.SafeDumper):
    """Without anchors, which the reader refuses."""

    def ignore_aliases(self, data: object) -> bool:
        """Write every value out."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if _is_plain(text) else '"')


def _is_plain(text: str) -> bool:
    try:
        return resolve(text) == text
    except ValueError:
        return False


_Plain.add_representer(str, _text)
