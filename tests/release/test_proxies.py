"""The examples for Caddy, Apache and nginx in the guides, run as written except for ports and certificate."""

import http.client
import re
import shutil
import socket
import ssl
import subprocess
import time
import uuid
from contextlib import closing

import pytest
import websocket

from pins import ROOT
from serving import free_port, running, serve
from visiting import PROTOCOL, kernel_of, message, packed, unpacked

pytestmark = pytest.mark.slow

NAME = "dashboards.example.org"
MODULES = ("mpm_event", "authz_core", "ssl", "headers", "proxy", "proxy_http")


def caddy(block, folder, port):
    """Return the command of a Caddy with its own certificates, which needs no other machine."""
    options = ["admin off", "local_certs", "skip_install_trust"]
    options += [f"http_port {free_port()}", f"https_port {port}", f"storage file_system {folder / 'store'}"]
    (folder / "Caddyfile").write_text("{\n" + "\n".join(options) + "\n}\n" + block, "utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def signed(folder):
    """Return the files of a new key and of its certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    return key, certificate


def nginx(block, folder, port):
    """Return the command of an nginx that has nothing but the example."""
    key, certificate = signed(folder)
    for old, new in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("# ssl_certificate ...;", f"ssl_certificate {certificate};"),
        ("ssl_certificate_key ...;", f"ssl_certificate_key {key};"),
    ):
        assert old in block
        block = block.replace(old, new if new.startswith("listen") else f"{new}\n")
    paths = [f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy")]
    http = "\n".join(["http {", "access_log off;", *paths, block, "}"])
    head = f"daemon off; pid {folder}/pid; error_log {folder}/errors;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(head + http, "utf-8")
    return ["nginx", "-e", str(folder / "errors"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def apache(block, folder, port):
    """Return the command of an Apache with the modules that the guide names."""
    key, certificate = signed(folder)
    for old, new in (
        ("*:443", f"127.0.0.1:{port}"),
        ("# SSLCertificateFile ...", f"SSLCertificateFile {certificate}"),
        ("# SSLCertificateKeyFile ...", f"SSLCertificateKeyFile {key}"),
    ):
        assert old in block
        block = block.replace(old, new)
    modules = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in MODULES]
    head = [f"ServerRoot {folder}", f"PidFile {folder}/pid", f"ErrorLog {folder}/errors", "User www-data"]
    head += ["Group www-data", "ServerName localhost", f"Listen 127.0.0.1:{port}", "DocumentRoot /usr/share"]
    (folder / "apache.conf").write_text("\n".join([*head, *modules, block]), "utf-8")
    return ["apache2", "-f", str(folder / "apache.conf"), "-DFOREGROUND"]


def encrypted(port):
    """Return a connection to the proxy, whose certificate nobody knows."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(
        socket.create_connection(("127.0.0.1", port), timeout=60), server_hostname=NAME
    )


def get(port, path):
    with closing(encrypted(port)) as plain, closing(http.client.HTTPConnection(NAME)) as connection:
        connection.sock = plain
        connection.request("GET", path, headers={"Host": NAME, "Sec-Fetch-Dest": "document"})
        with connection.getresponse() as answer:
            return answer.status, dict(answer.getheaders()), answer.read().decode()


def wait_for(port, process):
    """Wait until the proxy accepts connections."""
    deadline = time.monotonic() + 60
    while True:
        try:
            encrypted(port).close()
            return
        except OSError:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.parametrize(
    ("language", "program"), [("caddy", "caddy"), ("apache", "apache2"), ("nginx", "nginx")]
)
def test_a_page_works_through_the_proxy(language, program, tmp_path):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is missing.")
    page = "serving.md" if language == "nginx" else "administrator.md"
    guide = (ROOT / "docs" / page).read_text("utf-8")
    (block,) = re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL)
    port, public = free_port(), free_port()
    make = {"caddy": caddy, "apache": apache, "nginx": nginx}[language]
    command = make(block.replace("8866", str(port)), tmp_path, public)
    served = running([*serve(port), "--proxy", NAME], f"http://127.0.0.1:{port}/health")
    with served, subprocess.Popen(command, stderr=subprocess.DEVNULL) as proxy:
        try:
            wait_for(public, proxy)
            assert [get(public, path)[0] for path in ("/", "/health", "/metrics")] == [200, 404, 404]
            status, headers, page = get(public, "/voila/render/explore.ipynb")
            assert status == 200
            assert "Secure" in headers["Set-Cookie"]
            channel = websocket.create_connection(
                f"wss://{NAME}/api/kernels/{kernel_of(page)}/channels?session_id={uuid.uuid4()}",
                socket=encrypted(public),
                origin=f"https://{NAME}",
                subprotocols=[PROTOCOL],
                cookie=headers["Set-Cookie"].split(";")[0],
                timeout=60,
            )
            # A file of 5 MB is sent through the WebSocket before the question.
            channel.send_binary(packed(message("comm_msg", {"comm_id": "a", "data": {"a": "x" * 5_000_000}})))
            channel.send_binary(packed(message("kernel_info_request", {})))
            kinds = iter(lambda: unpacked(channel.recv())["header"]["msg_type"], "kernel_info_reply")
            assert "status" in list(kinds)
            channel.close()
        finally:
            proxy.terminate()
