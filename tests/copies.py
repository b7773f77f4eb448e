"""Copies elsewhere, with three real S3 servers (moto, s3rver, s3s-fs) and a proxy that breaks what passes through it.

    python3 -m venv /tmp/s3 && /tmp/s3/bin/pip install 'moto[server]'
    npm install --prefix /tmp/s3 --ignore-scripts s3rver
    cargo install --root /tmp/s3 --version 0.14.1 --features binary s3s-fs
    apt-get install faketime
    /tmp/s3/bin/python tests/copies.py target/debug/respiro /tmp/s3 [moto] [s3rver] [s3s] [hands] [beside] [publishing]

By hand: it needs ten minutes and three registries. Everything is on loopback. s3s-fs is the one that looks at
signatures and at the clock.
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
        self.behind = behind
        self.set("pass")
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def set(self, mode, times=10**9):
        self.mode, self.left, self.seen, self.asked = mode, times, [], []
        # Bytes of pictures that were sent, by the name of their content, and the one that was cut.
        self.taken, self.cut = {}, None

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
        broken = broken and (self.mode != "second" or "partNumber=2&" in path)
        broken = broken and (self.mode != "third" or (method == "PUT" and "-002." in path))
        broken = broken and (self.mode != "hours" or (method == "PUT" and "/pictures/" in path))
        if method == "PUT" and (sent := re.search(r"/pictures/([^.]+)\.", path)):
            self.taken[sent.group(1)] = length
            if self.mode == "third" and broken:
                self.cut = sent.group(1)
        broken = broken and (self.mode != "full" or method in ("PUT", "POST"))
        broken = broken and (self.mode != "damage" or (method == "GET" and "/pictures/" in path))
        self.seen.append(method)
        self.asked.append((method, path))
        if self.mode != "pass" and broken:
            self.left -= 1
            if self.mode == "crawl":
                time.sleep(0.05)
            if self.mode == "hours":
                time.sleep(3)
            if self.mode in ("cut", "second", "third"):
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
    if arguments[0] == "check" and arguments[1].startswith("s3://"):
        # Without the data file or its line in the key file the origin is not proved.
        arguments = [*arguments, "--yes"]
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
    """The program, reached on a port of its own under one public address."""

    origin = "http://sito.example"

    def __init__(self, data, env, *more):
        self.port = port()
        self.address = f"http://127.0.0.1:{self.port}"
        env = env | {"RESPIRO_ADMIN_EMAIL": "me@example.org", "RESPIRO_ADMIN_PASSWORD": PASSWORD}
        self.log = work / f"server-{self.port}.log"
        self.child = start(
            [binary, "--data", str(data), "--listen", f"127.0.0.1:{self.port}", "--public-url", self.origin, "--demo", *more],
            env=env, stdout=open(self.log, "wb"), stderr=subprocess.STDOUT,
        )
        # The port is taken first; demonstration content and pages come after.
        ended = time.monotonic() + 300
        while "ready" not in self.log.read_text():
            assert self.child.poll() is None and time.monotonic() < ended, "it does not start"
            time.sleep(0.2)
        self.cookie = ""

    def ask(self, method, path, body=None, raw=None):
        data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
        headers = {"Origin": self.origin, "Content-Type": "application/json", "Cookie": self.cookie}
        url = self.address + path.removeprefix(self.origin)
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

    def everything(self):
        """All that visitors are given, by its address."""
        listed = re.findall(r"<loc>([^<]+)</loc>", self.ask("GET", "/sitemap.xml").decode())
        paths = {path.removeprefix(self.origin) or "/" for path in listed} | {"/feed.xml", "/eventi.ics", "/sitemap.xml"}
        given = {path: self.ask("GET", path) for path in paths}
        pictures = {path for page in given.values() for path in re.findall(r"/objects/uploads/[\w/.-]+\.(?:webp|avif|jpg)", page.decode())}
        return given | {path: self.ask("GET", path) for path in pictures}

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


def name_signer(key, data, env):
    """Adds the line to the key file by which a restore knows the copies of this data file."""
    line = respiro("backup-key", "--signer", "--data", str(data), env=env).strip()
    assert line.startswith("# signed by: sign1"), line
    with open(key, "a") as file:
        file.write(line + "\n")


def tells_no_secret(home, site, env, identity.splitlines()[0]):
    """Nothing that lies on the disk, is logged, asked for or seen in the list of processes holds a key."""
    place = ["--data", str(site.data)]
    told = {
        "log": site.log.read_bytes(),
        "arguments": pathlib.Path(f"/proc/{site.child.pid}/cmdline").read_bytes(),
        "status": site.ask("GET", "/api/admin/status"),
        "metrics": respiro("metrics", *place, env=env).encode(),
        "doctor": respiro("doctor", *place, "--backup-s3", site.place, env=env, expect=None).encode(),
    }
    told |= {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert str(site.data) in told and site.place.encode() in told["log"], told.keys()
    for secret in (env["RESPIRO_S3_ACCESS_KEY"], env["RESPIRO_S3_SECRET_KEY"], identity):
        held = [where for where, text in told.items() if secret.encode() in text]
        assert not held, f"a secret stands in {held}"
    print(f"   no key in {len(told)} files and answers", flush=True)


def as_the_page_says(place, env, identity, home):
    """`When the machine is gone` of docs/restore.md, word by word, in an empty folder."""
    guide = (pathlib.Path(__file__).parent.parent / "docs/restore.md").read_text()
    script = guide.split("### When the machine is gone")[1].split("```sh\n")[1].split("```")[0]
    for said, here in {
        "https://s3.example.org": env["RESPIRO_S3_ENDPOINT"],
        "RESPIRO_S3_ACCESS_KEY=…": f"RESPIRO_S3_ACCESS_KEY={env['RESPIRO_S3_ACCESS_KEY']}",
        "RESPIRO_S3_SECRET_KEY=…": f"RESPIRO_S3_SECRET_KEY={env['RESPIRO_S3_SECRET_KEY']}",
        "s3://BUCKET/PREFIX": place,
        "/var/lib/respiro/respiro.redb": str(home / "lib/respiro.redb"),
    }.items():
        assert said in script, f"the page does not say {said}"
        script = script.replace(said, here)
    lines = script.splitlines()
    # tests/install.sh and tests/install-chroot.sh try that one.
    installs = [line for line in lines if line.startswith("sh install.sh")]
    assert len(installs) == 1, lines
    home.mkdir()
    (home / "bin").mkdir()
    (home / "bin/respiro").symlink_to(binary)
    done = subprocess.run(
        ["bash", "-euc", "\n".join(line for line in lines if line not in installs)], cwd=home, input=identity + "\n",
        env={"PATH": f"{home}/bin:{os.environ['PATH']}"}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    says(done.stdout, "is restored from the copy of", "start the server now")
    assert sorted(path.name for path in home.iterdir()) == ["bin", "lib"], "something was left in the folder"
    return home / "lib/respiro.redb"


def make_bucket(where, name):
    # Path style, unsigned where the server lets everybody in; s3rver gets its buckets at the start.
    connection = http.client.HTTPConnection("127.0.0.1", where)
    connection.request("PUT", f"/{name}")
    assert connection.getresponse().status == 200


def signed(where):
    """Another client with keys."""
    import boto3
    return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{where}", region_name="us-east-1",
                        aws_access_key_id="x", aws_secret_access_key="x")


def everybody_reads(where, name):
    rule = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{name}/*"}
    signed(where).put_bucket_policy(Bucket=name, Policy=json.dumps({"Version": "2012-10-17", "Statement": [rule]}))


def life_and_death(where, name, **keys):
    """A site is copied by itself, its machine dies, it comes back on an empty one."""
    print(f"{name}: a site, its copies, its death and its return", flush=True)
    key, public = key_pair()
    identity = pathlib.Path(key).read_text().strip()
    env = environment(where, **keys, RESPIRO_BACKUP_RECIPIENT=public)
    opened = env | {"RESPIRO_BACKUP_IDENTITY_FILE": key}
    place = f"s3://copie/{name}"
    home = work / name
    site = Site(home / "site.redb", env, "--backup-s3", place)
    site.data, site.place = home / "site.redb", place
    site.sign_in()
    for _ in range(240):
        if "copied and read back" in site.log.read_text():
            break
        time.sleep(0.5)
    says(respiro("check", place, env=env), "not opened without the key", "is whole")
    says(respiro("check", place, env=opened), "the origin of this copy is not proved", "is whole")
    name_signer(key, home / "site.redb", env)
    identity = pathlib.Path(key).read_text().strip()
    site.event("Salvato in un minuto")
    site.large_picture()
    # What the command finds there already, it does not send again.
    told = respiro("backup", place, "--data", str(home / "site.redb"), env=env)
    says(told, "equal")
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
    if env["RESPIRO_S3_SECRET_KEY"] != "S3RVER":
        tells_no_secret(home, site, env, identity.splitlines()[0])
    given = site.everything()
    site.stop(signal.SIGKILL)
    shutil.rmtree(home)
    says(respiro("restore", place, "--data", str(home / "new.redb"), env=env, expect=1), "the copy is encrypted")
    shutil.rmtree(home, ignore_errors=True)
    data = as_the_page_says(place, env, identity, home)
    says(respiro("check", str(data), env=env), "good")
    back = Site(data, env)
    page = back.ask("GET", "/eventi").decode()
    assert "Salvato in un minuto" in page and "Dopo la copia intera" in page, "the change is lost"
    again = back.everything()
    assert again.keys() == given.keys(), again.keys() ^ given.keys()
    # It makes no copies of its own yet, and says so to its pages.
    said = lambda page: page.replace(b'"copiesElsewhere":true', b'"copiesElsewhere":false')
    assert said(given["/"]) != given["/"] and said(again["/"]) == again["/"]
    differ = [path for path in given if again[path] != said(given[path])]
    assert not differ, f"not as before: {differ}"
    back.sign_in()
    back.event("Dopo il ritorno")
    print(f"   {len(given)} addresses answer byte for byte as before; she signs in and writes", flush=True)
    back.stop()
    # Another key, a key that others read, the moment before everything.
    other, _ = key_pair()
    says(respiro("restore", place, "--yes", "--data", str(home / "x.redb"), env=env | {"RESPIRO_BACKUP_IDENTITY_FILE": other}, expect=1),
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
    return env, opened, place, str(data)


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
    says(respiro("backup", place, "--data", data, env=env), "equal")
    fresh = place + "-tagliata"
    proxy.set("cut", 1)
    says(respiro("backup", fresh, "--data", data, env=env), "equal")
    assert proxy.left == 0, "nothing was cut in the middle of a piece"
    # Rows that go in parts, of which the second breaks: that part goes again, the first one does not.
    wordy = str(work / "wordy.redb")
    shutil.copy(data, wordy)
    writing = Site(wordy, {"PATH": env["PATH"]})
    writing.sign_in()
    noise = random.Random(3)
    for number in range(130):
        words = "".join(noise.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,", k=60_000))
        article = {"title": f"Lungo {number}", "slug": f"lungo-{number}", "content": words, "published": False}
        writing.ask("POST", "/api/admin/blog", article)
    writing.stop()
    proxy.set("second", 1)
    says(respiro("backup", place + "-parti", "--data", wordy, env=env), "equal")
    parts = [re.search(r"partNumber=(\d+)&", path).group(1) for method, path in proxy.asked if method == "PUT" and "partNumber=" in path]
    assert proxy.left == 0 and parts == ["1", "2", "2"], parts
    # A large object does not get through: the next try sends what lacks and nothing else.
    halved = place + "-ripresa"
    picture = lambda path: re.search(r"/pictures/([\w-]+)\.", path)
    names = lambda: [picture(path).group(1) for method, path in proxy.asked if method == "PUT" and picture(path) and "partNumber=" not in path]
    proxy.set("cut")
    respiro("backup", halved, "--data", data, env=env, expect=1)
    # The last one is the one that was tried in vain.
    before = set(names()) - {names()[-1]}
    proxy.set("pass")
    told = respiro("backup", halved, "--data", data, env=env)
    says(told, "equal")
    known = int(told.split(" objects sent, ")[1].split(" ")[0])
    assert known == len(before) > 0 and not before & set(names()), f"{told}: {len(before)} were there"
    # Killed in the middle of a large picture: of what was there no byte goes again.
    large = place + "-grande"
    proxy.set("third")
    child = subprocess.Popen([binary, "backup", large, "--data", data], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not proxy.cut:
        time.sleep(0.01)
    child.kill()
    child.wait()
    before = {name: length for name, length in proxy.taken.items() if name != proxy.cut}
    whole, number = proxy.cut.split("-")
    assert number == "002" and before[f"{whole}-001"] > 4_000_000, (proxy.cut, before)
    proxy.set("pass")
    says(respiro("backup", large, "--data", data, env=env), "equal")
    again = set(before) & set(proxy.taken)
    assert len(again) <= 1 and f"{whole}-001" not in again and f"{whole}-002" in proxy.taken, again
    print(f"   killed in the second piece: {sum(before.values())} bytes were there, {sum(before[name] for name in again)} of them went again", flush=True)
    # Killed in the middle: the same.
    killed = place + "-uccisa"
    proxy.set("crawl")
    child = subprocess.Popen([binary, "backup", killed, "--data", data], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(names()) < 20:
        time.sleep(0.01)
    child.kill()
    child.wait()
    before = names()
    proxy.set("pass")
    told = respiro("backup", killed, "--data", data, env=env)
    known = int(told.split(" objects sent, ")[1].split(" ")[0])
    # The one that was under way may or may not have got there.
    assert len(before) - 1 <= known <= len(before) and len(set(before) & set(names())) <= 1, told
    says(respiro("check", halved, env=env | {"RESPIRO_BACKUP_IDENTITY_FILE": opened["RESPIRO_BACKUP_IDENTITY_FILE"]}), "is whole")
    # Once for the object, once for one of the same content, which is looked for then.
    proxy.set("damage", 2)
    says(respiro("check", halved, env=env, expect=1), "missing or damaged")
    proxy.set("pass")


def beside(behind):
    """A first whole copy that takes hours: a change is elsewhere within a minute all the same."""
    print("changes beside a whole copy of hours", flush=True)
    make_bucket(behind, "lento")
    proxy = Faults(behind)
    proxy.start()
    # 290 pictures, three seconds each: a quarter of an hour.
    proxy.set("hours")
    key, public = key_pair()
    env = environment(proxy.port, RESPIRO_BACKUP_RECIPIENT=public)
    opened = env | {"RESPIRO_BACKUP_IDENTITY_FILE": key}
    home, place = work / "beside", "s3://lento/sito"
    site = Site(home / "site.redb", env, "--backup-s3", place)
    began = time.monotonic()
    site.sign_in()
    copied = copied_in(site)
    until_copied(copied, "Changes", 0, 60)
    print(f"   the texts were elsewhere after {time.monotonic() - began:.0f} s", flush=True)
    for title in ("Durante le ore", "Ancora durante"):
        before, changed = copied("Changes"), time.monotonic()
        site.event(title)
        until_copied(copied, "Changes", before, 60)
        print(f"   a change was elsewhere after {time.monotonic() - changed:.0f} s", flush=True)
    status = json.loads(site.ask("GET", "/api/admin/status"))["copies"]
    assert copied("Whole") == 0 and status["isSending"] and status["ok"], status
    assert 0 < status["parts"]["there"] < status["parts"]["all"], status
    print(f"   of the whole copy {status['parts']['there']} of {status['parts']['all']} parts were there", flush=True)
    name_signer(key, home / "site.redb", env)
    # The machine dies now.
    site.stop(signal.SIGKILL)
    proxy.set("pass")
    says(respiro("check", place, env=opened, expect=1), "parts of pictures are still to come")
    told = respiro("restore", place, "--data", str(home / "back.redb"), env=opened)
    says(told, "were still to come when this copy was made")
    says(respiro("check", str(home / "back.redb"), env=env), "good")
    back = Site(home / "back.redb", env)
    page = back.ask("GET", "/eventi").decode()
    assert "Durante le ore" in page and "Ancora durante" in page, "the change is lost"
    assert len(back.everything()) > 200
    back.stop()
    # It did not: the whole copy goes on where it was, and takes the place of those beside it.
    site = Site(home / "site.redb", env, "--backup-s3", place)
    until_copied(copied_in(site), "Whole", 0, 120)
    known = int(re.search(r"sort=Whole sent=Sent \{ objects: \d+, known: (\d+)", site.log.read_text()).group(1))
    assert known >= status["parts"]["there"], f"only {known} were not sent again"
    says(respiro("check", place, env=opened), "is whole")
    site.sign_in()
    status = json.loads(site.ask("GET", "/api/admin/status"))["copies"]
    assert status["bytes"] > 5_000_000 and status["parts"] is None, status
    site.stop()


def copied_in(site):
    return lambda sort: site.log.read_text().count(f"sort={sort}")


def until_copied(copied, sort, before, seconds):
    ended = time.monotonic() + seconds
    while copied(sort) == before:
        assert time.monotonic() < ended, f"no copy of {sort} within {seconds} s"
        time.sleep(0.2)


def publishing(behind):
    """A bucket follows the published site: what differs goes, pages last; a failure delays no publish."""
    print("the published site in a bucket", flush=True)
    make_bucket(behind, "pubblico")
    everybody_reads(behind, "pubblico")
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
    # Whoever answers there counts nobody, and the page says so to its scripts.
    served = site.ask("GET", "/eventi").replace(b'"countsVisits":true', b'"countsVisits":false')
    assert gzip.decompress(page) == served, "the page differs from the server's"
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
    signed(behind).delete_object(Bucket="pubblico", Key="sito/blog/index.html")
    proxy.set("pass")
    site = Site(home / "site.redb", env, "--publish-s3", "s3://pubblico/sito")
    until(lambda: steps(), "a new start")
    sent = [path.split("/sito/")[1].split("?")[0] for method, path in proxy.asked if method == "PUT"]
    # Before it is there again its name is kept.
    assert sent == [".respiro.json", "blog/index.html", ".respiro.json"], sent
    told = respiro("doctor", "--data", str(home / "site.redb"), "--publish-s3", "s3://pubblico/sito", env=env, expect=None)
    says(told, "s3://pubblico/sito holds the published site")
    site.stop()


def hands(where):
    """What others do to a bucket: two programs at once, an emptied one, half a manifest, a cut picture; and a full disk."""
    print("hands in the bucket", flush=True)
    storage = signed(where)
    key, public = key_pair()
    env = environment(where, RESPIRO_BACKUP_RECIPIENT=public)
    opened = env | {"RESPIRO_BACKUP_IDENTITY_FILE": key}
    home, place = work / "hands", "s3://copie/mani"
    data = str(home / "site.redb")
    site = Site(data, env)
    site.sign_in()
    name_signer(key, data, env)
    backup = lambda more={}: respiro("backup", place, "--data", data, env=env | more)
    listed = lambda folder: storage.get_paginator("list_objects_v2").paginate(Bucket="copie", Prefix=f"mani/{folder}")
    objects = lambda folder: sorted(one["Key"] for page in listed(folder) for one in page.get("Contents", []))

    # At the very same moment, by a clock that stands still: three copies of one name.
    still = {"LD_PRELOAD": faketime(), "FAKETIME": "2026-11-22 12:00:00", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}
    stamped = "mani/whole/20261122T120000Z.json"
    for round in range(3):
        three = [subprocess.Popen([binary, "backup", place, "--data", data], env=env | still, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True) for _ in range(3)]
        for one in three:
            told, _ = one.communicate(timeout=120)
            assert one.returncode == 0, told
        assert stamped in objects("whole/"), objects("whole/")
        says(respiro("check", place, "--at", "2026-11-22T12:00:00Z", env=opened), "is whole")
        site.event(f"Giro {round}")

    # Somebody empties it: everything goes again.
    for name in objects(""):
        storage.delete_object(Bucket="copie", Key=name)
    says(respiro("check", place, env=env, expect=1), "there is no copy at")
    says(backup(), " 0 there already")
    says(respiro("check", place, env=opened), "is whole")

    # A picture was cut: it goes again, and the copy is whole.
    cut = objects("pictures/")[0]
    storage.put_object(Bucket="copie", Key=cut, Body=b"age-encryption.org/v1")
    told = respiro("check", place, env=env, expect=1)
    says(told, "1 objects of the copy of", "there is no older one")
    says(backup(), " 3 objects sent")
    says(respiro("check", place, env=opened), "is whole")

    # Half a manifest: it is no copy, and keeps no other from being made.
    backup({"LD_PRELOAD": faketime(), "FAKETIME": "-1d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
    backup()
    older, newest = [name for name in objects("whole/") if name.endswith(".json")][-2:]
    body = storage.get_object(Bucket="copie", Key=newest)["Body"].read()
    storage.put_object(Bucket="copie", Key=newest, Body=body[: len(body) // 2])
    told = respiro("restore", place, "--data", str(home / "x.redb"), env=opened, expect=1)
    says(told, "are missing or damaged; take an older one: --at ")
    at = told.split("--at ")[1].split()[0]
    says(respiro("restore", place, "--at", at, "--data", str(home / "x.redb"), env=opened), "is restored from the copy of")
    says(backup(), " 2 objects sent")
    says(respiro("check", place, env=opened), "is whole")

    # Copies are made and old ones removed while somebody restores.
    proxy = Faults(where)
    proxy.start()
    proxy.set("crawl")
    slow = opened | {"RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{proxy.port}"}
    restoring = subprocess.Popen([binary, "restore", place, "--data", str(home / "y.redb")], env=slow,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while len(proxy.asked) < 20:
        time.sleep(0.02)
    site.event("Durante il ritorno")
    backup()
    assert restoring.poll() is None, "the restore was over too early to tell"
    proxy.set("pass")
    told, _ = restoring.communicate(timeout=120)
    assert restoring.returncode == 0, told
    says(respiro("check", str(home / "y.redb"), env=env), "good")

    # Asked before anything is fetched; which copies there are is said without the key.
    proxy.set("pass")
    through = opened | {"RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{proxy.port}"}
    says(respiro("restore", place, "--data", str(home / "y.redb"), env=through, expect=1), "add --yes to replace it")
    fetched = lambda: [path for method, path in proxy.asked if method == "GET" and "/pictures/" in path]
    assert not fetched(), "pictures were fetched before anybody was asked"
    told = respiro("restore", place, "--list", env=env)
    says(told, "newest first", f"key …{public[-6:]}")
    named = [re.sub("[-:]|[.]000", "", line.split("\t")[0]) for line in told.splitlines() if "\t" in line]
    stamps = {name.split("/")[2].split(".")[0] for name in objects("whole/") + objects("changes/") if name.endswith(".json")}
    assert named == sorted(stamps, reverse=True), (named, stamps)

    # Killed in the middle: what was there is whole, and the next one leaves nothing of it.
    proxy.set("crawl")
    restoring = subprocess.Popen([binary, "restore", place, "--yes", "--data", str(home / "y.redb")], env=through,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(fetched()) < 20:
        time.sleep(0.02)
    restoring.kill()
    restoring.wait()
    assert list(home.glob("y.redb.*.replacement")), list(home.iterdir())
    says(respiro("check", str(home / "y.redb"), env=env), "good")
    proxy.set("pass")
    says(respiro("restore", place, "--yes", "--data", str(home / "y.redb"), env=through), "look at the panel first")
    says(respiro("check", str(home / "y.redb"), env=env), "good")
    left = sorted(path.name for path in home.glob("y.redb*"))
    assert left == ["y.redb", "y.redb.previous", "y.redb.reserve"], left

    # The disk is full before pictures come: what was there stays, nothing else is left, and no picture was fetched. Where
    # the site fits once, that is enough.
    for mebibytes, fits in ((4, False), (12, False), (20, True)) if os.geteuid() == 0 else ():
        small = work / f"small-{mebibytes}"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(small)], check=True)
        try:
            (small / "site.redb").write_bytes(b"was there")
            proxy.set("pass")
            told = respiro("restore", place, "--yes", "--data", str(small / "site.redb"), env=through, expect=0 if fits else 1)
            if fits:
                says(respiro("check", str(small / "site.redb"), env=env), "good")
                continue
            says(told, "the disk is full", "make room; nothing was changed")
            assert not fetched(), "pictures were fetched that have no room"
            assert [(path.name, path.read_bytes()) for path in small.iterdir()] == [("site.redb", b"was there")], list(small.iterdir())
        finally:
            subprocess.run(["umount", "-l", str(small)], check=True)
    site.stop()


def faketime():
    """The library that gives a program another clock."""
    found = sorted(pathlib.Path("/usr/lib").glob("**/faketime/libfaketime.so.1"))
    assert found, "the package faketime is missing"
    return str(found[0])


def main():
    moto_port, s3rver_port, s3s_port = port(), port(), port()
    only = sys.argv[3:] or ["moto", "s3rver", "s3s", "hands", "beside", "publishing"]
    if {"moto", "hands", "beside", "publishing"} & set(only):
        start([str(tools / "bin/moto_server"), "-p", str(moto_port)], **quiet("moto"))
        wait_for(moto_port)
        make_bucket(moto_port, "copie")
    folder = work / "kept-by-s3rver"
    folder.mkdir()
    steps = {
        "publishing": lambda: publishing(moto_port),
        "hands": lambda: hands(moto_port),
        "beside": lambda: beside(moto_port),
        "s3rver": lambda: on_s3rver(s3rver_port, folder),
        "s3s": lambda: on_s3s(s3s_port),
        "moto": lambda: on_moto(moto_port),
    }
    for name, step in steps.items():
        if name in only:
            began = time.monotonic()
            step()
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    print("all well")


def on_moto(where):
    env, opened, place, data = life_and_death(where, "moto", key="AKIDchiave", secret="segretissimo/di+moto")
    refusals(env, place, data)
    faults(where, env, opened, place, data)


def on_s3rver(where, folder):
    start(["node", str(tools / "node_modules/s3rver/bin/s3rver.js"), "-d", str(folder), "-p", str(where),
           "-a", "127.0.0.1", "--configure-bucket", "copie"], **quiet("s3rver"))
    wait_for(where)
    env, opened, place, data = life_and_death(where, "s3rver")
    wrong_keys(where, env, place)


def on_s3s(where):
    """A server that looks at signatures and at the clock itself."""
    keys = {"key": "AKIDs3s", "secret": "segretissimo/di+s3s"}
    folder = work / "kept-by-s3s"
    (folder / "copie").mkdir(parents=True)
    start([str(tools / "bin/s3s-fs"), "--host", "127.0.0.1", "--port", str(where), "--access-key", keys["key"],
           "--secret-key", keys["secret"], str(folder)], **quiet("s3s"))
    wait_for(where)
    env, opened, place, data = life_and_death(where, "s3s", **keys)
    for wrong in ({"RESPIRO_S3_SECRET_KEY": "sbagliata"}, {"RESPIRO_S3_ACCESS_KEY": "nessuno"}):
        says(respiro("check", place, env=env | wrong, expect=1), "does not accept the keys")
        says(respiro("backup", place, "--data", data, env=env | wrong, expect=1), "does not accept the keys")
    for off in ("+2d", "-2d"):
        skewed = {"LD_PRELOAD": faketime(), "FAKETIME": off, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        says(respiro("backup", place, "--data", data, env=env | skewed, expect=1), "the clock is 17", "timedatectl set-ntp true")
    says(respiro("check", place, env=opened), "is whole")


def wrong_keys(behind, env, place):
    """This server refuses no key that it does not know: the signature is checked as Amazon's own library makes it."""
    print("keys that do not fit", flush=True)
    proxy = Faults(behind)
    proxy.start()
    proxy.set("keys")
    env = env | {"RESPIRO_S3_ENDPOINT": f"http://127.0.0.1:{proxy.port}"}
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
