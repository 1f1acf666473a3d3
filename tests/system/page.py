#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Opens a page in Chromium without a window, runs expressions in it and prints their values, each
# as a line of JSON.  Complaints of the page itself, such as an exception or a breach of its
# policy, are lines "complaint: ...".
#
#   page.py FILE[#VIEW] [--size WIDTHxHEIGHT] [--scheme light|dark] [--picture OUT.png]
#           [--script FILE.js] [--pdf OUT.pdf] EXPRESSION...
#
# A script is run first; a page must request no other file, which would be a complaint, too.
#
# To read: https://chromedevtools.github.io/devtools-protocol and RFC 6455.

import argparse
import base64
import contextlib
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

names = ("chromium", "chromium-browser", "google-chrome")


class Link:
    """Commands to a page, over a web socket."""

    def __init__(self, url):
        place, path = url.removeprefix("ws://").split("/", 1)
        host, port = place.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{path} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        while self.file.readline().strip():
            pass
        self.number, self.page = 0, None
        self.complaints = []

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else \
            struct.pack("!BBH", 0x81, 0xFE, size) if size < 65536 else struct.pack("!BBQ", 0x81, 0xFF, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        whole = b""
        while True:
            first, size = self.file.read(2)
            if size == 126:
                size, = struct.unpack("!H", self.file.read(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.file.read(8))
            whole += self.file.read(size)
            if first & 0x80:
                return json.loads(whole)

    def ask(self, method, **parameters):
        self.number += 1
        self.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]
            self.note(answer)

    def is_own(self, url):
        return url.partition("#")[0] == self.page or url.startswith("data:")

    def note(self, event):
        parameters = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif event["method"] == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.complaints.append(str([value.get("value") for value in parameters["args"]]))
        elif event["method"] == "Network.requestWillBeSent" and not self.is_own(parameters["request"]["url"]):
            self.complaints.append("asked for " + parameters["request"]["url"])

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")


def start(folder):
    program = next(filter(None, map(shutil.which, names)))
    process = subprocess.Popen(
        [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
         "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = pathlib.Path(folder, "DevToolsActivePort")
    for _ in range(600):
        if told.exists() and told.read_text().count("\n") >= 1:
            break
        time.sleep(0.1)
    port = told.read_text().split("\n")[0]
    for _ in range(600):
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next((page for page in pages if page["type"] == "page"), None)
        if page:
            return process, Link(page["webSocketDebuggerUrl"])
        time.sleep(0.1)
    raise TimeoutError("the browser has no page")


def show(link, page, size="1280x1000", scheme="light"):
    width, height = map(int, size.split("x"))
    name, _, view = page.partition("#")
    link.page = pathlib.Path(name).resolve().as_uri()
    for domain in ("Page", "Runtime", "Log", "Network"):
        link.ask(f"{domain}.enable")
    link.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    link.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    link.ask("Page.navigate", url=link.page + ("#" + view if view else ""))
    while link.value("document.readyState") != "complete" or link.value("location.href") == "about:blank":
        time.sleep(0.1)


@contextlib.contextmanager
def browser():
    """A page without anything in it yet."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process, link = start(folder)
        try:
            yield link
        finally:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--size", default="1280x1000")
    parser.add_argument("--scheme", default="light")
    parser.add_argument("--picture")
    parser.add_argument("--script")
    parser.add_argument("--pdf")
    parser.add_argument("expressions", nargs="*")
    options = parser.parse_intermixed_args()

    with browser() as link:
        show(link, options.page, options.size, options.scheme)
        if options.script:
            link.ask("Runtime.evaluate", expression=pathlib.Path(options.script).read_text())
        for expression in options.expressions:
            print(json.dumps(link.value(expression)), flush=True)
        if options.picture:
            picture = link.ask("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(options.picture).write_bytes(base64.b64decode(picture))
        if options.pdf:
            printed = link.ask("Page.printToPDF", printBackground=True)["data"]
            pathlib.Path(options.pdf).write_bytes(base64.b64decode(printed))
        for complaint in link.complaints:
            print("complaint:", complaint.replace("\n", " "))


if __name__ == "__main__":
    main()
