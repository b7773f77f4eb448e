"""Copies elsewhere, with two real S3 servers (moto, s3rver) and a proxy that breaks what passes through it.

    python3 -m venv /tmp/s3 && /tmp/s3/bin/pip install 'moto[server]'
    npm install --prefix /tmp/s3 --ignore-scripts s3rver
    /tmp/s3/bin/python tests/copies.py target/debug/respiro /tmp/s3

By hand: it needs a minute and two registries. Everything is on loopback.
"""

import gzip
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

binary = os.path.abspath(sys.argv[1])
tools = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/tmp/s3")
work = pathlib.Path(tempfile.mkdtemp(prefix="copies-"))
children = []
PASSWORD = "corretto cavallo batteria"


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(command, **more):
    child = subprocess.Popen(command, start_new_session=True, **more)
    children.append(child)
    return child


def wait_for(where, seconds=60):
    for _ in range(seconds * 5):
        try:
            socket.create_connection(("127.0.0.1", where), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"nothing listens on {where}")


def quiet(name):
    out = open(work / f"{name}.log", "wb")
    return {"stdout": out, "stderr": out}


def unsigned(method, path, headers, known=("S3RVER", "S3RVER")):
    """Why Amazon would refuse a signed address: None when it fits."""
    from urllib.parse import parse_qsl, urlencode, urlsplit
    from botocore.auth import S3SigV4QueryAuth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
    address = urlsplit(path)
    query = parse_qsl(address.query, keep_blank_values=True)
    given = dict(query)
    key, _, region, service, _ = given["X-Amz-Credential"].split("/")
    if key != known[0]:
        return "InvalidAccessKeyId"
    rest = urlencode([pair for pair in query if pair[0] != "X-Amz-Signature"])
    request = AWSRequest(method, f"http://{headers['host']}{address.path}?{rest}")
    request.context["timestamp"] = given["X-Amz-Date"]
    auth = S3SigV4QueryAuth(Credentials(*known), service, region)
    words = auth.string_to_sign(request, auth.canonical_request(request))
    return None if auth.signature(words, request) == given["X-Amz-Signature"] else "SignatureDoesNotMatch"


class Faults(threading.Thread):
    """Passes requests on to a server, or breaks them; `mode` says how."""

    def __init__(self, behind):
        super().__init__(daemon=True)
        self.behind, self.mode, self.left, self.seen, self.asked = behind, "pass", 0, [], []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def set(self, mode, times=10**9):
        self.mode, self.left, self.seen, self.asked = mode, times, [], []

    def run(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            stream = client.makefile("rwb")
            while self.one(stream, client):
                pass
        except (OSError, ValueError, http.client.HTTPException):
            pass
        finally:
            client.close()

    def one(self, stream, client):
        line = stream.readline()
        if not line:
            return False
        method, path, _ = line.decode().split()
        headers = {}
        while (header := stream.readline().strip()):
            name, value = header.decode().split(":", 1)
            headers[name.strip().lower()] = value.strip()
        length = int(headers.get("content-length", 0))
        broken = self.left > 0 and (self.mode != "cut" or (method == "PUT" and length > 1_000_000))
        broken = broken and (self.mode != "full" or method in ("PUT", "POST"))
        broken = broken and (self.mode != "damage" or (method == "GET" and "/pictures/" in path))
        self.seen.append(method)
        self.asked.append((method, path))
        if self.mode != "pass" and broken:
            self.left -= 1
            if self.mode == "cut":
                stream.read(length // 2)
                client.shutdown(socket.SHUT_RDWR)
                return False
            if self.mode == "slow":
                time.sleep(70)
                return False
        body = stream.read(length)
        if self.mode == "keys" and (refusal := unsigned(method, path, headers)):
            text = f"<Error><Code>{refusal}</Code></Error>".encode()
            stream.write(f"HTTP/1.1 403 x\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
            stream.flush()
            return True
        if broken and self.mode in ("full", "skew", "region", "denied", "busy"):
            status, code, more = {
                "full": (507, "QuotaExceeded", ""),
                "skew": (403, "RequestTimeTooSkewed", ""),
                "denied": (403, "AccessDenied", ""),
                "busy": (503, "SlowDown", ""),
                "region": (301, "PermanentRedirect", "<Region>eu-south-1</Region>"),
            }[self.mode]
            text = f"<Error><Code>{code}</Code>{more}</Error>".encode()
            date = "Sun, 01 Nov 2020 10:00:00 GMT"
            answer = f"HTTP/1.1 {status} x\r\nContent-Length: {len(text)}\r\n"
            answer += f"Date: {date}\r\n\r\n" if self.mode == "skew" else "\r\n"
            stream.write(answer.encode() + text)
            stream.flush()
            return True
        forward = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        forward.request(method, path, body, headers)
        answer = forward.getresponse()
        data = answer.read()
        if broken and self.mode == "damage":
            data = bytes([data[0] ^ 1]) + data[1:]
        head = f"HTTP/1.1 {answer.status} x\r\n"
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                head += f"{name}: {value}\r\n"
        length = answer.getheader("content-length") if method == "HEAD" else len(data)
        stream.write((head + f"Content-Length: {length}\r\n\r\n").encode() + data)
        stream.flush()
        return True


def environment(where, key="S3RVER", secret="S3RVER", **more):
    return {
        "PATH": os.environ["PATH"],
        "RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{where}",
        "RESPIRO_S3_ACCESS_KEY": key,
        "RESPIRO_S3_SECRET_KEY": secret,
        **more,
    }


def respiro(*arguments, env, expect=0):
    started = time.monotonic()
    done = subprocess.run([binary, *arguments], env=env, capture_output=True, text=True, timeout=120)
    took = time.monotonic() - started
    told = done.stdout + done.stderr
    assert expect is None or done.returncode == expect, f"{arguments}: {done.returncode}: {told}"
    assert took < 60 or expect == 0, f"{arguments}: failed after {took:.0f} s"
    assert env.get("RESPIRO_S3_SECRET_KEY", "X-Amz-Signature") not in told, told
    assert "X-Amz-Signature" not in told, told
    return told


def says(told, *words):
    for word in words:
        assert word in told, f"`{word}` is not in: {told}"
    print("  ", told.strip().splitlines()[-1][:150], flush=True)


class Site:
    def __init__(self, data, env, *more):
        self.port = port()
        self.origin = f"http://127.0.0.1:{self.port}"
        env = env | {"RESPIRO_ADMIN_EMAIL": "me@example.org", "RESPIRO_ADMIN_PASSWORD": PASSWORD}
        self.log = work / f"server-{self.port}.log"
        self.child = start(
            [binary, "--data", str(data), "--listen", f"127.0.0.1:{self.port}", "--demo", *more],
            env=env, stdout=open(self.log, "wb"), stderr=subprocess.STDOUT,
        )
        wait_for(self.port)
        self.cookie = ""

    def ask(self, method, path, body=None, raw=None):
        data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
        headers = {"Origin": self.origin, "Content-Type": "application/json", "Cookie": self.cookie}
        url = path if path.startswith("http") else self.origin + path
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            cookies = [c.split(";")[0] for c in answer.headers.get_all("Set-Cookie", [])]
            if cookies:
                self.cookie = "; ".join(cookies)
            return answer.read()

    def sign_in(self):
        self.ask("POST", "/api/auth/login", {"email": "me@example.org", "password": PASSWORD})

    def event(self, title):
        self.ask("POST", "/api/admin/events", {
            "title": title, "date": "12 marzo 2027", "time": "10:00", "location": "Milano",
            "description": "Prova.", "published": True})

    def large_picture(self):
        """A picture of over 5 MiB, of noise: its original goes in parts."""
        import struct
        import zlib
        side = 1500
        noise = random.Random(7)
        rows = b"".join(b"\0" + noise.randbytes(side * 3) for _ in range(side))
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        png += chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
        url = json.loads(self.ask("POST", "/api/admin/upload"))["uploadURL"]
        path = json.loads(self.ask("PUT", url, raw=png))["imageUrl"]
        self.ask("POST", "/api/admin/photo-gallery", {"title": "Rumore", "imageUrl": path, "category": None, "published": True})

    def stop(self, how=signal.SIGTERM):
        self.child.send_signal(how)
        self.child.wait(60)


def key_pair():
    told = respiro("backup-key", "--to-stdout", env={})
    secret = next(line.split()[-1] for line in told.splitlines() if "AGE-SECRET-KEY-1" in line)
    public = next(line.split()[-1] for line in told.splitlines() if "age1" in line)
    path = work / f"{public[-6:]}.key"
    path.write_text(secret + "\n")
    path.chmod(0o600)
    return str(path), public


def make_bucket(where, name):
    # Path style, unsigned where the server lets everybody in; s3rver gets its buckets at the start.
    connection = http.client.HTTPConnection("127.0.0.1", where)
    connection.request("PUT", f"/{name}")
    assert connection.getresponse().status == 200


def life_and_death(where, name):
    """A site is copied by itself, its machine dies, it comes back on an empty one."""
    print(f"{name}: a site, its copies, its death and its return", flush=True)
    key, public = key_pair()
    env = environment(where, RESPIRO_BACKUP_RECIPIENT=public)
    opened = env | {"RESPIRO_BACKUP_IDENTITY_FILE": key}
    place = f"s3://copie/{name}"
    home = work / name
    site = Site(home / "site.redb", env, "--backup-s3", place)
    site.sign_in()
    for _ in range(120):
        if '"copied and read back' in site.log.read_text() or "copied and read back" in site.log.read_text():
            break
        time.sleep(0.5)
    says(respiro("check", place, env=env), "not opened without the key", "is whole")
    site.event("Salvato in un minuto")
    site.large_picture()
    # What the command finds there already, it does not send again.
    told = respiro("backup", place, "--data", str(home / "site.redb"), env=env)
    says(told, "read back and equal")
    again = respiro("backup", place, "--data", str(home / "site.redb"), env=env)
    says(again, " 2 objects sent")
    # A copy of changes that is under way may hold it already; the next one does for certain.
    time.sleep(35)
    copied = lambda: site.log.read_text().count("sort=Changes")
    before, changed = copied(), time.monotonic()
    site.event("Dopo la copia intera")
    while copied() == before:
        assert time.monotonic() - changed < 60, "a change is not elsewhere after a minute"
        time.sleep(0.2)
    print(f"   changes were elsewhere {time.monotonic() - changed:.0f} s after they were made", flush=True)
    site.stop(signal.SIGKILL)
    shutil.rmtree(home)
    says(respiro("restore", place, "--data", str(home / "new.redb"), env=env, expect=1), "the copy is encrypted")
    told = respiro("restore", place, "--data", str(home / "new.redb"), env=opened)
    says(told, "is restored from the copy of")
    says(respiro("check", str(home / "new.redb"), env=env), "good")
    back = Site(home / "new.redb", env)
    page = back.ask("GET", "/eventi").decode()
    assert "Salvato in un minuto" in page and "Dopo la copia intera" in page, "the change is lost"
    back.stop()
    # Another key, a key that others read, the moment before everything.
    other, _ = key_pair()
    says(respiro("restore", place, "--data", str(home / "x.redb"), env=env | {"RESPIRO_BACKUP_IDENTITY_FILE": other}, expect=1),
         "this key does not open", public[-6:])
    assert not (home / "x.redb").exists()
    os.chmod(other, 0o644)
    says(respiro("check", place, env=env | {"RESPIRO_BACKUP_IDENTITY_FILE": other}, expect=1), "can be read by other users")
    says(respiro("restore", place, "--at", "2001-01-01T00:00:00Z", "--data", str(home / "x.redb"), env=opened, expect=1), "no copy is as old as")
    says(respiro("check", place, env=opened), "is whole")
    # An empty server on the prefix of another site pushes nothing out.
    stranger = home / "stranger.redb"
    Site(stranger, env).stop()
    says(respiro("backup", place, "--data", str(stranger), env=env, expect=1), "holds copies of another site")
    return env, opened, place, str(home / "new.redb")


def refusals(env, place, data):
    print("refusals, each within a minute and with what to do", flush=True)
    without = {name: value for name, value in env.items() if name != "RESPIRO_BACKUP_RECIPIENT"}
    says(respiro("backup", place, "--data", data, env=without, expect=1), "run `respiro backup-key`")
    says(respiro("backup", "s3://niente/x", "--data", data, env=env, expect=1), "create the bucket")
    says(respiro("check", "s3://copie/vuoto", env=env, expect=1), "there is no copy at")
    nobody = env | {"RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{port()}"}
    says(respiro("check", place, env=nobody, expect=1), "cannot be reached")
    told = respiro("backup", "s3://chiave:segreto@copie/x", "--data", data, env=env, expect=1)
    assert "segreto" not in told, told


def faults(behind, env, opened, place, data):
    print("a way there that breaks", flush=True)
    proxy = Faults(behind)
    proxy.start()
    env = env | {"RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{proxy.port}"}
    for mode, words in [
        ("full", "is full"), ("skew", "timedatectl set-ntp true"), ("denied", "lets these keys in but not write"),
        ("region", "is in another region (eu-south-1): set RESPIRO_S3_REGION"), ("busy", "cannot be reached"),
        ("slow", "too slowly"),
    ]:
        proxy.set(mode)
        says(respiro("backup", place, "--data", data, env=env, expect=1), words)
    proxy.set("busy", 1)
    says(respiro("backup", place, "--data", data, env=env), "read back and equal")
    fresh = place + "-tagliata"
    proxy.set("cut", 1)
    says(respiro("backup", fresh, "--data", data, env=env), "read back and equal")
    assert proxy.left == 0 and "POST" in proxy.seen, "nothing was cut in the middle of a part"
    # Everything after the first large object is lost: the next try goes on from there.
    halved = place + "-ripresa"
    proxy.set("cut")
    respiro("backup", halved, "--data", data, env=env, expect=1)
    proxy.set("pass")
    told = respiro("backup", halved, "--data", data, env=env)
    says(told, "read back and equal")
    known = int(told.split(" objects sent, ")[1].split(" ")[0])
    assert known > 0, told
    says(respiro("check", halved, env=env | {"RESPIRO_BACKUP_IDENTITY_FILE": opened["RESPIRO_BACKUP_IDENTITY_FILE"]}), "is whole")
    proxy.set("damage", 1)
    says(respiro("check", halved, env=env, expect=1), "missing or damaged")
    proxy.set("pass")


def publishing(behind):
    """A bucket follows the published site: what differs goes, pages last; a failure delays no publish."""
    print("the published site in a bucket", flush=True)
    make_bucket(behind, "pubblico")
    proxy = Faults(behind)
    proxy.start()
    env = environment(proxy.port)
    home = work / "publishing"
    told = subprocess.run(
        [binary, "--data", str(home / "x.redb"), "--backup-s3", "s3://pubblico/a", "--publish-s3", "s3://pubblico/a/b"],
        env=env | {"RESPIRO_BACKUP_RECIPIENT": key_pair()[1]}, capture_output=True, text=True, timeout=60)
    assert told.returncode == 2 and "use two buckets" in told.stderr, told

    def objects():
        where = f"http://127.0.0.1:{behind}/pubblico?list-type=2&prefix=sito/"
        with urllib.request.urlopen(where, timeout=10) as answer:
            return set(re.findall(r"<Key>sito/([^<]+)</Key>", answer.read().decode()))

    def fetch(name):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{behind}/pubblico/sito/{name}", timeout=10) as answer:
                return answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.headers, None

    def steps():
        return re.findall(r"place=\S*s3://pubblico/sito\S* objects=(\d+)", re.sub(r"\x1b\[[0-9;]*m", "", site.log.read_text()))

    def until(holds, what, seconds=60):
        ended = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < ended, f"not within {seconds} s: {what}"
            time.sleep(0.1)

    site = Site(home / "site.redb", env, "--publish-s3", "s3://pubblico/sito")
    until(lambda: steps(), "the first upload", 180)
    first = objects()
    assert {"index.html", "eventi/index.html", "404.html", "feed.xml", "sitemap.xml", ".respiro.json", "_redirects"} <= first, first
    headers, page = fetch("eventi/index.html")
    assert headers["content-type"] == "text/html; charset=utf-8" and headers["content-encoding"] == "gzip", headers
    assert headers["cache-control"] == "no-cache", headers
    assert gzip.decompress(page) == site.ask("GET", "/eventi"), "the page differs from the server's"
    script = next(name for name in first if name.endswith(".js"))
    headers, packed = fetch(script)
    assert "immutable" in headers["cache-control"] and "javascript" in headers["content-type"], headers
    assert gzip.decompress(packed) == site.ask("GET", f"/{script}")
    picture = next(name for name in first if name.endswith(".webp"))
    headers, plain = fetch(picture)
    assert headers["content-type"] == "image/webp" and headers["content-encoding"] is None, headers
    assert plain == site.ask("GET", f"/{picture}")
    assert fetch("feed.xml")[0]["content-encoding"] is None
    # One event: few objects, and those that pages name before the pages.
    site.sign_in()
    count = len(steps())
    proxy.set("pass")
    site.event("Nel secchio")
    until(lambda: len(steps()) > count, "an event")
    sent = [path.split("/sito/")[1].split("?")[0] for method, path in proxy.asked if method == "PUT"]
    pages = [place for place, name in enumerate(sent) if name.endswith(".html")]
    named = [place for place, name in enumerate(sent) if name.endswith((".jpg", ".webp")) or name.startswith("evento/") and name.endswith(".ics")]
    assert pages and named and max(named) < min(pages), sent
    assert sent[-1] == ".respiro.json", sent
    assert len(sent) < 20, sent
    print(f"   an event is {len(sent)} objects: {', '.join(sent)}", flush=True)
    assert b"Nel secchio" in gzip.decompress(fetch("eventi/index.html")[1])
    # The storage is gone: no publish waits, the panel is told, and it is caught up with.
    proxy.set("denied")
    began = time.monotonic()
    site.event("Durante il guasto")
    took = time.monotonic() - began
    assert took < 5, f"a publish waited {took:.1f} s for the bucket"
    assert "Durante il guasto" in site.ask("GET", "/eventi").decode()
    told = lambda: json.loads(site.ask("GET", "/api/admin/status"))["mirror"]
    until(lambda: not told()["ok"], "a failure in the panel")
    assert told()["reason"] == "lo spazio non permette di scrivere" and told()["syncedAt"], told()
    assert b"Durante il guasto" not in gzip.decompress(fetch("eventi/index.html")[1])
    proxy.set("pass")
    until(lambda: told()["ok"], "the way back", 90)
    assert b"Durante il guasto" in gzip.decompress(fetch("eventi/index.html")[1])
    # What is gone: the page at once, what pages named only later.
    events = json.loads(site.ask("GET", "/api/admin/events"))
    one = next(event for event in events if event["title"] == "Nel secchio")
    page, calendar = f"evento/{one['id']}/index.html", f"evento/{one['id']}.ics"
    assert {page, calendar} <= objects()
    site.ask("DELETE", f"/api/admin/events/{one['id']}")
    until(lambda: page not in objects(), "a page that is gone")
    assert calendar in objects(), "an old file is kept a week"
    # Started again: what is there is not sent again, what somebody removed is.
    until(lambda: told()["ok"], "rest")
    time.sleep(2)
    site.stop()
    urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{behind}/pubblico/sito/blog/index.html", method="DELETE"), timeout=10)
    proxy.set("pass")
    site = Site(home / "site.redb", env, "--publish-s3", "s3://pubblico/sito")
    until(lambda: steps(), "a new start")
    sent = [path.split("/sito/")[1].split("?")[0] for method, path in proxy.asked if method == "PUT"]
    assert sent == ["blog/index.html", ".respiro.json"], sent
    told = respiro("doctor", "--data", str(home / "site.redb"), "--publish-s3", "s3://pubblico/sito", env=env, expect=None)
    says(told, "s3://pubblico/sito holds the published site")
    site.stop()


def main():
    moto_port, s3rver_port = port(), port()
    start([str(tools / "bin/moto_server"), "-p", str(moto_port)], **quiet("moto"))
    folder = work / "kept-by-s3rver"
    folder.mkdir()
    wait_for(moto_port)
    make_bucket(moto_port, "copie")
    only = sys.argv[3:] or ["moto", "s3rver", "publishing"]
    if "publishing" in only:
        publishing(moto_port)
    if "s3rver" in only:
        start(["node", str(tools / "node_modules/s3rver/bin/s3rver.js"), "-d", str(folder), "-p", str(s3rver_port),
               "-a", "127.0.0.1", "--configure-bucket", "copie"], **quiet("s3rver"))
        wait_for(s3rver_port)
        on_s3rver(s3rver_port)
    if "moto" not in only:
        return print("all well")
    env, opened, place, data = life_and_death(moto_port, "moto")
    refusals(env, place, data)
    wrong_keys(moto_port)
    faults(moto_port, env, opened, place, data)
    print("all well")


def on_s3rver(where):
    env, opened, place, data = life_and_death(where, "s3rver")


def wrong_keys(behind):
    """Neither server refuses a key it does not know: the signature is checked as Amazon's own library makes it."""
    print("keys that do not fit", flush=True)
    proxy = Faults(behind)
    proxy.start()
    proxy.set("keys")
    env = environment(proxy.port)
    place = "s3://copie/moto"
    says(respiro("check", place, env=env), "is whole")
    for wrong in ({"RESPIRO_S3_SECRET_KEY": "sbagliata"}, {"RESPIRO_S3_ACCESS_KEY": "nessuno"}):
        says(respiro("check", place, env=env | wrong, expect=1), "does not accept the keys")


try:
    main()
except BaseException:
    for log in sorted(work.glob("*.log")):
        print(f"--- {log.name}", *log.read_text(errors="replace").splitlines()[-15:], sep="\n")
    raise
finally:
    for child in children:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
    shutil.rmtree(work, ignore_errors=True)
