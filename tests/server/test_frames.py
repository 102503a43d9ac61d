"""What comes through a websocket is one message of the protocol, or the end of that websocket alone."""

import json
import struct
import threading
import time
from contextlib import suppress

import pytest
import websocket
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.server.frames import MOST, BadFrame, check
from sdcwidgets.server.rate_limit import FRAMES, FRAMES_AT_ONCE
from serving import Log, memory
from visiting import connected, frame, get, kernel_of, message, packed, parents_until

HEADER = b'{"msg_type": "comm_msg"}'


def test_a_message_passes_with_and_without_buffers():
    check(packed(message("comm_msg", {"comm_id": "one"})))
    check(frame(b"shell", HEADER, b"{}", b"{}", b"{}", b"a buffer", b""))


@pytest.mark.parametrize("text", ["\U0001f600", "C:\\udine", "\\ud800", "\ud7ff\ue000", "ü"])
@pytest.mark.parametrize("ascii", [True, False])
def test_whole_characters_pass_in_any_writing_and_in_any_buffer(text, ascii):
    content = json.dumps({"data": text}, ensure_ascii=ascii).encode()
    check(frame(b"shell", HEADER, content, content, content, b'"\\ud800"', b"\xff"))


@pytest.mark.parametrize(
    "sent",
    [
        "a text",
        b"",
        b"7 bytes",
        (1 << 40).to_bytes(8, "little"),
        (1 << 40).to_bytes(8, "little") + bytes(1000),
        frame(b"shell", HEADER, b"{}", b"{}"),
        frame(b"shell", HEADER, b"{}", b"{}", b"{}", *[b""] * MOST),
        frame(b"stdin", HEADER, b"{}", b"{}", b"{}"),
        frame(b"iopub", HEADER, b"{}", b"{}", b"{}"),
        frame(b"shell", b"[" * 3000, b"{}", b"{}", b"{}"),
        frame(b"shell", b'{"msg_type": "comm_msg", "x": "' + b"y" * 5000 + b'"}', b"{}", b"{}", b"{}"),
        frame(b"shell", b"\xff", b"{}", b"{}", b"{}"),
        frame(b"shell", b"null", b"{}", b"{}", b"{}"),
        frame(b"shell", b"{}", b"{}", b"{}", b"{}"),
        frame(b"shell", b'{"msg_type": ["comm_msg"]}', b"{}", b"{}", b"{}"),
        frame(b"shell", b'{"msg_type": "a line\\nand another"}', b"{}", b"{}", b"{}"),
        frame(b"shell", b'{"msg_type": "comm_msg", "msg_id": "\\ud800"}', b"{}", b"{}", b"{}"),
        frame(b"shell", b'{"msg_type": "comm_msg", "\\udfff": 1}', b"{}", b"{}", b"{}"),
        frame(b"shell", HEADER, b'{"msg_id": "\\uD800"}', b"{}", b"{}"),
        frame(b"shell", HEADER, b"{}", b'{"a": "\\uDFFF\\uD83D"}', b"{}"),
        frame(b"shell", HEADER, b"{}", b"{}", b'{"data": ["x", {"\\udabc": 1}]}'),
        frame(b"shell", HEADER, b"{}", b"{}", b"{}")[:-1],
        struct.pack("<8Q", 6, 56, 61, 85, 83, 87, 89, 0) + bytes(200),
        struct.pack("<8Q", 6, 8, 13, 37, 39, 41, 43, 0) + bytes(200),
    ],
    ids=lambda sent: repr(sent[:12]),
)
def test_anything_else_does_not(sent):
    with pytest.raises(BadFrame):
        check(sent)


@given(st.binary(max_size=300))
def test_no_bytes_do_more_than_be_refused(sent):
    with suppress(BadFrame):
        check(sent)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=12), st.binary(max_size=100))
def test_no_offsets_do_more_than_be_refused(offsets, rest):
    sent = b"".join(number.to_bytes(8, "little") for number in (len(offsets), *offsets)) + rest
    with suppress(BadFrame):
        check(sent)


ATTACKS = {
    "2^40 parts in eight bytes": (True, (1 << 40).to_bytes(8, "little")),
    "seven bytes of text": (True, "7 bytes"),
    "no protocol, an honest question": (
        False,
        '{"header": {"msg_type": "comm_msg", "msg_id": "a"}, "parent_header": {}, "metadata": {}, '
        '"content": {"comm_id": "x", "data": {"method": "request_states"}}, "channel": "shell", "buffers": []}',
    ),
    "no protocol, 10^7 parts claimed": (False, struct.pack("!i", 10**7) + bytes(4 * 10**6)),
}


def test_frames_behind_a_bad_one_are_not_read_as_another_protocol(served):
    log = Log(served)
    _, _, html = get(f"{served}voila/render/explore.ipynb")
    before = memory(served)
    with connected(served, kernel_of(html)) as channel, suppress(websocket.WebSocketException, OSError):
        for sent in (b"bad", *[packed(message("comm_msg", {"comm_id": "one"}))] * 20):
            channel.send_binary(sent)
        while channel.recv():
            pass
    assert memory(served) - before < 40e6
    # One line says that the connection was closed, and nothing else is said of it; none, where tests before this one
    # made the server say it so often that it says it no more in the same minute.
    said = [line.split(" was closed: ")[1] for line in log.text().splitlines()]
    assert len(said) <= 1
    assert all(line.startswith("a bad frame (its length).") for line in said)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_ends_its_own_connection_and_nobody_waits(served, attack):
    speaks, sent = ATTACKS[attack]
    _, _, html = get(f"{served}voila/render/explore.ipynb")
    before = memory(served)
    ended = threading.Event()

    def attacker():
        with suppress(websocket.WebSocketException, OSError):
            options = {} if speaks else {"subprotocols": None}
            with connected(served, kernel_of(html), **options) as channel:
                (channel.send if isinstance(sent, str) else channel.send_binary)(sent)
                while channel.recv():
                    pass
        ended.set()

    threading.Thread(target=attacker, daemon=True).start()
    # Another visitor is answered meanwhile.
    for _ in range(5):
        assert (
            get(f"{served}sdcwidgets/static/plotly.min.js", {"Accept-Encoding": "gzip"}, method="HEAD")[0]
            == 200
        )
    assert ended.wait(60)
    assert memory(served) - before < 40e6
    # The visitor who did it may come back.
    asked = message("kernel_info_request", {})
    with connected(served, kernel_of(html)) as channel:
        channel.send_binary(packed(asked))
        assert asked["header"]["msg_id"] in parents_until(channel, asked)


@pytest.mark.parametrize("kind", ["pings", "parts of a message"])
def test_pings_and_parts_of_messages_wait_for_their_turn(served, kind):
    """Each is less than a message, and takes the server as long."""
    page, asked = kernel_of(get(f"{served}voila/render/explore.ipynb")[2]), message("kernel_info_request", {})
    made, codes = websocket.ABNF.create_frame, websocket.ABNF
    beyond = 1000
    number = FRAMES_AT_ONCE + beyond
    if kind == "pings":
        frames = [made(b"", codes.OPCODE_PING)] * number + [made(packed(asked), codes.OPCODE_BINARY)]
    else:
        frames = [made(b"", codes.OPCODE_BINARY, 0)] + [made(b"", codes.OPCODE_CONT, 0)] * number
        frames += [made(packed(asked), codes.OPCODE_CONT)]
    with connected(served, page) as channel:
        start = time.monotonic()
        writing = threading.Thread(
            target=channel.sock.sendall, args=[b"".join(one.format() for one in frames)]
        )
        writing.start()
        assert asked["header"]["msg_id"] in parents_until(channel, asked)
        writing.join()
    assert time.monotonic() - start >= beyond / FRAMES
