"""Files in shapes that offices make today, written by somebody who wanted to see them misread."""

import numpy as np
import pytest
from test_office_files import read

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import ReadOptions

NBSP = "\u00a0" * 4

#: Each is a file, and its counts, or what is said of it.
FILES = {
    "Destatis, a footer below a line": (
        "Tabelle: 12411-0013\nBevölkerung: Bundesländer, Stichtag, Geschlecht\nBevölkerung (Anzahl);;;\n"
        ";31.12.2022;31.12.2022;31.12.2022\n;männlich;weiblich;Insgesamt\nBayern;6621;6748;13369\n"
        "Berlin;1846;1909;3755\nInsgesamt;8467;8657;17124\n__________\n© Statistisches Bundesamt | Stand: 02.02.2024\n",
        [[6621, 6748], [1846, 1909]],
    ),
    "Destatis, signs": (
        ";2020/21;2021/22\nBerlin;1234;1250\nHamburg;-;.\nBremen;34;x\n__________\n- = nichts vorhanden\n",
        "may mean zero or an unpublished count",
    ),
    "INE Spain, points for thousands": (
        "Sexo;Comunidades;Edad;Periodo;Total\nHombres;Andalucía;0-14;2022;620.400\nHombres;Andalucía;15+;2022;3.560.000\n"
        "Mujeres;Andalucía;0-14;2022;584.112\nMujeres;Andalucía;15+;2022;3.704.001\n",
        [[620400, 3560000], [584112, 3704001]],
    ),
    "ISTAT, a total of the sexes": (
        '"ITTER107","Territorio","Sesso","TIME","Value","Flags"\n"ITC11","Torino","maschi","2021",1085,\n'
        '"ITC11","Torino","femmine","2021",1134,\n"ITC11","Torino","totale","2021",2219,\n"ITC12","Asti","maschi","2021",801,"p"\n'
        '"ITC12","Asti","femmine","2021",842,"p"\n"ITC12","Asti","totale","2021",1643,"p"\n',
        [[1085, 1134], [801, 842]],
    ),
    "CSO Ireland, persons and their ages": (
        '"Statistic Label","Sex","County","UNIT","VALUE"\n"Population","Male","Carlow","Number","30800"\n'
        '"Population","Female","Carlow","Number","31168"\n"Average Age","Male","Carlow","Years","38"\n'
        '"Average Age","Female","Carlow","Years","39"\n',
        "kinds of figures",
    ),
    "Statistics Finland, sexes by year": (
        '"11ra -- Population by Area and Year"\n\n"Area","2022 Males","2022 Females","2023 Males","2023 Females"\n'
        '"Akaa","2755","2818","2760","2820"\n"Åland","15","25","16","27"\n',
        "has times",
    ),
    "StatCan, suppressed": (
        '"REF_DATE","GEO","Gender","UOM","SCALAR_FACTOR","VALUE","STATUS"\n"2023","Canada","Men+","Persons","units","939",""\n'
        '"2023","Canada","Women+","Persons","units","897",""\n"2023","Ontario","Men+","Persons","units","371",""\n'
        '"2023","Ontario","Women+","Persons","units","","x"\n',
        '"x" marks a count that was not published',
    ),
    "ABS TableBuilder": (
        '"2021 Census - counting persons"\n\n,"SEXP Sex","Male","Female","Total",\n"STE (UR)",\n'
        '"Queensland",,2540,2610,5150,\n"Tasmania",,270,281,551,\n"Total",,2810,2891,5701,\n\n"Data Source: Census"\n',
        [[2540, 2610], [270, 281]],
    ),
    "ABS TableBuilder, its corner": (
        'Australian Bureau of Statistics\n\n"Counting: Persons Place of Usual Residence"\n\nFilters:\n"Default '
        'Summation","Persons Place of Usual Residence"\n\n"SEXP Sex","Male","Female","Total",\n"STATE (UR)",\n'
        '"Queensland",2540,2610,5150,\n"Tasmania",270,281,551,\n"Total",2810,2891,5701,\n\n"INFO","Adjusted."\n',
        [[2540, 2610], [270, 281]],
    ),
    "ABS TableBuilder, wafers": (
        '"Counting: Persons Place of Usual Residence"\n\n"AGEP","0-14"\n"SEXP Sex","Male","Female",\n"STATE (UR)",\n'
        '"Queensland",540,610,\n"Tasmania",70,81,\n\n"AGEP","15+"\n"SEXP Sex","Male","Female",\n"STATE (UR)",\n'
        '"Queensland",2540,2610,\n"Tasmania",270,281,\n',
        "several tables",
    ),
    "ABS TableBuilder, long": (
        '"Counting: Persons Place of Usual Residence"\n\n"STATE (UR)","SEXP Sex","Count",\n"Queensland","Male",2540,\n'
        '"","Female",2610,\n"Tasmania","Male",270,\n"","Female",281,\n\n"Data Source: Census"\n',
        [[2540, 2610], [270, 281]],
    ),
    "ABS TableBuilder, two across": (
        '"Counting"\n\n,"SEXP Sex","Male",,"Female",,"Total",\n,"AGEP","0-14","15+","0-14","15+","0-14","15+",\n'
        '"STATE (UR)",\n"Queensland",,540,610,500,600,1040,1210,\n"Tasmania",,70,81,60,80,130,161,\n'
        '"Total",,610,691,560,680,1170,1371,\n',
        [[[540, 610], [500, 600]], [[70, 81], [60, 80]]],
    ),
    "STATcube, a column of annotations": (
        '"Bevölkerung zu Jahresbeginn"\n"Zählvariable","Fallzahl"\n\n"Bundesland","Geschlecht","Fallzahl",'
        '"Annotationen"\n"Wien <AT13>","männlich",146,""\n"Wien <AT13>","weiblich",152,""\n'
        '"Tirol <AT33>","männlich",276,""\n"Tirol <AT33>","weiblich",291,"x"\n\n"Annotationen"\n"x","vorläufig"\n',
        [[146, 152], [276, 291]],
    ),
    "STATcube, annotations beside each count": (
        '"Bevölkerung"\n\n"","Geschlecht","männlich","Annotationen","weiblich","Annotationen"\n"Bundesland","","","","",""\n'
        '"Wien","",146,"",152,""\n"Tirol","",276,"(1)",291,""\n\n"(1) vorläufig"\n',
        [[146, 152], [276, 291]],
    ),
    "STATcube, what is secret": (
        '"Bundesland","männlich","Annotationen"\n"Wien",146,""\n"Tirol","G","geheim"\n',
        'Row "Tirol", column "männlich": "G"',
    ),
    "US Census, estimates and their margins": (
        '"Label (Grouping)","Autauga!!Estimate","Autauga!!Margin of Error"\n"Total:","58,805","±120"\n'
        f'"{NBSP}Male:","28,805","±100"\n"{NBSP}{NBSP}Under 5 years","4,000","±60"\n'
        f'"{NBSP}{NBSP}5 years and over","24,805","±70"\n"{NBSP}Female:","30,000","±70"\n'
        f'"{NBSP}{NBSP}Under 5 years","4,500","±90"\n"{NBSP}{NBSP}5 years and over","25,500","±80"\n',
        ("figures other than counts", [4000, 24805, 4500, 25500]),
    ),
    "US Census, some groups only": (
        f'"Label (Grouping)","Autauga!!Estimate"\n"{NBSP}Male:","28,805"\n"{NBSP}{NBSP}Under 5 years","4,000"\n'
        f'"{NBSP}Female:","30,000"\n"{NBSP}{NBSP}Under 5 years","4,500"\n',
        'Row "Male: Under 5 years" is indented as a part of "Male:"',
    ),
    "US Census, two lines of header": (
        "GEO_ID,NAME,B01001_001E,B01001_001M,B01001_002E,B01001_026E\nGeography,Geographic Area Name,Estimate!!Total:,"
        "Margin of Error!!Total:,Estimate!!Total:!!Male:,Estimate!!Total:!!Female:\n"
        '0500000US01001,"Autauga County, Alabama",58805,120,28805,30000\n'
        '0500000US01003,"Baldwin County, Alabama",231767,150,111767,120000\n',
        ("figures other than counts", [[28805, 30000], [111767, 120000]]),
    ),
    "US Census, groups with headings": (
        f'"Label (Grouping)","A!!Total!!Estimate","A!!Percent!!Estimate"\n"Total population","5,024","(X)"\n'
        f'"{NBSP}AGE"," "," "\n"{NBSP}{NBSP}Under 5","400","8.0%"\n"{NBSP}{NBSP}5 and over","4,624","92.0%"\n',
        [400, 4624],
    ),
    "US Census, groups that overlap": (
        f'"Label (Grouping)","A!!Estimate"\n"Total population","5,024"\n"{NBSP}AGE",""\n"{NBSP}{NBSP}Under 5","400"\n'
        f'"{NBSP}{NBSP}5 and over","4,624"\n"{NBSP}SELECTED AGES",""\n"{NBSP}{NBSP}18 and over","3,624"\n',
        'Row "Under 5" is indented as a part of "Total population"',
    ),
    "US Census, all beside one sex": (
        '"Label (Grouping)","A!!Total!!Estimate","A!!Male!!Estimate"\n"0-4","400","200"\n"5+","4,624","2,200"\n',
        "is a total",
    ),
    "IBGE SIDRA, its corner twice": (
        '"Tabela 6579"\n"Município";"Ano"\n"Município";"2021"\n"Alta Floresta";"22516"\n"Ariquemes";"111148"\n'
        '"Fonte: IBGE"\n',
        [22516, 111148],
    ),
    "IBGE SIDRA, thousands": (
        '"População residente (Mil pessoas)"\n"Município";"Homens";"Mulheres"\n"Acre";"413";"416"\n"Amapá";"9";"3"\n',
        "single people",
    ),
    "IBGE SIDRA, three lines of header": (
        '"Tabela 9606 - População residente"\n"Variável - População residente (Pessoas)"\n"Município";"Ano x Sexo"\n'
        '"";"2022";"2022";"2022"\n"";"Total";"Homens";"Mulheres"\n"Acre";"830018";"413302";"416716"\n'
        '"Amapá";"733759";"364010";"369749"\n"Fonte: IBGE - Censo Demográfico"\n"Notas"\n',
        [[413302, 416716], [364010, 369749]],
    ),
    "IBGE SIDRA, two years": (
        '"Tabela 202 - População residente"\n"Município";"Ano x Situação"\n"";"2000";"2000";"2010";"2010"\n'
        '"";"Urbana";"Rural";"Urbana";"Rural"\n"Acre";"413";"416";"513";"516"\n"Amapá";"470";"3";"570";"13"\n'
        '"Fonte: IBGE"\n',
        "has times",
    ),
    "IBGE SIDRA, a legend": (
        '"Município";"Homens";"Mulheres"\n"Acre";"413302";"416716"\n"Amapá";"X";"3"\n"Fonte: IBGE"\n"Legenda"\n'
        '"Símbolo";"Significado"\n"X";"Valor inibido"\n',
        '"X" marks a count that was not published',
    ),
    "IBGE SIDRA, long": (
        '"Unidade de Medida","Valor","Município (Código)","Município","Variável","Ano","Sexo (Código)","Sexo"\n'
        '"Pessoas","413","1","Acre","População","2022","4","Homens"\n'
        '"Pessoas","416","1","Acre","População","2022","5","Mulheres"\n'
        '"Pessoas","3","2","Amapá","População","2022","4","Homens"\n'
        '"Pessoas","5","2","Amapá","População","2022","5","Mulheres"\n',
        [[413, 416], [3, 5]],
    ),
    "US Census, indented": (
        f'"Label (Grouping)","Autauga","Baldwin"\n"Total:","58,805","231,767"\n'
        f'"{NBSP}Population of one race:","55,805","215,767"\n'
        f'"{NBSP}{NBSP}White alone","42,160","189,399"\n"{NBSP}{NBSP}Black alone","13,645","26,368"\n'
        f'"{NBSP}Population of two or more races:","3,000","16,000"\n',
        [[42160, 189399], [13645, 26368], [3000, 16000]],
    ),
    "INSEE, two censuses": (
        "CODGEO;LIBGEO;P20_POP;P20_POP0014;P20_POP15P;P14_POP\n01001;Abergement;806;150;656;767\n"
        "01002;Varey;262;50;212;241\n01004;Ambérieu;14288;3000;11288;14081\n",
        "has times",
    ),
    "Nomis, a number and a share": (
        '"TS021 - Ethnic group"\n"Units      :","Persons"\n\n"district","Asian","Black","White","number","%"\n'
        '"Hartlepool",1500,480,90357,92337,100.0\n"Darlington",3200,1100,103500,107800,100.0\n',
        [[1500, 480, 90357], [3200, 1100, 103500]],
    ),
    "Scotland, all ages and one of them": (
        'Scotland\'s Census 2022\n\n"Council Area","All ages","0 to 15"\n'
        '"Aberdeen City",224190,36000\n"Angus",114820,18900\n'
        '"Fife",374000,61000\n',
        'Column "0 to 15" is a part of "All ages"',
    ),
    "NZ.Stat, total responses": (
        "Ethnic group,Count\n"
        "European,3297864\nMaori,775836\nPacific,381642\nAsian,707598\nTotal people stated,4699755\n",
        'Row "Total people stated" is a total',
    ),
    "Statistics Norway, two years": (
        '"07459: Population"\n\n"region";"sex";"Persons 2023";"Persons 2024"\n"3101 Halden";"Males";"15800";"15900"\n'
        '"3101 Halden";"Females";"15600";"15700"\n',
        "has times",
    ),
    "A column of sums so far": (
        "Age,Persons,Cumulative\n0-14,10,10\n15-64,30,40\n65+,12,52\n",
        ("figures other than counts", [10, 30, 12]),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_each_is_right_or_asked(name):
    content, must = FILES[name]
    if isinstance(must, str):
        with pytest.raises(InputError, match=must):
            read(content)
    elif isinstance(must, tuple):
        with pytest.raises(InputError, match=must[0]):
            read(content)
        how = ReadOptions(margins="drop", doubts="accept")
        assert np.array_equal(np.squeeze(read(content, how).table.counts), must[1])
    else:
        assert np.array_equal(np.squeeze(read(content).table.counts), must)


@pytest.mark.parametrize(("margins", "people"), [("drop", [3297864, 775836, 381642, 707598]), ("keep", None)])
def test_a_total_that_is_no_sum_is_left_out_or_kept(margins, people):
    content, _ = FILES["NZ.Stat, total responses"]
    counts = read(content, ReadOptions(margins=margins)).table.counts.ravel().tolist()
    assert counts == (people or [3297864, 775836, 381642, 707598, 4699755])


def test_one_of_several_years_is_read():
    content, _ = FILES["Statistics Norway, two years"]
    reading = read(content, ReadOptions(only=("Column=Persons 2024",)))
    assert np.array_equal(np.squeeze(reading.table.counts), [15900, 15700])


@pytest.mark.parametrize("label", ["Allier", "Alle anderen"])
def test_a_large_category_is_no_total(label):
    assert read(f"Age,{label},Mother,Father\n0-5,900,120,30\n6-11,850,140,35\n").table.shape == (2, 3)
