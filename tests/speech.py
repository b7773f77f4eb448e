#!/usr/bin/env python3
"""What a screen reader says: Orca with Firefox, without a screen.

    bash tests/all.sh speech                            compares with tests/speech/*.txt
    BLESS=1 bash tests/all.sh speech                    writes them, to be read in review
    python3 tests/speech.py target/debug/respiro NAME   one of them

Needs the Debian packages firefox-esr, orca, at-spi2-core, xvfb, xauth, openbox and xdotool. Keys are real keys of the X
server, because Orca listens to them there; Marionette, Firefox's own remote protocol, only opens pages and moves the
focus. Orca writes what it would say into its debug file, so no sound system is needed.
"""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOTS = ROOT / "tests/speech"
ACCOUNT = {"email": "anna@example.com", "password": "respiro-lento-e-profondo"}
QUIET_S = 2.5
# The longest answer of a development build: a password that is hashed.
FIRST_S = 8
SPEECH_MAX_S = 20
START_MAX_S = 180
FIND = """const found = [...document.querySelectorAll(arguments[0])]
  .find((one) => one.textContent.trim().startsWith(arguments[1]));"""
LINE_BUFFERED = """
import builtins
plain = builtins.open
def line_buffered(file, mode="r", buffering=-1, *rest, **named):
    buffering = 1 if str(file).endswith("orca.debug") else buffering
    return plain(file, mode, buffering, *rest, **named)
builtins.open = line_buffered
"""


def wait_for(condition, what, longest=START_MAX_S):
    end = time.monotonic() + longest
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


class Site:
    """A server with demonstration content and one account."""

    def __init__(self, binary, folder):
        self.log = folder / "respiro.log"
        self.process = subprocess.Popen(
            [binary, "--listen", "127.0.0.1:0", "--data", str(folder / "respiro.redb"), "--demo"],
            stderr=self.log.open("w"),
        )
        found = wait_for(
            lambda: re.search(r"http://127\.0\.0\.1:(\d+)/admin#setup=(\w+)", self.log.read_text()),
            "the program did not start",
        )
        self.port = int(found[1])
        self.origin = f"http://127.0.0.1:{self.port}"
        self.cookie = ""
        self.ask("POST", "/api/auth/setup", {"token": found[2], **ACCOUNT})

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"origin": self.origin, "content-type": "application/json", "cookie": self.cookie}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text}")
        if answer.getheader("set-cookie"):
            self.cookie = answer.getheader("set-cookie").split(";")[0]
        return json.loads(text) if text else None


class Firefox:
    """Firefox with Marionette: length-prefixed JSON over a socket."""

    def __init__(self, folder, width, height):
        profile = folder / "profile"
        profile.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        preferences = {
            "accessibility.force_disabled": -1,
            "marionette.port": port,
            "browser.aboutwelcome.enabled": False,
            "browser.shell.checkDefaultBrowser": False,
            "browser.startup.page": 0,
            "browser.newtabpage.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "intl.accept_languages": "it",
            "signon.rememberSignons": False,
            "ui.prefersReducedMotion": 1,
            # Firefox asks whether the panel may keep what it stores.
            "dom.storageManager.prompt.testing": True,
            "dom.storageManager.prompt.testing.allow": True,
        }
        lines = [f"user_pref({json.dumps(n)}, {json.dumps(v)});" for n, v in preferences.items()]
        (profile / "user.js").write_text("\n".join(lines))
        size = ["--width", str(width), "--height", str(height)]
        self.process = subprocess.Popen(
            ["firefox-esr", "--marionette", "--no-remote", "--profile", profile, *size, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def connect():
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=60)
            except OSError:
                return None

        self.socket = wait_for(connect, "Firefox did not start")
        self.pending = b""
        self.number = 0
        self.receive()
        self.send("WebDriver:NewSession", {})

    def receive(self):
        while b":" not in self.pending:
            self.pending += self.socket.recv(65536)
        length, self.pending = self.pending.split(b":", 1)
        while len(self.pending) < int(length):
            self.pending += self.socket.recv(65536)
        message, self.pending = self.pending[: int(length)], self.pending[int(length) :]
        return json.loads(message)

    def send(self, command, parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters])
        self.socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def run(self, script, *arguments):
        parameters = {"script": script, "args": list(arguments)}
        return self.send("WebDriver:ExecuteScript", parameters)["value"]

    def open(self, address):
        self.send("WebDriver:Navigate", {"url": address})


class Ear:
    """Orca, and what it said since the last look."""

    def __init__(self, folder):
        settings = Path(os.environ["HOME"]) / ".local/share/orca"
        settings.mkdir(parents=True)
        own = {
            "enableKeyEcho": False,
            "enableEchoByWord": False,
            "enableTutorialMessages": False,
            "presentToolTips": False,
            "sayAllOnLoad": False,
        }
        profile = {"profile": ["Default", "default"], **own}
        (settings / "user-settings.conf").write_text(
            json.dumps(
                {
                    "general": {**own, "startingProfile": ["Default", "default"]},
                    "pronunciations": {},
                    "keybindings": {},
                    "profiles": {"default": {**profile, "pronunciations": {}, "keybindings": {}}},
                }
            )
        )
        self.file = folder / "orca.debug"
        # Orca writes the file in blocks of 8 KB; what it says has to be there at once.
        (folder / "sitecustomize.py").write_text(LINE_BUFFERED)
        self.process = subprocess.Popen(
            ["orca", "--replace", f"--debug-file={self.file}"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.place = 0
        wait_for(lambda: self.file.exists() and "SPEECH OUTPUT" in self.file.read_text(), "Orca did not speak", 60)

    def hear(self, first_s=0):
        """The phrases since the last call: waits first_s for the first, then until nothing is said for QUIET_S."""
        end = time.monotonic() + SPEECH_MAX_S
        said, changed = [], time.monotonic()
        while time.monotonic() < end:
            if time.monotonic() - changed > (QUIET_S if said else max(QUIET_S, first_s)):
                break
            time.sleep(0.1)
            now = self.phrases()
            if now != said:
                said, changed = now, time.monotonic()
        self.place = self.file.stat().st_size
        return said

    def phrases(self):
        with self.file.open("rb") as log:
            log.seek(self.place)
            text = log.read().decode(errors="replace")
        said = re.findall(r"SPEECH OUTPUT: '(.*?)'(?:\{.*\})?$", text, re.M)
        # On a busy machine these come after the next step. The dictionaries of the machine decide about spelling.
        late = ("Finished loading", "Page has", "misspelled")
        return [phrase.strip() for phrase in said if phrase.strip() and not phrase.startswith(late)]


class Story:
    """One snapshot: steps, and what was heard after each."""

    def __init__(self, site, firefox, ear):
        self.site, self.firefox, self.ear = site, firefox, ear
        self.lines = []

    def step(self, what, act, first_s=FIRST_S):
        self.ear.hear()
        act()
        said = self.ear.hear(first_s)
        self.lines += [f"> {what}", *map(self.steady, said), ""]

    def steady(self, phrase):
        """Replaces what differs from run to run."""
        phrase = phrase.replace(str(self.site.port), "PORT")
        phrase = re.sub(r"\b\d+ ms\b", "N ms", phrase)
        return re.sub(r"\b\d{1,2}:\d\d\b", "HH:MM", phrase)

    def open(self, path):
        """Not recorded: what is said while a page loads depends on the speed of the machine."""
        self.firefox.open(self.site.origin + path)
        self.ear.hear(FIRST_S)
        self.lines += [f"> open {re.sub('[a-z2-7]{26}', 'ID', path)}", ""]

    def press(self, *keys):
        for key in keys:
            self.step(key, lambda: subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True))

    def replace(self, text):
        """What is said of the selection is not recorded: it differs with the speed of the machine."""
        subprocess.run(["xdotool", "key", "--clearmodifiers", "ctrl+a"], check=True)
        self.type(text)

    def type(self, text):
        typing = ["xdotool", "type", "--clearmodifiers", "--delay", "40", text]
        self.step(f"type {text}", lambda: subprocess.run(typing, check=True))

    def focus(self, what, selector, text=""):
        """Focuses the first element that the selector finds and whose text begins so, as by Tab."""

        def act():
            self.wait_for_element(selector, text)
            self.firefox.run(f"{FIND} found.focus()", selector, text)

        self.step(f"the focus goes to {what}", act)

    def wait_for_element(self, selector, text=""):
        wait_for(lambda: self.firefox.run(f"{FIND} return found != null", selector, text), f"{selector} {text}", 60)

    def sign_in(self, path):
        """Opens a part of the panel with a session; what Orca says on the way is not part of the story."""
        name, value = self.site.cookie.split("=", 1)
        self.firefox.open(self.site.origin + "/robots.txt")
        cookie = {"name": name, "value": value, "httpOnly": True, "sameSite": "Strict"}
        self.firefox.send("WebDriver:AddCookie", {"cookie": cookie})
        self.open(path)


def consent(story):
    """Answers the cookie banner, which would come into each story."""
    story.firefox.open(story.site.origin + "/privacy")
    story.firefox.run(
        "localStorage.setItem('cookie-consent', JSON.stringify({necessary: true, analytics: false,"
        " marketing: false, date: Date.now(), version: 1}))"
    )


def home(story):
    story.open("/")
    story.press("ctrl+Home", *["m"] * 6, "ctrl+Home", *["h"] * 8)


def drawer(story):
    story.open("/contatti")
    story.focus("the menu button", "header button[aria-haspopup=dialog]")
    story.press("Return", "Tab", "Tab", "Escape")


def lightbox(story):
    story.open("/testimonianze")
    story.focus("the first photograph", "main a[aria-label^=Ingrandisci]")
    story.press("Return", "Tab", "Tab", "Tab", "Return", "Escape")


def newsletter(story):
    story.open("/blog")
    story.focus("the address", "main form input[type=email]")
    story.type("anna@")
    story.press("Return")


def sign_in(story):
    story.open("/admin")
    story.focus("the e-mail address", "input[type=email]")
    story.type(ACCOUNT["email"])
    story.press("Tab")
    story.type("sbagliata-del-tutto")
    story.press("Return")
    story.focus("the password", "#password")
    story.replace(ACCOUNT["password"])
    story.press("Return")


def moving(story):
    story.sign_in("/admin#/contenuti/course-testimonials")
    story.focus("the handle of the first row", "main ol > li [data-move=grip]")
    story.press("Down", "Up", "Tab", "Return", "shift+Tab", "Return")


def conflict(story):
    items = story.site.ask("GET", "/api/admin/course-testimonials")
    item = items[-1]
    path = f"/api/admin/course-testimonials/{item['id']}"
    story.sign_in(f"/admin#/contenuti/course-testimonials/{item['id']}")
    words = "dialog textarea, dialog [role=textbox][aria-multiline]"
    story.focus("the text", words)
    story.replace("Testo di qua.")
    story.site.ask("PUT", path, {"testimonial": "Testo di fuori."})
    story.focus("the button that saves", "dialog footer button", "Salva Modifiche")
    story.press("Return", "Tab", "Tab", "space", "Down", "Escape")
    story.site.ask("PUT", path, {"testimonial": item["testimonial"]})


def toast(story):
    story.sign_in("/admin#/contenuti/course-testimonials")
    story.focus("the switch of the first row", "main ol > li [role=switch]")
    story.press("space", "space")


def publishing(story):
    story.sign_in("/admin#/pagine/servizi/servizi.hero%3A")
    story.focus("the title in the form", "[id='w-servizi.hero-title']")
    story.replace("Le mie proposte")
    story.focus("the button that publishes", "button", "Pubblica")
    story.press("Return")
    story.site.ask("PUT", "/api/admin/words/servizi.hero", {"value": None, "hidden": False})


# Width and height of the window: a narrow one has the drawer.
STORIES = {
    "home": (home, 1280, 900),
    "drawer": (drawer, 500, 900),
    "lightbox": (lightbox, 1280, 900),
    "newsletter": (newsletter, 1280, 900),
    "sign-in": (sign_in, 1280, 900),
    "moving": (moving, 1280, 900),
    "conflict": (conflict, 1280, 900),
    "toast": (toast, 1280, 900),
    "publishing": (publishing, 1280, 900),
}


def inside(binary, names):
    """Runs within a session bus and an X server."""
    folder = Path(tempfile.mkdtemp(prefix="respiro-speech-"))
    os.environ["HOME"] = str(folder / "home")
    os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
    for name in ("home", "run"):
        (folder / name).mkdir(mode=0o700)
    for variable in ("GTK_MODULES=gail:atk-bridge", "GNOME_ACCESSIBILITY=1", "NO_AT_BRIDGE=0"):
        os.environ.setdefault(*variable.split("=", 1))
    # Orca waits for a speech server that finds no sound device, and works without one if none can be started.
    os.environ["SPEECHD_CMD"] = "/bin/false"
    bus = "/usr/libexec/at-spi-bus-launcher"
    processes = [
        subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL),
        subprocess.Popen([bus, "--launch-immediately", "--a11y=1", "--screen-reader=1"]),
    ]
    differing = []
    try:
        site = Site(binary, folder)
        processes.append(site.process)
        ear = Ear(folder)
        processes.append(ear.process)
        for name in names:
            act, width, height = STORIES[name]
            own = folder / f"firefox-{name}"
            own.mkdir()
            firefox = Firefox(own, width, height)
            try:
                story = Story(site, firefox, ear)
                consent(story)
                act(story)
            finally:
                firefox.process.terminate()
                firefox.process.wait()
            if not compare(name, "\n".join(story.lines)):
                differing.append(name)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)
    if differing:
        sys.exit(f"speech differs: {', '.join(differing)}; BLESS=1 writes what is said now")
    print(f"{len(names)} passed")


def compare(name, said):
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("BLESS"):
        file.write_text(said)
        return True
    former = file.read_text() if file.exists() else ""
    if former == said:
        return True
    (ROOT / "target").mkdir(exist_ok=True)
    (ROOT / f"target/speech-{name}.txt").write_text(said)
    subprocess.run(["diff", "-u", file, ROOT / f"target/speech-{name}.txt"])
    return False


def main():
    binary = str(Path(sys.argv[1]).resolve())
    names = sys.argv[2:] or list(STORIES)
    if os.environ.get("SPEECH_INSIDE"):
        inside(binary, names)
        return
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1400x1000x24"]
    again = [sys.executable, __file__, binary, *names]
    command = ["dbus-run-session", "--", *screen, *again]
    sys.exit(subprocess.run(command, env={**os.environ, "SPEECH_INSIDE": "1"}).returncode)


main()
