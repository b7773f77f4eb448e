"""Sends a newsletter to 2,000 addresses of a real SMTP server and looks at what arrives.

usage: newsletter.py BINARY FOLDER   (tests/newsletter.sh brings aiosmtpd)
"""

import asyncio
import collections
import datetime
import email
import email.policy
import glob
import http.cookiejar
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from aiosmtpd.controller import Controller

BINARY, FOLDER = sys.argv[1], sys.argv[2]
COUNT = int(os.environ.get("ADDRESSES", "2000"))
EMAIL, PASSWORD = "anna@example.it", "una frase segreta lunga"
LAST = f"u{COUNT - 1:04}@example.com"
# How an address behaves, by the word in its name.
REFUSALS = {
    "mancante": "550 5.1.1 no such user",
    "politica": "550 5.7.1 we do not like you",
    "piena": "452 4.2.2 mailbox full",
}
ENDS = {"tardi5": "554 5.6.0 not this", "tardi4": "451 4.2.2 not now"}
BREAKS, HANGS, HANGS_EARLY = "rotta", "muta", "lenta"
SPECIAL = [*REFUSALS, *ENDS, BREAKS, HANGS, HANGS_EARLY]


def fail(words):
    print(f"tests/newsletter.py: {words}", file=sys.stderr)
    with open(f"{FOLDER}/respiro.log", encoding="utf-8") as log:
        print("".join(log.readlines()[-20:]), file=sys.stderr)
    end(1)


running = []


def end(code):
    for process in running:
        process.kill()
    os._exit(code)


class Handler:
    def __init__(self):
        self.taken = collections.Counter()
        self.notices = []
        self.texts = {}
        self.open = 0
        self.open_max = 0

    def behaves(self, address):
        return next((word for word in SPECIAL if f"-{word}@" in address), None)

    async def handle_RCPT(self, server, session, envelope, address, options):
        how = self.behaves(address)
        if how in REFUSALS:
            return REFUSALS[how]
        if how == HANGS_EARLY:
            await asyncio.sleep(8)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        address = envelope.rcpt_tos[0]
        self.open += 1
        self.open_max = max(self.open_max, self.open)
        try:
            how = self.behaves(address)
            if how in ENDS:
                return ENDS[how]
            # Notices to the admin are no part of the newsletter.
            if address == EMAIL:
                notice = email.message_from_bytes(envelope.content, policy=email.policy.default)
                self.notices.append(notice["Subject"])
                return "250 OK"
            # What breaks off or hangs here has been taken: so it is with real servers too.
            self.taken[address] += 1
            if len(self.texts) < 50:
                self.texts[address] = envelope.content
            if how == BREAKS:
                server.transport.abort()
            if how == HANGS:
                await asyncio.sleep(8)
            return "250 OK"
        finally:
            self.open -= 1


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Site:
    def __init__(self, smtp_port):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.smtp_port = smtp_port
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def run(self, *words):
        data = ["--data", f"{FOLDER}/site.redb"]
        subprocess.run([BINARY, *words, *data], check=True, stdout=subprocess.DEVNULL)

    def start(self, **more):
        log = open(f"{FOLDER}/respiro.log", "a", encoding="utf-8")
        environment = {**os.environ, "RESPIRO_ADMIN_EMAIL": EMAIL, "RESPIRO_ADMIN_PASSWORD": PASSWORD, **more}
        options = ["--data", f"{FOLDER}/site.redb", "--listen", f"127.0.0.1:{self.port}",
                   "--public-url", self.url, "--smtp-url", f"smtp+plain://127.0.0.1:{self.smtp_port}",
                   "--mail-from", "sito@example.org", "--smtp-timeout", "4"]
        self.process = subprocess.Popen([BINARY, *options], stdout=log, stderr=log, env=environment)
        running.append(self.process)
        for _ in range(300):
            try:
                if self.opener.open(f"{self.url}/healthz").status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        fail("the site does not start")

    def call(self, method, path, body=None, kind="application/json", expected=(200, 201, 202, 204)):
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        headers = {"Origin": self.url, "Content-Type": kind}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            answer = self.opener.open(request)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read().decode()
        if answer.status not in expected:
            fail(f"{method} {path}: {answer.status} {text}")
        return json.loads(text) if text[:1] in ("{", "[") else text


def addresses():
    each = {number * (COUNT // 10) + COUNT // 20: word for number, word in enumerate(SPECIAL)}
    name = lambda number: f"u{number:04}-{each[number]}" if number in each else f"u{number:04}"
    return [f"{name(number)}@example.com" for number in range(COUNT)]


def fill(site):
    """The addresses by the program's own import: confirmed, and some that are not."""
    os.mkdir(f"{FOLDER}/content")
    row = lambda address, state: {
        "email": address, "state": state, "consentText": "Va bene.", "consentVersion": "2",
        "page": "/blog", "way": "form", "createdAt": "2026-01-01T10:00:00Z",
        "confirmedAt": "2026-01-02T10:00:00Z" if state == "confirmed" else None}
    others = [row("in-attesa@example.com", "pending"), row("raccolta@example.com", "collected"),
              row("andata@example.com", "unsubscribed")]
    content = {"format": 1, "settings": {"address": "Via Roma 1, Como", "brand": "Respiro"},
               "newsletter": [row(address, "confirmed") for address in addresses()] + others}
    with open(f"{FOLDER}/content/respiro.json", "w", encoding="utf-8") as file:
        json.dump(content, file)
    site.run("import", f"{FOLDER}/content")


def wait_for(what, seconds, is_so):
    for _ in range(seconds * 20):
        found = is_so()
        if found:
            return found
        time.sleep(0.05)
    fail(f"{what}: not within {seconds} s")


def look_at(handler, site):
    """Headers and both parts of a message as it arrived."""
    address = next(address for address in handler.texts if address != EMAIL)
    raw = handler.texts[address]
    message = email.message_from_bytes(raw)
    for name, expected in [("List-Id", "<newsletter.127.0.0.1>"), ("Precedence", "bulk"),
                           ("Auto-Submitted", "auto-generated"), ("To", address)]:
        if message[name] != expected:
            fail(f"{name}: {message[name]}")
    kinds = [part.get_content_type() for part in message.walk()]
    if kinds != ["multipart/alternative", "text/plain", "text/html"]:
        fail(f"parts: {kinds}")
    text, html = (part.get_payload(decode=True).decode() for part in message.walk() if not part.is_multipart())
    link = re.fullmatch(r"<(.+)>", message["List-Unsubscribe"].replace("\r\n ", "")).group(1)
    for part in (text, html):
        for words in (link, "2 gennaio 2026", "dalla pagina /blog", "Via Roma 1"):
            if words not in part:
                fail(f"{words} is missing: {part}")
    if "respiro-mark" in text + html or max(map(len, raw.split(b"\r\n"))) > 998:
        fail("a mark is left, or a line is too long")
    if len(html) > 100_000:
        fail("the HTML is too large")
    path = link.removeprefix(site.url)
    state = lambda: next(one["state"] for one in site.call("GET", "/api/admin/newsletter") if one["email"] == address)
    site.call("GET", path)
    if state() != "confirmed":
        fail("following the link removed somebody")
    stranger = urllib.request.Request(link, b"List-Unsubscribe=One-Click", method="POST")
    if urllib.request.urlopen(stranger).status != 200 or state() != "unsubscribed":
        fail("one click does not unsubscribe")


def stop(site):
    site.process.terminate()
    if site.process.wait(40) != 0:
        fail("the site did not stop with code 0")


def start_ahead(handler, site):
    """A start with a clock 40 days ahead sends nothing that is planned, and loses nothing (decisions/031)."""
    library = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not library:
        fail("install the package faketime")
    body = {"title": "In programma", "content": "Ciao"}
    item = site.call("POST", "/api/admin/newsletters", body)
    base = f"/api/admin/sendings/{item['id']}"
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=20)
    site.call("PUT", f"{base}/schedule", {"at": at.strftime("%Y-%m-%dT%H:%M:%SZ")})
    stop(site)
    before = sum(handler.taken.values())
    site.start(LD_PRELOAD=library[0], FAKETIME="+40d", DONT_FAKE_MONOTONIC="1")
    doubt = wait_for("a doubt", 30, lambda: site.call("GET", "/api/admin/status")["clock"])
    # The sender looked at its queue a moment after the start.
    time.sleep(3)
    if site.call("GET", base)["state"] != "scheduled" or sum(handler.taken.values()) != before:
        fail(f"sent by a clock that was ahead: {doubt}")
    stop(site)
    site.start()
    if site.call("GET", "/api/admin/status")["clock"] or site.call("GET", base)["state"] != "scheduled":
        fail("a clock that is right again is doubted, or the plan is lost")
    site.call("DELETE", f"{base}/schedule")
    print("a clock 40 days ahead sent nothing, and the plan stands")


def main():
    handler = Handler()
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    site = Site(controller.port)
    fill(site)
    site.start()
    site.call("POST", "/api/auth/login", {"email": EMAIL, "password": PASSWORD})
    site.call("PUT", "/api/admin/settings", {"newsletterPace": 360000})
    body = {"title": "Tre minuti", "content": "Ciao,\n\nleggi [qui](/blog).\n\n- uno\n- due"}
    item = site.call("POST", "/api/admin/newsletters", body)
    base = f"/api/admin/sendings/{item['id']}"
    got = lambda: site.call("GET", base)
    site.call("POST", f"{base}/test", {"email": "x@example.com"}, expected=(422,))
    if not site.call("POST", f"{base}/test", {"email": EMAIL})["sent"]:
        fail("no test was sent")
    started = time.time()
    site.call("POST", f"{base}/start")
    site.call("POST", f"{base}/start", expected=(409,))
    site.call("PUT", f"/api/admin/newsletters/{item['id']}", {"title": "x"}, expected=(409,))

    wait_for("50 messages", 120, lambda: len(handler.taken) > 50)
    site.call("POST", f"{base}/pause")
    paused = wait_for("a pause", 30, lambda: got() if got()["state"] == "paused" else None)
    time.sleep(0.5)
    if got()["accepted"] > paused["accepted"] + 1:
        fail("it goes on in a pause")
    site.call("POST", f"/api/admin/newsletter/{LAST}/unsubscribe")
    site.call("POST", f"{base}/resume")
    wait_for("a third of all", 400, lambda: len(handler.taken) > COUNT // 3)
    site.process.send_signal(signal.SIGKILL)
    site.process.wait()
    at_kill = sum(handler.taken.values())
    site.start()
    after = got()
    if after["uncertain"] > 4 or after["state"] != "sending":
        fail(f"after the kill: {after}")
    done = wait_for("the end", 800, lambda: (now := got()) and now["waiting"] <= 3
                    and len(now["failures"]) >= len(SPECIAL) and now)
    seconds = time.time() - started

    twice = {address: count for address, count in handler.taken.items() if count > 1}
    if twice:
        fail(f"sent twice: {twice}")
    # Two messages were refused by policy, with accepted ones between them.
    if sum(subject.startswith("La posta di") for subject in handler.notices) != 1:
        fail(f"notices: {handler.notices}")
    if handler.open_max > 1:
        fail(f"{handler.open_max} messages at once")
    known = set(addresses()) - {LAST}
    unknown = known - set(handler.taken)
    fates = {one["email"]: one for one in done["failures"]}
    lost = [one for one in unknown if one not in fates]
    if lost:
        fail(f"neither arrived nor told: {lost}")
    strangers = set(handler.taken) - known - {EMAIL}
    if strangers:
        fail(f"sent to who did not confirm: {strangers}")
    expected = {"mancante": ("unknown", True), "politica": ("blocked", False), "piena": ("waiting", False),
                "tardi5": ("blocked", False), "tardi4": ("waiting", False), "rotta": ("uncertain", False),
                "muta": ("uncertain", False), "lenta": ("waiting", False)}
    for word, fate in expected.items():
        found = next((one for address, one in fates.items() if f"-{word}@" in address), None)
        if not found or (found["fate"], found["isMarked"]) != fate:
            fail(f"{word}: {found}")
        if "@" in found["reason"]:
            fail(f"an address in a reason: {found}")
    if done["skipped"] != 1:
        fail(f"skipped: {done['skipped']}")
    states = collections.Counter(one["state"] for one in site.call("GET", "/api/admin/newsletter"))
    # A letter that was not liked (554 5.6.0) once marked its address too.
    if states["unreachable"] != 1:
        fail(f"states: {states}")
    look_at(handler, site)
    site.call("POST", f"{base}/stop")
    if got()["state"] != "stopped":
        fail("it does not stop")
    start_ahead(handler, site)
    stop(site)
    subprocess.run([BINARY, "check", f"{FOLDER}/site.redb"], check=True, stdout=subprocess.DEVNULL)
    with open(f"{FOLDER}/respiro.log", encoding="utf-8") as log:
        if "@example.com" in log.read():
            fail("an address in the log")
    print(f"{done['accepted']} of {COUNT} taken, {done['refused']} refused, {done['uncertain']} uncertain, "
          f"{done['skipped']} skipped, {done['waiting']} for another try; killed after {at_kill}, "
          f"nobody got two; {seconds:.0f} s")
    controller.stop()
    print("tests/newsletter.sh: all well")
    end(0)


try:
    main()
except Exception as error:  # noqa: BLE001 — whatever it is, nothing may be left running
    fail(repr(error))
