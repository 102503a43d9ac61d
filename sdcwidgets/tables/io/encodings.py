"""Encodings of text that is not UTF-8 and does not declare its encoding."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

#: Names of the encodings that can be detected. If the measures of several are equal, the first one is used.
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
    "iso8859_2": "ISO-8859-2 (Central European)",
    "iso8859_5": "ISO-8859-5 (Cyrillic)",
    "iso8859_7": "ISO-8859-7 (Greek)",
    "koi8_r": "KOI8-R (Cyrillic)",
}

#: Encodings that a user can select; some of them cannot be detected.
CHOICES = {
    "utf-8": "UTF-8",
    **NAMES,
    "utf-16": "UTF-16",
    "cp1257": "Windows-1257 (Baltic)",
    "cp874": "Windows-874 (Thai)",
    "cp850": "DOS 850 (Western European)",
    "cp852": "DOS 852 (Central European)",
    "iso-8859-9": "ISO-8859-9 (Turkish)",
    "iso-8859-15": "ISO-8859-15 (Western European)",
}

#: Encodings that files of today rarely have.
_RARE = ("iso8859_2", "iso8859_5", "iso8859_7", "koi8_r")

#: Maximum number of bytes that are examined.
_MOST_BYTES = 50_000

_ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC"}

#: Encodings with Latin letters and another alphabet. They are used only for text in this alphabet.
_ALPHABET_OF = {"cp1255": "HEBREW", "cp1256": "ARABIC"}


#: Differences of the measures of charset-normalizer below which two encodings fit equally well. In 432 short tables
#: (`tests/tables/io/test_encodings.py`), 5 were decoded wrongly without a doubt; without tolerances, 21 were.
_CHAOS, _COHERENCE = 0.1, 0.2

#: Number of words in two alphabets, chaos, and negative coherence.
_Fit = tuple[int, float, float]


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

    These bytes are Czech names in Windows-1250, and would be other letters in Western Europe:

    >>> detected("Plzeňský;3".encode("cp1250"))
    Detection(encoding='cp1252', others=('cp1250', 'cp1254', 'iso8859_2'))
    """
    # Most files are UTF-8, for which the package is not needed.
    from charset_normalizer import from_bytes

    part = content[:_MOST_BYTES]
    if len(content) > len(part):
        part = part[: part.rfind(b"\n") + 1] or part
    matches = from_bytes(part, cp_isolation=list(NAMES))
    fits: dict[str, _Fit] = {}
    for match in matches:
        for encoding in match.could_be_from_charset:
            text = part.decode(encoding, "replace")
            if _decodes(content, encoding) and _alphabets(text) >= {_ALPHABET_OF.get(encoding, "")} - {""}:
                fits[encoding] = (_mixed_words(text), match.chaos, -round(match.coherence, 2))
    if not fits:
        return Detection("cp1252" if _decodes(content, "cp1252") else "latin-1")
    best_fit = min(fits.values())
    as_good = [encoding for encoding in NAMES if encoding in fits and _as_good(fits[encoding], best_fit)]
    best = min(as_good, key=lambda encoding: (encoding in _RARE, fits[encoding]))
    text = part.decode(best, "replace")
    others = [encoding for encoding in as_good if part.decode(encoding, "replace") != text]
    return Detection(best, tuple(others))


def _as_good(fit: _Fit, best: _Fit) -> bool:
    """Return whether an encoding fits nearly as well as the best one."""
    mixed, chaos, coherence = (abs(value - of_best) for value, of_best in zip(fit, best, strict=True))
    return mixed == 0 and chaos <= _CHAOS and coherence <= _COHERENCE


def _mixed_words(text: str) -> int:
    """Return the number of words with letters of two alphabets, or with a sign before a small letter."""
    words = {part.strip() for word in text.split() for part in word.split(";")}
    return sum(len(_alphabets(word)) > 1 or _begins_with_sign(word) for word in words)


def _begins_with_sign(word: str) -> bool:
    """Return whether a word begins with a sign in place of a capital letter.

    Examples
    --------
    >>> _begins_with_sign("¶ρρενες"), _begins_with_sign("Άρρενες"), _begins_with_sign("¿qué?")
    (True, False, False)
    """
    first, second = word[:1], word[1:2]
    is_sign = bool(first) and not first.isascii() and unicodedata.category(first) in ("So", "Po")
    return is_sign and first not in "¿¡" and second.islower()


def _alphabets(text: str) -> set[str]:
    names = {unicodedata.name(letter, "").partition(" ")[0] for letter in set(text) if letter.isalpha()}
    return names & _ALPHABETS


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
