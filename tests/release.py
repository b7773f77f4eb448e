#!/usr/bin/env python3
"""Runs the program of a release in the root folder of its container image, of another architecture by the kernel's
binfmt_misc and qemu: start, first page, an upload of each format, backup and restore.

    python3 tests/release.py ROOT NAME REPOSITORY     root needed
"""

import base64
import http.client
import json
import os
import pathlib
import socket
import stat
import subprocess
import sys
import time
import urllib.parse

root, target, repository = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
USER = 65532
PICTURES = {
    "image/jpeg": "src/importers/demo/pictures/event-1.jpg",
    "image/webp": "src/importers/demo/pictures/event-2.webp",
    "image/avif": "tests/data/pictures/deep10.avif",
    "image/png": "tests/data/pictures/no-iend.png",
}
# One black pixel; no GIF is in the repository.
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
ACCOUNT = {"email": "me@example.org", "password": "corretto cavallo batteria"}
# An emulated program is about ten times slower.
START_SECONDS_MAX = 600

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
environment = {
    "RESPIRO_DATA": "/data/respiro.redb",
    "RESPIRO_LISTEN": f"127.0.0.1:{port}",
    "RESPIRO_ADMIN_EMAIL": ACCOUNT["email"],
    "RESPIRO_ADMIN_PASSWORD": ACCOUNT["password"],
    "MALLOC_ARENA_MAX": "1",
}


def enter():
    os.chroot(root)
    os.chdir("/")
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)


def run(*arguments):
    done = subprocess.run(
        ["/respiro", *arguments], env=environment, preexec_fn=enter, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    origin = {"Origin": f"http://127.0.0.1:{port}"}
    connection.request(method, path, body, {**origin, **(headers or {})})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def wait_until_healthy(server):
    began = time.monotonic()
    while time.monotonic() - began < START_SECONDS_MAX:
        assert server.poll() is None, f"it ended with {server.returncode}"
        try:
            if ask("GET", "/healthz")[0] == 200:
                return time.monotonic() - began
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("it does not start")


def sign_in():
    status, headers, body = ask(
        "POST", "/api/auth/login", json.dumps(ACCOUNT), {"Content-Type": "application/json"}
    )
    assert status == 200, body
    return "; ".join(value.split(";")[0] for value in headers.get_all("Set-Cookie"))


def upload(cookie, picture):
    status, _, body = ask("POST", "/api/admin/upload", headers={"Cookie": cookie})
    assert status == 200, body
    address = urllib.parse.urlsplit(json.loads(body)["uploadURL"])
    status, _, body = ask("PUT", f"{address.path}?{address.query}", picture)
    assert status == 200, (status, body)


os.chown(root / "data", USER, USER)
# What every container engine brings: /proc and /dev/null.
null = root / "dev/null"
null.parent.mkdir(exist_ok=True)
os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
null.chmod(0o666)
mounted = root / "proc"
mounted.mkdir(exist_ok=True)
subprocess.run(["mount", "-t", "proc", "proc", mounted], check=True)
server = None
try:
    assert run("--version").startswith("respiro ")
    server = subprocess.Popen(["/respiro", "serve", "--demo"], env=environment, preexec_fn=enter)
    seconds = wait_until_healthy(server)
    status, _, page = ask("GET", "/eventi")
    assert status == 200 and b'id="page-data"' in page, status
    cookie = sign_in()
    for kind, name in PICTURES.items():
        upload(cookie, (repository / name).read_bytes())
    upload(cookie, GIF)
    run("healthcheck")
    run("backup", "/data/copy.redb")
    run("check", "/data/copy.redb")
    print("tests/release.py:", run("restore", "--yes", "/data/copy.redb").strip())
    assert ask("GET", "/eventi")[0] == 200
    server.terminate()
    assert server.wait(120) == 0, server.returncode
    print(f"tests/release.py: {target}: page, five kinds of pictures, backup, restore; the start took {seconds:.1f} s")
finally:
    if server is not None and server.poll() is None:
        server.kill()
        server.wait()
    subprocess.run(["umount", mounted], check=True)
