"""Encodings of text that is not UTF-8 and does not declare its encoding.

Each encoding is tried on the words with other letters than those of ASCII. A wrong encoding results in words that no
language has: with letters of two alphabets, with signs or capitals inside of words, or with letters of several
languages. The encoding with the fewest of such words is the probable one, and all encodings that are nearly as good
and result in another text are a doubt.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sdcwidgets.tables.io.printed import is_of_dos, without_frames

#: Names of the encodings that can be detected. If several are equally probable, the first one is used.
NAMES = {
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "big5": "Big5 (Chinese)",
    "gb18030": "GB18030 (Chinese)",
    "euc_kr": "EUC-KR (Korean)",
    "cp932": "Shift-JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "cp874": "Windows-874 (Thai)",
    "cp949": "Windows-949 (Korean)",
    "cp1258": "Windows-1258 (Vietnamese)",
    "iso8859_2": "ISO-8859-2 (Central European)",
    "iso8859_4": "ISO-8859-4 (Baltic)",
    "iso8859_5": "ISO-8859-5 (Cyrillic)",
    "iso8859_6": "ISO-8859-6 (Arabic)",
    "iso8859_7": "ISO-8859-7 (Greek)",
    "iso8859_13": "ISO-8859-13 (Baltic)",
    "iso-8859-15": "ISO-8859-15 (Western European)",
    "koi8_u": "KOI8-U (Cyrillic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "cp866": "DOS 866 (Cyrillic)",
    "cp850": "DOS 850 (Western European)",
    "cp852": "DOS 852 (Central European)",
    "cp437": "DOS 437 (Western European)",
}

#: Encodings of DOS, which have characters for frames.
_OF_DOS = ("cp850", "cp437", "cp852", "cp866")

#: Encodings that a user can select; some of them cannot be detected.
CHOICES = {
    "utf-8": "UTF-8",
    **NAMES,
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
    "iso8859_3": "ISO-8859-3 (Maltese)",
    "iso8859_8": "ISO-8859-8 (Hebrew)",
    "iso-8859-9": "ISO-8859-9 (Turkish)",
    "iso8859_10": "ISO-8859-10 (Nordic)",
    "iso8859_11": "ISO-8859-11 (Thai)",
    "iso8859_14": "ISO-8859-14 (Celtic)",
    "iso8859_16": "ISO-8859-16 (Romanian)",
}

#: Other encodings of Python whose characters an encoding of `CHOICES` includes; browsers read ISO-8859-1 in this way.
_INCLUDED = {
    "iso8859-1": "cp1252",
    "utf-8-sig": "utf-8",
    "shift_jis": "cp932",
    "gbk": "gb18030",
    "gb2312": "gb18030",
}

#: Encodings from this one on are rare in files of today.
_FIRST_RARE = "cp1258"

#: Maximum numbers of bytes of different lines, and of different words, that are examined.
_MOST_BYTES, _MOST_WORDS = 20_000, 150

#: Letters that each language adds to the Latin alphabet: German, French, Spanish, Portuguese, Italian, Dutch, Swedish
#: and Finnish, Danish and Norwegian, Icelandic, Catalan, Polish, Czech, Slovak, Hungarian, Romanian, Slovene and
#: Croatian, Albanian, Turkish, Latvian, Lithuanian, Estonian, Maltese, Welsh and Vietnamese.
_LATIN = (
    "äöüß àâæçèéêëîïôœùûüÿ áéíñóúüªº àáâãçéêíóôõúüªº àèéìîòù éèëïöüêáóí åäöéüšž åæøéôòêóäöü áðéíóúýþæö àçèéíïòóúü· "
    "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîșțşţ čćđšž çë âçğıîöşüû āčēģīķļņōŗšūž ąčęėįšųūž "
    "äõöüšž àċġħżèìòù âêîôûŵŷ "
    "ăâđêôơưáàảãạắằẳẵặấầẩẫậéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵ"
)

#: Letters of languages in the Cyrillic alphabet: Russian and Belarusian, Ukrainian, Bulgarian, Serbian, Macedonian.
_CYRILLIC = (
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя абвгдеёжзійклмнопрстуўфхцчшыьэюя' абвгґдеєжзиіїйклмнопрстуфхцчшщьюя' "
    "абвгдежзийклмнопрстуфхцчшщъьюя абвгдђежзијклљмнњопрстћуфхцчџш абвгдѓежзѕијклљмнњопрстќуфхцчџш"
)

#: Costs of a word that no language has, of a rare encoding, and of several words of which none begins with a capital; a
#: word with unusual letters costs 1.
_IMPOSSIBLE, _RARE, _UNUSUAL = 2.0, 0.9, 3.0

#: Two encodings fit equally well if their costs differ by less than this, or by less than this share of the words that
#: differ; and if only a few words differ, by less than the third number.
_EQUAL, _SHARE, _EQUAL_FEW = 1.05, 0.05, 1.5

#: Number of words from which on words are not few.
_FEW = 5

#: Differences of the measures of charset-normalizer below which two encodings of double bytes fit equally well.
_CHAOS, _COHERENCE = 0.1, 0.2

#: Rows of double bytes with the frequent characters of each national standard.
_FREQUENT_ROWS = {
    "gb18030": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "cp932": ("euc_jp", 0xB0, 0xCF),
    "euc_jp": ("euc_jp", 0xB0, 0xCF),
    "euc_kr": ("", 0, 0),
    "cp949": ("", 0, 0),
}

#: Languages of `charset_normalizer` by alphabet, with their letters in the order of frequency.
_LANGUAGES = {
    "CYRILLIC": ("Russian", "Ukrainian", "Bulgarian", "Serbian"),
    "GREEK": ("Greek",),
    "HEBREW": ("Hebrew",),
    "ARABIC": ("Arabic", "Farsi"),
    "THAI": ("Thai",),
}

#: Number of the most frequent letters of a language, and usual share of them among the letters of a text.
_TOP, _LEAST = 13, 0.85

#: Letters that only end a word, in Hebrew, Greek and Arabic.
_LAST = frozenset("ךםןףץςةى")

#: Signs that occur before or after a word, and signs that also occur between letters.
_SIGNS = frozenset("’‘“”„«»–—°€£·¿¡ºª²³½¼¾§©®№׳״־、。（）「」・：，；～－•×\u00a0\u00ad\u3000")
_INSIDE = frozenset("’׳״־·–—・\u00a0\u00adªº")

#: Signs of ASCII that separate words.
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) != "'"}


class Detection(NamedTuple):
    """The probable encoding of a text.

    Attributes
    ----------
    encoding : str
        A name of `NAMES`, or "latin-1" for bytes that are no text in any of these encodings.
    others : tuple of str
        Encodings that fit equally well and result in another text.
    """

    encoding: str
    others: tuple[str, ...] = ()


def name_of_encoding(spelling: str) -> str:
    """Return the name in `CHOICES` of an encoding; another text is returned unchanged.

    Examples
    --------
    >>> [name_of_encoding(text) for text in ("windows-1250", "ISO-8859-2", "latin-1", "shift_jis", "UTF_16LE", "foo")]
    ['cp1250', 'iso8859_2', 'cp1252', 'cp932', 'utf-16-le', 'foo']
    """
    try:
        name = codecs.lookup(spelling).name
    except (LookupError, ValueError):
        return spelling
    known = {codecs.lookup(choice).name: choice for choice in CHOICES}
    return known.get(name, _INCLUDED.get(name, spelling))


def detected(content: bytes) -> Detection:
    """Return the probable encoding of text that is not UTF-8.

    Examples
    --------
    >>> detected("Böblingen;3".encode("cp1252")).encoding
    'cp1252'
    >>> detected("北海道,青森県".encode("cp932")).encoding, detected("서울,부산".encode("euc_kr")).encoding
    ('cp932', 'euc_kr')
    >>> detected("Москва;Тула".encode("cp1251")).encoding, detected("Αθήνα;Πάτρα".encode("cp1253")).encoding
    ('cp1251', 'cp1253')
    """
    part = _examined(content)
    costs = dict[str, float]()
    is_dos = is_of_dos(content)
    for encoding in _OF_DOS if is_dos else NAMES:
        text = _decoded(part, encoding)
        text = without_frames(text) if is_dos and text is not None else text
        if text is not None and _decodes(content, encoding):
            costs[encoding] = _cost(text, encoding) + _price(encoding)
    if not costs:
        return Detection("cp1252" if _decodes(content, "cp1252") else "latin-1")
    best = min(costs, key=costs.__getitem__)
    words = set(_words(part.decode(best)))
    texts = {part.decode(best): best}
    for encoding, cost in costs.items():
        text = part.decode(encoding)
        number = len(words.difference(_words(text)))
        if cost - costs[best] < (_EQUAL_FEW if number < _FEW else max(_EQUAL, _SHARE * number)):
            texts.setdefault(text, encoding)
    best, *others = _of_double_bytes(part, list(texts.values()))
    return Detection(best, tuple(others))


def different_word(content: bytes, encodings: Sequence[str]) -> tuple[str, ...]:
    """Return the first word that two encodings decode differently, in each of the encodings; empty without one.

    Examples
    --------
    >>> different_word("Bad Köln;3".encode("cp1252"), ["cp1252", "cp1250", "cp850"])
    ('Köln', 'Köln', 'K÷ln')
    """
    part = _examined(content)
    columns = [part.decode(encoding, "replace").translate(_BLANKS).split() for encoding in encodings]
    return next((words for words in zip(*columns, strict=False) if len(set(words)) > 1), ())


@cache
def _price(encoding: str) -> float:
    """Return the cost of a rare encoding."""
    names = list(NAMES)
    return _RARE * (names.index(encoding) >= names.index(_FIRST_RARE))


def _examined(content: bytes) -> bytes:
    """Return the first different lines with other bytes than those of ASCII."""
    lines, size = dict[bytes, None](), 0
    for line in content.replace(b"\r", b"\n").split(b"\n"):
        if not line.isascii() and line not in lines:
            lines[line] = None
            size += len(line)
            if size > _MOST_BYTES:
                break
    return b"\n".join(lines)


def _decoded(part: bytes, encoding: str) -> str | None:
    """Return a text without control characters, or None."""
    try:
        text = part.decode(encoding)
    except UnicodeDecodeError:
        return None
    return (
        None if any("\x7f" <= letter < "\xa0" for letter in set(text)) else unicodedata.normalize("NFC", text)
    )


def _of_double_bytes(part: bytes, possible: Sequence[str]) -> Sequence[str]:
    """Return the possible encodings, without those of double bytes that fit less well by charset-normalizer."""
    double = [encoding for encoding in possible if encoding in _FREQUENT_ROWS]
    if len(double) < 2:
        return possible
    # Most files are UTF-8 or have single bytes, for which the package is not needed.
    from charset_normalizer import from_bytes

    fits = {
        encoding: (match.chaos, -match.coherence)
        for match in from_bytes(part, cp_isolation=double)
        for encoding in match.could_be_from_charset
    }
    if not fits:
        return possible
    first = min(fits, key=fits.__getitem__)
    chaos, coherence = fits[first]
    as_good = {
        encoding
        for encoding, fit in fits.items()
        if fit[0] - chaos <= _CHAOS and fit[1] - coherence <= _COHERENCE
    }
    return [first, *(name for name in possible if name != first and (name in as_good or name not in double))]


def _words(text: str) -> list[str]:
    """Return the first different words with a letter or sign that is not ASCII."""
    words = dict.fromkeys(word for word in text.translate(_BLANKS).split(" ") if not word.isascii())
    return list(words)[:_MOST_WORDS]


def _cost(text: str, encoding: str) -> float:
    """Return a number that grows with the words that no language has, and those with letters of other languages.

    Examples
    --------
    >>> _cost("Köln München", "cp1252"), _cost("K÷ln M³nchen", "cp850"), _cost("Łódź Cádiz", "cp1250")
    (0.0, 4.0, 1.0)
    """
    words = _words(text)
    possible = [word for word in words if not _is_impossible(word)]
    if encoding in _FREQUENT_ROWS:
        unusual: float = sum(_has_rare_characters(word, encoding) for word in possible)
    else:
        by_script = dict[str, list[str]]()
        for word in possible:
            script = next(filter(None, map(_script, word)), "")
            by_script.setdefault(script, []).append(word)
        unusual = sum(_foreign(words, script) for script, words in by_script.items())
    return _IMPOSSIBLE * (len(words) - len(possible)) + unusual


@cache
def _script(letter: str) -> str:
    """Return the alphabet of a letter, and "" for signs; Han characters, kana and wide letters are one alphabet."""
    if not letter.isalpha() or letter in _SIGNS:
        return ""
    name = unicodedata.name(letter, "?").partition(" ")[0].partition("-")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "FULLWIDTH") or ("\u30fb" <= letter < "\u3100") else name


def _is_impossible(word: str) -> bool:
    """Return whether no language has a word.

    Examples
    --------
    >>> [_is_impossible(word) for word in ("Ústí", "лПУЛЧБ", "¶ρρενες", "K÷ln", "Böł", "d’Été", "Bшr", "ךב")]
    [False, True, True, True, False, False, True, True]
    """
    if len({_script(letter) for letter in word} - {""}) > 1:
        return True
    is_mark_first = word[0] in "’‘" and not word[1:2].isascii() and word[1:2].islower()
    if is_mark_first or word[0] in "ьыЬЫ" or (word[-1] == "σ" and len(word) > 1):
        return True
    return any(_is_wrong(*letters) for letters in zip(f" {word}", word, f"{word[1:]} ", strict=False))


def _is_wrong(before: str, letter: str, after: str) -> bool:
    """Return whether no language has a character between these two characters."""
    is_capital_inside = before.islower() or (before.isupper() and after.islower() and not letter.isascii())
    if letter.isupper() and is_capital_inside:
        return not (before.isascii() and letter.isascii())
    if letter.isascii():
        return before in _LAST and letter.isalpha()
    if _is_thai(letter):
        return _is_wrong_thai(before, letter)
    if letter.isalpha() and letter not in _SIGNS:
        is_in_number = before.isdigit() and after.isdigit() and _script(letter) not in ("CJK", "HANGUL")
        return is_in_number or before in _LAST
    if unicodedata.category(letter).startswith("M"):
        is_after_mark = unicodedata.category(before).startswith("M")
        return not is_after_mark and _script(before) != _script_of_mark(letter)
    return _is_wrong_sign(before, letter, after)


def _is_wrong_sign(before: str, sign: str, after: str) -> bool:
    """Return whether a sign cannot be between two characters, such as an ordinal sign before a letter."""
    if sign in "ªº§" and after.isalpha():
        return True
    return sign not in _SIGNS or (sign not in _INSIDE and before.isalpha() and after.isalpha())


@cache
def _script_of_mark(mark: str) -> str:
    name = unicodedata.name(mark, "").partition(" ")[0]
    return "LATIN" if name == "COMBINING" else name


def _is_thai(letter: str) -> bool:
    return "\u0e01" <= letter <= "\u0e5b"


def _is_wrong_thai(before: str, letter: str) -> bool:
    """Return whether a Thai character cannot follow another one: vowels and tones follow or precede consonants."""
    is_consonant = "\u0e01" <= before <= "\u0e2e"
    if "\u0e40" <= before <= "\u0e44":  # a vowel that is written before its consonant
        return not "\u0e01" <= letter <= "\u0e2e"
    if "\u0e47" <= letter <= "\u0e4e":  # a tone
        return not (is_consonant or "\u0e31" <= before <= "\u0e3a")
    if letter in "\u0e30\u0e32\u0e33\u0e45":  # a vowel after its consonant, perhaps with a tone
        return not (is_consonant or "\u0e47" <= before <= "\u0e4e" or before in "\u0e31\u0e32\u0e24\u0e26")
    if letter == "\u0e31" or "\u0e34" <= letter <= "\u0e3a":  # a vowel above or below its consonant
        return not is_consonant
    return False


def _has_rare_characters(word: str, encoding: str) -> bool:
    """Return whether a third of the characters of a word are rare in the language of an encoding of double bytes."""
    rare = sum(_is_rare(letter, encoding) for letter in word if letter.isalpha())
    return 3 * rare >= max(len(word), 1)


@cache
def _is_rare(letter: str, encoding: str) -> bool:
    codec, first, last = _FREQUENT_ROWS[encoding]
    if _script(letter) == "HANGUL" or not codec:
        return (_script(letter) == "HANGUL") == bool(codec)
    if letter < "\u3400":
        return codec != "euc_jp"  # kana
    try:
        return not first <= letter.encode(codec)[0] <= last
    except UnicodeEncodeError:
        return True


def _foreign(words: Sequence[str], script: str) -> float:
    """Return the number of words with letters that the most probable language of an alphabet does not have."""
    has_capitals = (
        script not in ("CYRILLIC", "GREEK") or any(map(str.istitle, words)) or any(map(str.isupper, words))
    )
    # A capital of the Latin alphabet is hardly ever a word.
    alone = {word.lower() for word in words if len(word) == 1 and word.isupper() and script == "LATIN"}
    words = [word.lower() for word in words]
    without = _UNUSUAL * (not has_capitals and len(words) > 2)
    if script in ("LATIN", "", "CYRILLIC"):
        alphabets = _alphabets("CYRILLIC" if script == "CYRILLIC" else "LATIN")
        foreign = [{letter for letter in word if _is_counted(letter)} for word in words if word not in alone]
        least = min(sum(not letters <= alphabet for letters in foreign) for alphabet in alphabets)
        if script != "CYRILLIC":
            return least + len(alone)
        return max(least, _unusual(words, script)) + without
    return (_unusual(words, script) if script in _LANGUAGES else len(words)) + without


def _is_counted(letter: str) -> bool:
    """Return whether a character is compared with alphabets: letters, and a blank inside of a word."""
    return not letter.isascii() and ((letter.isalpha() and letter not in "ªº") or letter == "\u00a0")


@cache
def _alphabets(script: str) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, (_CYRILLIC if script == "CYRILLIC" else _LATIN).split()))


def _unusual(words: Sequence[str], script: str) -> float:
    """Return the number of words, times a factor that is 0 if most letters are frequent in a language."""
    letters = [letter for letter in unicodedata.normalize("NFD", "".join(words)) if letter.isalpha()]
    share = max(sum(letter in top for letter in letters) for top in _frequent(script)) / max(len(letters), 1)
    return len(words) * 2 * max(_LEAST - share, 0)


@cache
def _frequent(script: str) -> tuple[frozenset[str], ...]:
    """Return the most frequent letters, without accents, of each language of an alphabet."""
    from charset_normalizer.constant import FREQUENCIES

    tops = []
    for language in _LANGUAGES[script]:
        bare = [
            unicodedata.normalize("NFD", letter)[0]
            for letter in FREQUENCIES[language]
            if not letter.isascii()
        ]
        tops.append(frozenset(list(dict.fromkeys(bare))[:_TOP]))
    return tuple(tops)


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
