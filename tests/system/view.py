# SPDX-License-Identifier: GPL-3.0-or-later
"""Drive a program on a terminal of our own, and compare its screen with words.

view.py [--size WIDTHxHEIGHT] [--term NAME] COMMAND... < STEPS

A step is a line:
  expect WORDS        wait until a line of the screen has them
  never WORDS         no line has them now
  cursor WORDS        wait until the line of the cursor has them
  key NAME            send a key: Up, Enter, Tab, Esc, Ctrl-C, or a word as it is typed
  resize WIDTHxHEIGHT
  restored            wait for the program's end; the terminal's settings are as before
  status NUMBER       its exit status; of a signal, minus its number
  show                print the screen
"""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

PATIENCE_S = 60
KEYS = {"Up": "\033OA", "Down": "\033OB", "Right": "\033OC", "Left": "\033OD", "Enter": "\r",
        "Tab": "\t", "Esc": "\033", "Backspace": "\177", "Ctrl-C": "\003", "Space": " "}


class Screen:
    """What a vt100 shows: the sequences that curses sends for one, and no others."""

    pattern = re.compile(r"\033\[([?0-9;]*)([A-Za-z])|\033[()][0AB]|\033([=>78M])|([\x00-\x1f])|([^\x00-\x1f\033]+)")

    def __init__(self, width, height):
        self.resize(width, height)

    def resize(self, width, height):
        self.width, self.height = width, height
        self.cells = [[(" ", False)] * width for _ in range(height)]
        self.x = self.y = 0
        self.reverse = False
        self.rest = ""

    def feed(self, text):
        text = self.rest + text
        at = 0
        while at < len(text):
            match = self.pattern.match(text, at)
            if not match:
                assert len(text) - at < 20, repr(text[at:at + 40])
                break
            at = match.end()
            arguments, letter, _, control, words = match.groups()
            if letter:
                self.obey(letter, [int(n or 0) for n in arguments.lstrip("?").split(";")])
            elif control:
                self.control(control)
            elif words:
                self.write(words)
        self.rest = text[at:]

    def write(self, words):
        """What was written for another size falls off."""
        self.x, self.y = min(self.x, self.width), min(self.y, self.height - 1)
        for letter in words:
            if self.x >= self.width:
                self.x, self.y = 0, min(self.y + 1, self.height - 1)
            self.cells[self.y][self.x] = (letter, self.reverse)
            self.x += 1

    def control(self, letter):
        if letter == "\r":
            self.x = 0
        elif letter == "\n":
            self.y = min(self.y + 1, self.height - 1)
        elif letter == "\b":
            self.x = max(self.x - 1, 0)
        elif letter == "\t":
            self.x = min(self.x // 8 * 8 + 8, self.width - 1)
        else:
            assert letter in "\x00\x07\x0e\x0f", repr(letter)

    def obey(self, letter, numbers):
        first = numbers[0]
        if letter == "H":
            row, column = (numbers + [1])[:2]
            self.y, self.x = max(row, 1) - 1, max(column, 1) - 1
        elif letter in "ABCD":
            step = max(first, 1)
            self.y += {"A": -step, "B": step}.get(letter, 0)
            self.x += {"C": step, "D": -step}.get(letter, 0)
        elif letter == "J":
            assert first in (0, 2)
            self.blank(0 if first == 2 else self.y * self.width + self.x, self.width * self.height)
        elif letter == "K":
            line = min(self.y, self.height - 1) * self.width
            self.blank(*((line + self.x, line + self.width) if first == 0 else (line, line + self.x + 1)))
        elif letter == "m":
            for number in numbers:
                self.reverse = number == 7 or (self.reverse and number != 0 and number != 27)
        else:
            assert letter in "rhl", letter

    def blank(self, start, end):
        for i in range(start, end):
            self.cells[i // self.width][i % self.width] = (" ", False)

    def lines(self):
        return ["".join(letter for letter, _ in line).rstrip() for line in self.cells]

    def cursor(self):
        """The reversed lines between the bar and the line below."""
        return [line for line, cells in zip(self.lines()[1:-1], self.cells[1:-1]) if cells[0][1]]


class Driven:
    def __init__(self, command, width, height, term):
        self.screen = Screen(width, height)
        self.raw = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            time.sleep(0.1)
            os.environ["TERM"] = term
            os.execvp(command[0], command)
        self.set_size(width, height)
        self.modes = termios.tcgetattr(self.terminal)

    def set_size(self, width, height):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width, height):
        self.screen.resize(width, height)
        self.set_size(width, height)

    def read(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b""
        text = data.decode("utf-8", "replace")
        self.raw += text
        self.screen.feed(text)
        return bool(data)

    def wait(self, is_met, what):
        end = time.monotonic() + PATIENCE_S
        is_open = True
        while not is_met():
            if not is_open or time.monotonic() > end:
                sys.exit("%s\n%s" % (what, "\n".join(self.screen.lines())))
            is_open = self.read(0.2)

    def restored(self):
        while self.read(PATIENCE_S):
            pass
        _, status = os.waitpid(self.pid, 0)
        assert termios.tcgetattr(self.terminal)[3] == self.modes[3], "the terminal's modes"
        self.status = os.waitstatus_to_exitcode(status)


def size(text):
    return [int(number) for number in text.split("x")]


def perform(driven, verb, words):
    screen = driven.screen
    if verb == "expect":
        driven.wait(lambda: any(words in line for line in screen.lines()), "not seen: " + words)
    elif verb == "never":
        assert not any(words in line for line in screen.lines()), "seen: " + words
    elif verb == "cursor":
        driven.wait(lambda: any(words in line for line in screen.cursor()), "not at the cursor: " + words)
    elif verb == "key":
        os.write(driven.terminal, KEYS.get(words, words).encode())
    elif verb == "resize":
        driven.resize(*size(words))
    elif verb == "restored":
        driven.restored()
    elif verb == "status":
        assert driven.status == int(words), driven.status
    elif verb == "show":
        print("\n".join(screen.lines()))
    else:
        sys.exit("no such step: " + verb)


def main():
    arguments = sys.argv[1:]
    chosen = {"--size": "80x24", "--term": "vt100"}
    while arguments and arguments[0] in chosen:
        chosen[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    driven = Driven(arguments, *size(chosen["--size"]), chosen["--term"])
    for line in sys.stdin:
        verb, _, words = line.strip().partition(" ")
        perform(driven, verb, words)
    try:
        os.kill(driven.pid, signal.SIGKILL)
    except OSError:
        pass


main()
