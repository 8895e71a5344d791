"""A plain lookup of classes and concepts: one word after another, in dictionaries."""

import tomllib
from functools import cache
from importlib.resources import files

from interpose_sanitizer import classifier
from interpose_sanitizer.classifier.classes import NAMES, SIGNS
from interpose_sanitizer.classifier.lists import LONGEST, LONGEST_OF_TWO
from interpose_sanitizer.classifier.scripts import SPACELESS
from interpose_sanitizer.shadow import fold_text


def is_spaceless(character):
    """Whether it is of a script that writes no spaces."""
    return any(begin <= ord(character) < end for begin, end in SPACELESS)


def files_of(folder):
    """The files of a folder of lists, English first."""
    return sorted((files(classifier) / folder).iterdir(), key=lambda file: (file.name != "en.toml", file.name))


@cache
def lists(folder):
    """Words, beginnings and pieces, each with its list: that of English, or of most languages, or the first."""
    words, beginnings, pieces = {}, {}, {}
    names = NAMES if folder == "words" else tuple(tomllib.loads(files_of(folder)[0].read_text("utf-8")))
    for file in files_of(folder):
        written = tomllib.loads(file.read_text("utf-8"))
        for number, name in enumerate(names, start=1):
            for entry in dict.fromkeys(map(fold_text, written.get(name, ()))):
                if entry.endswith("*"):
                    where, what = beginnings, entry[:-1][: LONGEST_OF_TWO if " " in entry else LONGEST]
                else:
                    where, what = (pieces if is_spaceless(entry[0]) else words), entry
                where.setdefault(what, []).extend([number] * (1000 if file.name == "en.toml" else 1))
    told = [
        {entry: max(dict.fromkeys(numbers), key=numbers.count) for entry, numbers in some.items()}
        for some in (words, beginnings, pieces)
    ]
    for number, sign in enumerate(SIGNS if folder == "words" else "", start=len(names) + 1):
        told[0][sign] = number
    return told


def classes_of(text, starts, stops, folder="words"):
    """At each character the class, or the list of another folder, of the word or piece that begins there; 0 is none."""
    words, beginnings, pieces = lists(folder)
    found = [0] * len(text)
    for place, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        both = stops[place + 1] if place + 1 < len(starts) else stop
        begun = [end for end in range(start + 1, both + 1) if text[start:end] in beginnings]
        last = beginnings[text[start : begun[-1]]] if begun else 0
        of_two = words.get(text[start:both], 0) if both > stop else 0
        beyond = last if begun and begun[-1] > stop else 0
        found[start] = of_two or beyond or words.get(text[start:stop]) or last
    covered = set()
    for length in sorted(set(map(len, pieces)), reverse=True):
        starts = [at for at in range(len(text) - length + 1) if is_spaceless(text[at]) and at not in covered]
        taken = [at for at in starts if text[at : at + length] in pieces]
        for at in taken:
            found[at] = pieces[text[at : at + length]]
            covered.update(range(at, at + length))
    return found


def begun_in(beginnings, number):
    """What the words of one sentence begin with."""
    return frozenset(beginnings.hashes[beginnings.sentence == number].tolist())
