"""Encodings of files that do not state them: the letters are right, or the file leads to a question."""

import codecs
import io
import random
from collections import Counter

import openpyxl
import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.cli import main
from sdcwidgets.tables.io.encodings import detected
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes, read_csv

#: Words of tables, by encoding and language.
WORDS = {
    ("cp1252", "German"): "Böblingen Köln München Männer über Österreich Häuser Straße Würzburg",
    ("cp1252", "French"): "Région Hérault Ardèche Isère féminin âgés élevé Corrèze Finistère Vendée",
    ("cp1252", "Spanish"): "España Málaga Cádiz Andalucía Castellón Coruña años niños Aragón",
    ("cp1252", "Portuguese"): "São Évora Setúbal Açores Bragança educação população Óbidos",
    ("cp1252", "Swedish"): "Malmö Göteborg Västerås Örebro kvinnor män Åland Skåne",
    ("cp1252", "Finnish"): "Jyväskylä Hämeenlinna Päijät-Häme miehiä naisia yhteensä",
    ("cp1250", "Polish"): "Łódź śląskie małopolskie świętokrzyskie kobiety mężczyźni Kraków Gdańsk",
    ("cp1250", "Czech"): "Středočeský Jihočeský Plzeňský Ústecký muži ženy Moravskoslezský Zlínský",
    ("cp1250", "Hungarian"): "Győr Szeged férfi nő Fejér Nógrád Veszprém Zala összesen",
    ("cp1250", "Croatian"): "Zagrebačka Šibensko Požeško Međimurska žene muškarci ukupno",
    ("cp1251", "Russian"): "Москва Тула Воронеж мужчины женщины всего Область Рязань",
    ("cp1251", "Ukrainian"): "Київ Львів чоловіки жінки усього Одеса Харків",
    ("cp1253", "Greek"): "Αθήνα Πάτρα Θεσσαλονίκη άνδρες γυναίκες σύνολο Κρήτη Αττική",
    ("cp1255", "Hebrew"): "ירושלים תל-אביב חיפה גברים נשים נצרת",
    ("cp1256", "Arabic"): "الرياض مكة ذكور إناث المجموع القاهرة",
    ("iso8859_2", "Czech"): "Středočeský Jihočeský Plzeňský Ústecký muži ženy Zlínský",
    ("iso8859_5", "Russian"): "Москва Тула Воронеж мужчины женщины всего Область",
    ("iso8859_7", "Greek"): "Αθήνα Πάτρα Θεσσαλονίκη άνδρες γυναίκες σύνολο Κρήτη",
    ("iso8859_9", "Turkish"): "İstanbul İzmir Şanlıurfa Eskişehir erkek kadın Muğla Çanakkale Iğdır",
    ("koi8_r", "Russian"): "Москва Тула Воронеж мужчины женщины всего Область",
    ("cp932", "Japanese"): "北海道 青森県 岩手県 男 女 総数 東京都 大阪府 沖縄県 人口 その他",
    ("euc_kr", "Korean"): "서울 부산 대구 남자 여자 합계 경기도 강원도 제주",
    ("gb18030", "Chinese"): "北京 上海 广东 男 女 合计 总计 浙江 江苏 人口 其他",
    (
        "cp1257",
        "Latvian",
    ): "Rīga Liepāja Jūrmala Rēzekne Pierīga vīrieši sievietes kopā vecums Ādažu Ķekavas Sēlija",
    (
        "cp1257",
        "Lithuanian",
    ): "Klaipėda Šiauliai Panevėžys Mažeikiai vyrai amžius Tauragė Telšiai Žemaitija Dzūkija",
    (
        "iso8859_13",
        "Lithuanian",
    ): "Klaipėda Šiauliai Panevėžys Mažeikiai vyrai amžius Tauragė Telšiai Žemaitija",
    ("cp1257", "Estonian"): "Pärnu Võru Põlva Järva Jõgeva Lääne mehed Jõhvi Türi Märjamaa Põltsamaa",
    (
        "iso8859_4",
        "Latvian",
    ): "Rīga Liepāja Jūrmala Rēzekne Pierīga vīrieši sievietes kopā Ādažu Ķekavas Sēlija",
    ("cp874", "Thai"): "กรุงเทพมหานคร เชียงใหม่ ภูเก็ต ขอนแก่น นครราชสีมา ชาย หญิง รวม จังหวัด ภาคเหนือ สงขลา ระยอง",
    ("iso8859_8", "Hebrew"): "ירושלים חיפה נתניה גברים נשים מחוז הצפון הדרום המרכז אשדוד",
    (
        "cp852",
        "Hungarian",
    ): "Győr Fejér Nógrád Veszprém férfi nő összesen Békés Csongrád Komárom Székesfehérvár",
    ("cp852", "Polish"): "Łódź śląskie małopolskie świętokrzyskie mężczyźni Kraków Gdańsk Poznań",
    ("cp850", "French"): "Région Hérault Ardèche Isère féminin âgés Corrèze Finistère Vendée Rhône",
    ("cp850", "German"): "Böblingen Köln München Männer Österreich Häuser Würzburg Lübeck Thüringen",
    ("cp866", "Russian"): "Москва Тула Воронеж мужчины женщины всего Область Рязань Калуга",
    ("koi8_u", "Ukrainian"): "Київ Львів чоловіки жінки усього Одеса Харків Вінниця Рівне",
    ("iso8859_6", "Arabic"): "الرياض مكة ذكور إناث المجموع القاهرة الجيزة العمر",
    ("cp1258", "Vietnamese"): "Hà Nôi Đông Quang Ngai Phu Yên Binh Đinh Lâm Đông nư tông",
    ("euc_jp", "Japanese"): "北海道 青森県 岩手県 男 女 総数 東京都 大阪府 沖縄県 人口 その他",
    ("iso8859_15", "Finnish"): "Jyväskylä Hämeenlinna Päijät-Häme miehiä naisia yhteensä",
    ("big5", "Chinese"): "臺北市 高雄市 新北市 男 女 總計 合計 桃園市 人口 其他",
}


def text_of(words, number, draw):
    lines = [f"{draw.choice(words)};{draw.randrange(99)};{draw.randrange(99)}" for _ in range(number)]
    return "\r\n".join(["Area;2019;2020", *lines, ""])


def outcomes():
    """Yield the encoding, and whether each of 738 short tables is decoded right, doubtful, or wrong."""
    draw = random.Random(1)
    for (encoding, _), words in WORDS.items():
        for number in (3, 6, 12) * 6:
            text = text_of(words.split(), number, draw)
            content = text.encode(encoding)
            found = detected(content)
            decodings = [content.decode(other, "replace") for other in found.others]
            is_right = content.decode(found.encoding, "replace") == text
            if is_right and not decodings:
                yield encoding, "right"
            else:
                yield encoding, "doubtful" if is_right or text in decodings else "wrong"


def test_a_wrong_encoding_of_a_short_table_is_rare_without_a_doubt():
    results = list(outcomes())
    number = Counter(outcome for _, outcome in results)
    assert number["wrong"] <= 0.004 * len(results), [result for result in results if result[1] == "wrong"]
    assert number["right"] >= 0.5 * len(results), number


@pytest.mark.parametrize(("encoding", "language"), WORDS, ids=str)
def test_a_long_table_of_one_language_is_decoded_or_a_question(encoding, language):
    words = WORDS[encoding, language].split()
    text = text_of(words, 200, random.Random(2))
    content = text.encode(encoding)
    found = detected(content)
    assert text in [content.decode(name, "replace") for name in (found.encoding, *found.others)]


def test_numbers_with_wide_blanks_are_no_letters():
    text = "Région;Hommes;Femmes\nIsère;1\u00a0234;2\u00a0345\nCôte-d'Or;3\u00a0456;4\u00a0567\nÎle;5\u00a0678;2\n"
    assert detected((text * 5).encode("cp1252")).encoding == "cp1252"


PX = """CHARSET="ANSI";
TITLE="Obyvatelé";
STUB="Kraj";
HEADING="Pohlaví";
VALUES("Kraj")="Plzeňský","Ústecký","Jihočeský";
VALUES("Pohlaví")="Muži","Ženy";
DATA=
3 4
5 6
7 9;
"""
PAGE = "<html><table><tr><th>Kraj<th>Muži<th>Ženy<tr><td>Plzeňský<td>3<td>4<tr><td>Ústecký<td>5<td>6</table></html>"
LINES = "DATAFLOW,Kraj,Pohlaví,OBS_VALUE\nX,Plzeňský,Muži,3\nX,Ústecký,Muži,4\nX,Plzeňský,Ženy,5\nX,Ústecký,Ženy,6\n"
RECORDS = '[{"Kraj":"Plzeňský","Muži":3,"Ženy":4},{"Kraj":"Ústecký","Muži":5,"Ženy":6}]'


@pytest.mark.parametrize("text", [PX, PAGE, LINES, RECORDS], ids=["px", "html", "sdmx-csv", "json"])
def test_texts_of_other_formats_have_an_encoding_too(text):
    table = read_bytes("a", text.encode(), how=ReadOptions(margins="keep")).table
    content = text.encode("cp1250")
    how = ReadOptions(encoding="cp1250", margins="keep")
    assert read_bytes("a", content, how=how).table == table
    found = detected(content)
    assert "cp1250" in (found.encoding, *found.others)
    if found.others:
        with pytest.raises(Question) as asked:
            read_bytes("a", content, how=ReadOptions(margins="keep"))
        assert asked.value.doubt.question == "encoding"
    else:
        assert read_bytes("a", content, how=ReadOptions(margins="keep")).table == table


def test_a_stated_encoding_is_used():
    page = PAGE.replace("<html>", '<html><meta charset="iso-8859-2">').encode("iso8859_2")
    assert read_bytes("a", page).table.axes[0].labels == ("Plzeňský", "Ústecký")
    px = PX.replace('CHARSET="ANSI";', 'CHARSET="ANSI";\nCODEPAGE="cp852";').encode("cp852")
    assert read_bytes("a", px).table.axes[0].labels == ("Plzeňský", "Ústecký", "Jihočeský")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_and_without_a_mark(encoding):
    text = "Kraj;Muži;Ženy\r\nPlzeňský;3;4\r\nÚstecký;5;6\r\n"
    assert read_csv(text.encode(encoding)).table.axes[0].labels == ("Plzeňský", "Ústecký")


CZECH = "Kraj;Muži;Ženy\r\nPlzeňský;3;4\r\nÚstecký;5;6\r\n".encode("cp1250")


def test_letters_that_fit_several_encodings_are_a_question():
    with pytest.raises(Question) as asked:
        read_csv(CZECH)
    (choice,) = (choice for choice in asked.value.choices if choice.name == "encoding")
    assert asked.value.doubt.question == "encoding"
    assert "cp1250" in choice.options
    table = read_csv(CZECH, how=ReadOptions(encoding="cp1250")).table
    assert table.axes[0].labels == ("Plzeňský", "Ústecký")
    assert FrequencyTable.from_csv(CZECH, encoding="cp1250") == table


@pytest.mark.parametrize(
    ("encoding", "labels"),
    [
        ("cp1257", ("Rīga", "Žemgale")),
        ("cp874", ("กรุงเทพ", "ภูเก็ต")),
        ("cp850", ("Malmö", "Örebro")),
        ("cp852", ("Plzeňský", "Ústecký")),
    ],
)
def test_encodings_that_are_not_detected_can_be_selected(encoding, labels):
    content = f"Area;a;b\r\n{labels[0]};3;4\r\n{labels[1]};5;6\r\n".encode(encoding)
    table = read_csv(content, how=ReadOptions(encoding=encoding)).table
    assert table.axes[0].labels == labels


def test_an_accepted_table_has_the_first_of_the_encodings_that_fit():
    assert read_csv(CZECH, how=ReadOptions(doubts="accept")).table.total == 18


@pytest.mark.parametrize("encoding", ["", "cp1250"])
def test_a_proposed_layout_states_the_encoding(encoding):
    proposal = propose_layout(CZECH, ReadOptions(encoding=encoding))
    assert len(proposal.doubts) == (0 if encoding else 1)
    assert proposal.layout.encoding == "cp1250"
    assert read(CZECH, proposal.layout).table == proposal.reading.table


def test_an_encoding_that_the_bytes_do_not_have_is_refused():
    with pytest.raises(InputError, match="not a text in UTF-8"):
        read_csv(CZECH, how=ReadOptions(encoding="utf-8"))


def test_a_text_of_dos_may_end_with_its_mark():
    lines = "Область;мужчины;женщины\r\nТула;12;34\r\nКурск;56;78\r\n"
    table = read_bytes("dos.txt", lines.encode("cp866") + b"\x1a", how=ReadOptions(encoding="cp866")).table
    assert table.axes[0].labels == ("Тула", "Курск")
    assert table.total == 180


def test_a_workbook_has_no_encoding_to_choose():
    book = openpyxl.Workbook()
    book.active.append(["Area", "Men", "Women"])
    book.active.append(["North", 1, 2])
    stream = io.BytesIO()
    book.save(stream)
    with pytest.raises(InputError, match="leave out the encoding"):
        read_bytes("table.xlsx", stream.getvalue(), how=ReadOptions(encoding="cp1250"))


def test_a_sign_before_a_small_letter_speaks_against_an_encoding():
    lines = "Περιφέρεια;Σύνολο;Άρρενες;Θήλεις\nΑττική;88309;44142;44167\nΚρήτη;367866;211062;156804\n"
    assert detected(lines.encode("iso8859_7")).encoding == "iso8859_7"
    assert detected(lines.encode("cp1253")).encoding == "cp1253"


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("stated", ["", "utf-16", "order"])
def test_utf_16_without_a_byte_order_mark_is_read(order, stated):
    content = "Area,n\nB\u00e4th,302\nHull,199\n".encode(order)
    how = ReadOptions(encoding=order if stated == "order" else stated)
    assert read_bytes("u.csv", content, how=how).table.axes[0].labels == ("B\u00e4th", "Hull")


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        *((f"ISO-8859-{number}", f"iso8859-{number}") for number in (*range(2, 12), 13, 14, 15, 16)),
        ("ISO-8859-1", "cp1252"),
        ("shift_jis", "cp932"),
        ("windows-1250", "cp1250"),
        ("utf-16-le", "utf-16-le"),
    ],
)
def test_spellings_of_encodings_that_python_knows_are_accepted(spelling, name):
    assert codecs.lookup(ReadOptions(encoding=spelling).encoding).name == name


def test_an_unknown_encoding_is_refused_with_the_known_ones(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("Area,n\nBath,302\nHull,199\n")
    assert main(["assess", str(tmp_path / "t.csv"), "--encoding", "foo"]) == 2
    assert "one of utf-8, " in capsys.readouterr().err
    assert main(["assess", str(tmp_path / "t.csv"), "--encoding", "Windows-1250"]) == 0
