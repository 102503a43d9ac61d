from sdcwidgets.server.extension import at_once


class Handler:
    def __init__(self):
        self.nodelay = False

    def set_nodelay(self, value):
        self.nodelay = value


class Plain:
    def __init__(self):
        self.websocket_handler, self.connected = Handler(), False

    def connect(self):
        self.connected = True
        return "connected"


def test_messages_do_not_wait_for_each_other():
    connection = at_once(Plain)()
    assert connection.connect() == "connected"
    assert (connection.connected, connection.websocket_handler.nodelay) == (True, True)
