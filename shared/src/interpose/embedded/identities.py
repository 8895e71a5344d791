"""Who is on the bus: one nkey for each identity, and the file that lists them.

An identity's seed is its secret and stands in a file of its own; the directory holds public keys and names only.
"""

import os
from collections.abc import Iterable
from enum import StrEnum
from typing import Self

import nkeys  # type: ignore[import-untyped]  # it ships no types
from pydantic import Field, ValidationError

from interpose.contracts.model import Closed
from interpose.contracts.names import token
from interpose.embedded.files import create_private, replace_private
from interpose.embedded.home import Home
from interpose.errors import ConfigurationError


class Role(StrEnum):
    """What an identity may do; `interpose.embedded.permissions` says exactly what."""

    GATEWAY = "gateway"
    OPERATOR = "operator"
    SERVICE = "service"
    TOOL = "tool"
    CLIENT = "client"


class Identity(Closed):
    """One user of the bus. `name` is None for the gateway and the operator: there is one of each."""

    role: Role = Field(strict=False)
    name: str | None = None
    public_key: str

    @property
    def label(self) -> str:
        """`gateway`, `service-validator`: the name of its seed file."""
        return label_of(self.role, self.name)


class Directory(Closed):
    """Every identity that the broker knows, and where that is: our own port on loopback, or the URL of another's."""

    broker: int | str
    identities: list[Identity] = Field(default_factory=list)

    @property
    def url(self) -> str:
        """Where everybody connects."""
        return self.broker if isinstance(self.broker, str) else f"nats://127.0.0.1:{self.broker}"

    @property
    def port(self) -> int | None:
        """The port of the broker that is ours to start, or None."""
        return self.broker if isinstance(self.broker, int) else None

    def including(self, identities: Iterable[Identity]) -> Self:
        """The same directory with these identities; one that is there already is replaced in its place."""
        merged = {each.label: each for each in (*self.identities, *identities)}
        return self.model_copy(update={"identities": list(merged.values())})

    def without(self, label: str) -> Self:
        """The same directory without that identity."""
        return self.model_copy(update={"identities": [each for each in self.identities if each.label != label]})

    def knows(self, label: str) -> bool:
        """Whether that identity is in it."""
        return any(each.label == label for each in self.identities)

    @classmethod
    def read(cls, home: Home) -> Self | None:
        """The directory of this home, or None when it was never provisioned. Raises ConfigurationError."""
        try:
            return cls.model_validate_json(home.directory.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise ConfigurationError(
                f"{home.directory} is damaged; move {home.nats} away and start again: {error.error_count()} faults"
            ) from error

    def write(self, home: Home) -> None:
        """Replace the directory as a whole."""
        replace_private(home.directory, self.model_dump_json(indent=1).encode())


def label_of(role: Role, name: str | None) -> str:
    """The file name of an identity: names that are no plain token are hashed, so no name can leave the folder."""
    return role.value if name is None else f"{role.value}-{token(name)}"


def ensure_identity(home: Home, role: Role, name: str | None = None) -> Identity:
    """The identity with its key: an existing seed is kept, a missing one is drawn. Raises ConfigurationError."""
    path = home.seed(label_of(role, name))
    create_private(path, nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER))
    try:
        pair = nkeys.from_seed(bytearray(path.read_bytes().strip()))
        return Identity(role=role, name=name, public_key=pair.public_key.decode())
    except (nkeys.NkeysError, ValueError) as error:
        raise ConfigurationError(f"{path} holds no nkey seed ({error}); remove it and start again") from error
