"""Who of many carries an attack, and where: everything that was decoded is judged as one."""

import re
from collections.abc import Collection, Iterator, Sequence

from interpose_sanitizer.carried import Attack, Carries, carried
from interpose_sanitizer.classifier.named import LEARNED
from interpose_sanitizer.encoded import cues
from interpose_sanitizer.encoded.budget import OUTLASTS, Budget
from interpose_sanitizer.encoded.dumps import LONGEST_ORDER
from interpose_sanitizer.encoded.escapes import BACKSLASH, CODE_POINTS, ENTITY, PERCENT
from interpose_sanitizer.encoded.layers import Decoded, Part, Where
from interpose_sanitizer.findings import ATTACKS, Family, Hit, Span
from interpose_sanitizer.matching import MOST_MATCHES
from interpose_sanitizer.rules import Place
from interpose_sanitizer.shadow import fold_text

DECLARED, WORDS = "base64", "reversed-words"
BEFORE = 400
"""How far is looked for what hides a text, in characters."""
BESIDE = 400
"""How far the rest of a word is looked for, in characters."""

Found = tuple[Part, Attack]
Told = tuple[Where, Attack]
_WORD, _ASCII_WORD = re.compile(r"[^\W\d_]{2,}"), re.compile(r"(?<!\w)[a-z]{2,}+(?!\w)")
_LONG_WORD = re.compile(r"[A-Za-z]{4}")
_SHOWN = frozenset({ENTITY, PERCENT, BACKSLASH, CODE_POINTS})
_BLANKS = re.compile(
    r"&(?:#(?:0*+(?:9|10|13|32)|[xX]0*+(?:9|[aA]|[dD]|20))(?![0-9a-fA-F])|Tab;|NewLine;)"
    r"|(?:\\(?:x|u00|U0{6}|u\{0*+)|U\+0{2,4})20(?![0-9a-fA-F])|\\0?40(?![0-7])"
)
_HIDES = re.compile(
    r"(?i)hidden|display|visibility|opacity|font-size|color:|clip|position|template|<!--|/\*|\[//\]|\]\(|<script|noscript"
)
_MAILED = re.compile(
    r"(?i)(?<![^\n])content-transfer-encoding:[ \t]{0,8}(base64[ \t\r]{0,8}(?:\n[a-z][^\n]{0,200}){0,8}\n\r?\n)"
)
"""The head of a mail, or of a part of one, whose text is written so whatever it says. Its last word may be read as if
it were the first of that."""
_CONTENT = re.compile(r"\"content\"\s?:\s?\"\Z")
_IN_BASE64 = re.compile(r"\"encoding\"\s?:\s?\"base64\"")
"""What interfaces of repositories say beside a file (GitHub REST, repository contents)."""
LONGEST_HEAD = 80
"""Characters of it behind the place where a payload is taken to begin."""
_ADDRESS = re.compile(r"\W{0,6}https?://\S+")
_FIRST, _LAST = re.compile(r"\S*+"), re.compile(r"(?<!\S)\S*+\Z")
_AFRESH = re.compile(r"[.!?\u2026]++\s++")
_TURNED = frozenset({*(cipher.value for cipher in cues.Cipher), WORDS})
_FAMILIES = (Family.OVERRIDE, *sorted(ATTACKS - {Family.OVERRIDE}))
"""What was not judged may be of any family, whichever a hook looks for."""


class Judge:
    """`carries`, asked within a budget about what could be language, `shown`, about prose with some escapes in it, and
    `discloses`, asked about everything."""

    def __init__(self, text: str, carries: Carries, discloses: Carries | None, shown: Carries, budget: Budget) -> None:
        self._text, self._budget = text, budget
        self._carries, self._discloses, self._shown = carries, discloses, shown
        self._is_flooded = False

    def judge(self, known: Decoded, pieces: Sequence[tuple[int, Span]]) -> Iterator[Hit]:
        """The attacks in some decoded texts, by their place in the text itself; and what nobody judges (ADR-0029).

        `pieces` are the spans of these texts that could be language.
        """
        count = self._budget.ask([end - start for _, (start, end) in pieces])
        yield from self._attacks(known, pieces[:count])
        yield from self.refused(known, {*known.cut, *(number for number, _ in pieces[count:])})
        if self._discloses is not None:
            secrets = carried(known.texts, self._discloses)
            yield from _hits(_placed([(known.part(number), secret) for number, secret in secrets]))

    def refused(self, known: Decoded, numbers: Collection[int]) -> list[Hit]:
        """What nobody judges, as hits: all of the text where it is more than anybody lists."""
        if len(numbers) >= MOST_MATCHES:
            return self._everything()
        parts = [known.part(number) for number in sorted(numbers)]
        return _hits(_placed([(part, _whole(part, family)) for part in parts for family in _FAMILIES]))

    def _everything(self) -> list[Hit]:
        return [((0, len(self._text)), family, OUTLASTS) for family in _FAMILIES]

    def _attacks(self, known: Decoded, pieces: Sequence[tuple[int, Span]]) -> list[Hit]:
        """In pieces of them. More than are listed are no attacks with something honest between."""
        sure, found, orders = set[int](), list[Found](), list[tuple[int, Part, Attack]]()
        shown: dict[int, Part] = {}
        for index, attack in carried([known.texts[number][slice(*span)] for number, span in pieces], self._asked):
            if self._is_flooded:
                return self._everything()
            number, (start, _) = pieces[index]
            part = known.part(number)
            moved = _from_word(part.text, attack._replace(span=(attack.span[0] + start, attack.span[1] + start)))
            if not _is_given_away(part, moved.span) or _is_by_chance(part, moved):
                continue
            if self._is_shown(part, moved):
                shown[number] = part
            elif attack.place is Place.ENCODED:
                orders.append((number, part, moved))
            else:
                sure.add(number)
                found.append((part, moved))
        # A payload goes whole, and most that give an order are known already.
        told = ((part, order) for number, part, order in orders if number not in sure)
        found += [(part, order) for part, order in told if self._is_needless(part, order.span)]
        return _hits(self._encoded(_placed([*found, *self._made_in([*shown.values()])])))

    def _is_shown(self, part: Part, attack: Attack) -> bool:
        """Whether what an attack was found in is a page with some characters as entities, or a program or a table that
        names some: people are spoken to. Most of its words stand there as they are, and of those in ASCII all: nobody
        needs an escape for a letter of these, or for a blank. So is an address with words that are not. What stands in
        a tag or a comment, or near anything that hides, is not shown."""
        where, said = part.placed(attack.span), part.text[slice(*attack.span)]
        is_sure = attack.place is Place.ANYWHERE and attack.rule not in LEARNED
        if is_sure or where is None:
            return False
        if self._is_declared(where):
            return True
        if where.encoding not in _SHOWN or not _WORD.search(said):
            return False
        written, before = self._text[slice(*where.span)], self._text[max(where.span[0] - BEFORE, 0) : where.span[0]]
        if _BLANKS.search(written) or _HIDES.search(before) or before.rfind("<") > before.rfind(">"):
            return False
        written = written.lower()
        # Of an address whatever is not ASCII has to be written so.
        is_address = not said.isascii() and _ADDRESS.fullmatch(_in_words(self._text, where.span)) is not None
        is_read = is_address if where.encoding == PERCENT else is_plain(written, said)
        return is_read and all(word in written for word in _ASCII_WORD.findall(said.lower()))

    def _is_needless(self, part: Part, span: Span) -> bool:
        """Whether an order was encoded for nothing: mails go in base64 whole, and most words of prose with some escapes
        in it stand there as they are."""
        where = part.placed(span)
        if where is None or not where.is_prose:
            return len(part.text) <= LONGEST_ORDER
        return not is_plain(self._text[slice(*where.span)], part.text[slice(*span)])

    def _is_declared(self, where: Where) -> bool:
        """Whether it is what a mail says, or what a file holds, in the one encoding that is named beside it: whoever
        asks for either reads it so."""
        begin, end = where.span
        if where.encoding != DECLARED:
            return False
        heads = _MAILED.finditer(self._text, max(begin - BEFORE, 0), begin + LONGEST_HEAD)
        if any(begin in head.span(1) for head in heads):
            return True
        is_content = _CONTENT.search(self._text, max(begin - BEFORE, 0), begin)
        around = self._text[max(begin - BEFORE, 0) : begin], self._text[end : end + BEFORE]
        return is_content is not None and any(map(_IN_BASE64.search, around))

    def _made_in(self, parts: Sequence[Part]) -> list[Found]:
        """The attacks in some prose, judged as what people are shown."""
        if self._budget.ask([len(part.text) for part in parts]) < len(parts):
            return [(part, _whole(part, family)) for part in parts for family in _FAMILIES]
        return [(parts[number], attack) for number, attack in carried([part.text for part in parts], self._shown)]

    def _asked(self, text: str) -> Sequence[Attack]:
        found = self._carries(text)
        self._is_flooded |= len(found) >= MOST_MATCHES
        return found

    def _encoded(self, told: Sequence[Told]) -> list[Told]:
        """Without what is an attack as it is written, too: it is none of ours, and may be none at all out here. Where
        words were turned round each by itself, any attack is one that was not."""
        mixed = [one for one in told if one[0].is_prose]
        written = [_in_words(self._text, where.span) for where, _ in mixed]
        if self._budget.ask([len(text) for text in written]) < len(written):
            return list(told)
        found = list(carried(written, self._carries))
        plain = {(mixed[index], one.rule) for index, one in found}
        turned = {mixed[index] for index, _ in found if mixed[index][0].encoding == WORDS}
        return [one for one in told if one not in turned and (one, one[1].rule) not in plain]


def _in_words(text: str, span: Span) -> str:
    """What is written there, with the rest of the words at its edges: a value reads otherwise within its address."""
    before, after = text[max(span[0] - BESIDE, 0) : span[0]], text[span[1] : span[1] + BESIDE]
    return f"{_LAST.search(before)[0]}{text[slice(*span)]}{_FIRST.match(after)[0]}"  # type: ignore[index]


def is_plain(written: str, said: str) -> bool:
    """Whether most words that something says stand there as they are."""
    written, words = written.lower(), _WORD.findall(said.lower())
    return sum(word in written for word in words) * 2 >= len(words)


def _is_given_away(part: Part, span: Span) -> bool:
    """Whether what was turned round says a word of attacks as it stands: with letters mended, plain prose does so."""
    if part.batch.encoding not in _TURNED:
        return True
    said = part.text[slice(*span)].lower()
    return bool(cues.held(fold_text(said))) or (
        not said.isascii() and any(word in said for word in cues.words("scripts"))
    )


def _is_by_chance(part: Part, attack: Attack) -> bool:
    """Whether something only seems to be an order: what is none in plain text, where nothing is hidden, for what is
    learned of sentences says little of a list; and what no sentence is."""
    if part.batch.is_plain and attack.place is not Place.ANYWHERE:
        return True
    return attack.rule in LEARNED and (part.batch.is_plain or _is_noise(part.text[slice(*attack.span)]))


def _is_noise(said: str) -> bool:
    """Whether it has no word of four letters: numbers in tables decode to such."""
    return said.isascii() and _LONG_WORD.search(said) is None


def _placed(found: Sequence[Found]) -> list[Told]:
    told = ((part.placed(attack.span), attack) for part, attack in found)
    return [(where, attack) for where, attack in told if where]


def _hits(told: Sequence[Told]) -> list[Hit]:
    return [(where.span, attack.family, f"{where.encoding}/{attack.rule}") for where, attack in told]


def _from_word(text: str, attack: Attack) -> Attack:
    """An attack without the end of the sentence before: some rules look at it, and it is encoded by nobody."""
    first = _AFRESH.match(text, *attack.span)
    return attack._replace(span=(first.end(), attack.span[1])) if first else attack


def _whole(part: Part, family: Family) -> Attack:
    return Attack((0, len(part.text)), family, OUTLASTS)
