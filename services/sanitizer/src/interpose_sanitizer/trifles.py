"""What people try a model with, in English: what is written to it when only the turns are to be seen.

All of it is known: who it is, what it is asked, what it answers, the weather that a tool tells of. A word more, a name
of what can be harmed, and it is none: an attacker may write a test or a log around a turn, too.
"""

import re

from interpose_sanitizer import innocent

LONGEST = 90
"""Characters of a sentence at most."""
_TOKENS = re.compile(r"<{1,2}[^<>\n]{1,40}>{1,2}|\[ ?/? ?[a-z_]{1,20} ?\]|#{2,4} ?[a-z]{4,12}:|\\[nrt]")
_PARTS = re.compile(r"(?<=[.!?。])(?:\s|(?=[^\x00-\x7f]))|\n| {2,8}")
_RISKY = re.compile(
    r"://|[@$/\\`<>]|\b(?:my|our|their|his|her|this|that|these|those|above|below|users?|systems?|prompts?|rules?"
    r"|instructions?"
    r"|passwords?|passphrases?|keys?|secrets?|tokens?|credentials?|codes?|pins?|e-?mails?|mails?|inbox|contacts?|accounts?"
    r"|files?|folders?|databases?|conversations?|history|sessions?|memory|tools?|commands?|links?|url|money|payments?|invoices?"
    r"|admin\w{0,11}|root|allow\w{0,3}|authori\w{0,7}|approv\w{0,5}|confirm\w{0,6}|requir\w{0,3}|must|should|now|instead|always"
    r"|never|ignor\w{0,3}|delet\w{0,3}|remov\w{0,3}|eras\w{0,3}|send\w{0,3}|sent|forward\w{0,3}|transfer\w{0,4}|wir(?:e|ed|ing)"
    r"|pay\w{0,3}|buy\w{0,3}|book\w{0,3}|post\w{0,3}|run\w{0,4}|call\w{0,3}|grant\w{0,3}|data)\b"
)
"""What could be harmed, is nearby, or does harm."""
_AT_EDGES = " \t\n,;:\"'`(){}"
"""What stands around a string."""
_ROLE = r"(?:system|user|assistant|human|model|tools?|developer)"
_LANGUAGE = (
    r"(?:english|french|german|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|welsh|irish|polish|czech"
    r"|hungarian|romanian|russian|ukrainian|greek|turkish|arabic|hebrew|hindi|bengali|tamil|thai|vietnamese|indonesian"
    r"|swahili|chinese|japanese|korean|latin)"
)
_KIND = (
    r"(?:helpful|friendly|honest|polite|concise|brief|patient|kind|curious|cheerful|museum|travel|city|tour|cooking|kitchen"
    r"|garden|gardening|music|history|science|geography|maths?|language|weather|library|art|spelling)"
)
_WHO = (
    r"(?:assistant|chatbot|bot|guide|teacher|tutor|librarian|translator|chef|cook|poet|pirate|historian|gardener|expert"
    r"|companion|helper)"
)
_WORDS = r"[a-z'-]{1,24}(?: [a-z'-]{1,24})"
"""Some words, the first of which is one at least: how many more is said behind it."""
_SAID = re.compile(
    r"(?:hello|hi|hey|hi there|hello there|hey there|hello,? world|good (?:day|morning|evening|night)|thanks|thank you"
    r"|bye|goodbye|ok|okay|yes|no|sure|test|foo|bar|baz|how are you|i am fine|i'm fine|let me (?:look|check|see|think)"
    r"|be (?:brief|concise|helpful|polite|kind|friendly|terse|nice)"
    rf"|you are (?:[a-z]{{2,12}}, )?an? (?:{_KIND},? ){{0,2}}{_WHO}|you are (?:helpful|friendly|concise|terse|brief)"
    rf"|(?:answer|reply|respond|speak) (?:only )?in {_LANGUAGE}"
    rf"|translate (?:\"[^\"]{{1,40}}\"|'[^']{{1,40}}'|“[^”]{{1,40}}”) (?:in)?to {_LANGUAGE}"
    r"|(?:what|who|where|when) (?:is|are|was|were|does|do|did|built|wrote|painted|invented|discovered)"
    rf" {_WORDS}{{0,5}}|how (?:many|much|old|far|long|big|tall|high|deep) {_WORDS}{{0,5}}"
    r"|(?:what|how) about (?:the )?[a-z]{2,14}(?<!ing)"
    r"|(?:write|tell me) an? (?:short )?(?:poem|haiku|story|joke|limerick|riddle)"
    r"(?: (?:about|on) (?:an? |the )?[a-z]{2,14})?"
    rf"|(?:please )?explain|(?:explain|describe|define) (?:the |an? )?[a-z-]{{3,16}}"
    r"|what is [0-9]{1,3} ?[-+*x] ?[0-9]{1,3}|[0-9]{1,4}"
    r"|the [a-z]{2,12}(?: of (?:the )?[a-z]{2,14})? (?:is|was) (?:the )?[a-z]{2,14}"
    r"|it(?: is|'s) [a-z0-9]{1,24}(?: [a-z0-9]{1,24}){0,2}"
    r"|(?:cutting )?knowledge (?:cutoff )?date: [a-z]{3,9} [0-9]{4}|today(?:'s)? date: [0-9a-z ,-]{6,18}"
    r"|to me)"
)
_LABEL = re.compile(rf"(?:analysis|commentary|final|json|text|{_ROLE}(?::? to me)?)")
"""A channel, or who speaks."""
_DEED = (
    r"(?:get|fetch|read|look_?up)?_?(?:current_)?(?:weather|temperature|forecast|time|date|tides?|timetable|sunrise|sunset)"
    r"|add|sum|multiply|divide|subtract|square|calculator|echo|f|g|foo|bar"
)
"""What tools do in examples: none of it changes anything, or tells what is nobody else's business."""
_CALL = re.compile(rf"(?:(?:commentary|analysis) )?to=functions\.(?:{_DEED})|functions\.(?:{_DEED}) to=assistant")
_WORTH = r"(?:[a-z]{1,16}(?<!prompt)|[0-9.]{1,6})"
_KEY = (
    r"(?:location|city|place|town|country|port|station|unit|format|date|day|ok|status|sunny|rainy|temperature|humidity|wind"
    r"|result|sum|error|[a-z])"
)
_FIELD = rf'"{_KEY}" ?: ?(?:"{_WORTH}"|{_WORTH})'
_FIELDS = rf"\{{ ?(?:{_FIELD}(?: ?, ?{_FIELD}){{0,4}})? ?\}}"
_NAMED = rf'\{{ ?"name" ?: ?"(?:{_DEED})"(?: ?, ?"(?:arguments|parameters)" ?: ?{_FIELDS})? ?\}}'
_DATA = re.compile(rf"(?:{_FIELDS}|{_NAMED}|\[ ?(?:{_FIELDS}|{_NAMED})(?: ?, ?(?:{_FIELDS}|{_NAMED})){{0,4}} ?\])")


def are_alone(said: str) -> bool:
    """Whether a part of a line of code or of a log holds tokens, and nothing but that beside them."""
    shown = said.lstrip(f"]{_AT_EDGES}").rstrip(_AT_EDGES)
    return _TOKENS.search(shown) is not None and are_all(shown)


def are_all(said: str) -> bool:
    """Whether nothing else is said between the tokens of a shadow."""
    shown = said.replace('\\"', '"')
    return all(_is_one(part.strip(" \t\r.!?…")) for part in _PARTS.split(_TOKENS.sub("\n", shown)))


def _is_one(part: str) -> bool:
    if not part or innocent.is_innocent(part) or any(way.fullmatch(part) for way in (_LABEL, _CALL, _DATA)):
        return True
    return len(part) <= LONGEST and _SAID.fullmatch(part) is not None and _RISKY.search(part) is None
