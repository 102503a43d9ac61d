"""Words of statistical offices in 13 languages, for invented tables."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Words of a published table in one language."""

    language: str
    title: str
    region: str
    sex: str
    age: str
    year: str
    total: str
    male: str
    female: str
    both: str
    ages: tuple[str, ...]
    adults: str
    persons: str
    thousand: str
    unit: str
    share: str
    which: str
    foreign: str
    households: str
    source: str
    note: str


ENGLISH = Words(
    "en", "Usual residents by area, sex and age", "Area", "Sex", "Age group", "Year", "Total", "Males", "Females", "Both sexes",
    ("0 to 14 years", "15 to 24 years", "25 to 64 years", "65 years and over"), "18 years and over", "Persons", "1,000 persons", "Unit",
    "Per cent", "of which", "Born abroad", "Households", "Source: Population census 2021",
    "1. Figures refer to usual residents on the census day.",
)  # fmt: skip
GERMAN = Words(
    "de", "Bevölkerung nach Kreisen, Geschlecht und Altersgruppen", "Region", "Geschlecht", "Altersgruppe", "Jahr", "Insgesamt", "männlich",
    "weiblich", "zusammen", ("unter 15 Jahre", "15 bis unter 25 Jahre", "25 bis unter 65 Jahre", "65 Jahre und älter"),
    "18 Jahre und älter", "Anzahl", "1 000 Personen", "Einheit", "Prozent", "darunter", "Ausländer", "Haushalte",
    "Quelle: Fortschreibung des Bevölkerungsstandes", "1) Ergebnisse auf Grundlage des Zensus.",
)  # fmt: skip
FRENCH = Words(
    "fr", "Population par département, sexe et âge", "Département", "Sexe", "Âge", "Année", "Ensemble", "Hommes", "Femmes", "Total",
    ("Moins de 15 ans", "15 à 24 ans", "25 à 64 ans", "65 ans ou plus"), "18 ans ou plus", "Personnes", "Milliers de personnes", "Unité",
    "Part en %", "dont", "Immigrés", "Ménages", "Source : Insee, recensement de la population 2021", "(1) Population des ménages.",
)  # fmt: skip
SPANISH = Words(
    "es", "Población por provincia, sexo y edad", "Provincia", "Sexo", "Edad", "Año", "Total", "Hombres", "Mujeres", "Ambos sexos",
    ("De 0 a 14 años", "De 15 a 24 años", "De 25 a 64 años", "65 y más años"), "18 y más años", "Personas", "Miles de personas",
    "Unidades", "Porcentaje", "de los cuales", "Extranjeros", "Hogares", "Fuente: Instituto Nacional de Estadística",
    "1) Datos provisionales.",
)  # fmt: skip
DUTCH = Words(
    "nl", "Bevolking naar provincie, geslacht en leeftijd", "Regio's", "Geslacht", "Leeftijd", "Perioden", "Totaal", "Mannen", "Vrouwen",
    "Totaal mannen en vrouwen", ("0 tot 15 jaar", "15 tot 25 jaar", "25 tot 65 jaar", "65 jaar of ouder"), "18 jaar of ouder", "aantal",
    "x 1 000", "Eenheid", "%", "waarvan", "Buitenlandse herkomst", "Huishoudens", "Bron: CBS", "1) Voorlopige cijfers.",
)  # fmt: skip
SWEDISH = Words(
    "sv", "Folkmängden efter län, kön och ålder", "region", "kön", "ålder", "år", "totalt", "män", "kvinnor", "män och kvinnor",
    ("0-14 år", "15-24 år", "25-64 år", "65+ år"), "18+ år", "Antal", "1 000-tal personer", "Enhet", "Procent", "därav",
    "utrikes födda", "Hushåll", "Källa: SCB", "1) Uppgifterna avser den 31 december.",
)  # fmt: skip
NORWEGIAN = Words(
    "nb", "Befolkning, etter fylke, kjønn og alder", "region", "kjønn", "alder", "år", "I alt", "Menn", "Kvinner", "Begge kjønn",
    ("0-14 år", "15-24 år", "25-64 år", "65 år eller eldre"), "18 år eller eldre", "Personer", "1 000 personer", "Enhet", "Prosent",
    "herav", "innvandrere", "Husholdninger", "Kilde: Statistisk sentralbyrå", "1 Tallene gjelder 1. januar.",
)  # fmt: skip
FINNISH = Words(
    "fi", "Väestö alueen, sukupuolen ja iän mukaan", "Alue", "Sukupuoli", "Ikä", "Vuosi", "Yhteensä", "Miehet", "Naiset", "Molemmat",
    ("0 - 14", "15 - 24", "25 - 64", "65 -"), "18 -", "Henkilöä", "1 000 henkilöä", "Yksikkö", "Osuus, %", "josta", "Ulkomaalaiset",
    "Asuntokunnat", "Lähde: Tilastokeskus", "1) Ennakkotieto.",
)  # fmt: skip
ITALIAN = Words(
    "it", "Popolazione residente per provincia, sesso ed età", "Territorio", "Sesso", "Classe di età", "Anno", "Totale", "Maschi", "Femmine",
    "Maschi e femmine", ("0-14 anni", "15-24 anni", "25-64 anni", "65 anni e più"), "18 anni e più", "Persone", "Migliaia di persone",
    "Unità", "Percentuale", "di cui", "Stranieri", "Famiglie", "Fonte: Istat", "(a) Dati provvisori.",
)  # fmt: skip
POLISH = Words(
    "pl", "Ludność według województw, płci i wieku", "Województwo", "Płeć", "Wiek", "Rok", "Ogółem", "Mężczyźni", "Kobiety", "Razem",
    ("0–14 lat", "15–24", "25–64", "65 lat i więcej"), "18 lat i więcej", "osoba", "tys. osób", "Jednostka", "w %", "w tym", "cudzoziemcy",
    "Gospodarstwa domowe", "Źródło: Główny Urząd Statystyczny", "a Stan w dniu 31 XII.",
)  # fmt: skip
ESTONIAN = Words(
    "et", "Rahvastik maakonna, soo ja vanuse järgi", "Maakond", "Sugu", "Vanuserühm", "Aasta", "Kokku", "Mehed", "Naised",
    "Mehed ja naised", ("0-14", "15-24", "25-64", "65 ja vanemad"), "18 ja vanemad", "Isikut", "tuhat isikut", "Ühik", "Protsent",
    "sellest", "välispäritolu", "Leibkonnad", "Allikas: Statistikaamet", "1 Seisuga 1. jaanuar.",
)  # fmt: skip
PORTUGUESE = Words(
    "pt", "População residente, por município, sexo e grupos de idade", "Município", "Sexo", "Grupo de idade", "Ano", "Total", "Homens",
    "Mulheres", "Ambos os sexos", ("0 a 14 anos", "15 a 24 anos", "25 a 64 anos", "65 anos ou mais"), "18 anos ou mais", "Pessoas",
    "Mil pessoas", "Unidade", "Percentual", "dos quais", "Estrangeiros", "Domicílios", "Fonte: IBGE - Censo Demográfico",
    "1 - Dados do universo.",
)  # fmt: skip
JAPANESE = Words(
    "ja", "都道府県,男女,年齢別人口", "地域", "男女", "年齢", "時間軸(年次)", "総数", "男", "女", "男女計",
    ("15歳未満", "15~24歳", "25~64歳", "65歳以上"), "18歳以上", "人", "千人", "単位", "割合", "うち", "外国人", "世帯",
    "資料:総務省統計局", "注)10月1日現在",
)  # fmt: skip
