"""Encodings of text that is not UTF-8 and does not declare its encoding."""

from __future__ import annotations

import itertools
import re
import unicodedata

#: Windows-1252, which holds the letters of Latin-1, is tried first; then encodings of other scripts.
FIRST = "cp1252"
OTHERS = ("cp932", "euc_kr", "gb18030", "big5", "cp1250", "cp1251", "cp1253")

#: Names of encodings in sentences.
NAMES = {
    "cp1252": "Latin-1",
    "latin-1": "Latin-1",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp932": "Shift-JIS (Japanese)",
    "euc_kr": "EUC-KR (Korean)",
    "gb18030": "GB18030 (Chinese)",
    "big5": "Big5 (Chinese)",
}

#: Maximum number of bytes that are compared.
_MOST_BYTES = 50_000

_WORD = re.compile(r"[^\s\d,;|\t\"'()/.:\-]+")
_SYMBOLS = re.compile(r"(?:[^\W\d_][¡-©¬-¯±´-¶¸¹¼-¿×÷]|[¡-©¬-¯±´-¶¸¹¼-¿×÷][^\W\d_])")
_RUN = re.compile(r"[À-ÖØ-öø-ſ]{3}")
_CONTROLS = re.compile("[\x80-\x9f\ue000-\uf8ff]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_IMPROBABLE_GREEK = re.compile("[ΰΐϊϋ]\\b")

#: First bytes of the common characters of each encoding of two bytes per character.
_COMMON = {"gb18030": range(0xB0, 0xD8), "euc_kr": range(0xB0, 0xC9), "big5": range(0xA4, 0xC7)}


def detected(content: bytes) -> str:
    """Return the probable encoding of text that is not UTF-8.

    Words in a wrong encoding hold symbols, several accented letters in a row, small letters before capitals, or
    letters of two scripts.

    Examples
    --------
    >>> detected("Böblingen;3".encode("cp1252")), detected("ŁÓDŹ, śląskie;3".encode("cp1250"))
    ('cp1252', 'cp1250')
    >>> detected("北海道,青森県".encode("cp932")), detected("서울,부산".encode("euc_kr"))
    ('cp932', 'euc_kr')
    >>> detected("Москва;Тула".encode("cp1251")), detected("Αθήνα;Πάτρα".encode("cp1253"))
    ('cp1251', 'cp1253')
    """
    part = content[:_MOST_BYTES]
    if len(content) > len(part):
        part = part[: part.rfind(b"\n") + 1] or part
    scores = {encoding: _improbable(part, encoding) for encoding in (FIRST, *OTHERS)}
    best = min(scores, key=scores.__getitem__)  # the first of equals
    if scores[best] >= scores[FIRST] or not _decodes(content, best):
        return FIRST if _decodes(content, FIRST) else "latin-1"
    return best


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _improbable(content: bytes, encoding: str) -> float:
    """Return the number of improbable places per word that is not ASCII, in an encoding."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != FIRST:
            return 1e9
        text = content.decode("latin-1")
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    if not words:
        return 0.0
    return sum(_oddities(word, encoding) for word in words) / len(words)


def _oddities(word: str, encoding: str) -> float:
    """Return the number of improbable places in a word."""
    number = float(len(_CONTROLS.findall(word)) + len(_SYMBOLS.findall(word)))
    if encoding in _COMMON or encoding == "cp932":
        return number + _rare_characters(word, encoding)
    number += len(_RUN.findall(word)) + len(_IMPROBABLE_GREEK.findall(word))
    number += sum(
        letter.islower() and following.isupper() and not following.isascii()
        for letter, following in itertools.pairwise(word)
    )
    scripts = {unicodedata.name(letter, "OTHER").split()[0] for letter in word if letter.isalpha()}
    return number + (len(scripts) > 1)


def _rare_characters(word: str, encoding: str) -> float:
    """Return the number of characters of a word that are rare in an encoding of East Asia."""
    if encoding == "cp932":
        return float(len(_HALF_WIDTH.findall(word)))
    rare = 0.0
    for letter in word:
        code = letter.encode(encoding)
        if len(code) > 1 and letter.isalpha() and code[0] not in _COMMON[encoding]:
            rare += 1
        elif (
            encoding == "euc_kr" and not "가" <= letter <= "힣" and letter.isalpha() and not letter.isascii()
        ):
            rare += 0.5
    return rare
