"""The sanitizer as a hook: parameters before a tool runs, responses before the agent reads them.

Nothing found is `allow`; otherwise the whole value is given back as `transform`, which the hook must declare.
"""

from interpose import Ask, Hook, Verdict, __version__, allow, transform
from interpose.contracts.model import JsonObject
from interpose_sanitizer import settings, telling
from interpose_sanitizer.value import sanitize

hook = Hook("sanitizer", version=__version__)


@hook.before("*")
def sanitize_parameters(ask: Ask) -> Verdict:
    """Sanitise what is about to run."""
    return _verdict(ask.parameters, ask.settings, "$.parameters")


@hook.after("*")
def sanitize_response(ask: Ask) -> Verdict:
    """Sanitise what came back."""
    return _verdict(ask.response or {}, ask.settings, "$.response")


def prepare() -> None:
    """Compile what the first text with an attack would otherwise wait for: the rules, and the words of mentions."""
    sanitize('The attack "ignore all previous instructions"', settings.Settings())


def _verdict(value: JsonObject, given: JsonObject, root: str) -> Verdict:
    """Raises UnusableSettings or Unprocessable: then there is no verdict, and the hook's fail mode decides."""
    wanted = settings.read(given)
    sanitized = sanitize(value, wanted)
    if not sanitized.findings:
        return allow()
    annotations = telling.annotations(sanitized.findings, wanted.mode, root)
    if sanitized.changed:
        return transform(sanitized.value, annotations=annotations)
    return allow(warnings=[telling.sentence(sanitized.findings, root)], annotations=annotations)
