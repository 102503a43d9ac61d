"""Each sentence that promises something about disclosure, beside the program that tries to break it.

A sentence is found in its file by a fragment of it, so that a changed promise is noticed. The program is a test or a
function of a benchmark, which must exist. The documents are searched for words of promises: a sentence with such a word
must be listed here, as a promise or among the sentences that promise nothing.
"""

import ast
import itertools
import json
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.methods import cellkey

ROOT = Path(__file__).parents[1]

SUPPRESSION = "tests/core/suppression/test_minimality.py"
PUBLIC = "tests/_util/test_publication.py"
LAWS = "tests/assessment/verdict/test_verdict_laws.py"
TOGETHER = "tests/assessment/verdict/test_together_laws.py"
FACT = "tests/assessment/verdict/test_fact_of_release.py"
INFERENCE = "tests/methods/test_inference.py"
AS_IT_IS = "tests/cli/test_cli_as_it_is.py"
DRAWS = "tests/test_secret_draws.py"
KEYS = "tests/attacks/test_cell_key_attack.py"
SERVER = "tests/tableserver/test_server.py"
LINKING = "tests/tableserver/test_linking.py"
RELEASED = "benchmarks/released_files_attack.py"
PUBLISH = "docs/how/publish.md"
BRING = "docs/how/bring-a-table.md"
LINKED = "docs/how/linked-tables.md"
ARGUS = "tests/tables/io/test_argus.py"
WHOLE_KEYS = "tests/methods/test_cellkey_whole_keys.py"
OFFICE = "docs/how/office-rule.md"
GENERATOR = "docs/generator.md"
REFUTATIONS = "tests/test_refutations.py"
BY_FILES = "tests/test_refutations_by_files.py"
LESSON_6B = "tutorials/06b-suppress-cells.ipynb"

#: File, fragment of the promise, file of the program that tries to break it, and its name.
PROMISES = [
    ("docs/how/see-the-risk.md", "two releases of one table disclose more than one", SUPPRESSION,
     "test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of"),
    (PUBLISH, "No file for data users contains a figure that follows from the original counts", PUBLIC,
     "test_an_enumerating_intruder_learns_nothing_from_the_files_around_the_values"),
    (PUBLISH, "drawn from a new secret seed", "tests/test_refutations.py",
     "test_an_intruder_who_tries_small_seeds_does_not_repeat_a_release"),
    (PUBLISH, "creates it with a new secret that only the owner of the file can read", "tests/cli/test_secret_file.py",
     "test_a_new_secret_file_is_private_and_gives_the_same_output_again"),
    (PUBLISH, "removes the noise", "tests/test_refutations.py",
     "test_an_intruder_who_averages_outputs_of_one_secret_removes_no_noise"),
    (PUBLISH, "smallest and largest original count of each cell", "tests/test_refutations.py",
     "test_the_intervals_of_conventional_rounding_are_those_of_all_tables_that_fit"),
    (PUBLISH, "Keep the seed as secret as the original counts", "tests/test_refutations.py",
     "test_no_public_file_of_the_command_contains_the_secret"),
    (OFFICE, "minimum count above 0 that is published, or that published values determine",
     "tests/assessment/verdict/test_determined_counts.py",
     "test_no_released_table_has_a_small_count_that_its_intervals_state_exactly"),
    (PUBLISH, "blocks tables that `--additive` has changed", "tests/tables/test_adding_up.py",
     "test_an_intruder_who_inverts_the_adjustment_infers_more_so_rules_do_not_release_it"),
    (LINKED, "blocks such releases, and, if the rules block within-group disclosure", FACT,
     "test_sums_of_cell_keys_give_the_same_answer_for_all_tables"),
    (PUBLISH, "Two editions of a table with one secret have independent noise", "tests/test_promises.py",
     "test_two_editions_have_the_same_noise_only_with_record_keys"),
    (PUBLISH, "give a cell the same noise in both editions if its people are the same", "tests/test_promises.py",
     "test_two_editions_have_the_same_noise_only_with_record_keys"),
    (PUBLISH, "the answer can be \"release\" although a respondent is certain", "tests/test_promises.py",
     "test_respondents_are_certain_unless_the_rules_block_this"),
    (PUBLISH, "The verdict then only reports what a respondent can infer about others", "tests/test_promises.py",
     "test_respondents_are_certain_unless_the_rules_block_this"),
    ("docs/explain/limits.md", "release rules block what a respondent can infer about others only if",
     "tests/test_promises.py", "test_respondents_are_certain_unless_the_rules_block_this"),
    (OFFICE, "or if a respondent can infer that all others are", "tests/test_promises.py",
     "test_respondents_are_certain_unless_the_rules_block_this"),
    (PUBLISH, "treat each cell that can have people as the cell of a respondent", FACT,
     "test_the_answer_is_the_same_for_all_tables_that_fit"),
    (BRING, "the order in which categories first appear would disclose empty cells",
     "tests/tables/io/test_order_of_categories.py",
     "test_the_order_of_labels_is_the_same_whichever_cells_are_empty"),
    (BRING, "sorts the categories of a long table with missing combinations",
     "tests/tables/io/test_order_of_categories.py",
     "test_the_order_of_labels_is_the_same_whichever_cells_are_empty"),
    (PUBLISH, "Every public file that a page saves names the table", PUBLIC,
     "test_every_public_file_of_a_page_names_its_table_its_method_and_the_public_settings"),
    (PUBLISH, "Therefore one caution lists these texts", "tests/tables/io/test_copied.py",
     "test_the_command_lists_what_the_file_repeats"),
    (PUBLISH, "This does not depend on the counts: if \"aged 3 and over\" were withheld only where", PUBLIC,
     "test_whether_a_line_around_the_table_is_copied_does_not_depend_on_the_counts"),
    (PUBLISH, "then a release with this line would disclose that no hidden count is 3", PUBLIC,
     "test_whether_a_line_around_the_table_is_copied_does_not_depend_on_the_counts"),
    (PUBLISH, "and the internal report contains it", "tests/tables/io/test_copied.py",
     "test_the_command_lists_what_the_file_repeats"),
    (PUBLISH, "contain the word \"internal\"", PUBLIC, "test_an_internal_file_says_so_in_its_name_and_first_line"),
    (PUBLISH, "The internal report contains the verdict, the residual disclosure risk and the information loss", PUBLIC,
     "test_the_same_intruder_finds_cells_in_the_internal_report"),
    (PUBLISH, "choose their result by a secret", SUPPRESSION,
     "test_the_same_secret_gives_the_same_result_and_others_give_others"),
    (PUBLISH, "the minimality attack finds 13 % (66 of 527)", "benchmarks/minimality.py", "exact_cells"),
    (PUBLISH, "the minimality attack finds 0.12 % (1 of 830, in 1 of 320 tables)", "benchmarks/minimality.py",
     "exact_cells"),
    (PUBLISH, "if these tables vary every suppressed small count", SUPPRESSION,
     "test_every_table_of_a_certificate_leads_to_the_pattern"),
    (PUBLISH, "the pattern also suppresses all counts below this threshold", SUPPRESSION,
     "test_every_table_of_a_certificate_leads_to_the_pattern"),
    (PUBLISH, "it grew by 0 % and 3 % at the median", "benchmarks/minimality.py", "growth"),
    (PUBLISH, "narrows 0 of 3,010 intervals", "benchmarks/minimality.py", "narrow_intervals"),
    (PUBLISH, "the minimality attack narrows 432 of 3,166 intervals", "benchmarks/minimality.py", "narrow_intervals"),
    (PUBLISH, "`protect` warns if no secret is given", SUPPRESSION,
     "test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of"),
    (PUBLISH, "disclose counts by their difference", SUPPRESSION,
     "test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of"),
    (PUBLISH, "the same table, settings and secret give the same pattern", "tests/methods/test_canonical.py",
     "test_the_arrangement_of_a_file_does_not_change_the_result"),
    (PUBLISH, "Seeds with a pattern, such as 2^64, are rejected", "tests/_util/test_seeds.py",
     "test_commands_reject_seeds_with_a_pattern"),
    (PUBLISH, "by the command line and by `protect` in Python", "tests/_util/test_seeds.py",
     "test_protect_rejects_seeds_with_a_pattern"),
    (PUBLISH, "the command line and `release.cautions` contain a", "tests/_util/test_seeds.py",
     "test_a_small_seed_has_one_caution_in_python_and_on_the_command_line"),
    (PUBLISH, "the release rules block the release", "tests/assessment/verdict/test_decision.py",
     "test_a_guessable_seed_of_protect_blocks_the_release_without_passing_the_seed_again"),
    (PUBLISH, "random numbers are drawn from a new secret seed", DRAWS,
     "test_pram_draws_128_new_bits_each_time_and_again_with_the_same_ones"),
    (PUBLISH, "averaging several outputs removes the noise", "tests/methods/test_cellkey.py",
     "test_averaging_over_all_sub_tables_leaves_the_noise_and_sums_of_finer_ones_leave_two_thirds"),
    (PUBLISH, "the noise of a cell also depends on the order of rows", "tests/test_promises.py",
     "test_noise_of_another_order_can_be_averaged"),
    (PUBLISH, "The fact that a table was released is information, too", "tests/test_promises.py",
     "test_the_fact_of_release_discloses_counts"),
    (PUBLISH, "In 10 releases of small rounded tables, knowledge of the rules", "tests/test_promises.py",
     "test_the_fact_of_release_discloses_counts"),
    (PUBLISH, "judged as if nobody had moved", LAWS,
     "test_a_table_that_swapping_left_as_it_was_is_judged_by_what_it_shows"),
    (PUBLISH, "gets the same verdict for all original counts", FACT,
     "test_the_answer_is_the_same_for_all_tables_that_fit"),
    (PUBLISH, "Record swapping moves round(rate × people / 2) pairs", INFERENCE,
     "test_record_swapping_moves_a_known_number_of_pairs"),
    (PUBLISH, "publishes only counts that occur in the original table", INFERENCE,
     "test_invariant_perturbation_publishes_only_counts_of_the_table"),
    (PUBLISH, "Invariant post-randomisation publishes only values that occur", INFERENCE,
     "test_post_randomisation_keeps_rows_and_replaces_values"),
    (PUBLISH, "Samples publish the number of people in the population", INFERENCE,
     "test_samples_state_what_they_publish_of_all_people"),
    (PUBLISH, "The rules treat a size below the minimum count as a small count", INFERENCE,
     "test_a_stratum_of_one_person_is_a_published_small_count"),
    (PUBLISH, "nobody is certain of a category", INFERENCE, "certain"),
    (PUBLISH, "In some cases it cannot be computed what data users may infer", INFERENCE,
     "test_targeted_swapping_is_released_only_if_its_limitation_is_accepted"),
    ("docs/how/amounts.md", "chosen among nearly optimal patterns by a secret", SUPPRESSION,
     "test_the_cheapest_pattern_discloses_counts_and_a_chosen_one_does_not"),
    ("docs/how/amounts.md", "Use the same secret whenever you protect the same table", SUPPRESSION,
     "test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of"),
    ("docs/explain/limits.md", "an intruder can infer that a record with unique key values",
     "tests/methods/test_targeted.py",
     "test_with_two_areas_the_original_area_of_unique_records_can_be_inferred"),
    ("docs/how/records.md", "6,404 of 6,422 such records", "tests/methods/test_targeted.py",
     "test_with_two_areas_the_original_area_of_unique_records_can_be_inferred"),
    ("docs/how/records.md", "The attributes `records` and `report` are internal", "tests/methods/test_targeted.py",
     "test_the_order_shows_who_moved_in_internal_records_and_not_in_released_ones"),
    ("docs/how/attack.md", "An attack uses only what is published",
     "tests/attacks/test_attack_laws.py", ""),
    ("docs/explain/intruders.md", "No attack uses the original counts", "tests/attacks/test_attack_laws.py", ""),
    (LINKED, "compute from one table what another table suppresses", TOGETHER,
     "test_no_release_while_all_tables_together_tell_of_a_person"),
    (LINKED, "follows from all tables together", AS_IT_IS,
     "test_an_exact_table_beside_its_protected_version_is_a_violation"),
    (LINKED, "could recalculate suppressed cells from the sums", "tests/tables/test_nesting.py",
     "test_the_sums_of_labels_disclose_what_suppression_hides"),
    (LINKED, "the same people have the same noise in every table", "tests/methods/test_cellkey.py",
     "test_the_same_cell_has_the_same_noise_in_every_table"),
    ("docs/how/amounts.md", "If the choice were not secret, data users could run the program",
     "benchmarks/minimality.py",
     "exact_cells"),
    (PUBLISH, "are sorted differently, the same secret gives different", "tests/test_promises.py",
     "test_noise_of_another_order_can_be_averaged"),
    (LINKED, "publishes the same counts as `--record-key`", "tests/cli/test_cli_protect.py",
     "test_records_with_keys_have_the_same_release_in_python"),
    ("docs/how/choose-a-method.md", "then equal the cells of cell-key-perturbation", WHOLE_KEYS,
     "test_cells_equal_those_of_cell_key_perturbation"),
    ("docs/how/choose-a-method.md", "suppresses counts below 10 after perturbation", WHOLE_KEYS,
     "test_small_counts_are_suppressed_after_perturbation"),
    ("docs/how/choose-a-method.md", "counts each group disclosure of the original table as certain", WHOLE_KEYS,
     "test_a_p_table_with_many_intervals_is_too_large_for_the_analysis"),
    ("docs/how/amounts.md", "`--internal-status OUT` writes the status of each cell", ARGUS,
     "test_amounts_that_are_unsafe_by_hand"),
    (LINKED, "of each cell is written by `--internal-status`", ARGUS, "test_the_command_line_writes_the_status"),
    (LINKED, "Both files are internal, because they show which suppressed counts are small", ARGUS,
     "test_files_with_the_status_are_internal"),
    (LINKED, "Each cell key is mixed", KEYS, "test_releases_from_record_keys_hold_against_enumeration"),
    (LINKED, "can average the noise away", "tests/methods/test_cellkey.py",
     "test_averaging_over_all_sub_tables_leaves_the_noise_and_sums_of_finer_ones_leave_two_thirds"),
    (LINKED, "narrows the intervals that a data user can compute", KEYS,
     "test_the_verdict_on_plain_keys_follows_their_sums"),
    (LINKED, "counts each group disclosure of the original table as certain", KEYS,
     "test_larger_releases_with_plain_keys_are_refused_whatever_the_original_counts"),
    (OFFICE, "neither a limit nor a reason, the table is only compared, and no table is released",
     "tests/assessment/verdict/test_decision.py", "test_a_rule_that_limits_nothing_releases_nothing"),
    (OFFICE, "`assess` reports that the file cannot show whether the method was applied", AS_IT_IS,
     "test_a_raw_table_of_ones_is_never_released_because_a_rule_names_a_method"),
    (OFFICE, "The command then reports the residual disclosure risk", "tests/cli/test_cli_verdict.py",
     "test_a_protected_file_is_judged_as_protect_judges_it"),
    (OFFICE, "the required method cannot be shown, and this is a violation, too",
     "tests/assessment/verdict/test_required_method.py",
     "test_a_required_method_cannot_be_shown_without_the_method_of_the_release"),
    (OFFICE, "If the rules require a method, the table cannot show that the method was applied",
     "tests/assessment/verdict/test_required_method.py",
     "test_a_required_method_cannot_be_shown_without_the_method_of_the_release"),
    ("docs/how/choose-a-method.md", "True if data users can infer all original counts",
     "tests/assessment/test_compare.py",
     "test_settings_that_change_nothing_are_marked_and_not_on_the_pareto_front"),
    (OFFICE, "the exit status 0 means release and nothing else", AS_IT_IS,
     "test_a_rule_without_limits_releases_nothing"),
    (OFFICE, "the exit status 0 means release", RELEASED, "attacked"),
    ("docs/how/records.md", "draw from a new secret seed of 128 bits", DRAWS,
     "test_an_intruder_with_the_program_does_not_undo_pram"),
    ("docs/how/records.md", "anyone who knows the seed can undo the protection", DRAWS,
     "test_no_seed_of_pram_is_in_report_script_code_or_link"),
    ("docs/how/records.md", "removes the columns that show who moved", DRAWS,
     "test_nothing_in_a_swapped_file_tells_who_moved"),
    ("docs/how/records.md", "a data user is certain of this value", "tests/microdata/test_protecting.py",
     "test_pram_within_strata_discloses_values_of_records_that_are_alone_only"),
    ("docs/how/records.md", "A secret also chooses the local suppression", "tests/microdata/test_suppressed.py",
     "test_the_cheapest_suppression_discloses_a_value_and_a_chosen_one_does_not"),
    ("docs/how/records.md", "the minimality attack finds 8 of 273 suppressed values", "benchmarks/local_suppression.py",
     "exact_values"),
    ("docs/how/records.md", "the minimality attack finds 2 of 137", "benchmarks/local_suppression.py", "exact_values"),
    ("docs/how/records.md", "the minimality attack finds 0 of 190", "benchmarks/local_suppression.py", "exact_values"),
    (GENERATOR, "no set of tables shows for certain that a group has 1 or 2 people", LINKING,
     "test_no_sequence_of_protected_tables_gives_a_published_cell_away"),
    (GENERATOR, "rejects a method if the noise of the method cannot give this", LINKING,
     "test_a_population_and_everybody_else_give_it_away"),
    (GENERATOR, "averaging many tables gives closer estimates", "sdcwidgets/tableserver/averaging.py", ""),
    (GENERATOR, "noise of a number follows from the record keys and the secret", SERVER,
     "test_keys_are_mixed_with_a_seed_and_stay_mixed_under_another_method"),
    (GENERATOR, "data users could therefore infer more from a total than from its parts", KEYS,
     "test_four_hundred_columns_with_an_empty_cell"),
    (GENERATOR, "and prints a warning", "tests/cli/test_cli_tables.py",
     "test_noise_follows_from_a_secret_that_is_told_or_given"),
    (GENERATOR, "every request needs a key, even if all users are removed", "tests/tableserver/test_service.py",
     "test_removing_the_last_user_opens_no_service"),
    (GENERATOR, "only requests whose Host header names this computer", "tests/tableserver/test_service.py",
     "test_without_users_only_this_machine_is_answered"),
    (GENERATOR, "requests per minute and user, also for parallel requests", "tests/tableserver/test_service.py",
     "test_parallel_questions_do_not_get_past_the_rate"),
    (GENERATOR, "the published lists of categories single out", "tests/tableserver/test_category_lists.py",
     "test_tables_and_lists_of_categories_single_out_nobody"),
    (GENERATOR, "Wrong keys, requests above the rate", "tests/tableserver/test_service.py", "test_keys_and_rates"),
    ("docs/serving.md", "Uploads are never written to a file on the server", "tests/server/test_hostile.py",
     "test_an_upload_leaves_no_file"),
    ("docs/explain/risk-and-entropy.md", "interval that a data user can infer from the published values",
     "tests/measures/test_suppressed_cells.py", "test_midpoints_are_those_of_all_feasible_tables"),
    (LESSON_6B, "it finds 13 % of the suppressed small counts", "benchmarks/minimality.py", "exact_cells"),
    (LESSON_6B, "The attack finds 0.12 % of the small counts (1 of 830, upper 95 % limit 0.6 %)",
     "benchmarks/minimality.py", "exact_cells"),
    (LESSON_6B, "the suppressed sum grows by 0 to 3 % in such tables", "benchmarks/minimality.py", "growth"),
    (LESSON_6B, "Two different patterns of one table disclose counts", SUPPRESSION,
     "test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of"),
    ("tutorials/04-cell-keys.ipynb", "computes a new key from each cell key and a secret number of the agency", KEYS,
     "test_sixty_releases_by_default_settings_hold_against_enumeration"),
    ("sdcwidgets/methods/cell_suppression.py", "it is 0.12 % (1 of 830, in 1 of 320 tables)",
     "benchmarks/minimality.py", "exact_cells"),
    ("sdcwidgets/methods/cell_suppression.py", "No external intruder can compute a suppressed count", LAWS,
     "test_gaps_that_can_be_computed_are_exactly_those_of_brute_force"),
    ("sdcwidgets/methods/cell_suppression.py", "in the view of every respondent and of every coalition",
     "tests/core/suppression/test_insiders.py", "test_tables_of_two_axes"),
    ("sdcwidgets/methods/rounding/controlled.py", "0 of 3,010", "benchmarks/minimality.py", "narrow_intervals"),
    ("sdcwidgets/microdata/protecting.py", "data user can repeat the computation and infer suppressed values",
     "benchmarks/local_suppression.py", "exact_values"),
    ("sdcwidgets/cli/_secret.py", "anyone who knows it can undo the protection", DRAWS,
     "test_an_intruder_with_the_program_does_not_undo_pram"),
    (PUBLISH, "the difference of the two published tables is not exact", REFUTATIONS,
     "test_an_intruder_with_two_tables_of_one_secret_has_no_exact_difference"),
    (PUBLISH, "versions with different settings can disclose counts exactly", "benchmarks/further_releases_attack.py",
     "two_settings"),
    (GENERATOR, "Unprotected counts and differences of released tables must not disclose a group of 1", LINKING,
     "test_a_population_and_everybody_else_give_it_away"),
    (GENERATOR, "A protected table with a disclosure risk above this limit is not released", SERVER,
     "test_each_rule_refuses_by_its_name_and_tells_no_count"),
    (GENERATOR, "Variables that cannot be combined in one table", SERVER,
     "test_each_rule_refuses_by_its_name_and_tells_no_count"),
    (PUBLISH, "The same table, settings and seed give the same release", REFUTATIONS,
     "test_the_same_table_settings_and_secret_give_the_same_release"),
    ("sdcwidgets/_util/publication.py", "A file for data users holds four things", BY_FILES,
     "test_original_tables_with_the_same_release_have_the_same_public_files"),
    ("sdcwidgets/cli/protect.py", "not written; change the settings, or accept the rule violation", BY_FILES,
     "test_a_blocked_command_publishes_nothing"),
    ("sdcwidgets/tables/release.py", "A note states the maximum change of a value, and the bounds are widened by it",
     BY_FILES, "test_all_tables_behind_an_adjusted_release_are_in_its_stated_intervals"),
    ("sdcwidgets/methods/cellkey/method.py", "Counts from 1 to js are never published", BY_FILES,
     "test_adjusted_cell_keys_publish_small_counts_and_the_command_says_so"),
    ("docs/how/publish.md", "because the script does not contain the seed", "tests/assessment/test_report.py",
     "test_the_code_of_the_internal_report_reproduces_the_release"),
    ("docs/how/publish.md", "Samples publish the number of people in the population", BY_FILES,
     "test_a_sample_of_everybody_is_judged_as_the_original_table"),
    ("sdcwidgets/_util/labels.py", "against each respondent in the table", BY_FILES,
     "test_no_respondent_computes_a_suppressed_entry_of_a_table_with_sub_totals"),
    ("sdcwidgets/tableserver/rules.py", "its texts contain no counts", BY_FILES,
     "test_reasons_of_a_refused_table_do_not_depend_on_the_counts"),
    ("sdcwidgets/microdata/protecting.py", "and sorted by its values", BY_FILES,
     "test_the_order_of_records_does_not_change_the_saved_file"),
    ("sdcwidgets/dashboards/rounding/texts.py", "which a report contains",
     "tests/dashboards/rounding/test_rounding_page.py",
     "test_the_saved_report_contains_the_table_that_the_page_shows"),
]  # fmt: skip

#: Fragments of sentences that have a word of a promise, and promise nothing about disclosure.
NO_PROMISES = [
    # Assumptions of a layout.
    "The title and the notes name no other unit, and no averages or amounts",
    # Names of steps of a course.
    "For about one hour, copy the first course",
    # A sentence of the internal report, tested in tests/cli/test_cli_protect.py.
    "The internal report then states that there is no release decision",
    # Usefulness of a release.
    "the release contains no cell of a small table",
    "this occurred for 23 of 80 secrets",
    # Settings of a policy of the table generator.
    "users can combine categories freely, and average out the noise",
    "A table whose disclosure risk is below this limit is released without protection",
    "because a release by `protect` states that its seed is guessable",
    # Descriptions of settings of release rules.
    "`[stops]` `linked` | true, false",
    "`[stops]` `seed` | true, false",
    "`[stops]` `reading` | shown, sure",
    "data users may infer narrower intervals than the published ones",
    # Warnings about narrower intervals, and headings.
    "What the intervals use",
    "if the page and the command line share a secret",
    "states if protection hardly lowers the disclosure risk",
    "Draw the secret once, keep it in a file that nobody else can read",
    "No limit of the disclosure risk is right for all tables",
    "because anyone can guess the seed 1 of the example",
    "What a release reveals",
    "Keep the secret in a file",
    "Use the same secret whenever you protect the same table",
    "Keep the seed as secret as the original file",
    "Keep the seed as secret as the original counts",
    "writes the reports of the options `--report` and `--internal-report`",
    "nobody has to wait",
    "when nobody connects to the session within a minute",
    "`secret.txt` contains one whole number",
    "To use another seed, pass `--seed`",
    "`generator.sqlite` contains the policy, the secret",
    "names variables that cannot be combined",
    "can infer from a mean weight who belongs to a group",
    "is a Jupyter widget library for statistical disclosure control",
    "Estimate the disclosure risk",
    "draws the residual disclosure risk of each setting against its information loss",
    "Disclosure control of frequency tables",
    "A published table of counts can disclose information",
    "the disclosure risk, the information loss and every chart",
    "to which nobody connects",
    "cannot reach the server, the network isolates",
    # Definitions and questions of the explanations.
    "own category, as a respondent in the table",
    "if release rules use the original counts, the fact that a table was released discloses information",
    "is known (group disclosure)",
    "for example a decision of a disclosure panel",
    "When users edit a count or move a slider, they see at once how the disclosure risk",
    "The page Explore with an editable table, its disclosure risk, the weights of the risk",
    "On systems other than Linux, each page needs about 130 MB, because its processes",
    "Compare the residual disclosure risk and the information loss of methods for your",
    "Who keeps the random seed or the secret of the method, and for how long?",
    "[GaussSuppression](https://cran.r-project.org/package=GaussSuppression) | R, MIT |",
    "The disclosure risk depends on what the intruder knows:",
    "If the feasibility interval of a cell contains one number, the count is disclosed",
    "random seeds | anyone who guesses the random seed can remove the noise; small seeds",
    "Three properties of a table increase the disclosure risk:",
    "If most people in a row belong to one category, a data user who guesses this category",
    "The disclosure risk R₁ is a weighted mean of three terms, one for each property of",
    "The disclosure risk R₁ is a number between 0 and 1.",
    "The limit on the disclosure risk R₁ is a convention of the agency.",
    "The internal report for the agency documents the decision to publish.",
    "Do not publish the internal report.",
    "sdcwidgets shows how a table discloses information, and how much information each",
    "Keep the file `secret.txt`, and use it for all tables of the same records.",
    "The internal report contains the verdict, the limits of the rules and the accepted",
    "An intruder can guess a seed below 2^48, such as 42, by trying all of them.",
    "The command `sdcwidgets microdata` estimates the disclosure risk of a microdata file",
    "To repeat an earlier run, pass its seed with `--seed` or `--secret-file`.",
    "The page [Totter's study, repeated](../microdata-study.md) shows how well the",
    "To estimate the disclosure risk in a browser, run `sdcwidgets serve` and open the",
    "In Python, the function `assess` estimates the disclosure risk:",
    "The disclosure risk R₁ combines three terms:",
    "The thesis of Totter (2014) compares estimates of the disclosure risk of samples in a",
    "The command `sdcwidgets study microdata FOLDER` draws repeated samples of a synthetic",
    "A data holder who has only the sample cannot use the occurring cells, because the",
    "Without a generator folder, `sdcwidgets tables` mixes the record keys with the secret",
    "The following four commands estimate the disclosure risk of a table, compare",
    "If the feasibility interval of a cell is short, the count is disclosed approximately.",
    "The pages *Explore* and *Weights* show the three terms of the disclosure risk R₁ for",
    "The page [Protect and publish a table](../how/publish.md) explains this kind of",
    "Python has no function for the internal report on a microdata file",
    "The command line writes an internal report with the figures before and after protection",
    "To repeat the file, replace the new secret in the script by the seed",
    "The internal report ends with a Python script that repeats the release and its verdict",
    "The command `sdcwidgets tables averaging census` reports how close estimates by",
    "The option `--cell-keys plain` does not mix cell keys with the secret.",
    "The script `benchmarks/minimality.py` computed the rates 13 % and 0.12 %",
    "If a secret chooses the suppression pattern, the suppressed sum grows.",
    "If the possible inference cannot be computed, `release.limitation` contains the",
]

WORDS = re.compile(
    r"cannot|never|nobody|no one|no data user|disclos|infer\b|averag|undo\b|guess|narrow|secret|reveal|internal",
    re.IGNORECASE,
)


@lru_cache
def text_of(name):
    """Return the text of a file, of a notebook that of its cells."""
    text = (ROOT / name).read_text("utf-8")
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def plain(text):
    return " ".join(text.split())


@lru_cache
def functions_of(name):
    tree = ast.parse((ROOT / name).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "fragment", "program", "name"), PROMISES)
def test_each_promise_stands_beside_a_program_that_tries_to_break_it(file, fragment, program, name):
    assert plain(fragment) in plain(text_of(file))
    functions = functions_of(program)
    assert name in functions if name else functions


def documents():
    names = ["README.md", *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
    return sorted(name for name in names if "/site/" not in name)


@pytest.mark.parametrize("document", documents())
def test_no_sentence_with_a_word_of_a_promise_is_missing_here(document):
    known = [plain(fragment) for file, fragment, *_ in PROMISES if file == document]
    known += [plain(fragment) for fragment in NO_PROMISES]
    text = re.sub(r"```.*?```", "", text_of(document), flags=re.DOTALL)
    sentences = map(plain, re.split(r"(?<=[.!?:])\s+|\n\n|\n- |\n\| ", text))
    promises = [sentence for sentence in sentences if WORDS.search(sentence)]
    assert [
        one for one in promises if not any(fragment in one or one in fragment for fragment in known)
    ] == []


@pytest.mark.parametrize("method", ["random-rounding", "cell-key"])
def test_noise_of_another_order_can_be_averaged(method):
    rng = np.random.default_rng(1)
    counts = rng.poisson(5, (8, 3))
    rows, columns = [f"area {i}" for i in range(8)], ["a", "b", "c"]
    total = np.zeros(counts.shape)
    for _ in range(200):
        first, second = rng.permutation(8), rng.permutation(3)
        axes = {"Area": [rows[i] for i in first], "Kind": [columns[j] for j in second]}
        drawn = protect(FrequencyTable(counts[np.ix_(first, second)], axes), method, seed=3**60)
        total[np.ix_(first, second)] += drawn.cells
    one = protect(FrequencyTable(counts, {"Area": rows, "Kind": columns}), method, seed=3**60)
    averaged = np.abs(total / 200 - counts).mean()
    assert averaged < 0.3 * np.abs(one.cells - counts).mean()


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "narrower", "exact"), [("shown", 2, 1), ("sure", 0, 0)])
def test_the_fact_of_release_discloses_counts(reading, narrower, exact):
    """The intruder knows the rule, and keeps the tables that it would have released with these published numbers."""
    limits = ReleaseLimits("Panel", smallest_count=3, all_but_one=3, reading=reading)
    release = methods.get("random-rounding")().release(FrequencyTable([[4, 2], [4, 2]]), 3**60 + 1)
    assert release.cells.tolist() == [[3, 0], [6, 0]]
    low, high = (release.intervals()[side].to_numpy().astype(int) for side in ("lower", "upper"))
    tables = itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    kept = np.array(
        [
            counts
            for counts in tables
            if judge(FrequencyTable(np.reshape(counts, (2, 2))), release, limits).answer == "release"
        ]
    )
    assert ((kept.min(axis=0) > low) | (kept.max(axis=0) < high)).sum() == narrower
    assert (kept.min(axis=0) == kept.max(axis=0)).sum() == exact
    assert (kept == [4, 2, 4, 2]).all(axis=1).any()


def test_two_editions_have_the_same_noise_only_with_record_keys():
    rng = np.random.default_rng(1)
    records = pd.DataFrame({"Area": rng.integers(0, 3, 60).astype(str), "Sex": rng.choice(["m", "f"], 60)})
    joined = pd.concat([records, pd.DataFrame({"Area": ["1"], "Sex": ["m"]})], ignore_index=True)
    keys = rng.random(61)
    by, p_table, secret = ["Area", "Sex"], cellkey.p_table(D=3, V=1), 3**60
    first = cellkey.release_of_records(records, by, keys[:60], p_table, secret=secret)
    second = cellkey.release_of_records(joined, by, keys, p_table, secret=secret)
    changed = first.margin(*by) != second.margin(*by)
    assert not changed.drop(("1", "m")).any()
    tables = [FrequencyTable.from_records(one, by) for one in (records, joined)]
    assert (tables[0].margin(*by) != tables[1].margin(*by)).sum() == 1
    unaffected = 0
    for seed in range(20):
        drawn = [protect(table, "random-rounding", seed=3**60 + 7**20 * seed) for table in tables]
        unaffected += int((drawn[0].margin(*by) != drawn[1].margin(*by)).drop(("1", "m")).sum())
    assert unaffected > 0


def test_respondents_are_certain_unless_the_rules_block_this():
    """The person of the first row and second column knows that all people of the second row are in the first column."""
    table = FrequencyTable([[11, 1], [2, 0]])
    release = protect(table, "conventional-rounding", base=3, margins="own")
    lower, upper = (np.asarray(side).astype(int) for side in release.cell_bounds())
    ranges = [range(a, b + 1) for a, b in zip(lower.ravel(), upper.ravel(), strict=True)]
    tables = np.array(list(itertools.product(*ranges))).reshape(-1, 2, 2)
    for margin, gone in (((0,), 2), ((1,), 1), ((), (1, 2))):
        sums = tables.sum(axis=gone)
        fits = (sums >= release.lower[margin]) & (sums <= release.upper[margin])
        tables = tables[fits.reshape(len(tables), -1).all(axis=1)]
    with_person = tables[tables[:, 0, 1] >= 1]
    assert len(with_person) > 0
    assert not with_person[:, 1, 1].any()
    rules = {"source": "Panel", "no_risk_limit": "a test", "reading": "sure"}
    by_default = judge(table, release, ReleaseLimits(**rules))
    assert by_default.answer == "release"
    assert "all-but-one" in {stop.kind for stop in by_default.reported}
    assert judge(table, release, ReleaseLimits(all_but_one=1, **rules)).answer == "not yet"
