"""Drives a headless Chromium over its debugging pipe, for pictures of the console."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
         "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--force-color-profile=srgb",
         "--disable-dev-shm-usage"]


class Browser:
    """One browser with one page. The pipe is the descriptors 3 and 4 of Chromium; a message ends with NUL."""

    def __init__(self, program=None):
        program = program or shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("error: chromium is missing")
        self.folder = tempfile.mkdtemp(prefix="chromium-")
        # Above 9, so that neither is 3 or 4 itself.
        requests, self.requests, self.replies, replies = (
            fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe() + os.pipe())
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        shell = f"exec \"$@\" 3<&{requests} 4>&{replies} {requests}<&- {replies}>&-"
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", shell, "sh", program, *FLAGS, *sandbox, f"--user-data-dir={self.folder}", "about:blank"],
            pass_fds=(requests, replies), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(requests)
        os.close(replies)
        self.rest, self.count, self.session = b"", 0, None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.requests, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.read()
            if reply.get("id") == self.count:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]
            self.events.append(reply)

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.replies, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate(f"Boolean({script})"):
                return
            time.sleep(0.05)
        raise RuntimeError(f"not within {seconds} s: {script}\n{self.evaluate('document.body.innerText')}")

    def open(self, address, width, height, scheme, scale=2):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=address)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key, code=0, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
        text = "\r" if key == "Enter" else text
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes.get(key, code),
                      **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def picture(self, path, clip=None):
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        # Its processes end before their folder is removed.
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.requests)
        os.close(self.replies)
        shutil.rmtree(self.folder, ignore_errors=True)
