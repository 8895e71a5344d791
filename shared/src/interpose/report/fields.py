"""What an object holds, read without running any code of its class.

A result may be anything that a tool returned: `__getattr__`, `__iter__`, `__class__` or a property may raise, lie or
never return. So nothing here looks an attribute up in the usual way: instance dictionaries and slots are read through
the descriptors that the interpreter itself made.
"""

from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

Fields = dict[object, object]

_MRO: Any = type.__dict__["__mro__"]
_NAMESPACE: Any = type.__dict__["__dict__"]
_QUALNAME: Any = type.__dict__["__qualname__"]
_ARGS: Any = BaseException.__dict__["args"]
_FILE: Any = OSError.__dict__["filename"]
_UNDECLARED = "__pydantic_extra__"
"""Where a pydantic model keeps the fields that it does not declare."""


def fields_of(value: object) -> Fields:
    """The public fields of an object: its slots, its instance dictionary, and the arguments of an exception."""
    kind = type(value)
    found: Fields = {"type": name_of(kind), "args": arguments_of(value)} if issubclass(kind, BaseException) else {}
    slots = _slots(value)
    found.update(_public(slots))
    found.update(_public(slots.get(_UNDECLARED)))
    found.update(_public(instance_dict(value)))
    return found


def arguments_of(error: object) -> tuple[object, ...]:
    """What an exception was raised with, and the file that an error of the system is about."""
    raised_with: tuple[object, ...] = _ARGS.__get__(error)
    named = _FILE.__get__(error) if issubclass(type(error), OSError) else None
    return raised_with if named is None else (*raised_with, named)


def instance_dict(value: object) -> object:
    """The dictionary behind an instance's attributes; None where there is none. All that a module holds is no field."""
    if issubclass(type(value), ModuleType):
        return None
    for owner in _MRO.__get__(type(value)):
        descriptor = _NAMESPACE.__get__(owner).get("__dict__")
        if type(descriptor) in (GetSetDescriptorType, MemberDescriptorType):
            return descriptor.__get__(value)
    return None


def name_of(kind: type) -> str:
    """What a class was called when it was made."""
    return str.__str__(_QUALNAME.__get__(kind))


def _slots(value: object) -> Fields:
    found: Fields = {}
    for owner in reversed(_MRO.__get__(type(value))):
        namespace = _NAMESPACE.__get__(owner)
        if "__slots__" not in namespace:
            continue
        for name, descriptor in namespace.items():
            if type(descriptor) is MemberDescriptorType:
                found.update(_filled(name, descriptor, value))
    return found


def _filled(name: object, descriptor: Any, value: object) -> Fields:
    try:
        return {name: descriptor.__get__(value)}
    except AttributeError:  # nothing was ever put into this slot
        return {}


def _public(fields: Any) -> Fields:
    """Those with a public name. A class has a read-only view in the place of a dictionary: no fields."""
    if not issubclass(type(fields), dict):
        return {}
    return {name: held for name, held in dict.items(fields) if _is_public(name)}


def _is_public(name: object) -> bool:
    return type(name) is str and not name.startswith("_")
