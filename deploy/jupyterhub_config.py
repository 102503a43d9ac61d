"""Part of a configuration of JupyterHub: sdcwidgets as a service that the hub starts and stops.

A reverse proxy makes port 8866 public under the name that --proxy states (docs/administrator.md).
"""

c = get_config()  # noqa: F821

c.JupyterHub.services = [
    {
        "name": "sdcwidgets",
        "command": [
            "/opt/sdcwidgets/bin/sdcwidgets",
            "serve",
            "--no-browser",
            "--port=8866",
            "--preheat=5",
            "--proxy=dashboards.example.org",
        ],
        "info": {"description": "Disclosure control of frequency tables"},
        "display": False,
    }
]

# The pages of the hub show a link to the service, because the service has another address.
c.JupyterHub.template_vars = {
    "announcement": '<a href="https://dashboards.example.org/">Disclosure control</a>'
}
