"""Which rules are asked about a text, and where: those whose words stand in it, and those whose words are common."""

from collections.abc import Callable, Collection, Sequence

from interpose_sanitizer.findings import Span
from interpose_sanitizer.pattern import Together
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.sieve import Sieve
from interpose_sanitizer.sought import Sought


class Candidates:
    """Some rules, what is sought for each, and by their numbers what each looks for as RE2 reads it, line by line.

    Safe to use from several threads at once.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        ways: Sequence[Sequence[Sought]],
        line_by_line: Callable[[int], str],
        of_ends: Collection[int],
    ) -> None:
        self._sieve = Sieve(ways)
        # What holds no word, or only such as stand in every text, is asked of every text, together with its like.
        common = [number for number, some in enumerate(ways) if not some and number not in of_ends]
        self._common = {
            place: (numbers, Together([line_by_line(number) for number in numbers]))
            for place in Place
            if (numbers := [number for number in common if rules[number].place is place])
        }

        # Where one of several texts ends, those cannot tell together.
        self._always = [number for number, some in enumerate(ways) if not some and number in of_ends]

    def near(self, data: bytes, place: Place) -> dict[int, Sequence[Span]]:
        """Where the rules that hold at this place may match a shadow, by their numbers."""
        near = self._sieve.near(data) | {number: [(0, len(data))] for number in self._always}
        for of, (numbers, together) in self._common.items():
            if of in place.within:
                near |= {numbers[found]: [(0, len(data))] for found in together.Match(data)}
        return near
