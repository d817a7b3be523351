"""Python values as the text of scenario files."""
from __future__ import annotations

import json
import os
import re
from typing import Any, Iterable, List, Mapping, Optional, Union

from .errors import wrong

Settings = Union[Mapping[str, Any], Iterable[str], None]

# Words that YAML would take for something else than text.
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~", ".nan", ".inf"}
_PLAIN = re.compile(r"[A-Za-z_./][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*\Z")


def text_of(value: str) -> str:
    """Text, in quotation marks where YAML needs them."""
    if _PLAIN.match(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any) -> str:
    """A value in one line: numbers with all their digits, lists, mappings, NumPy's as well."""
    kind = type(value)
    if kind is float:
        return repr(value)
    if kind is str:
        return text_of(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return repr(value)
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text_of(str(key))}: {flow(each)}" for key, each in value.items()) + "}"
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return flow(value.tolist())
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    for base, convert in ((bool, bool), (int, int), (float, float), (str, str)):
        if isinstance(value, base):
            return flow(convert(value))
    raise wrong(f"a {kind.__name__} cannot be written into a scenario", "give numbers, text, lists or dicts",
                value=repr(value))


def setting(key: str, value: Any) -> str:
    """As `cosimo run --set` takes it; text is taken as it is, as there: "20 km/h", "{parts: 2}"."""
    return f"{key}={value if isinstance(value, str) else flow(value)}"


def settings_of(settings: Settings) -> List[str]:
    if settings is None:
        return []
    if isinstance(settings, Mapping):
        return [setting(key, value) for key, value in settings.items()]
    if isinstance(settings, str):
        raise wrong("settings are a dict, or a list of key=value", "write {key: value}", value=settings)
    return list(settings)


def counted(number: int, thing: str, more: Optional[str] = None) -> str:
    return f"{number} {thing if number == 1 else more or thing + 's'}"
