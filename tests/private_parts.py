"""Private or undocumented parts of other packages that sdcwidgets uses or overrides, without a substitute."""

import ipywidgets
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from voila.app import Voila
from voila.notebook_renderer import NotebookRenderer

#: A class, and names of its attributes.
PRIVATE_PARTS = [
    (ipywidgets.Widget, "open set_state _repr_mimebundle_ _handle_msg _send comm model_id"),
    (BaseComm, "publish_msg handle_msg kernel"),
    (IPKernelApp, "parent_handle initialize"),
    (KernelProvisionerFactory, "provisioners GROUP_NAME"),
    (
        ZMQChannelsWebsocketConnection,
        "create_stream handle_incoming_message handle_outgoing_message channels session",
    ),
    (AsyncMappingKernelManager, "start_watching_activity remove_kernel"),
    (Voila, "load_config_file setup_template_dirs init_settings init_handlers listen launch_browser"),
    (NotebookRenderer, "_jinja_kernel_start _jinja_cell_generator"),
]
