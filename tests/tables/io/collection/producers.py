"""Statistical offices: language, areas with codes, and habits of their files."""

from dataclasses import dataclass

from . import languages as words


@dataclass(frozen=True)
class Producer:
    """An office, its areas, and how its files are written."""

    office: str
    words: words.Words
    areas: tuple[tuple[str, str], ...]
    country: str
    separator: str = ","
    encoding: str = "utf-8"
    thousands: str = ""
    none: str = "0"


PRODUCERS = (
    Producer(
        "ONS",
        words.ENGLISH,
        (
            ("E06000001", "Hartlepool"),
            ("E06000002", "Middlesbrough"),
            ("E06000003", "Redcar and Cleveland"),
            ("E06000004", "Stockton-on-Tees"),
        ),
        "England",
        encoding="utf-8-sig",
    ),
    Producer(
        "Statistics Canada",
        words.ENGLISH,
        (
            ("10", "Newfoundland and Labrador"),
            ("11", "Prince Edward Island"),
            ("12", "Nova Scotia"),
            ("13", "New Brunswick"),
        ),
        "Canada",
        thousands=",",
        encoding="utf-8-sig",
    ),
    Producer(
        "US Census Bureau",
        words.ENGLISH,
        (
            ("01001", "Autauga County"),
            ("01003", "Baldwin County"),
            ("01005", "Barbour County"),
            ("01007", "Bibb County"),
        ),
        "Alabama",
        thousands=",",
    ),
    Producer(
        "ABS",
        words.ENGLISH,
        (("1", "New South Wales"), ("2", "Victoria"), ("3", "Queensland"), ("4", "South Australia")),
        "Australia",
    ),
    Producer(
        "Stats NZ",
        words.ENGLISH,
        (
            ("001", "Far North District"),
            ("002", "Whangarei District"),
            ("003", "Kaipara District"),
            ("076", "Auckland"),
        ),
        "New Zealand",
    ),
    Producer(
        "CSO",
        words.ENGLISH,
        (("IE11", "Carlow"), ("IE12", "Dublin City"), ("IE13", "Kildare"), ("IE14", "Kilkenny")),
        "State",
        encoding="utf-8-sig",
    ),
    Producer(
        "Destatis",
        words.GERMAN,
        (("08111", "Stuttgart"), ("08115", "Böblingen"), ("08116", "Esslingen"), ("08117", "Göppingen")),
        "Baden-Württemberg",
        ";",
        "cp1252",
        none="-",
    ),
    Producer(
        "BFS",
        words.GERMAN,
        (("1", "Zürich"), ("2", "Bern / Berne"), ("3", "Luzern"), ("21", "Ticino")),
        "Schweiz",
        ";",
        "iso-8859-1",
        thousands="'",
    ),
    Producer(
        "INSEE",
        words.FRENCH,
        (("01", "Ain"), ("02", "Aisne"), ("2A", "Corse-du-Sud"), ("04", "Alpes-de-Haute-Provence")),
        "France",
        ";",
        "utf-8",
        thousands="\u202f",
    ),
    Producer(
        "INE",
        words.SPANISH,
        (("02", "Albacete"), ("03", "Alicante/Alacant"), ("05", "Ávila"), ("15", "Coruña, A")),
        "Total Nacional",
        ";",
        "iso-8859-15",
        thousands=".",
    ),
    Producer(
        "INEGI",
        words.SPANISH,
        (("001", "Aguascalientes"), ("002", "Asientos"), ("003", "Calvillo"), ("004", "Cosío")),
        "Total de la entidad",
        ",",
        "utf-8",
        none="0",
    ),
    Producer(
        "CBS",
        words.DUTCH,
        (
            ("PV20", "Groningen (PV)"),
            ("PV21", "Fryslân (PV)"),
            ("PV22", "Drenthe (PV)"),
            ("PV23", "Overijssel (PV)"),
        ),
        "Nederland",
        ";",
        "utf-8",
    ),
    Producer(
        "SCB",
        words.SWEDISH,
        (
            ("01", "Stockholms län"),
            ("03", "Uppsala län"),
            ("04", "Södermanlands län"),
            ("05", "Östergötlands län"),
        ),
        "Riket",
        ",",
        "cp1252",
        none="-",
    ),
    Producer(
        "SSB",
        words.NORWEGIAN,
        (("03", "Oslo"), ("11", "Rogaland"), ("15", "Møre og Romsdal"), ("18", "Nordland - Nordlánnda")),
        "Hele landet",
        ";",
        "cp1252",
        none="-",
    ),
    Producer(
        "Statistics Finland",
        words.FINNISH,
        (("KU091", "Helsinki"), ("KU049", "Espoo"), ("KU092", "Vantaa"), ("KU837", "Tampere")),
        "KOKO MAA",
        ";",
        "cp1252",
    ),
    Producer(
        "Istat",
        words.ITALIAN,
        (
            ("ITC11", "Torino"),
            ("ITC12", "Vercelli"),
            ("ITC20", "Valle d'Aosta / Vallée d'Aoste"),
            ("ITC15", "Novara"),
        ),
        "Italia",
        ",",
        "utf-8-sig",
    ),
    Producer(
        "GUS",
        words.POLISH,
        (
            ("0200000", "DOLNOŚLĄSKIE"),
            ("0400000", "KUJAWSKO-POMORSKIE"),
            ("0600000", "LUBELSKIE"),
            ("0800000", "LUBUSKIE"),
        ),
        "POLSKA",
        ";",
        "cp1250",
        none="-",
    ),
    Producer(
        "Statistics Estonia",
        words.ESTONIAN,
        (
            ("37", "Harju maakond"),
            ("39", "Hiiu maakond"),
            ("44", "Ida-Viru maakond"),
            ("49", "Jõgeva maakond"),
        ),
        "Kogu Eesti",
        ";",
        "utf-8",
        none="-",
    ),
    Producer(
        "IBGE",
        words.PORTUGUESE,
        (
            ("1100015", "Alta Floresta D'Oeste (RO)"),
            ("1100023", "Ariquemes (RO)"),
            ("1100031", "Cabixi (RO)"),
            ("1100049", "Cacoal (RO)"),
        ),
        "Brasil",
        ";",
        "utf-8-sig",
        none="-",
    ),
    Producer(
        "e-Stat",
        words.JAPANESE,
        (("01000", "北海道"), ("02000", "青森県"), ("03000", "岩手県"), ("04000", "宮城県")),
        "全国",
        ",",
        "shift_jis",
        thousands=",",
        none="-",
    ),
    Producer(
        "Eurostat",
        words.ENGLISH,
        (
            ("BE1", "Région de Bruxelles-Capitale"),
            ("BE2", "Vlaams Gewest"),
            ("BE3", "Région wallonne"),
            ("LU0", "Luxembourg"),
        ),
        "Benelux",
        "\t",
        "utf-8",
        none="0",
    ),
)
