"""Parts of other packages that sdcwidgets changes or depends on beyond ordinary calls, each with a reason.

Private parts and replaced methods have a path that works without them; `tests/server/test_patched.py` removes them.
Overridden methods are public, and belong to classes that the packages let users choose. The same tests compare both
lists with the source code.
"""

import multiprocessing
from typing import NamedTuple

import ipywidgets
import openpyxl
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel
from jupyter_server.base.websocket import WebSocketMixin
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager, ServerKernelManager
from openpyxl.worksheet import _reader, _writer
from openpyxl.writer.excel import ExcelWriter
from tornado.websocket import WebSocketProtocol13
from voila.app import Voila


class Part(NamedTuple):
    """Attributes of a class or module, the file that uses them, and why."""

    owner: object
    names: str
    place: str
    #: What it is for, and the measured gain.
    reason: str

    @property
    def package(self) -> str:
        """The package that the part belongs to."""
        name = getattr(self.owner, "__module__", None) or getattr(self.owner, "__name__", "")
        return str(name).partition(".")[0]


PRIVATE_PARTS = [
    Part(
        ipywidgets.Widget,
        "open",
        "server/comms.py",
        "Speed: building Explore takes 1.6 times the processor time without it.",
    ),
    Part(
        None,
        "_activity_stream",
        "server/kernels.py",
        "Speed: the server receives each message of a kernel once; twice takes 1.2 times the processor time for each "
        "step of a slider.",
    ),
    Part(
        WebSocketProtocol13,
        "close",
        "server/channels.py",
        "Operation: the log says that a message was too long.",
    ),
    Part(
        WebSocketProtocol13,
        "_receive_frame",
        "server/rate_limit.py",
        "Security: a flood of pings and fragments is slowed down.",
    ),
    Part(
        multiprocessing.current_process(),
        "_config",
        "server/temporary_folder.py",
        "Correctness: no traceback when the server ends, and short paths of sockets.",
    ),
    Part(
        _reader,
        "WorkSheetParser FORMULA_TAG",
        "tables/io/formats/workbook.py",
        "Correctness: hidden rows, and formulas without values, in one pass; 0.88 of the time of load_workbook.",
    ),
    Part(
        openpyxl.worksheet,
        "_reader _writer",
        "tables/io/formats/workbook.py tables/io/writers/workbook.py",
        "Modules of the two classes above.",
    ),
    Part(
        openpyxl.Workbook(),
        "_cell_styles _alignments _date_formats _timedelta_formats",
        "tables/io/formats/workbook.py",
        "Correctness: the parser of sheets needs formats, and indents are levels of a hierarchy.",
    ),
    Part(
        _writer,
        "WorksheetWriter",
        "tables/io/writers/workbook.py",
        "Security: no table is in a temporary file; 0.91 of the time of save().",
    ),
    Part(
        openpyxl.Workbook().active,
        "_rels _drawing",
        "tables/io/writers/workbook.py",
        "What openpyxl's own writer sets.",
    ),
    Part(
        ExcelWriter(openpyxl.Workbook(), None),
        "_archive",
        "tables/io/writers/workbook.py",
        "What openpyxl's own writer uses.",
    ),
]

OVERRIDDEN_METHODS = [
    Part(
        ipywidgets.Widget,
        "send_state send set_state",
        "widgets/base.py widgets/message_batch.py widgets/dashboard.py",
        "Security: a browser sets only listed traits. Speed: one message for each step of a slider takes 0.74 of "
        "the processor time in the kernel, and 0.66 in the server.",
    ),
    Part(
        BaseComm,
        "kernel handle_msg",
        "server/comms.py",
        "Security: a page sets no trait of a box. Widgets of an unconnected page send nothing.",
    ),
    Part(
        Kernel,
        "pre_handler_hook post_handler_hook get_parent",
        "server/kernel.py",
        "Correctness: an interrupt ends long work, and no other message. Memory: 100 MB after large messages.",
    ),
    Part(
        ServerKernelManager,
        "emit",
        "server/kernels.py",
        "Speed: each kernel would parse schemas (1 ms of processor time) and keep 13 kB.",
    ),
    Part(
        AsyncMappingKernelManager,
        "start_watching_activity remove_kernel",
        "server/kernels.py",
        "Correctness: what belongs to a kernel ends with it.",
    ),
    Part(
        ZMQChannelsWebsocketConnection,
        "create_stream handle_incoming_message handle_outgoing_message channels session",
        "server/channels.py",
        "Security: no input for a kernel, and no code, output or traceback for a page.",
    ),
    Part(
        WebSocketMixin,
        "send_ping ping_callback",
        "server/channels.py server/course_handlers.py",
        "Correctness: Tornado's pings wait behind a running upload; Jupyter's would close the page.",
    ),
    Part(
        Voila,
        "load_config_file setup_template_dirs init_settings init_handlers listen launch_browser",
        "server/app.py",
        "Security: only the routes and settings of this project, and limits of requests.",
    ),
]
