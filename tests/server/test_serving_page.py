"""Each sentence of docs/serving.md beside the tests or benchmarks that show it.

Sentences are identified by their first words. A new sentence needs an entry here.
"""

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from sdcwidgets.server import (
    access_key,
    app,
    channels,
    checker,
    course_handlers,
    fork_server,
    kernels,
    logs,
    rate_limit,
    visits,
)
from sdcwidgets.tables.io.formats.base import most_cells
from sdcwidgets.tables.io.reading import MAX_DASHBOARD_CELLS, MAX_DASHBOARD_COLUMNS, MAX_DASHBOARD_ROWS
from visiting import Visitor, connected, get, kernel_of

ROOT = Path(__file__).parents[2]

#: Sentences with advice, or with a test that somebody did by hand.
EXPLANATIONS = (
    "The trainer can use an own table",
    "All participants then receive the counts",
    "This page is for",
    "The following",
    "Give the printed address",
    "Choose a lower value",
    "Visitors can open tables",
    "All messages of visitors",
    "While one visitor sends",
    "The server ends a session",
    "The browser may keep",
    "Start the server so",
    "Therefore, only the reverse proxy",
    "![The landing page",
    "[Teach a course]",
    "The printed address contains",
    "Replace the name",
    "The image was tested with podman",
    "The tested base image",
    "The image was not tested",
    "If you build the image",
    "Libraries that are",
)

HELD = {
    "`sdcwidgets serve` prints an address": ["test_visitors::test_who_has_no_key_is_asked_for_it"],
    "Without the access key, the server": ["test_visitors::test_who_has_no_key_is_asked_for_it"],
    "A wrong key is": [
        "test_access_key::test_a_line_of_wrong_keys_has_an_end_and_is_of_one_address",
        "test_strangers::test_a_wrong_key_in_an_address_takes_as_long_as_one_that_is_typed",
    ],
    "After ten wrong keys": [
        "test_access_key::test_a_line_of_wrong_keys_has_an_end_and_is_of_one_address",
        "test_strangers::test_a_wrong_key_in_an_address_takes_as_long_as_one_that_is_typed",
    ],
    "Each open page is": [
        "test_kernels::test_every_kernel_is_a_visitors_or_ready_however_they_come",
        "benchmarks/soak.py",
    ],
    "On Linux, all page processes": ["benchmarks/thirty.py"],
    "A page takes about 40 MB": ["benchmarks/thirty.py"],
    "A lesson takes up to 100": ["benchmarks/thirty.py"],
    "The server itself takes": ["benchmarks/thirty.py"],
    "On systems other than Linux": [
        "test_killed::test_sessions_end_with_their_server",
        "benchmarks/thirty.py",
    ],
    "A process without shared memory": [
        "test_killed::test_sessions_end_with_their_server",
        "benchmarks/thirty.py",
    ],
    "On Linux, processes do not share": [
        "test_killed::test_sessions_end_with_their_server",
        "benchmarks/thirty.py",
    ],
    "The default of `--visitors`": ["test_serving_page::test_the_figures_are_those_of_the_server"],
    "A snapshot of": ["test_snapshots::test_what_a_visitor_does_is_in_no_snapshot"],
    "The snapshot is part of the HTML": [
        "../browser/test_snapshots_browser::test_without_script_lead_and_stage_are_read_and_printed",
        "../browser/test_every_page::test_it_is_taken_over_where_it_stands",
        "benchmarks/startup.py",
    ],
    "The live page replaces": [
        "../browser/test_snapshots_browser::test_without_script_lead_and_stage_are_read_and_printed",
        "../browser/test_every_page::test_it_is_taken_over_where_it_stands",
        "benchmarks/startup.py",
    ],
    "Visitors who open a link": [
        "test_snapshots::test_a_link_with_another_state_gets_the_frame_only",
        "../browser/test_snapshots_browser::test_what_a_tab_has_kept_is_not_covered_by_what_it_began_with",
    ],
    "`benchmarks/thirty.py`": ["benchmarks/thirty.py"],
    "| `--visitors N`": [
        "test_visitors::test_a_full_server_says_so_calmly_and_has_room_again",
        "../browser/test_serve::test_a_full_server_is_asked_again_for_every_address",
    ],
    "| `--per-address M`": [
        "test_strangers::test_one_address_gets_so_many_sessions_and_the_next_one_its_own",
        "test_access_key::test_neighbours_of_ipv6_are_one_visitor",
    ],
    "| `--memory MB`": [
        "test_kernels::test_a_kernel_that_must_end_does_and_its_page_is_told_why",
        "test_visitors::test_what_sessions_share_is_nobody_s",
        "test_comms::test_a_page_that_needs_too_much_memory_as_it_opens_says_so",
        "test_comms::test_a_page_that_asks_for_far_too_much_memory_says_so",
        "test_unit::test_a_session_gets_a_quarter_of_the_memory",
    ],
    "| `--preheat N`": ["test_visitors::test_a_kernel_is_ready_for_whichever_page_is_asked_for_next"],
    "| `--key WORD`": ["test_visitors::test_a_new_key_may_be_used_and_is_never_the_same"],
    "With `--generator FOLDER`": [
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who"
    ],
    "Each session on the page": [
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who"
    ],
    "The option `--agency` shows": [
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who"
    ],
    "The options `--host`, `--port`": [
        "test_strangers::test_it_answers_to_the_name_of_its_proxy_and_to_no_other"
    ],
    "The option `--dev` is for": ["test_comms::test_a_page_that_fails_says_so_and_nothing_else"],
    "A file or a pasted": [
        "../tables/io/test_reading::test_the_most_rows_and_a_way_to_count_them",
        "../tables/io/test_reading::test_the_most_columns",
        "../tables/io/test_reading::test_the_most_cells",
    ],
    "The file or text has at most 50,000": [
        "../tables/io/test_reading::test_the_most_rows_and_a_way_to_count_them",
        "../tables/io/test_reading::test_the_most_columns",
        "../tables/io/test_reading::test_the_most_cells",
    ],
    "A table has at most 1,000,000": [
        "../tables/io/test_reading::test_the_most_rows_and_a_way_to_count_them",
        "../tables/io/test_reading::test_the_most_columns",
        "../tables/io/test_reading::test_the_most_cells",
    ],
    "A file with labels and totals": [
        "../tables/io/test_reading::test_the_most_rows_and_a_way_to_count_them",
        "../tables/io/test_reading::test_the_most_columns",
        "../tables/io/test_reading::test_the_most_cells",
    ],
    "The text of microdata": [
        "../tables/io/test_reading::test_the_most_rows_and_a_way_to_count_them",
        "../tables/io/test_reading::test_the_most_columns",
        "../tables/io/test_reading::test_the_most_cells",
    ],
    "Sessions do not block": [
        "test_hostile::test_ten_thousand_hostile_messages_leave_another_visitor_at_work"
    ],
    "While one session computes": [
        "test_hostile::test_ten_thousand_hostile_messages_leave_another_visitor_at_work"
    ],
    "If a session computes": [
        "test_comms::test_a_page_is_told_how_long_it_has_been_waiting_for_an_answer",
        "test_comms::test_work_without_an_end_is_stopped_and_the_page_goes_on",
    ],
    "After a cancelled computation": [
        "test_comms::test_a_page_is_told_how_long_it_has_been_waiting_for_an_answer",
        "test_comms::test_work_without_an_end_is_stopped_and_the_page_goes_on",
    ],
    "If the server does not": [
        "../browser/test_nothing_is_lost::test_a_stopped_server_is_told_and_found_again"
    ],
    "The page also offers": [
        "../browser/test_nothing_is_lost::test_a_stopped_server_is_told_and_found_again"
    ],
    "A solver that is": ["benchmarks/heaviest.py"],
    "The session ends when its page": [
        "test_kernels::test_a_kernel_that_must_end_does_and_its_page_is_told_why",
        "../browser/test_serve::test_a_closed_page_ends_its_kernel",
        "test_serving_page::test_the_figures_are_those_of_the_server",
    ],
    "The session ends twelve hours": [
        "test_kernels::test_a_kernel_that_must_end_does_and_its_page_is_told_why",
        "../browser/test_serve::test_a_closed_page_ends_its_kernel",
        "test_serving_page::test_the_figures_are_those_of_the_server",
    ],
    "The session ends when its process": [
        "test_kernels::test_a_kernel_that_must_end_does_and_its_page_is_told_why",
        "../browser/test_serve::test_a_closed_page_ends_its_kernel",
        "test_serving_page::test_the_figures_are_those_of_the_server",
    ],
    "Connections to a session": ["test_hostile::test_a_page_that_connects_to_a_session_that_ends_is_refused"],
    "The server closes a connection after": [
        "test_error_pages::test_a_large_file_comes_through_up_to_the_limit",
        "test_comms::test_what_a_page_does_not_take_is_bounded_and_its_connection_closed",
        "test_frames::test_an_attack_ends_its_own_connection_and_nobody_waits",
        "test_frames::test_anything_else_does_not",
        "test_frames::test_pings_and_parts_of_messages_wait_for_their_turn",
    ],
    "The server also closes": [
        "test_error_pages::test_a_large_file_comes_through_up_to_the_limit",
        "test_comms::test_what_a_page_does_not_take_is_bounded_and_its_connection_closed",
        "test_frames::test_an_attack_ends_its_own_connection_and_nobody_waits",
        "test_frames::test_anything_else_does_not",
        "test_frames::test_pings_and_parts_of_messages_wait_for_their_turn",
    ],
    "After 600 messages": [
        "test_error_pages::test_a_large_file_comes_through_up_to_the_limit",
        "test_comms::test_what_a_page_does_not_take_is_bounded_and_its_connection_closed",
        "test_frames::test_an_attack_ends_its_own_connection_and_nobody_waits",
        "test_frames::test_anything_else_does_not",
        "test_frames::test_pings_and_parts_of_messages_wait_for_their_turn",
    ],
    "Prefetching, frames": ["test_visitors::test_what_nobody_looks_at_starts_nothing"],
    "Over plain http, browsers": [
        "../browser/test_serve::test_what_another_page_loads_over_plain_http_starts_nothing",
        "test_kernels::test_a_kernel_that_must_end_does_and_its_page_is_told_why",
    ],
    "The server logs events": [
        "test_strangers::test_a_server_at_work_writes_one_line",
        "test_frames::test_frames_behind_a_bad_one_are_not_read_as_another_protocol",
        "test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error",
    ],
    "The logged events are": [
        "test_strangers::test_a_server_at_work_writes_one_line",
        "test_frames::test_frames_behind_a_bad_one_are_not_read_as_another_protocol",
        "test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error",
    ],
    "The log contains one line": [
        "test_strangers::test_a_server_at_work_writes_one_line",
        "test_frames::test_frames_behind_a_bad_one_are_not_read_as_another_protocol",
        "test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error",
    ],
    "The log line of an error": [
        "test_strangers::test_a_server_at_work_writes_one_line",
        "test_frames::test_frames_behind_a_bad_one_are_not_read_as_another_protocol",
        "test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error",
    ],
    "A violation of the WebSocket": [
        "test_strangers::test_a_server_at_work_writes_one_line",
        "test_frames::test_frames_behind_a_bad_one_are_not_read_as_another_protocol",
        "test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error",
    ],
    "Tables, labels and": ["test_serving_page::test_of_what_others_say_the_log_has_the_kind_of_error"],
    "The server logs the same": [
        "test_strangers::test_the_same_sentence_is_written_so_often_and_then_no_more"
    ],
    "A session is identified": ["test_error_pages::test_nothing_but_pages_is_there"],
    "The identifier of a session is": [
        "test_hostile::test_an_upload_leaves_no_file",
        "test_strangers::test_the_log_holds_no_id_of_a_session",
    ],
    "Therefore, the access log": [
        "test_hostile::test_an_upload_leaves_no_file",
        "test_strangers::test_the_log_holds_no_id_of_a_session",
    ],
    "Anyone who has the identifier": ["test_serving_page::test_who_is_given_a_session_may_join_it"],
    "The server stores only": [
        "test_hostile::test_visits_leave_no_kernel_and_no_file",
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who",
    ],
    "Tables pass through": [
        "test_hostile::test_visits_leave_no_kernel_and_no_file",
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who",
    ],
    "The server releases the memory": [
        "test_hostile::test_visits_leave_no_kernel_and_no_file",
        "test_generator_served::test_each_session_asks_as_a_user_of_its_own_and_only_the_agency_sees_who",
    ],
    "Visitors' tables are": ["../browser/test_nothing_is_lost::test_another_tab_begins_anew"],
    "The browser tab also keeps": ["../browser/test_nothing_is_lost::test_another_tab_begins_anew"],
    "If a table is too large": ["../browser/test_nothing_is_lost::test_what_a_tab_cannot_keep_is_told"],
    "Uploads are never": [
        "test_hostile::test_an_upload_leaves_no_file",
        "../tables/io/test_killed_reading::test_who_is_killed_at_work_with_a_file_leaves_none",
    ],
    "Apart from a table generator": ["test_hostile::test_visits_leave_no_kernel_and_no_file"],
    "Python writes its compiled": ["test_hostile::test_visits_leave_no_kernel_and_no_file"],
    "The server needs no home": ["test_hostile::test_visits_leave_no_kernel_and_no_file"],
    "On Linux, a server": [
        "test_killed::test_a_server_that_is_killed_at_a_random_moment_leaves_no_process_and_no_file",
        "test_killed::test_sessions_end_with_their_server",
        "benchmarks/kills.py",
    ],
    "Remaining files": ["test_killed::test_a_new_server_sweeps_what_an_old_one_left"],
    "The address `/health` is for": [
        "test_strangers::test_a_monitor_elsewhere_is_told_nothing",
        "test_visitors::test_a_full_server_says_so_calmly_and_has_room_again",
    ],
    '`/health` returns "ok"': [
        "test_strangers::test_a_monitor_elsewhere_is_told_nothing",
        "test_visitors::test_a_full_server_says_so_calmly_and_has_room_again",
    ],
    "`/health` also returns": [
        "test_strangers::test_a_monitor_elsewhere_is_told_nothing",
        "test_visitors::test_a_full_server_says_so_calmly_and_has_room_again",
    ],
    "With `--course NAME`": [
        "../teaching/course/test_course_session::test_the_two_keys_open_what_they_are_for"
    ],
    "The option `--trainer WORD`": [
        "../teaching/course/test_course_session::test_the_two_keys_open_what_they_are_for"
    ],
    "Pages of participants": [
        "../teaching/course/test_course_session::test_trainees_hear_of_themselves_alone"
    ],
    "The browsers of participants": [
        "../teaching/course/test_course_session::test_thirty_trainees_a_board_and_a_server_that_comes_again"
    ],
    "After a restart of the server": [
        "../teaching/course/test_course_session::test_thirty_trainees_a_board_and_a_server_that_comes_again"
    ],
    "The server keeps the work": [
        "../teaching/course/test_course_session::test_thirty_trainees_a_board_and_a_server_that_comes_again"
    ],
    "Participants can open an own table": [
        "../browser/test_board_browser::test_one_s_own_table_is_no_part_of_a_course"
    ],
    "The course does not use such a table": [
        "../browser/test_board_browser::test_one_s_own_table_is_no_part_of_a_course"
    ],
    "The course server receives an own table": [
        "../browser/test_board_browser::test_one_s_own_table_is_no_part_of_a_course"
    ],
    "The server closes a connection of a course": [
        "../teaching/course/test_course_session::test_what_is_no_message_ends_its_own_connection",
        "../teaching/course/test_course_session::test_who_speaks_without_end_waits",
        "test_serving_page::test_the_figures_are_those_of_the_server",
    ],
    "After 60 messages": [
        "../teaching/course/test_course_session::test_what_is_no_message_ends_its_own_connection",
        "../teaching/course/test_course_session::test_who_speaks_without_end_waits",
        "test_serving_page::test_the_figures_are_those_of_the_server",
    ],
    "A course has places for 200": [
        "../teaching/course/test_course_progress::test_one_address_cannot_take_all_places",
        "../teaching/course/test_course_progress::test_one_address_cannot_take_all_websockets",
    ],
    "A separate process of the server": ["test_checker::test_a_check_that_takes_too_long_is_given_up"],
    "The check of a goal": ["test_checker::test_a_check_that_takes_too_long_is_given_up"],
    "With `--proxy NAME`": [
        "test_strangers::test_one_address_gets_so_many_sessions_and_the_next_one_its_own",
        "test_strangers::test_what_a_visitor_says_of_the_own_address_is_not_believed",
    ],
    "The server trusts only": [
        "test_strangers::test_one_address_gets_so_many_sessions_and_the_next_one_its_own",
        "test_strangers::test_what_a_visitor_says_of_the_own_address_is_not_believed",
    ],
    "With `--proxy`, visitors": [
        "test_strangers::test_one_address_gets_so_many_sessions_and_the_next_one_its_own",
        "test_strangers::test_what_a_visitor_says_of_the_own_address_is_not_believed",
    ],
    "Without `--proxy`, the server": ["test_strangers::test_who_only_says_to_be_a_proxy_is_not_believed"],
    "The server requires no access key": [
        "test_strangers::test_a_server_of_this_machine_answers_to_no_other_name",
        "test_strangers::test_it_answers_to_its_own_names",
    ],
    "A server with `--proxy NAME`": [
        "test_strangers::test_it_answers_to_the_name_of_its_proxy_and_to_no_other"
    ],
    "Uploads are sent": ["test_error_pages::test_a_large_file_comes_through_up_to_the_limit"],
    "A test runs this configuration with nginx": [
        "../release/test_proxies::test_a_page_works_through_the_proxy"
    ],
    "The server sends a ping": ["test_serving_page::test_the_figures_are_those_of_the_server"],
    "In a checkout, `make wheel`": ["../image/test_image::test_it_holds_what_the_lock_says"],
    "Install the package with": [
        "../image/test_image::test_it_holds_what_the_lock_says",
        "../test_dependencies::test_every_pin_is_one_version_with_hashes",
    ],
    "The systemd unit [deploy": [
        "test_unit::test_what_the_page_says_of_it_is_in_it",
        "test_unit::test_the_memory_is_that_of_the_control_group",
    ],
    "The server reads its memory": [
        "test_unit::test_what_the_page_says_of_it_is_in_it",
        "test_unit::test_the_memory_is_that_of_the_control_group",
    ],
    "If memory runs out": [
        "test_unit::test_sessions_are_ended_before_the_server",
        "test_unit::test_the_end_of_one_session_is_not_the_end_of_all",
    ],
    "With `OOMPolicy=continue`": [
        "test_unit::test_sessions_are_ended_before_the_server",
        "test_unit::test_the_end_of_one_session_is_not_the_end_of_all",
    ],
    "The service accepts": ["test_unit::test_what_the_page_says_of_it_is_in_it"],
    "A reverse proxy on the same": ["test_unit::test_what_the_page_says_of_it_is_in_it"],
    "In the systemd unit, replace": ["test_unit::test_what_the_page_says_of_it_is_in_it"],
    "`systemd-analyze security`": ["test_unit::test_its_lines_are_known_and_rated_as_safe"],
    "[deploy/Dockerfile]": [
        "../image/test_image::test_it_holds_what_the_lock_says",
        "../image/test_image::test_it_can_write_into_the_folder_of_temporary_files_alone",
    ],
    "In the container, the server": [
        "../image/test_image::test_it_holds_what_the_lock_says",
        "../image/test_image::test_it_can_write_into_the_folder_of_temporary_files_alone",
    ],
    "The first line of": ["../image/test_image::test_a_visitor_with_the_key_moves_a_slider"],
    "To set the key": ["test_serving_page::test_the_command_with_a_key_is_that_of_the_image"],
    "`make image` builds": ["../image/test_image::test_a_visitor_with_the_key_moves_a_slider"],
    "`make lock` updates": [
        "../test_dependencies::test_the_pins_are_what_the_project_allows",
        "../image/test_image::test_its_question_about_its_health_is_answered",
    ],
    "`make steps` installs": [
        "../test_dependencies::test_the_pins_are_what_the_project_allows",
        "../image/test_image::test_its_question_about_its_health_is_answered",
    ],
    "`make newest` runs": ["test_serving_page::test_the_newest_versions_are_those_without_an_upper_bound"],
    "The newest versions may": [
        "test_serving_page::test_the_newest_versions_are_those_without_an_upper_bound"
    ],
    "Run `make newest`": ["test_serving_page::test_the_newest_versions_are_those_without_an_upper_bound"],
    "`make sbom` writes": ["deploy/sbom.py"],
    "The bill of materials lists": ["deploy/sbom.py"],
}


def sentences():
    """Yield the sentences and the rows of tables of the page."""
    text = re.sub(r"```.*?```", "", (ROOT / "docs/serving.md").read_text("utf-8"), flags=re.DOTALL)
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith("|"):
            yield from block.strip().split("\n")[2:]
        elif not block.startswith("#"):
            for part in re.split(r"(?:^|\n)- ", block):
                yield from filter(None, re.split(r"(?<=[.:;])\s+(?=[A-Z`[])", " ".join(part.split())))


@pytest.mark.parametrize("sentence", list(sentences()), ids=lambda sentence: sentence[:40])
def test_each_sentence_has_what_holds_it(sentence):
    lines = [start for start in (*HELD, *EXPLANATIONS) if sentence.startswith(start)]
    assert len(lines) == 1


@pytest.mark.parametrize("start", [*HELD, *EXPLANATIONS])
def test_no_line_is_about_a_sentence_that_is_gone(start):
    assert any(sentence.startswith(start) for sentence in sentences())


@cache
def named_in(file):
    return {
        one.name for one in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(one, ast.FunctionDef)
    }


@pytest.mark.parametrize("name", sorted({name for names in HELD.values() for name in names}))
def test_what_holds_a_sentence_is_there(name):
    if name.endswith(".py"):
        assert (ROOT / name).is_file()
    else:
        file, _, test = name.partition("::")
        assert test in named_in(Path(__file__).parent / f"{file}.py")


def test_the_figures_are_those_of_the_server():
    made = kernels.PageKernels
    page = " ".join((ROOT / "docs/serving.md").read_text("utf-8").split())
    assert (visits.EACH, visits.EACH_ALONE) == (40 * 2**20, 170 * 2**20)
    assert (made.connect_timeout.default_value, made.busy_timeout.default_value) == (60, 30)
    assert (made.away_timeout.default_value, made.open_timeout.default_value) == (300, 12 * 3600)
    assert app.MESSAGE_LIMIT == channels.MOST_UNSENT == 64 * 2**20
    of_messages = (rate_limit.Pace()._rate, rate_limit.Pace()._burst)
    assert (*of_messages, rate_limit.FRAMES, rate_limit.FRAMES_AT_ONCE) == (300, 600, 2000, 4000)
    assert (
        f"longer than {fork_server._LONGEST_SOCKET - len(fork_server._SOCKET) - len('/sdcd-12345678')} bytes"
        in page
    )
    assert (course_handlers.LONGEST, course_handlers.RATE, course_handlers.BURST) == (256 * 2**10, 5, 60)
    assert checker.SECONDS == 15
    assert (channels.PING, logs.MOST_ALIKE, access_key.WRONG, access_key.MOST_WRONG) == (45, 10, 0.5, 10)
    assert f"{MAX_DASHBOARD_COLUMNS:,} columns" in page
    assert f"{MAX_DASHBOARD_ROWS:,} rows" in page
    assert f"{MAX_DASHBOARD_CELLS:,} cells" in page
    assert f"labels and totals has at most {most_cells(MAX_DASHBOARD_CELLS):,}" in page


def test_the_command_with_a_key_is_that_of_the_image():
    page = " ".join((ROOT / "docs/serving.md").read_text("utf-8").split())
    started = json.loads(
        re.search(r"^CMD (.*)$", (ROOT / "deploy/Dockerfile").read_text("utf-8"), re.MULTILINE)[1]
    )
    (words,) = re.findall(r"To set the key, add `([^`]+) --key WORD` to the last command", page)
    assert " ".join(started).startswith(words)
    assert "8866 sdcwidgets ```" in page  # the last word is that of the image


def test_the_newest_versions_are_those_without_an_upper_bound():
    """As `make newest` removes the bounds: each requirement keeps its lowest version, except that of duckdb."""
    (program,) = re.findall(r"sed '([^']+)' > \$\(NEWEST\)", (ROOT / "Makefile").read_text("utf-8"))
    kept, old, new = re.fullmatch(r"/\^(\w+)/!s/(.*)/(.*)/", program).groups()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = project["dependencies"] + [
        line for extra in project["optional-dependencies"].values() for line in extra
    ]
    lines = [line for line in lines if not line.startswith(kept)]
    before = list(map(Requirement, lines))
    after = [Requirement(re.sub(old, new, line)) for line in lines]
    assert [requirement.name for requirement in before] == [requirement.name for requirement in after]
    assert any("<" in {part.operator for part in requirement.specifier} for requirement in before)
    assert {part.operator for requirement in after for part in requirement.specifier} == {">="}


def test_who_is_given_a_session_may_join_it(served):
    kernel = kernel_of(get(f"{served}voila/render/explore.ipynb")[2])
    with connected(served, kernel) as first:
        visitor = Visitor(first)
        slider = visitor.slider("ε")
        visitor.move(slider, 0.37)
        with connected(served, kernel) as second:
            assert Visitor(second).widgets[slider]["value"] == 0.37


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ValueError: Zwiebelkuchenhausen has 3 people", "An error in a session (ValueError)."),
        ("Zwiebelkuchenhausen: 3", "A session printed something. Start the server with --dev to log it."),
        ("Zwiebelkuchenhausen", "A session printed something. Start the server with --dev to log it."),
        ('  File "/home/somebody/page.py", line 3, in work', None),
        ("Traceback (most recent call last):", None),
    ],
)
def test_of_what_others_say_the_log_has_the_kind_of_error(line, told):
    assert logs._of_session(line) == told
    try:
        raise ValueError(line)
    except ValueError as error:
        record = logs.logging.LogRecord(
            "asyncio", 40, "", 0, f"failed: {line}", (), (ValueError, error, error.__traceback__)
        )
    written = logs._Plain().format(record)
    assert line not in written
    assert "Error in asyncio. (ValueError in test_of_what" in written
