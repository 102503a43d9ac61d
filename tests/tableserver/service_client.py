"""A client of the service of a generator: the server is a real one, in a thread."""

import http.client
import socket
import threading
import time
from urllib.parse import urlencode

import uvicorn

from sdcwidgets.tableserver.service import application


class Client:
    """Asks a service, and reads its answers."""

    def __init__(self, generator, **options):
        self.generator, self.key = generator, ""
        place = socket.socket()
        place.bind(("127.0.0.1", 0))
        self.port = place.getsockname()[1]
        self.server = uvicorn.Server(uvicorn.Config(application(generator, **options), log_level="error"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [place]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def get(self, path, headers=None, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        told = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        connection.request(method, path, headers=told | (headers or {}))
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, body

    def table(self, headers=None, **asked):
        return self.get(f"/table?{urlencode(asked)}", headers)

    def stop(self):
        self.server.should_exit = True
        self.thread.join(30)
