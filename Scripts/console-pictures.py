#!/usr/bin/env python3
"""Takes the pictures of the console in a headless Chromium: a desk beside a phone, in light and in dark.

  Scripts/console-pictures.py SERVER-PROGRAM STORE ADDRESS FOLDER

A server with the console must serve the store at the address. `make screenshots PICTURES=console` starts one.
"""

import base64
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from chromium import Browser

DESK, PHONE, HEIGHT, SCALE = 1240, 390, 860, 1.25
GAPS = {"light": "#d5d9e0", "dark": "#2c3440"}


class Story:
    """What two persons have published before the pictures."""

    def __init__(self, program, store, address, work):
        self.program, self.store, self.address, self.work = program, store, address, work
        self.tokens = {name: self.token(name) for name in ("ada", "bob")}

    def run(self, *arguments, token=None):
        environment = dict(os.environ, BELLEROPHON_TOKEN=token) if token else None
        return subprocess.run([self.program, *arguments], check=True, env=environment, capture_output=True, text=True).stdout

    def token(self, name):
        path = os.path.join(self.work, f"{name}.token")
        self.run("token", "create", "--store", self.store, "--name", name, "--scope", "publish", "--output", path)
        with open(path) as file:
            return file.read().strip()

    def publish(self, who, *arguments):
        return self.run(*arguments, "--server", self.address, token=self.tokens[who])

    def publish_story(self):
        self.publish("ada", "restore", "--reason", "first publish")
        for app in ("notes", "search"):
            self.publish("ada", "restore", "--app", app, "--new", "--reason", "new app")
        proposal = self.publish("ada", "restore", "--app", "payments", "--new", "--propose", "--reason", "new app", "--json")
        self.publish("bob", "approve", str(json.loads(proposal)["id"]), "--yes")
        self.publish("ada", "restore", "--app", "notes", "--channel", "beta", "--new", "--reason", "a channel for testers")
        self.publish("bob", "kill", "--app", "notes", "--for", "2h", "--reason", "disk swap, incident 12", "--yes",
                     "--message", "We are moving the notes to a larger disk. Your text is safe.")
        self.publish("ada", "update", "--app", "search", "--required-version", "2.1", "--url", "https://example.com/get",
                     "--message", "Version 2.0 can lose a search.", "--reason", "fault in the parser", "--yes")
        self.publish("bob", "kill", "--app", "payments", "--propose", "--reason", "incident 13",
                     "--message", "Payments are paused while we check a double booking.")


    def plan(self):
        """Rules of a later story, for pictures of their own."""
        for arguments in (
            ["update", "--below", "1.5.2", "--from", "+14d", "--announce", "+0m", "--message", "1.4 loses data."],
            ["maintenance", "announce", "--from", "+2d", "--for", "90m", "--announce", "24h", "--every", "sat", "--count", "2",
             "--everyone", "--message", "We are replacing a disk."],
            ["notice", "--message", "Search is read-only.", "--for", "3h"],
        ):
            self.publish("ada", *arguments, "--reason", "incident 14", "--yes")


class Clients:
    """Some streams and polls, so that the figures are not zero."""

    def __init__(self, address, streams, polls):
        parts = urllib.parse.urlsplit(address)
        self.place, self.polls, self.runs = (parts.hostname, parts.port), polls, True
        self.streams = [socket.create_connection(self.place) for _ in range(streams)]
        for stream in self.streams:
            stream.sendall(b"GET /events HTTP/1.1\r\nHost: status\r\n\r\n")
        self.thread = threading.Thread(target=self.poll)
        self.thread.start()

    def poll(self):
        connection = http.client.HTTPConnection(*self.place)
        while self.runs:
            connection.request("GET", "/status")
            connection.getresponse().read()
            time.sleep(1 / self.polls)

    def close(self):
        self.runs = False
        self.thread.join()
        for stream in self.streams:
            stream.close()


def unlock(browser, address, token, width, scheme):
    browser.open(f"{address}/console", width, HEIGHT, scheme, SCALE)
    browser.wait("document.activeElement?.id === 'token'")
    browser.type(token)
    browser.press("Enter")
    # Requests a second take two looks at the server.
    browser.wait("document.querySelectorAll('#cards .card').length === 5 && /Requests.s\\s+[1-9]/.test(figures.innerText)")


def ask(browser):
    """Fills the form of a kill, and stops at the question."""
    browser.click('[data-scope="default/main"] [data-action=kill]')
    browser.type("Back at noon. We are replacing a disk.")
    browser.press("Tab")
    browser.type("2h")
    browser.press("Tab")
    browser.type("disk swap")
    browser.press("Enter")
    browser.wait("document.querySelector('.question')")


def plan(browser, asks):
    """Shows the rules of an app, or fills the form of a window and stops at the question."""
    browser.click('[data-scope="default/main"] [data-action=rules]')
    browser.wait("document.querySelector('dialog[open] .timeline')")
    if not asks:
        return
    browser.evaluate("[...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Require a version…').click()")
    browser.wait("document.querySelector('dialog[open] form')")
    browser.type("2.0")
    browser.press("Enter")
    browser.wait("document.querySelector('.question')")
    browser.evaluate("document.querySelector('dialog h3').scrollIntoView()")


def main():
    program, store, address, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        story = Story(program, store, address, work)
        story.publish_story()
        clients, browser = Clients(address, streams=42, polls=20), Browser()
        try:
            for scheme, asks in (("light", False), ("dark", True)):
                parts = []
                for width in (DESK, PHONE):
                    unlock(browser, address, story.tokens["ada"], width, scheme)
                    if asks:
                        ask(browser)
                    elif width == PHONE:
                        browser.evaluate("document.getElementById('apps-title').scrollIntoView()")
                    parts.append(os.path.join(work, f"{scheme}-{width}.png"))
                    browser.picture(parts[-1])
                join(browser, parts, os.path.join(folder, f"console-{scheme}.png"), GAPS[scheme])
            story.plan()
            parts = []
            for width, asks in ((DESK, False), (PHONE, True)):
                unlock(browser, address, story.tokens["ada"], width, "light")
                plan(browser, asks)
                parts.append(os.path.join(work, f"rules-{width}.png"))
                browser.picture(parts[-1])
            join(browser, parts, os.path.join(folder, "console-rules.png"), GAPS["light"])
        finally:
            browser.close()
            clients.close()


def join(browser, parts, path, gap):
    """Puts the pictures side by side, on a page of their own."""
    browser.open("about:blank", DESK + 24 + PHONE, HEIGHT, "light", SCALE)
    images = "".join(f'<img src="data:image/png;base64,{base64.b64encode(open(part, "rb").read()).decode()}">' for part in parts)
    browser.evaluate(f"""(async () => {{
      document.body.style.cssText = 'margin: 0; display: flex; justify-content: space-between; background: {gap}';
      document.body.innerHTML = {json.dumps(images)};
      for (const image of document.images) {{ image.height = {HEIGHT}; await image.decode(); }}
    }})()""")
    browser.picture(path)
    print(f"screenshots/{os.path.basename(path)}")


main()
