"""The files of the collection: shapes that each office uses, and the shapes that all offices use."""

import zlib
from dataclasses import dataclass

from . import shapes
from .producers import PRODUCERS

OWN = {
    "ONS": ["nomis", "ons_custom"],
    "Statistics Canada": ["statcan", "long_thousands", "rounded_totals"],
    "US Census Bureau": ["census_labels", "census_codes", "post_codes"],
    "ABS": ["table_builder", "table_builder_long", "perturbed_totals"],
    "Stats NZ": ["stats_nz", "rounded_totals"],
    "CSO": ["cso", "json_totals"],
    "Destatis": ["genesis_flat", "genesis_table"],
    "BFS": ["px_totals", "px_file"],
    "INSEE": ["insee_long", "insee_sheet"],
    "INE": ["ine_long", "px_file"],
    "INEGI": ["inegi"],
    "CBS": ["statline", "statline_table"],
    "SCB": ["pxweb_csv", "pxweb_sheet", "px_file", "json_cube"],
    "SSB": ["pxweb_csv", "pxweb_sheet", "px_totals", "json_unit"],
    "Statistics Finland": ["pxweb_csv", "px_file", "json_cube"],
    "Istat": ["istat_long", "sdmx_labels"],
    "GUS": ["gus", "gus_headers"],
    "Statistics Estonia": ["pxweb_both", "px_totals", "json_cube"],
    "IBGE": ["sidra", "sidra_long"],
    "e-Stat": ["estat_file", "estat_sheet"],
    "Eurostat": [
        "eurostat_tsv",
        "eurostat_tsv_flags",
        "eurostat_sheet",
        "sdmx_csv",
        "sdmx_totals",
        "sdmx_both",
    ],
}

COMMON = (
    "wide_with_notes",
    "wide_workbook",
    "wide_open_document",
    "wide_page",
    "merged_workbook",
    "merged_page",
    "blank_headings_csv",
    "blank_total_label",
    "blank_total_heading",
    "total_first_no_word",
    "thousands_stated",
    "thousands_whole",
    "unit_column",
    "per_cent_block",
    "per_cent_column",
    "of_which",
    "of_which_column",
    "other_unit_column",
    "other_unit_line",
    "overlapping_ages",
    "years_as_columns",
    "year_column",
    "coordinates",
    "area_in_square_kilometres",
    "codes_beside_labels",
    "numeric_codes",
    "nuts_columns",
    "level_column",
    "indented_areas",
    "subtotal_lines",
    "subtotal_columns",
    "flag_columns",
    "marks",
    "stacked_blocks",
    "stacked_with_both",
    "repeated_headers",
    "one_line",
    "transposed",
    "hidden_sheet",
    "merged_first_column",
    "average_age",
    "per_thousand",
    "long_file",
    "long_with_codes",
    "long_with_totals",
    "long_levels",
    "long_status",
    "long_secret",
    "long_measures",
    "long_years",
    "px_marks",
    "px_thousands",
    "json_secret",
    "sdmx_labels",
    "sdmx_multiplier",
    "rounded_totals",
    "perturbed_totals",
)


@dataclass(frozen=True)
class File:
    """One file: the office, its shape, and the seed of its people."""

    office: str
    shape: str
    seed: int

    def make(self):
        """Return the name, the bytes and the true tables."""
        producer = next(producer for producer in PRODUCERS if producer.office == self.office)
        return getattr(shapes, self.shape)(shapes.Draw(producer, self.seed))

    def __str__(self):
        return f"{self.office}: {self.shape}".replace(" ", "_")


def collection(each=3):
    """Return the files: each common shape by `each` offices, and the shapes of each office."""
    made = [(office, shape) for office, own in OWN.items() for shape in own]
    offices = list(OWN)
    for number, shape in enumerate(COMMON):
        for again in range(each):
            made.append((offices[(number + 7 * again) % len(offices)], shape))
    files = []
    for office, shape in dict.fromkeys(made):
        files.append(File(office, shape, zlib.crc32(f"{office} {shape}".encode())))
    return files
