#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tprof live on a terminal of its own: keys, sizes, and what is left behind.
#
#   live.py TPROF PID

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

tprof, pid = sys.argv[1:3]
ENTER, LEAVE = b"\033[?1049h", b"\033[?1049l"
PATIENCE = 30


class Terminal:
    """A program on a pseudo terminal."""

    def __init__(self, *arguments, width=80, height=24):
        self.master, slave = pty.openpty()
        self.resize(width, height, None)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.said = b""
        self.child = os.fork()
        if self.child == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(slave, descriptor)
            os.environ["TERM"] = "xterm"
            os.execv(tprof, [tprof, "live", *arguments, pid])

    def resize(self, width, height, child):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        if child:
            os.kill(child, signal.SIGWINCH)

    def wait_for(self, words, since=0):
        end = time.monotonic() + PATIENCE
        while words not in self.said[since:]:
            if time.monotonic() > end:
                sys.exit(f"no {words!r} in {self.said[since:since + 2000]!r} ...")
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self.master, 65536)
                except OSError:
                    break
        return len(self.said)

    def press(self, key):
        os.write(self.master, key)

    def end(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.said += os.read(self.master, 65536)
                except OSError:
                    pass
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                break
        else:
            sys.exit("the program does not end")
        while select.select([self.master], [], [], 0.1)[0]:
            try:
                self.said += os.read(self.master, 65536)
            except OSError:
                break
        if self.said.count(ENTER) != 1 or self.said.count(LEAVE) != 1:
            sys.exit(f"the screen is not left once: {self.said[-200:]!r}")
        if termios.tcgetattr(self.slave) != self.before:
            sys.exit("the modes of the terminal have changed")
        return status


def widest(said):
    """Columns of the widest line: lines begin where the cursor was moved to."""
    widths = []
    for part in said.split(b"\033[")[1:]:
        if b"H" in part[:8]:
            text = part[part.index(b"H") + 1:]
            widths.append(len(text.decode("utf-8", "replace")))
    return max(widths, default=0)


def keys():
    terminal = Terminal("-i", "100ms")
    seen = terminal.wait_for(b"qsort")
    terminal.press(b"?")
    seen = terminal.wait_for(b"100 % is one thread.", seen)
    terminal.press(b"x")
    seen = terminal.wait_for(b"qsort", seen)
    terminal.press(b"m")
    seen = terminal.wait_for(b"region that obtains memory", seen)
    terminal.press(b"w")
    seen = terminal.wait_for(b"what threads wait for", seen)
    terminal.press(b"p")
    seen = terminal.wait_for(b"paused", seen)
    terminal.press(b"s")
    terminal.wait_for(b"snapshot-1.tprof", seen)
    terminal.press(b"q")
    if os.waitstatus_to_exitcode(terminal.end()) != 0:
        sys.exit("q does not end with 0")


def signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        terminal = Terminal()
        terminal.wait_for(b"qsort")
        os.kill(terminal.child, number)
        if os.waitstatus_to_exitcode(terminal.end()) != -number:
            sys.exit(f"signal {number} does not end it")


def sizes():
    terminal = Terminal("-i", "100ms", width=40, height=10)
    seen = terminal.wait_for(b"threads")
    if widest(terminal.said) > 40:
        sys.exit(f"a line of {widest(terminal.said)} columns on a terminal of 40")
    terminal.resize(100, 30, terminal.child)
    terminal.wait_for(b"\033[2J", seen)
    terminal.wait_for(b"[s]napshot", seen)
    terminal.press(b"q")
    terminal.end()


def colours():
    os.environ["NO_COLOR"] = "1"
    terminal = Terminal("-i", "100ms")
    terminal.wait_for(b"qsort")
    terminal.press(b"q")
    terminal.end()
    if b"\033[1m" in terminal.said:
        sys.exit("there are colours in spite of NO_COLOR")


keys()
signals()
sizes()
colours()
