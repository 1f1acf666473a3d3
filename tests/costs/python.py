# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of Python's standard library, and their repaired twins.
#
# usage: python.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys

# ---- Numbers and random values ----------------------------------------------------------


def mean_planted(rounds):
    import statistics
    values = [float(i) for i in range(1000)]
    return [statistics.mean(values) for _ in range(rounds)]


def mean_repaired(rounds):
    import statistics
    values = [float(i) for i in range(1000)]
    return [statistics.fmean(values) for _ in range(rounds)]


def gauss_planted(rounds):
    import random
    return [random.gauss(0.0, 1.0) + random.uniform(2.0, 3.0) for _ in range(rounds)]


def gauss_repaired(rounds):
    import numpy
    generator = numpy.random.default_rng()
    return generator.normal(0.0, 1.0, rounds) + generator.uniform(2.0, 3.0, rounds)


def token_planted(rounds):
    import secrets
    return [secrets.token_hex(8) for _ in range(rounds)]


def token_repaired(rounds):
    import secrets
    text = secrets.token_hex(8 * rounds)
    return [text[i:i + 16] for i in range(0, len(text), 16)]


def uuid_planted(rounds):
    import uuid
    return [str(uuid.uuid4()) for _ in range(rounds)]


def uuid_repaired(rounds):
    import uuid
    run = str(uuid.uuid4())
    return ["%s-%d" % (run, i) for i in range(rounds)]


def urandom_planted(rounds):
    import os
    return [os.urandom(16) for _ in range(rounds)]


def urandom_repaired(rounds):
    import os
    block = os.urandom(16 * rounds)
    return [block[i:i + 16] for i in range(0, len(block), 16)]


def hsv_planted(rounds):
    import colorsys
    return [colorsys.rgb_to_hsv(i % 7 / 7, i % 11 / 11, i % 13 / 13) for i in range(rounds)]


def hsv_repaired(rounds):
    import colorsys
    known = {}
    colours = ((i % 7, i % 11, i % 13) for i in range(rounds))
    return [known.get(c) or known.setdefault(c, colorsys.rgb_to_hsv(c[0] / 7, c[1] / 11, c[2] / 13))
            for c in colours]


# ---- Texts ------------------------------------------------------------------------------


def template_planted(rounds):
    import string
    template = string.Template("$name has $count lines")
    return [template.substitute(name="a.py", count=i) for i in range(rounds)]


def template_repaired(rounds):
    template = "{name} has {count} lines"
    return [template.format(name="a.py", count=i) for i in range(rounds)]


def dedent_planted(rounds):
    import textwrap
    return [textwrap.dedent("""
        SELECT name, count
          FROM files
         WHERE count > 10
        """) for _ in range(rounds)]


def dedent_repaired(rounds):
    import textwrap
    query = textwrap.dedent("""
        SELECT name, count
          FROM files
         WHERE count > 10
        """)
    return [query for _ in range(rounds)]


def similar_planted(rounds):
    import difflib
    names = ["alpha beta %d" % (i % 7) for i in range(rounds)]
    return [difflib.SequenceMatcher(None, name, "alpha beta 3").ratio() for name in names]


def similar_repaired(rounds):
    import difflib
    import functools
    names = ["alpha beta %d" % (i % 7) for i in range(rounds)]
    ratio = functools.cache(lambda name: difflib.SequenceMatcher(None, name, "alpha beta 3").ratio())
    return [ratio(name) for name in names]


def shell_words_planted(rounds):
    import shlex
    return [shlex.split("copy 4711 from alpha to beta") for _ in range(rounds)]


def shell_words_repaired(rounds):
    return ["copy 4711 from alpha to beta".split() for _ in range(rounds)]


def grouped_planted(rounds):
    import locale
    return [locale.format_string("%.2f", i / 3, grouping=True) for i in range(rounds)]


def grouped_repaired(rounds):
    return [f"{i / 3:,.2f}" for i in range(rounds)]


def base85_planted(rounds):
    import base64
    return [base64.b85encode(b"0123456789abcdef" * 60) for _ in range(rounds)]


def base85_repaired(rounds):
    import base64
    return [base64.b64encode(b"0123456789abcdef" * 60) for _ in range(rounds)]


def translate_planted(rounds):
    import gettext
    return [gettext.gettext("file not found") for _ in range(rounds)]


def translate_repaired(rounds):
    import gettext
    translation = gettext.translation("messages", fallback=True)
    return [translation.gettext("file not found") for _ in range(rounds)]


def url_planted(rounds):
    from urllib.parse import parse_qs, quote
    return [(quote("a b/%d" % (i % 5)), parse_qs("a=1&b=2")) for i in range(rounds)]


def url_repaired(rounds):
    from urllib.parse import parse_qs, quote
    names = [quote("a b/%d" % i) for i in range(5)]
    query = parse_qs("a=1&b=2")
    return [(names[i % 5], dict(query)) for i in range(rounds)]


def address_planted(rounds):
    import ipaddress
    network = ipaddress.ip_network("10.1.0.0/16")
    return sum(ipaddress.ip_address("10.%d.2.3" % (i % 3)) in network for i in range(rounds))


def address_repaired(rounds):
    import socket
    network = socket.inet_aton("10.1.0.0")[:2]
    return sum(socket.inet_aton("10.%d.2.3" % (i % 3))[:2] == network for i in range(rounds))


def pretty_planted(rounds):
    import pprint
    return [pprint.pformat({"name": "alpha", "values": [1, 2, 3, i]}) for i in range(rounds)]


def pretty_repaired(rounds):
    return [repr({"name": "alpha", "values": [1, 2, 3, i]}) for i in range(rounds)]


def literal_planted(rounds):
    import ast
    return [ast.literal_eval("[1, 2, 3, %d]" % i) for i in range(rounds)]


def literal_repaired(rounds):
    import json
    return [json.loads("[1, 2, 3, %d]" % i) for i in range(rounds)]


def match_names_planted(rounds):
    import fnmatch
    names = ["part-%d.csv" % i for i in range(100)]
    return [[name for name in names if fnmatch.fnmatch(name, "part-1*.csv")] for _ in range(rounds)]


def match_names_repaired(rounds):
    import fnmatch
    names = ["part-%d.csv" % i for i in range(100)]
    return [fnmatch.filter(names, "part-1*.csv") for _ in range(rounds)]


# ---- Objects and classes ----------------------------------------------------------------


def as_dict_planted(rounds):
    import dataclasses
    point = dataclasses.make_dataclass("Point", ["x", "y", "tags"])(1, 2, ["a", "b"])
    return [dataclasses.asdict(point) for _ in range(rounds)]


def as_dict_repaired(rounds):
    import dataclasses
    point = dataclasses.make_dataclass("Point", ["x", "y", "tags"])(1, 2, ["a", "b"])
    return [dict(vars(point), tags=list(point.tags)) for _ in range(rounds)]


def replace_planted(rounds):
    import dataclasses
    point = dataclasses.make_dataclass("Point", ["x", "y", "z"])(1, 2, 3)
    return [dataclasses.replace(point, x=i) for i in range(rounds)]


def replace_repaired(rounds):
    import dataclasses
    point = dataclasses.make_dataclass("Point", ["x", "y", "z"])(1, 2, 3)
    return [type(point)(i, point.y, point.z) for i in range(rounds)]


def row_type_planted(rounds):
    from collections import namedtuple
    return sum(namedtuple("Row", ["name", "count"])("a", i).count for i in range(rounds))


def row_type_repaired(rounds):
    from collections import namedtuple
    row = namedtuple("Row", ["name", "count"])
    return sum(row("a", i).count for i in range(rounds))


def enum_value_planted(rounds):
    import enum
    colour = enum.Enum("Colour", ["red", "green", "blue"])
    return [colour(i % 3 + 1) for i in range(rounds)]


def enum_value_repaired(rounds):
    import enum
    colours = {member.value: member for member in enum.Enum("Colour", ["red", "green", "blue"])}
    return [colours[i % 3 + 1] for i in range(rounds)]


def flags_planted(rounds):
    import enum
    mode = enum.Flag("Mode", ["read", "write", "append"])
    return sum(bool((mode.read | mode.write) & mode.append) for _ in range(rounds))


def flags_repaired(rounds):
    import enum
    read, write, append = (member.value for member in enum.Flag("Mode", ["read", "write", "append"]))
    return sum(bool((read | write) & append) for _ in range(rounds))


def signature_planted(rounds):
    import inspect
    return [len(inspect.signature(add).parameters) for _ in range(rounds)]


def signature_repaired(rounds):
    import inspect
    count = len(inspect.signature(add).parameters)
    return [count for _ in range(rounds)]


def add(left: "int", right: "int" = 0) -> "int":
    return left + right


def hints_planted(rounds):
    import typing
    return [typing.get_type_hints(add)["left"] for _ in range(rounds)]


def hints_repaired(rounds):
    import typing
    hints = typing.get_type_hints(add)
    return [hints["left"] for _ in range(rounds)]


def protocol_planted(rounds):
    import typing
    return sum(isinstance(i, typing.SupportsInt) for i in range(rounds))


def protocol_repaired(rounds):
    return sum(hasattr(i, "__int__") for i in range(rounds))


def abstract_planted(rounds):
    import numbers
    return sum(isinstance(i, numbers.Integral) for i in range(rounds))


def abstract_repaired(rounds):
    return sum(isinstance(i, int) for i in range(rounds))


def wraps_planted(rounds):
    import functools
    return [functools.wraps(add)(lambda *values: add(*values))(i, 1) for i in range(rounds)]


def wraps_repaired(rounds):
    import functools
    wrapped = functools.wraps(add)(lambda *values: add(*values))
    return [wrapped(i, 1) for i in range(rounds)]


def ordering_planted(rounds):
    import functools
    version = functools.total_ordering(type("Version", (int,), {"__ge__": int.__ge__, "__lt__": int.__lt__,
                                                                "__gt__": object.__gt__}))
    left, right = version(1), version(2)
    return sum(left > right for _ in range(rounds))


def ordering_repaired(rounds):
    version = type("Version", (int,), {})
    left, right = version(1), version(2)
    return sum(left > right for _ in range(rounds))


def shallow_planted(rounds):
    import copy
    point = type("Point", (), {})()
    point.x, point.y = 1, 2
    return [copy.copy(point) for _ in range(rounds)]


def shallow_repaired(rounds):
    class Point:
        def __init__(self, x, y):
            self.x, self.y = x, y

    point = Point(1, 2)
    return [Point(point.x, point.y) for _ in range(rounds)]


def counters_planted(rounds):
    from collections import Counter
    total = Counter(range(1000))
    for i in range(rounds):
        total = total + Counter({i: 1})
    return total


def counters_repaired(rounds):
    from collections import Counter
    total = Counter(range(1000))
    for i in range(rounds):
        total.update({i: 1})
    return total


def own_dict_planted(rounds):
    from collections import UserDict
    table = UserDict(enumerate(range(100)))
    for i in range(rounds):
        if i % 100 in table:
            table[i % 100] += 1
    return table


def own_dict_repaired(rounds):
    table = type("Table", (dict,), {})(enumerate(range(100)))
    for i in range(rounds):
        if i % 100 in table:
            table[i % 100] += 1
    return table


def chain_planted(rounds):
    from collections import ChainMap
    options = ChainMap({"a": 1}, {"b": 2}, {"c": 3})
    return sum(options["c"] for _ in range(rounds))


def chain_repaired(rounds):
    options = {"c": 3, "b": 2, "a": 1}
    return sum(options["c"] for _ in range(rounds))


def weak_planted(rounds):
    import weakref
    point = type("Point", (), {})()
    names = weakref.WeakKeyDictionary({point: "a"})
    return [names[point] for _ in range(rounds)]


def weak_repaired(rounds):
    point = type("Point", (), {})()
    names = {point: "a"}
    return [names[point] for _ in range(rounds)]


def merge_planted(rounds):
    import heapq
    parts = [list(range(i, 20000, 10)) for i in range(10)]
    return [len(list(heapq.merge(*parts))) for _ in range(rounds)]


def merge_repaired(rounds):
    import itertools
    parts = [list(range(i, 20000, 10)) for i in range(10)]
    return [len(sorted(itertools.chain(*parts))) for _ in range(rounds)]


def mock_planted(rounds):
    from unittest import mock
    return sum(callable(mock.MagicMock(name="reader")) for _ in range(rounds))


def mock_repaired(rounds):
    from unittest import mock
    reader = mock.MagicMock(name="reader")
    return sum(callable(reader) for _ in range(rounds))


def typed_planted(rounds):
    import typing
    queue = typing.Deque[int]
    return [queue([i]) for i in range(rounds)]


def typed_repaired(rounds):
    from collections import deque
    return [deque([i]) for i in range(rounds)]


# ---- Errors, logging, tracing -----------------------------------------------------------


def log_planted(rounds):
    import logging
    logging.basicConfig(filename="log.txt", level=logging.INFO)
    for i in range(rounds):
        logging.info("line %d", i)


def log_repaired(rounds):
    import logging
    logging.basicConfig(filename="log.txt", level=logging.INFO)
    logging.info("%s", "\n".join("line %d" % i for i in range(rounds)))


def format_error_planted(rounds):
    import traceback
    texts = []
    for _ in range(rounds):
        try:
            int("x")
        except ValueError:
            texts.append(traceback.format_exc())
    return texts


def format_error_repaired(rounds):
    texts = []
    for _ in range(rounds):
        try:
            int("x")
        except ValueError as error:
            texts.append(repr(error))
    return texts


def catch_warnings_planted(rounds):
    import warnings
    for _ in range(rounds):
        warnings.filterwarnings("ignore", "alpha")


def catch_warnings_repaired(rounds):
    import warnings
    warnings.filterwarnings("ignore", "alpha")
    for _ in range(rounds):
        pass


def show_warnings_planted(rounds):
    import warnings
    warnings.simplefilter("always")
    for i in range(rounds):
        if i % 2 == 0:
            warnings.warn("even number")


def show_warnings_repaired(rounds):
    import warnings
    warnings.simplefilter("always")
    even = sum(i % 2 == 0 for i in range(rounds))
    warnings.warn("%d even numbers" % even)


def source_planted(rounds):
    import inspect
    return [len(inspect.getsource(add)) for _ in range(rounds)]


def source_repaired(rounds):
    import functools
    import inspect
    source = functools.cache(inspect.getsource)
    return [len(source(add)) for _ in range(rounds)]


def profiler_planted(rounds):
    import profile
    profile.Profile().runcall(count, rounds)


def profiler_repaired(rounds):
    import cProfile
    cProfile.Profile().runcall(count, rounds)


def count(rounds):
    for i in range(rounds):
        add(i, 1)


# ---- Files ------------------------------------------------------------------------------


def write_lines(name, opener, rounds):
    with opener(name, "wt") as file:
        file.writelines("alpha,beta,%d\n" % i for i in range(rounds))


def gzip_lines_planted(rounds):
    import gzip
    write_lines("a.gz", gzip.open, rounds)
    return sum(len(line) for line in gzip.open("a.gz", "rb"))


def gzip_lines_repaired(rounds):
    import gzip
    import io
    write_lines("a.gz", gzip.open, rounds)
    return sum(len(line) for line in io.BufferedReader(gzip.open("a.gz", "rb")))


def dict_rows_planted(rounds):
    import csv
    write_lines("a.csv", open, rounds)
    return sum(int(row["count"]) for row in csv.DictReader(open("a.csv"), ["name", "part", "count"]))


def dict_rows_repaired(rounds):
    import csv
    write_lines("a.csv", open, rounds)
    return sum(int(row[2]) for row in csv.reader(open("a.csv")))


def write_rows_planted(rounds):
    import csv
    writer = csv.DictWriter(open("b.csv", "w"), ["name", "count"])
    for i in range(rounds):
        writer.writerow({"name": "alpha", "count": i})


def write_rows_repaired(rounds):
    import csv
    csv.writer(open("b.csv", "w")).writerows(("alpha", i) for i in range(rounds))


def python_pickle_planted(rounds):
    import pickle
    rows = [{"name": "alpha", "count": i} for i in range(rounds)]
    pickle._Pickler(open("a.pickle", "wb")).dump(rows)


def python_pickle_repaired(rounds):
    import pickle
    rows = [{"name": "alpha", "count": i} for i in range(rounds)]
    pickle.Pickler(open("a.pickle", "wb")).dump(rows)


def codecs_planted(rounds):
    import codecs
    write_lines("a.csv", open, rounds)
    return sum(len(line) for line in codecs.open("a.csv", "r", "utf-8"))


def codecs_repaired(rounds):
    write_lines("a.csv", open, rounds)
    return sum(len(line) for line in open("a.csv", encoding="utf-8"))


def fileinput_planted(rounds):
    import fileinput
    write_lines("a.csv", open, rounds)
    return sum(len(line) for line in fileinput.input(["a.csv"]))


def fileinput_repaired(rounds):
    write_lines("a.csv", open, rounds)
    return sum(len(line) for name in ["a.csv"] for line in open(name))


def line_numbers_planted(rounds):
    import linecache
    write_lines("a.csv", open, rounds)
    return sum(len(linecache.getline("a.csv", i + 1)) for i in range(rounds))


def line_numbers_repaired(rounds):
    write_lines("a.csv", open, rounds)
    lines = open("a.csv").readlines()
    return sum(len(lines[i]) for i in range(rounds))


def path_planted(rounds):
    import pathlib
    folder = pathlib.Path("/data")
    return [str((folder / ("part%d" % i) / "a.txt").with_suffix(".csv")) for i in range(rounds)]


def path_repaired(rounds):
    folder = "/data"
    return [f"{folder}/part{i}/a" + ".csv" for i in range(rounds)]


def join_planted(rounds):
    import os
    return [os.path.normpath(os.path.join("/data", "part%d" % i, "a.txt")) for i in range(rounds)]


def join_repaired(rounds):
    return [f"/data/part{i}/a.txt" for i in range(rounds)]


def real_path_planted(rounds):
    import os
    return [os.path.realpath("/usr/lib/python3/dist-packages/%d.py" % i) for i in range(rounds)]


def real_path_repaired(rounds):
    import os
    folder = os.path.realpath("/usr/lib/python3/dist-packages")
    return ["%s/%d.py" % (folder, i) for i in range(rounds)]


def exists_planted(rounds):
    import os
    return sum(os.path.exists("/usr/lib/python3/dist-packages/%d.py" % i) for i in range(rounds))


def exists_repaired(rounds):
    import os
    names = {entry.name for entry in os.scandir("/usr/lib/python3/dist-packages")}
    return sum("%d.py" % i in names for i in range(rounds))


def make_folder_planted(rounds):
    import os
    for i in range(rounds):
        os.makedirs("out/part%d" % (i % 5), exist_ok=True)


def make_folder_repaired(rounds):
    import os
    made = set()
    for i in range(rounds):
        if i % 5 not in made:
            os.makedirs("out/part%d" % (i % 5), exist_ok=True)
            made.add(i % 5)


def temporary_planted(rounds):
    import tempfile
    for _ in range(rounds):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")


def temporary_repaired(rounds):
    import tempfile
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(rounds):
            file.seek(0)
            file.truncate()
            file.write(b"x")


def archive_planted(rounds):
    import zipfile
    make_zip("a.zip")
    return [zipfile.ZipFile("a.zip").read("part%d" % (i % 200)) for i in range(rounds)]


def archive_repaired(rounds):
    import zipfile
    make_zip("a.zip")
    archive = zipfile.ZipFile("a.zip")
    return [archive.read("part%d" % (i % 200)) for i in range(rounds)]


def make_zip(name):
    import zipfile
    with zipfile.ZipFile(name, "w") as archive:
        for i in range(200):
            archive.writestr("part%d" % i, "alpha,beta\n")


def zip_lines_planted(rounds):
    import zipfile
    with zipfile.ZipFile("b.zip", "w") as archive:
        archive.writestr("a.csv", "alpha,beta\n" * rounds)
    return sum(len(line) for line in zipfile.ZipFile("b.zip").open("a.csv"))


def zip_lines_repaired(rounds):
    import io
    import zipfile
    with zipfile.ZipFile("b.zip", "w") as archive:
        archive.writestr("a.csv", "alpha,beta\n" * rounds)
    return sum(len(line) for line in io.BufferedReader(zipfile.ZipFile("b.zip").open("a.csv")))


def tar_member_planted(rounds):
    archive = make_tar("a.tar", rounds)
    return [archive.extractfile("part%d" % i).read() for i in range(rounds)]


def tar_member_repaired(rounds):
    archive = make_tar("a.tar", rounds)
    return [archive.extractfile(member).read() for member in archive]


def make_tar(name, parts):
    import tarfile
    with tarfile.open(name, "w") as archive:
        for i in range(parts):
            archive.addfile(tarfile.TarInfo("part%d" % i))
    return tarfile.open(name)


def shelf_planted(rounds):
    import shelve
    with shelve.open("shelf") as shelf:
        for i in range(rounds):
            shelf[str(i % 10)] = shelf.get(str(i % 10), 0) + 1


def shelf_repaired(rounds):
    import shelve
    counts = {}
    for i in range(rounds):
        counts[str(i % 10)] = counts.get(str(i % 10), 0) + 1
    with shelve.open("shelf") as shelf:
        shelf.update(counts)


def options_planted(rounds):
    import configparser
    parser = configparser.ConfigParser()
    parser.read_string("[server]\nport = 80\n")
    return [parser.getint("server", "port") for _ in range(rounds)]


def options_repaired(rounds):
    import configparser
    parser = configparser.ConfigParser()
    parser.read_string("[server]\nport = 80\n")
    port = parser.getint("server", "port")
    return [port for _ in range(rounds)]


def arguments_planted(rounds):
    return [argument_parser().parse_args(["--count", str(i)]).count for i in range(rounds)]


def arguments_repaired(rounds):
    parser = argument_parser()
    known = parser.parse_args(["--count", "0"])
    return [known.count + i for i in range(rounds)]


def argument_parser():
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1)
    return parser


def environment_planted(rounds):
    import os
    return [os.environ["HOME"] for _ in range(rounds)]


def environment_repaired(rounds):
    import os
    home = os.environ["HOME"]
    return [home for _ in range(rounds)]


def metadata_planted(rounds):
    import importlib.metadata
    return [importlib.metadata.version("setuptools") for _ in range(rounds)]


def metadata_repaired(rounds):
    import importlib.metadata
    version = importlib.metadata.version("setuptools")
    return [version for _ in range(rounds)]


def sync_planted(rounds):
    import os
    file = os.open("a.txt", os.O_WRONLY | os.O_CREAT)
    return [os.fsync(file) for i in range(rounds) if os.write(file, b"line %d\n" % i)]


def sync_repaired(rounds):
    import os
    file = os.open("a.txt", os.O_WRONLY | os.O_CREAT)
    written = [os.write(file, b"line %d\n" % i) for i in range(rounds)]
    os.fsync(file)
    return written


def prepare_planted(rounds):
    import sqlite3
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    for i in range(rounds):
        base.execute("SELECT b, a + 1 FROM t WHERE a = %d AND b > 1 ORDER BY b" % i)


def prepare_repaired(rounds):
    import sqlite3
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    for i in range(rounds):
        base.execute("SELECT b, a + 1 FROM t WHERE a = ? AND b > 1 ORDER BY b", (i,))


# ---- Documents --------------------------------------------------------------------------

FEED = "<feed>" + "<item id='1'><name>alpha</name></item>" * 50 + "</feed>"


def json_planted(rounds):
    import json
    return [json.loads('{"name": "alpha", "values": [1, 2, 3.5, 4]}') for _ in range(rounds)]


def json_repaired(rounds):
    import orjson
    return [orjson.loads('{"name": "alpha", "values": [1, 2, 3.5, 4]}') for _ in range(rounds)]


def dom_planted(rounds):
    from xml.dom import minidom
    return [len(minidom.parseString(FEED).getElementsByTagName("name")) for _ in range(rounds)]


def dom_repaired(rounds):
    from xml.etree import ElementTree
    return [len(list(ElementTree.fromstring(FEED).iter("name"))) for _ in range(rounds)]


def xml_text_planted(rounds):
    from xml.etree import ElementTree
    feed = ElementTree.fromstring(FEED)
    return [ElementTree.tostring(feed) for _ in range(rounds)]


def xml_text_repaired(rounds):
    from html import escape
    return ["<feed>" + "".join(f"<item id='1'><name>{escape('alpha')}</name></item>" for _ in range(50)) + "</feed>"
            for _ in range(rounds)]


def xml_path_planted(rounds):
    from xml.etree import ElementTree
    feed = ElementTree.fromstring(FEED)
    return [[item.findtext("./name") for item in feed] for _ in range(rounds)]


def xml_path_repaired(rounds):
    from xml.etree import ElementTree
    feed = ElementTree.fromstring(FEED)
    return [[item.findtext("name") for item in feed] for _ in range(rounds)]


def html_planted(rounds):
    from html.parser import HTMLParser
    for _ in range(rounds):
        HTMLParser().feed(FEED)


def html_repaired(rounds):
    import lxml.html
    for _ in range(rounds):
        lxml.html.fromstring(FEED)


MAIL = b"From: Alpha <a@b.example>\r\nTo: b@b.example\r\nSubject: x\r\n\r\n" + b"alpha beta\r\n" * 20


def mail_planted(rounds):
    import email
    import email.policy
    return [email.message_from_bytes(MAIL, policy=email.policy.default)["From"] for _ in range(rounds)]


def mail_repaired(rounds):
    import email
    import email.policy
    return [email.message_from_bytes(MAIL, policy=email.policy.compat32)["From"] for _ in range(rounds)]


def yaml_planted(rounds):
    import yaml
    return [yaml.load("name: alpha\nvalues: [1, 2, 3]\n", yaml.SafeLoader) for _ in range(rounds)]


def yaml_repaired(rounds):
    import yaml
    return [yaml.load("name: alpha\nvalues: [1, 2, 3]\n", yaml.CSafeLoader) for _ in range(rounds)]


def yaml_text_planted(rounds):
    import yaml
    return [yaml.dump({"name": "alpha", "values": [1, 2, 3]}, Dumper=yaml.SafeDumper) for _ in range(rounds)]


def yaml_text_repaired(rounds):
    import yaml
    return [yaml.dump({"name": "alpha", "values": [1, 2, 3]}, Dumper=yaml.CSafeDumper) for _ in range(rounds)]


def hmac_planted(rounds):
    import hmac
    return [hmac.new(b"key", b"message", "sha256").digest() for _ in range(rounds)]


def hmac_repaired(rounds):
    import hmac
    keyed = hmac.new(b"key", b"", "sha256")
    digests = []
    for _ in range(rounds):
        message = keyed.copy()
        message.update(b"message")
        digests.append(message.digest())
    return digests


# ---- Networks ---------------------------------------------------------------------------


def serve():
    """Start a server whose processor time is not that of this program: nobody waits for it."""
    import os
    import socket
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.2)
    program = os.getpid()
    if os.fork() == 0:
        os.close(2)
        while os.getppid() == program:
            try:
                answer(listener.accept()[0])
            except TimeoutError:
                continue
        os._exit(0)
    return listener.getsockname()[1]


def answer(connection):
    while connection.recv(4096):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    connection.close()


def urlopen_planted(rounds):
    from urllib.request import urlopen
    port = serve()
    return [urlopen("http://127.0.0.1:%d/" % port).read() for _ in range(rounds)]


def urlopen_repaired(rounds):
    from http.client import HTTPConnection
    connection = HTTPConnection("127.0.0.1", serve())
    bodies = []
    for _ in range(rounds):
        connection.request("GET", "/")
        bodies.append(connection.getresponse().read())
    return bodies


def tls_context_planted(rounds):
    import ssl
    return [ssl.create_default_context() for _ in range(rounds)]


def tls_context_repaired(rounds):
    import ssl
    context = ssl.create_default_context()
    # Work beside which one context is little.
    return sum(hash(str(i)) & 1 for i in range(rounds * 150_000)) + (context is not None)


def manager_planted(rounds):
    import multiprocessing
    with multiprocessing.Manager() as manager:
        counts = manager.dict()
        for i in range(rounds):
            counts[i % 50] = counts.get(i % 50, 0) + 1
        return sum(counts.values())


def manager_repaired(rounds):
    counts = {}
    for i in range(rounds * 500):
        counts[i % 50] = counts.get(i % 50, 0) + 1
    return sum(counts.values())


def connection_planted(rounds):
    from http.client import HTTPConnection
    port = serve()
    for _ in range(rounds):
        connection = HTTPConnection("127.0.0.1", port)
        connection.connect()
        connection.close()


def connection_repaired(rounds):
    from http.client import HTTPConnection
    connection = HTTPConnection("127.0.0.1", serve())
    connection.connect()
    for _ in range(rounds):
        connection.sock.getpeername()
    connection.close()


def proxies_planted(rounds):
    import requests
    url = "http://127.0.0.1:%d/" % serve()
    session = requests.Session()
    return [session.get(url).text for _ in range(rounds)]


def proxies_repaired(rounds):
    import requests
    url = "http://127.0.0.1:%d/" % serve()
    session = requests.Session()
    session.trust_env = False
    return [session.get(url).text for _ in range(rounds)]


# ---- Threads and processes --------------------------------------------------------------


def queue_planted(rounds):
    import queue
    items = queue.Queue()
    for i in range(rounds):
        items.put(i)
        items.get()


def queue_repaired(rounds):
    import queue
    items = queue.SimpleQueue()
    for i in range(rounds):
        items.put(i)
        items.get()


def loop_start_planted(rounds):
    import asyncio

    async def double(value):
        return 2 * value

    return [asyncio.run(double(i)) for i in range(rounds)]


def loop_start_repaired(rounds):
    import asyncio

    async def double(value):
        return 2 * value

    async def main():
        return [await double(i) for i in range(rounds)]

    return asyncio.run(main())


def list_of_names():
    from lxml import etree
    return etree.fromstring("<all>" + "".join(f"<of><name>{i}</name></of>" for i in range(300)) +
                            "</all>")


def xml_places_planted(rounds):
    tree = list_of_names()
    for i in range(rounds):
        tree.xpath("/all/of[%d]/name/text()" % (i % 300 + 1))


def xml_places_repaired(rounds):
    tree = list_of_names()
    for _ in range(rounds // 300 + 1):
        names = tree.xpath("/all/of/name/text()")
        for i in range(300):
            names[i]


def alarm_planted(rounds):
    import signal
    for _ in range(rounds):
        signal.signal(signal.SIGALRM, print)


def alarm_repaired(rounds):
    import signal
    signal.signal(signal.SIGALRM, print)
    for _ in range(rounds):
        pass


def pipe_planted(rounds):
    import multiprocessing
    receiver, sender = multiprocessing.Pipe(duplex=False)
    for i in range(rounds):
        sender.send(i)
        receiver.recv()


def pipe_repaired(rounds):
    import multiprocessing
    receiver, sender = multiprocessing.Pipe(duplex=False)
    for start in range(0, rounds, 1000):
        sender.send(list(range(start, start + 1000)))
        receiver.recv()


def shared_array_planted(rounds):
    import multiprocessing
    counts = multiprocessing.Array("l", 100)
    for i in range(rounds):
        counts[i % 100] += 1


def shared_array_repaired(rounds):
    import multiprocessing
    counts = multiprocessing.Array("l", 100)
    part = [0] * 100
    for i in range(rounds):
        part[i % 100] += 1
    with counts.get_lock():
        counts[:] = [count + more for count, more in zip(counts[:], part)]


def shared_block_planted(rounds):
    from multiprocessing.shared_memory import SharedMemory
    for _ in range(rounds):
        block = SharedMemory(create=True, size=4096)
        len(block.buf)
        block.close()
        block.unlink()


def shared_block_repaired(rounds):
    from multiprocessing.shared_memory import SharedMemory
    block = SharedMemory(create=True, size=4096)
    for _ in range(rounds):
        len(block.buf)
    block.close()
    block.unlink()


def futures_wait_planted(rounds):
    from concurrent.futures import FIRST_COMPLETED, Future, wait
    waiting = {Future() for _ in range(rounds)}
    for future in list(waiting):
        future.set_result(1)
        waiting -= wait(waiting, return_when=FIRST_COMPLETED).done
    return waiting


def futures_wait_repaired(rounds):
    from concurrent.futures import Future, as_completed
    waiting = {Future() for _ in range(rounds)}
    for future in waiting:
        future.set_result(1)
    return [future.result() for future in as_completed(waiting)]


def poll_queue_planted(rounds):
    import queue
    items = queue.Queue()
    asked = 0
    for i in range(rounds):
        if i % 1000 == 999:
            items.put(i)
        asked += not items.empty() and items.get()
    return asked


def poll_queue_repaired(rounds):
    import queue
    items = queue.Queue()
    asked = 0
    for i in range(999, rounds, 1000):
        items.put(i)
        asked += items.get(timeout=1)
    return asked


def loggers_planted(rounds):
    import logging
    service = logging.getLogger("service")
    for i in range(rounds):
        service.getChild("job-%d" % i).debug("start")


def loggers_repaired(rounds):
    import logging
    log = logging.getLogger("service")
    for i in range(rounds):
        log.debug("start of job %d", i)


def small_packs_planted(rounds):
    import zlib
    return sum(len(zlib.compress(b"call=17;handle=%d" % i)) for i in range(rounds))


def small_packs_repaired(rounds):
    import zlib
    return len(zlib.compress(b"".join(b"call=17;handle=%d" % i for i in range(rounds))))


def query(rounds, index):
    import sqlite3
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE tag(file INTEGER, line INTEGER)")
    base.executemany("INSERT INTO tag VALUES(?, ?)", ((i % 500, i) for i in range(10000)))
    base.execute(index)
    found = 0
    for i in range(rounds):
        found += len(base.execute("SELECT line FROM tag WHERE file = ?", (i % 500,)).fetchall())
    return found


def table_scan_planted(rounds):
    return query(rounds, "SELECT 1")


def table_scan_repaired(rounds):
    return query(rounds, "CREATE INDEX of_file ON tag(file)")


# A Box has a cached_property, or a property that keeps its value itself.
def boxes(rounds, make):
    import time
    from concurrent.futures import ThreadPoolExecutor

    def value(self):
        time.sleep(0.002)
        return 1

    class Box:
        pass

    Box.value = make(value)
    if hasattr(Box.value, "__set_name__"):
        Box.value.__set_name__(Box, "value")
    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(lambda box: box.value, [Box() for _ in range(4 * rounds)]))


def cached_planted(rounds):
    import functools
    return boxes(rounds, functools.cached_property)


def cached_repaired(rounds):
    return boxes(rounds, property)


def rsa_key():
    from cryptography.hazmat.primitives.asymmetric import rsa
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem():
    from cryptography.hazmat.primitives import serialization
    return rsa_key().private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                   serialization.NoEncryption())


def sign(key, number):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding
    return len(key.sign(b"token %d" % number, padding.PKCS1v15(), hashes.SHA256()))


def tokens_planted(rounds):
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    text = pem()
    return [sign(load_pem_private_key(text, None), i) for i in range(rounds)]


def tokens_repaired(rounds):
    key = rsa_key()
    return [sign(key, i) for i in range(rounds)]


def audit(rounds, expire):
    import sqlalchemy
    from sqlalchemy import orm
    base = orm.declarative_base()

    class Part(base):
        __tablename__ = "part"
        id = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True)
        price = sqlalchemy.Column(sqlalchemy.Integer)

    engine = sqlalchemy.create_engine("sqlite://")
    base.metadata.create_all(engine)
    with orm.Session(engine, expire_on_commit=expire) as session:
        session.add_all(Part(price=i) for i in range(20))
        session.commit()
        parts = session.query(Part).all()
        total = 0
        for i in range(rounds):
            parts[i % 20].price += 1
            session.commit()
            total += sum(part.price for part in parts)
    return total


def expired_planted(rounds):
    return audit(rounds, True)


def expired_repaired(rounds):
    return audit(rounds, False)


# ---- Library calls of programs with many items ------------------------------------------


def sniffer_planted(rounds):
    import csv
    text = "".join("%d;alpha;%d.5\n" % (i, i) for i in range(3000))
    return [csv.Sniffer().sniff(text).delimiter for _ in range(rounds)]


def sniffer_repaired(rounds):
    import csv
    text = "".join("%d;alpha;%d.5\n" % (i, i) for i in range(3000))
    delimiter = csv.Sniffer().sniff(text[:200]).delimiter
    return [len(list(csv.reader(text.splitlines(), delimiter=delimiter))) for _ in range(rounds)]


def chained(loop, number):
    futures = [loop.create_future() for _ in range(number + 1)]

    async def step(i):
        await futures[i]
        futures[i + 1].set_result(i)
        return i

    tasks = [loop.create_task(step(i)) for i in range(number)]
    loop.call_later(0.01, futures[0].set_result, 0)
    return tasks


def wait_first_planted(rounds):
    import asyncio

    async def main():
        total, pending = 0, chained(asyncio.get_running_loop(), rounds)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            total += sum(task.result() for task in done)
        return total

    return asyncio.run(main())


def wait_first_repaired(rounds):
    import asyncio

    async def main():
        tasks = chained(asyncio.get_running_loop(), rounds)
        return sum([await task for task in asyncio.as_completed(tasks)])

    return asyncio.run(main())


def wait_for_planted(rounds):
    import asyncio

    async def answer():
        return 1

    async def main():
        return sum([await asyncio.wait_for(answer(), 10) for _ in range(rounds)])

    return asyncio.run(main())


def wait_for_repaired(rounds):
    import asyncio

    async def answer():
        return 1

    async def main():
        async with asyncio.timeout(10):
            return sum([await answer() for _ in range(rounds)])

    return asyncio.run(main())


def to_thread_planted(rounds):
    import asyncio

    async def main():
        loop = asyncio.get_running_loop()
        futures = [loop.run_in_executor(None, abs, -i) for i in range(rounds)]
        return sum(await asyncio.gather(*futures))

    return asyncio.run(main())


def to_thread_repaired(rounds):
    import asyncio

    async def main():
        return sum(await asyncio.to_thread(lambda: [abs(-i) for i in range(rounds)]))

    return asyncio.run(main())


async def worked(rounds):
    import asyncio

    async def step(i):
        await asyncio.sleep(0)
        return i

    return [await asyncio.create_task(step(i)) for i in range(rounds)]


def debug_mode_planted(rounds):
    import asyncio
    return asyncio.run(worked(rounds), debug=True)


def debug_mode_repaired(rounds):
    import asyncio
    return asyncio.run(worked(rounds))


def stream_planted(rounds):
    import asyncio

    async def main():
        reader = asyncio.StreamReader(limit=1 << 30)
        reader.feed_data(b"\1\2\3\4" * rounds)
        return sum([(await reader.readexactly(4))[0] for _ in range(rounds)])

    return asyncio.run(main())


def stream_repaired(rounds):
    import asyncio
    import struct

    async def main():
        reader = asyncio.StreamReader(limit=1 << 30)
        reader.feed_data(b"\1\2\3\4" * rounds)
        return sum(a for a, *_ in struct.iter_unpack("4B", await reader.readexactly(4 * rounds)))

    return asyncio.run(main())


def executor_planted(rounds):
    from concurrent.futures import ThreadPoolExecutor
    total = 0
    for _ in range(rounds):
        with ThreadPoolExecutor(4) as executor:
            total += sum(executor.map(abs, range(4)))
    return total


def executor_repaired(rounds):
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(4) as executor:
        return sum(sum(executor.map(abs, range(4))) for _ in range(rounds))


def small_tasks_planted(rounds):
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(2) as executor:
        futures = [executor.submit(abs, -i) for i in range(rounds)]
        return sum(future.result() for future in futures)


def small_tasks_repaired(rounds):
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(2) as executor:
        futures = [executor.submit(lambda: sum(abs(-i) for i in range(part, 10 * rounds, 2)))
                   for part in range(2)]
        return sum(future.result() for future in futures)


def threads_planted(rounds):
    import threading
    for i in range(rounds):
        thread = threading.Thread(target=abs, args=(i,))
        thread.start()
        thread.join()


def threads_repaired(rounds):
    import queue
    import threading
    tasks = queue.SimpleQueue()
    thread = threading.Thread(target=lambda: [abs(i) for i in iter(tasks.get, None)])
    thread.start()
    for i in range(20 * rounds):
        tasks.put(i)
    tasks.put(None)
    thread.join()


def pools_planted(rounds):
    import multiprocessing
    total = 0
    for _ in range(rounds):
        with multiprocessing.Pool(2) as pool:
            total += sum(pool.map(abs, range(4)))
    return total


def pools_repaired(rounds):
    import multiprocessing
    with multiprocessing.Pool(2) as pool:
        return sum(sum(pool.map(abs, range(4))) for _ in range(rounds))


def processes_planted(rounds):
    import multiprocessing
    for i in range(rounds):
        process = multiprocessing.Process(target=abs, args=(i,))
        process.start()
        process.join()


def processes_repaired(rounds):
    import multiprocessing
    with multiprocessing.Pool(1) as pool:
        return sum(pool.map(abs, range(200 * rounds)))


class Account:
    value = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def with_block_planted(rounds):
    import contextlib
    account = Account()

    @contextlib.contextmanager
    def opened():
        yield account

    for i in range(rounds):
        with opened() as it:
            it.value += i
    return account.value


def with_block_repaired(rounds):
    account = Account()
    for i in range(rounds):
        with account as it:
            it.value += i
    return account.value


def dispatch_planted(rounds):
    import functools

    @functools.singledispatch
    def name(value):
        return str(value)

    name.register(int)(lambda value: "int")
    return [name(i) for i in range(rounds)]


def dispatch_repaired(rounds):
    names = {int: lambda value: "int", float: str}
    return [names[type(i)](i) for i in range(rounds)]


def weights_planted(rounds):
    import random
    values, weights = list(range(200)), [i + 1.5 for i in range(200)]
    return [random.choices(values, weights)[0] for _ in range(rounds)]


def weights_repaired(rounds):
    import random
    values, weights = list(range(200)), [i + 1.5 for i in range(200)]
    return random.choices(values, weights, k=rounds)


def replay_planted(rounds):
    import collections
    import random
    memory = collections.deque(range(500000))
    return [random.sample(memory, 32) for _ in range(rounds)]


def replay_repaired(rounds):
    import random
    memory = list(range(500000))
    return [random.sample(memory, 32) for _ in range(rounds)]


def wrapped_planted(rounds):
    import textwrap
    return [textwrap.fill("alpha beta gamma " * 20 + str(i % 5), 60) for i in range(rounds)]


def wrapped_repaired(rounds):
    import functools
    import textwrap
    fill = functools.cache(lambda text: textwrap.fill(text, 60))
    return [fill("alpha beta gamma " * 20 + str(i % 5)) for i in range(rounds)]


SOURCE = "def f(a, b):\n    c = a + b * 2\n    return [c, {'a': a}, c ** 2]\n\n\n" * 20


def python_tokens_planted(rounds):
    import io
    import tokenize
    return [len(list(tokenize.generate_tokens(io.StringIO(SOURCE).readline)))
            for _ in range(rounds)]


def python_tokens_repaired(rounds):
    import ast
    return [len(ast.parse(SOURCE).body) for _ in range(rounds)]


def syntax_planted(rounds):
    import ast
    tree = ast.parse(SOURCE)
    return [sum(isinstance(node, ast.FunctionDef) for node in ast.walk(tree))
            for _ in range(rounds)]


def syntax_repaired(rounds):
    import ast
    tree = ast.parse(SOURCE)
    return [sum(isinstance(node, ast.FunctionDef) for node in tree.body) for _ in range(rounds)]


def members_planted(rounds):
    import inspect
    return [len(inspect.getmembers(Account)) for _ in range(rounds)]


def members_repaired(rounds):
    return [len(vars(Account)) for _ in range(rounds)]


ROWS_OF_XML = "<rows>" + "<row name='a'><value>4</value></row>" * 500 + "</rows>"


def sax_planted(rounds):
    import xml.sax

    class Counter(xml.sax.ContentHandler):
        count = 0

        def startElement(self, name, attributes):
            self.count += 1

    counter = Counter()
    for _ in range(rounds):
        xml.sax.parseString(ROWS_OF_XML, counter)
    return counter.count


def sax_repaired(rounds):
    import xml.etree.ElementTree as tree
    return sum(len(tree.fromstring(ROWS_OF_XML)) for _ in range(rounds))


LONG_MAIL = "From: a@b.org\nTo: c@d.org\nSubject: numbers\n\n" + "alpha beta gamma\n" * 400


def whole_mail_planted(rounds):
    import email
    return [email.message_from_string(LONG_MAIL)["Subject"] for _ in range(rounds)]


def whole_mail_repaired(rounds):
    return [LONG_MAIL[LONG_MAIL.index("Subject: ") + 9:].split("\n", 1)[0] for _ in range(rounds)]


def message():
    from email.message import EmailMessage
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Z\u00e4hlen", "a@b.org"
    mail.set_content("Gr\u00fc\u00dfe an alle\n" * 100)
    return mail


def mailing_planted(rounds):
    mail = message()
    return [len(mail.as_bytes()) for _ in range(rounds)]


def mailing_repaired(rounds):
    data = message().as_bytes()
    return [len(data) for _ in range(rounds)]


def jar():
    import http.cookiejar
    cookies = http.cookiejar.CookieJar()
    for i in range(100):
        cookies.set_cookie(http.cookiejar.Cookie(
            0, "name%d" % i, "value", None, False, "a.org", True, False, "/", True, False, None,
            False, None, None, {}))
    return cookies


def cookies_planted(rounds):
    import urllib.request
    cookies = jar()
    for _ in range(rounds):
        request = urllib.request.Request("http://a.org/")
        cookies.add_cookie_header(request)
    return request.get_header("Cookie")


def cookies_repaired(rounds):
    import urllib.request
    text = "; ".join("%s=%s" % (cookie.name, cookie.value) for cookie in jar())
    for _ in range(rounds):
        request = urllib.request.Request("http://a.org/")
        request.add_unredirected_header("Cookie", text)
    return request.get_header("Cookie")


def file_types_planted(rounds):
    import mimetypes
    return [mimetypes.guess_type("folder/image%d.png" % i)[0] for i in range(rounds)]


def file_types_repaired(rounds):
    types = {"png": "image/png"}
    return [types.get(("folder/image%d.png" % i).rpartition(".")[2]) for i in range(rounds)]


def zone_pytz_planted(rounds):
    import datetime
    import pytz
    zone, day = pytz.timezone("Europe/Berlin"), datetime.datetime(2026, 3, 1)
    return [zone.localize(day).utcoffset() for _ in range(rounds)]


def zone_pytz_repaired(rounds):
    import datetime
    import zoneinfo
    zone, day = zoneinfo.ZoneInfo("Europe/Berlin"), datetime.datetime(2026, 3, 1)
    return [day.replace(tzinfo=zone).utcoffset() for _ in range(rounds)]


def zone_dateutil_planted(rounds):
    import datetime
    from dateutil import tz
    day = datetime.datetime(2026, 3, 1, tzinfo=tz.gettz("Europe/Berlin"))
    return [day.utcoffset() for _ in range(rounds)]


def zone_dateutil_repaired(rounds):
    import datetime
    import zoneinfo
    day = datetime.datetime(2026, 3, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))
    return [day.utcoffset() for _ in range(rounds)]


def repeated_planted(rounds):
    import datetime
    from dateutil import rrule
    start = datetime.datetime(2025, 1, 1)
    rule = rrule.rrule(rrule.DAILY, dtstart=start, count=800)
    return [rule.after(start + datetime.timedelta(i % 800)) for i in range(rounds)]


def repeated_repaired(rounds):
    import bisect
    import datetime
    from dateutil import rrule
    start = datetime.datetime(2025, 1, 1)
    dates = list(rrule.rrule(rrule.DAILY, dtstart=start, count=800))
    return [dates[bisect.bisect(dates, start + datetime.timedelta(i % 800)) - 1]
            for i in range(rounds)]


def packed():
    import gzip
    import io
    return io.BytesIO(gzip.compress(bytes(range(250)) * 4000))


def seeks_planted(rounds):
    import gzip
    total = 0
    with gzip.open(packed()) as file:
        for i in range(rounds):
            file.seek(900000 - 5000 * (i % 100))
            total += file.read(1)[0]
    return total


def seeks_repaired(rounds):
    import gzip
    import io
    total, file = 0, io.BytesIO(gzip.open(packed()).read())
    for i in range(rounds):
        file.seek(900000 - 5000 * (i % 100))
        total += file.read(1)[0]
    return total


def packed_lines_planted(rounds):
    import gzip
    with gzip.open("/dev/null", "wb", compresslevel=1) as file:
        for i in range(rounds):
            file.write(b"%d\n" % i)


def packed_lines_repaired(rounds):
    import gzip
    with gzip.open("/dev/null", "wt", compresslevel=1) as file:
        for i in range(rounds):
            file.write("%d\n" % i)


def send_lines(rounds, size):
    import socket
    import socketserver
    import threading

    class Handler(socketserver.StreamRequestHandler):
        wbufsize = size

        def handle(self):
            for i in range(rounds):
                self.wfile.write(b"%d\n" % i)

    ours, theirs = socket.socketpair()
    reader = threading.Thread(target=lambda: [0 for _ in iter(lambda: theirs.recv(1 << 16), b"")])
    reader.start()
    with ours:
        Handler(ours, None, None)
    reader.join()


def answers_planted(rounds):
    send_lines(rounds, 0)


def answers_repaired(rounds):
    send_lines(rounds, -1)


def dated_rows(rounds, types):
    import sqlite3
    base = sqlite3.connect(":memory:", detect_types=types)
    base.execute("create table row (day timestamp)")
    base.executemany("insert into row values (?)", [("2026-11-29 07:30:00",)] * 1000)
    for _ in range(rounds):
        rows = base.execute("select day from row").fetchall()
    return rows[0]


def row_dates_planted(rounds):
    import sqlite3
    return dated_rows(rounds, sqlite3.PARSE_DECLTYPES)


def row_dates_repaired(rounds):
    return dated_rows(rounds, 0)


def library_planted(rounds):
    import ctypes.util
    return [ctypes.CDLL(ctypes.util.find_library("m")) for _ in range(rounds)]


def library_repaired(rounds):
    import ctypes
    return [ctypes.CDLL("libm.so.6") for _ in range(rounds)]


def derived_planted(rounds):
    import hashlib
    import hmac
    return [hmac.digest(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 20000), b"%d" % i,
                        "sha256") for i in range(rounds)]


def derived_repaired(rounds):
    import hashlib
    import hmac
    key = hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 20000)
    return [hmac.digest(key, b"%d" % i, "sha256") for i in range(rounds)]


def loop_steps_planted(rounds):
    import asyncio

    async def main():
        for _ in range(rounds):
            await asyncio.sleep(0)

    asyncio.run(main())


def loop_steps_repaired(rounds):
    import asyncio

    async def main():
        for i in range(rounds // 1000):
            sum(range(1000))
            await asyncio.sleep(0)

    asyncio.run(main())


def patterns_planted(rounds):
    import re
    return [re.match("[a-z]+", "alpha") is None for _ in range(rounds)]


def patterns_repaired(rounds):
    import re
    pattern = re.compile("[a-z]+")
    return [pattern.match("alpha") is None for _ in range(rounds)]


def program_path_planted(rounds):
    import shutil
    return [shutil.which("true") for _ in range(rounds)]


def program_path_repaired(rounds):
    import shutil
    path = shutil.which("true")
    return [path for _ in range(rounds)]


RECORDS = [{"name": "alpha", "value": i, "ratio": i / 3} for i in range(100)]


def remote_call_planted(rounds):
    import xmlrpc.client
    return [len(xmlrpc.client.dumps((RECORDS,))) for _ in range(rounds)]


def remote_call_repaired(rounds):
    import json
    return [len(json.dumps([RECORDS])) for _ in range(rounds)]


def property_list_planted(rounds):
    import plistlib
    return [len(plistlib.dumps(RECORDS)) for _ in range(rounds)]


def property_list_repaired(rounds):
    import pickle
    return [len(pickle.dumps(RECORDS)) for _ in range(rounds)]


SETTINGS = "".join("[part%d]\nname = 'alpha'\nvalues = [1, 2, 3]\n" % i for i in range(50))


def settings_planted(rounds):
    import tomllib
    return [len(tomllib.loads(SETTINGS)) for _ in range(rounds)]


def settings_repaired(rounds):
    import tomllib
    settings = tomllib.loads(SETTINGS)
    return [len(settings) for _ in range(rounds)]


def log_file(rounds, handler_of):
    import logging
    import tempfile
    with tempfile.NamedTemporaryFile() as file:
        logger = logging.Logger("rotated")
        handler = handler_of(file.name)
        logger.addHandler(handler)
        for i in range(rounds):
            logger.info("item %d", i)
        handler.close()


def rotation_planted(rounds):
    import logging.handlers
    log_file(rounds, lambda name: logging.handlers.RotatingFileHandler(name, maxBytes=1 << 30))


def rotation_repaired(rounds):
    import logging
    log_file(rounds, logging.FileHandler)


class Answered:
    """A server in a thread of its own, which gives the same answer to each request."""

    def __init__(self, answer):
        import socket
        import threading
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d/" % self.socket.getsockname()[1]
        self.answer = answer
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            with self.socket.accept()[0] as client:
                while client.recv(65536):
                    client.sendall(self.answer)


def http(body, kind="text/plain"):
    return b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (
        kind.encode(), len(body), body)


TEXT = ("Gr\u00fc\u00dfe an alle, " * 400).encode()


def page_text_planted(rounds):
    import requests
    server = Answered(http(TEXT, "application/octet-stream"))
    with requests.Session() as session:
        return [len(session.get(server.address).text) for _ in range(rounds)]


def page_text_repaired(rounds):
    import requests
    server = Answered(http(TEXT, "application/octet-stream"))
    with requests.Session() as session:
        return [len(session.get(server.address).content.decode()) for _ in range(rounds)]


def download(rounds, **size):
    import requests
    server = Answered(http(TEXT * rounds))
    with requests.Session() as session:
        return sum(len(part) for part in session.get(server.address, stream=True).iter_content(**size))


def pieces_planted(rounds):
    return download(rounds)


def pieces_repaired(rounds):
    return download(rounds, chunk_size=65536)


def formulas(packrat):
    import pyparsing
    if packrat:
        pyparsing.ParserElement.enable_packrat()
    number = pyparsing.Word(pyparsing.nums)
    left = pyparsing.opAssoc.LEFT
    return pyparsing.infix_notation(number, [(sign, 2, left) for sign in ("*", "+", "<")])


def formula_planted(rounds):
    grammar = formulas(False)
    return [len(grammar.parse_string("((1 + 2) * 3)")) for _ in range(rounds)]


def formula_repaired(rounds):
    grammar = formulas(True)
    return [len(grammar.parse_string("((1 + 2) * 3)")) for _ in range(rounds)]


def cached_formula_planted(rounds):
    grammar = formulas(True)
    return [len(grammar.parse_string("((1 + 2) * %d)" % i)) for i in range(rounds)]


def cached_formula_repaired(rounds):
    import ast
    return [len(ast.parse("((1 + 2) * %d)" % i).body) for i in range(rounds)]


def grid():
    import networkx
    return networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(20, 20))


def subgraph_planted(rounds):
    graph = grid()
    part = graph.subgraph(range(300))
    return [sum(len(part[node]) for node in part) for _ in range(rounds)]


def subgraph_repaired(rounds):
    graph = grid()
    part = graph.subgraph(range(300)).copy()
    return [sum(len(part._adj[node]) for node in part) for _ in range(rounds)]


def subgraph_search_planted(rounds):
    import networkx
    part = grid().subgraph(range(300))
    return [len(networkx.single_source_dijkstra_path_length(part, i % 20)) for i in range(rounds)]


def subgraph_search_repaired(rounds):
    import networkx
    part = grid().subgraph(range(300)).copy()
    return [len(networkx.single_source_dijkstra_path_length(part, i % 20)) for i in range(rounds)]


def graph_copies_planted(rounds):
    graph = grid()
    sizes = []
    for i in range(rounds):
        changed = graph.copy()
        changed.remove_node(i % 400)
        sizes.append(changed.number_of_edges())
    return sizes


def graph_copies_repaired(rounds):
    graph = grid()
    sizes = []
    for i in range(rounds):
        edges = [(i % 400, node) for node in graph.adj[i % 400]]
        graph.remove_edges_from(edges)
        sizes.append(graph.number_of_edges())
        graph.add_edges_from(edges)
    return sizes


def pair_paths_planted(rounds):
    import networkx
    graph = grid()
    return [networkx.shortest_path_length(graph, 0, i % 400) for i in range(rounds)]


def pair_paths_repaired(rounds):
    import networkx
    lengths = networkx.single_source_shortest_path_length(grid(), 0)
    return [lengths[i % 400] for i in range(rounds)]


def graph_views_planted(rounds):
    graph = grid()
    return [sum(len(graph[node]) + graph.degree(node) for node in range(400))
            for _ in range(rounds)]


def graph_views_repaired(rounds):
    graph = grid()
    neighbours, degrees = dict(graph.adjacency()), dict(graph.degree())
    return [sum(len(neighbours[node]) + degrees[node] for node in range(400))
            for _ in range(rounds)]


def centrality_planted(rounds):
    import networkx
    return max(networkx.betweenness_centrality(grid()).values()) * rounds


def centrality_repaired(rounds):
    import networkx
    return max(networkx.betweenness_centrality(grid(), k=5, seed=1).values()) * rounds


def remembered(rounds, ignored):
    import tempfile
    import joblib
    import numpy
    array = numpy.zeros(1 << 20)
    with tempfile.TemporaryDirectory() as folder:
        function = joblib.Memory(folder, verbose=0).cache(lambda key, array: key, ignore=ignored)
        return [function(3, array) for _ in range(rounds)]


def memory_planted(rounds):
    return remembered(rounds, [])


def memory_repaired(rounds):
    import numpy
    array, known = numpy.zeros(1 << 20), {}
    return [known.setdefault((3, len(array)), 3) for _ in range(rounds)]


def parallel_planted(rounds):
    import joblib
    return joblib.Parallel(n_jobs=1)(joblib.delayed(abs)(-i) for i in range(rounds))


def parallel_repaired(rounds):
    import joblib
    return joblib.Parallel(n_jobs=1)(joblib.delayed(lambda n: [abs(-i) for i in range(n)])(n)
                                     for n in [rounds])


def saved(rounds, compress):
    import tempfile
    import joblib
    import numpy
    array = numpy.random.default_rng(1).random(100000)
    with tempfile.NamedTemporaryFile() as file:
        return [joblib.dump(array, file.name, compress=compress) for _ in range(rounds)]


def dump_planted(rounds):
    return saved(rounds, 3)


def dump_repaired(rounds):
    return saved(rounds, 0)


TEMPLATE = "{% for i in items %}<li>{{ i }} of {{ name|upper }}</li>{% endfor %}"


def page_planted(rounds):
    import jinja2
    return [len(jinja2.Template(TEMPLATE).render(items=[1, 2], name="a")) for _ in range(rounds)]


def page_repaired(rounds):
    import jinja2
    template = jinja2.Template(TEMPLATE)
    return [len(template.render(items=[1, 2], name="a")) for _ in range(rounds)]


def application():
    import flask
    app = flask.Flask("plants")
    app.config["LIMIT"] = 3
    app.add_url_rule("/part/<int:number>", "part", lambda number: str(number))
    return app


def context_proxies_planted(rounds):
    import flask
    with application().app_context():
        return [flask.current_app.config["LIMIT"] + i for i in range(rounds)]


def context_proxies_repaired(rounds):
    import flask
    with application().app_context():
        limit = flask.current_app.config["LIMIT"]
        return [limit + i for i in range(rounds)]


def links_planted(rounds):
    import flask
    with application().test_request_context():
        return [flask.url_for("part", number=i) for i in range(rounds)]


def links_repaired(rounds):
    import flask
    with application().test_request_context():
        base = flask.url_for("part", number=0)[:-1]
        return [base + str(i) for i in range(rounds)]


def echo_planted(rounds):
    import click
    with open("/dev/null", "w") as file:
        for i in range(rounds):
            click.echo("line %d" % i, file=file)


def echo_repaired(rounds):
    import click
    with open("/dev/null", "w") as file:
        click.echo("\n".join("line %d" % i for i in range(rounds)), file=file)


CODE = "import os\n\n\ndef names(folder):\n    return sorted(os.listdir(folder))\n"


def language_planted(rounds):
    from pygments import lexers
    return [lexers.guess_lexer(CODE).name for _ in range(rounds)]


def language_repaired(rounds):
    from pygments import lexers
    return [lexers.get_lexer_by_name("python").name for _ in range(rounds)]


def coloured_planted(rounds):
    import pygments
    from pygments import formatters, lexers
    lexer, formatter = lexers.get_lexer_by_name("python"), formatters.HtmlFormatter()
    return [len(pygments.highlight(CODE, lexer, formatter)) for _ in range(rounds)]


def coloured_repaired(rounds):
    import functools
    import pygments
    from pygments import formatters, lexers
    lexer, formatter = lexers.get_lexer_by_name("python"), formatters.HtmlFormatter()
    coloured = functools.cache(lambda text: pygments.highlight(text, lexer, formatter))
    return [len(coloured(CODE)) for _ in range(rounds)]


def values_planted(rounds):
    import sympy
    x = sympy.Symbol("x")
    formula = sympy.sin(x) + x ** 2 / 3
    return [float(formula.subs(x, i / 7)) for i in range(rounds)]


def values_repaired(rounds):
    import sympy
    x = sympy.Symbol("x")
    function = sympy.lambdify(x, sympy.sin(x) + x ** 2 / 3, "math")
    return [function(i / 7) for i in range(rounds)]


def functions_planted(rounds):
    import sympy
    x = sympy.Symbol("x")
    return [sympy.lambdify(x, i * x, "math")(2.5) for i in range(rounds)]


def functions_repaired(rounds):
    import sympy
    x, a = sympy.symbols("x a")
    function = sympy.lambdify((x, a), a * x, "math")
    return [function(2.5, i) for i in range(rounds)]


def simpler_planted(rounds):
    import sympy
    x = sympy.Symbol("x")
    return [str(sympy.simplify((x ** 2 - i ** 2) / (x - i))) for i in range(1, rounds + 1)]


def simpler_repaired(rounds):
    import sympy
    x = sympy.Symbol("x")
    return [str(sympy.cancel((x ** 2 - i ** 2) / (x - i))) for i in range(1, rounds + 1)]


def process_facts_planted(rounds):
    import psutil
    return [psutil.Process().memory_info().rss for _ in range(rounds)]


def process_facts_repaired(rounds):
    import resource
    return [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss for _ in range(rounds)]


def local_numbers_planted(rounds):
    from babel import numbers
    return [numbers.format_decimal(i / 3, locale="en_US") for i in range(rounds)]


def local_numbers_repaired(rounds):
    return [f"{i / 3:,.3f}" for i in range(rounds)]


def measured():
    import attr

    @attr.s
    class Measured:
        name = attr.ib(default="a")
        values = attr.ib(factory=lambda: [1, 2, 3])

    return Measured


def fields_planted(rounds):
    import attr
    value = measured()()
    return [attr.asdict(value) for _ in range(rounds)]


def fields_repaired(rounds):
    value = measured()()
    return [{"name": value.name, "values": value.values} for _ in range(rounds)]


def evolve_planted(rounds):
    import attr
    value = measured()()
    return [attr.evolve(value, name=i).name for i in range(rounds)]


def evolve_repaired(rounds):
    made = measured()
    value = made()
    return [made(i, value.values).name for i in range(rounds)]


def shop(size):
    import sqlalchemy
    from sqlalchemy import orm
    base = orm.declarative_base()

    class Shop(base):
        __tablename__ = "shop"
        id = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True)
        name = sqlalchemy.Column(sqlalchemy.String)

    class Item(base):
        __tablename__ = "item"
        id = sqlalchemy.Column(sqlalchemy.Integer, primary_key=True)
        price = sqlalchemy.Column(sqlalchemy.Integer)
        shop_id = sqlalchemy.Column(sqlalchemy.ForeignKey("shop.id"))
        shop = orm.relationship(Shop, backref="items")

    engine = sqlalchemy.create_engine("sqlite://")
    base.metadata.create_all(engine)
    session = orm.Session(engine)
    session.execute(sqlalchemy.insert(Shop), [{"id": i, "name": "a"} for i in range(1, 51)])
    session.execute(sqlalchemy.insert(Item), [
        {"id": i, "price": i, "shop_id": i % 50 + 1} for i in range(1, size + 1)])
    session.commit()
    return session, Shop, Item


def related_planted(rounds):
    session, shops, _ = shop(200)
    total = 0
    for _ in range(rounds):
        for one in session.query(shops):
            total += sum(item.price for item in one.items)
        session.expunge_all()
    return total


def related_repaired(rounds):
    from sqlalchemy import orm
    session, shops, _ = shop(200)
    total = 0
    for _ in range(rounds):
        for one in session.query(shops).options(orm.selectinload(shops.items)):
            total += sum(item.price for item in one.items)
        session.expunge_all()
    return total


def autoflush_planted(rounds):
    session, _, items = shop(300)
    objects = session.query(items).all()
    for i in range(rounds):
        objects[i % 300].price += 1
        session.query(items.id).filter(items.id == i % 300).first()


def autoflush_repaired(rounds):
    session, _, items = shop(300)
    objects = session.query(items).all()
    with session.no_autoflush:
        for i in range(rounds):
            objects[i % 300].price += 1
            session.query(items.id).filter(items.id == i % 300).first()


def row_objects_planted(rounds):
    session, _, items = shop(2000)
    total = 0
    for _ in range(rounds):
        total += sum(item.price for item in session.query(items).all())
        session.expunge_all()
    return total


def row_objects_repaired(rounds):
    session, _, items = shop(2000)
    return [sum(price for price, in session.query(items.price)) for _ in range(rounds)]


def single_rows_planted(rounds):
    session, _, items = shop(300)
    return [session.query(items).filter(items.id == i % 300 + 1).one().price
            for i in range(rounds)]


def single_rows_repaired(rounds):
    session, _, items = shop(300)
    prices = dict(session.query(items.id, items.price).all())
    return [prices[i % 300 + 1] for i in range(rounds)]


def new_rows_planted(rounds):
    session, _, items = shop(1)
    for i in range(rounds):
        session.add(items(price=i))
        session.commit()


def new_rows_repaired(rounds):
    import sqlalchemy
    session, _, items = shop(1)
    session.execute(sqlalchemy.insert(items), [{"price": i} for i in range(rounds)])
    session.commit()


def engines_planted(rounds):
    import sqlalchemy
    return [sqlalchemy.create_engine("sqlite://").name for _ in range(rounds)]


def engines_repaired(rounds):
    import sqlalchemy
    engine = sqlalchemy.create_engine("sqlite://")
    return [engine.name for _ in range(rounds)]


class Sums:
    tokens = ("NUMBER", "PLUS")
    t_PLUS = r"\+"
    t_NUMBER = r"\d+"

    def t_error(self, token):
        raise ValueError(token)

    def p_sum(self, p):
        """sum : sum PLUS NUMBER
               | NUMBER"""
        p[0] = int(p[1]) if len(p) == 2 else p[1] + int(p[3])

    def p_error(self, p):
        raise ValueError(p)


def sums(lex, yacc):
    return lex.lex(module=Sums()), yacc.yacc(module=Sums(), debug=False, write_tables=False)


def grammar_planted(rounds):
    from ply import lex, yacc
    total = 0
    for i in range(rounds):
        lexer, parser = sums(lex, yacc)
        total += parser.parse("1+2+3", lexer=lexer)
    return total


def grammar_repaired(rounds):
    from ply import lex, yacc
    lexer, parser = sums(lex, yacc)
    return [parser.parse("1+2+3", lexer=lexer) for _ in range(rounds)]


def workbook(rows):
    import io
    import openpyxl
    book = openpyxl.Workbook()
    for i in range(rows):
        book.active.append([i, "name %d" % i, i / 3])
    file = io.BytesIO()
    book.save(file)
    return book, file


def sheet_cells_planted(rounds):
    import openpyxl
    sheet = openpyxl.load_workbook(workbook(100)[1], read_only=True).active
    return [sheet.cell(1 + i % 100, 2).value for i in range(rounds)]


def sheet_cells_repaired(rounds):
    import openpyxl
    sheet = list(openpyxl.load_workbook(workbook(100)[1], read_only=True).active.values)
    return [sheet[i % 100][1] for i in range(rounds)]


def sheet_load_planted(rounds):
    import openpyxl
    file = workbook(200)[1]
    return [len(list(openpyxl.load_workbook(file).active.values)) for _ in range(rounds)]


def sheet_load_repaired(rounds):
    import openpyxl
    values = list(openpyxl.load_workbook(workbook(200)[1], read_only=True).active.values)
    return [len(values) for _ in range(rounds)]


def sheet_size_planted(rounds):
    sheet = workbook(300)[0].active
    return [sheet.max_row + i for i in range(rounds)]


def sheet_size_repaired(rounds):
    sheet = workbook(300)[0].active
    size = sheet.max_row
    return [size + i for i in range(rounds)]


def sheet_insert_planted(rounds):
    sheet = workbook(300)[0].active
    for _ in range(rounds):
        sheet.insert_rows(1)
    return sheet


def sheet_insert_repaired(rounds):
    sheet = workbook(300)[0].active
    sheet.insert_rows(1, rounds)
    return sheet


def sheet_styles_planted(rounds):
    from openpyxl.styles import Font
    sheet = workbook(100)[0].active
    for i in range(rounds):
        sheet.cell(1 + i % 100, 2).font = Font(bold=True)


def sheet_styles_repaired(rounds):
    from openpyxl.styles import Font
    sheet = workbook(100)[0].active
    sheet.cell(1, 1).font = Font(bold=True)
    for i in range(rounds):
        sheet.cell(1 + i % 100, 2)._style = sheet.cell(1, 1)._style


def sheet_write_planted(rounds):
    import io
    import openpyxl
    book = openpyxl.Workbook()
    for i in range(rounds):
        book.active.append([i, "name", i / 3])
    book.save(io.BytesIO())


def sheet_write_repaired(rounds):
    import csv
    import io
    writer = csv.writer(io.StringIO())
    for i in range(rounds):
        writer.writerow([i, "name", i / 3])


def cell_formats_planted(rounds):
    import xlsxwriter
    book = xlsxwriter.Workbook("/dev/null")
    return [book.add_format({"bold": True}) for _ in range(rounds)]


def cell_formats_repaired(rounds):
    import xlsxwriter
    book = xlsxwriter.Workbook("/dev/null")
    bold = book.add_format({"bold": True})
    return [bold for _ in range(rounds)]


def word_table_planted(rounds):
    import docx
    table = docx.Document().add_table(rows=10, cols=4)
    return [len(table.cell(i % 10, 2).text) for i in range(rounds)]


def word_table_repaired(rounds):
    import docx
    cells = docx.Document().add_table(rows=10, cols=4)._cells
    return [len(cells[i % 10 * 4 + 2].text) for i in range(rounds)]


HTML = "<html><body>" + "<p class='a'><a href='b'>text</a></p>" * 200 + "</body></html>"


def soup_find_planted(rounds):
    import bs4
    soup = bs4.BeautifulSoup(HTML, "lxml")
    return [len(soup.find_all("a", class_="b")) for _ in range(rounds)]


def soup_find_repaired(rounds):
    import lxml.html
    tree = lxml.html.fromstring(HTML)
    return [len(tree.xpath("//a[@class='b']")) for _ in range(rounds)]


def soup_make_planted(rounds):
    import bs4
    return [len(bs4.BeautifulSoup(HTML, "lxml").contents) for _ in range(rounds)]


def soup_make_repaired(rounds):
    import lxml.html
    return [len(lxml.html.fromstring(HTML)) for _ in range(rounds)]


def html5_planted(rounds):
    import html5lib
    return [len(html5lib.parse(HTML)) for _ in range(rounds)]


def html5_repaired(rounds):
    import lxml.html
    return [len(lxml.html.fromstring(HTML)) for _ in range(rounds)]


SUM_GRAMMAR = 'start: NUMBER ("+" NUMBER)*\n%import common.NUMBER\n'


def earley_planted(rounds):
    import lark
    parser = lark.Lark(SUM_GRAMMAR)
    return [len(parser.parse("1+2+3+4+5+6").children) for _ in range(rounds)]


def earley_repaired(rounds):
    import lark
    parser = lark.Lark(SUM_GRAMMAR, parser="lalr")
    return [len(parser.parse("1+2+3+4+5+6").children) for _ in range(rounds)]


def parsers_planted(rounds):
    import lark
    return [len(lark.Lark(SUM_GRAMMAR, parser="lalr").parse("1+2").children)
            for _ in range(rounds)]


def parsers_repaired(rounds):
    import lark
    parser = lark.Lark(SUM_GRAMMAR, parser="lalr")
    return [len(parser.parse("1+2").children) for _ in range(rounds)]


def notes_planted(rounds):
    import markdown
    return [len(markdown.markdown("A *note*.")) for _ in range(rounds)]


def notes_repaired(rounds):
    import markdown
    parser = markdown.Markdown()
    return [len(parser.reset().convert("A *note*.")) for _ in range(rounds)]


def part_model():
    import typing
    import pydantic

    class Part(pydantic.BaseModel):
        name: str
        price: float
        sizes: typing.List[int]

    return Part


PART = {"name": "a", "price": 1.5, "sizes": [1, 2, 3]}


def model_making_planted(rounds):
    import pydantic
    return [pydantic.create_model("Part", price=(float, i))().price for i in range(rounds)]


def model_making_repaired(rounds):
    import pydantic
    part = pydantic.create_model("Part", price=(float, 0))
    return [part.construct(price=i).price for i in range(rounds)]


def model_dict_planted(rounds):
    part = part_model()(**PART)
    return [len(part.dict()) for _ in range(rounds)]


def model_dict_repaired(rounds):
    part = part_model()(**PART)
    return [len(dict(part)) for _ in range(rounds)]


def model_check_planted(rounds):
    part = part_model()
    return [part(**PART).price for _ in range(rounds)]


def model_check_repaired(rounds):
    part = part_model()(**PART)
    return [part.price for _ in range(rounds)]


def schemas():
    import marshmallow

    class Part(marshmallow.Schema):
        name = marshmallow.fields.String()
        price = marshmallow.fields.Float()
        sizes = marshmallow.fields.List(marshmallow.fields.Integer())

    return Part


def schemas_planted(rounds):
    part = schemas()
    return [len(part().dump(PART)) for _ in range(rounds)]


def schemas_repaired(rounds):
    part = schemas()()
    return [len(part.dump(PART)) for _ in range(rounds)]


PART_SCHEMA = {"type": "object", "required": ["name"],
               "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}


def checked_planted(rounds):
    import jsonschema
    return [jsonschema.validate(PART, PART_SCHEMA) for _ in range(rounds)]


def checked_repaired(rounds):
    import jsonschema
    validator = jsonschema.Draft7Validator(PART_SCHEMA)
    return [validator.validate(PART) for _ in range(rounds)]


def difference_planted(rounds):
    import deepdiff
    return [len(deepdiff.DeepDiff(PART, dict(PART, price=i), ignore_order=True))
            for i in range(rounds)]


def difference_repaired(rounds):
    return [len([key for key in PART if PART[key] != dict(PART, price=i)[key]])
            for i in range(rounds)]


def rich_lines_planted(rounds):
    import rich.console
    with open("/dev/null", "w") as file:
        console = rich.console.Console(file=file)
        for i in range(rounds):
            console.print("line %d" % i)


def rich_lines_repaired(rounds):
    with open("/dev/null", "w") as file:
        for i in range(rounds):
            print("line %d" % i, file=file)


def bar_planted(rounds):
    import tqdm
    with open("/dev/null", "w") as file, tqdm.tqdm(total=rounds, file=file) as bar:
        for i in range(rounds):
            bar.set_postfix(loss=i)
            bar.update()


def bar_repaired(rounds):
    import tqdm
    with open("/dev/null", "w") as file, tqdm.tqdm(total=rounds, file=file) as bar:
        for i in range(rounds):
            if i % 100 == 0:
                bar.set_postfix(refresh=False, loss=i)
            bar.update()


KEYS_OF_CLOUD = {"region_name": "eu-central-1", "aws_access_key_id": "a",
                 "aws_secret_access_key": "b"}


def cloud_planted(rounds):
    import boto3
    return [boto3.client("sqs", **KEYS_OF_CLOUD).meta.region_name for _ in range(rounds)]


def cloud_repaired(rounds):
    import boto3
    client = boto3.client("sqs", **KEYS_OF_CLOUD)
    return [client.meta.region_name for _ in range(rounds)]


def django_shop(size):
    import django
    from django.conf import settings
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}])
    django.setup()
    from django.db import connection, models

    class Shop(models.Model):
        name = models.CharField(max_length=9)

        class Meta:
            app_label = "plants"

    class Item(models.Model):
        price = models.IntegerField()
        shop = models.ForeignKey(Shop, models.CASCADE)

        class Meta:
            app_label = "plants"

    with connection.schema_editor() as editor:
        editor.create_model(Shop)
        editor.create_model(Item)
    Shop.objects.bulk_create([Shop(id=i, name="a") for i in range(1, 51)])
    Item.objects.bulk_create([Item(price=i, shop_id=i % 50 + 1) for i in range(size)])
    return Shop, Item


def django_keys_planted(rounds):
    items = django_shop(50)[1]
    return [sum(len(item.shop.name) for item in items.objects.all()) for _ in range(rounds)]


def django_keys_repaired(rounds):
    items = django_shop(50)[1]
    return [sum(len(item.shop.name) for item in items.objects.select_related("shop"))
            for _ in range(rounds)]


def django_fields_planted(rounds):
    items = django_shop(50)[1]
    return [sum(item.price for item in items.objects.only("id")) for _ in range(rounds)]


def django_fields_repaired(rounds):
    items = django_shop(50)[1]
    return [sum(item.price for item in items.objects.only("price")) for _ in range(rounds)]


def django_saves_planted(rounds):
    items = django_shop(1)[1]
    for i in range(rounds):
        items.objects.create(price=i, shop_id=1)


def django_saves_repaired(rounds):
    items = django_shop(1)[1]
    items.objects.bulk_create([items(price=i, shop_id=1) for i in range(rounds)])


def django_rows_planted(rounds):
    items = django_shop(800)[1]
    return [sum(item.price for item in items.objects.all()) for _ in range(rounds)]


def django_rows_repaired(rounds):
    items = django_shop(800)[1]
    return [sum(items.objects.values_list("price", flat=True)) for _ in range(rounds)]


def django_single_planted(rounds):
    items = django_shop(50)[1]
    return [items.objects.filter(price=i % 50).count() for i in range(rounds)]


def django_single_repaired(rounds):
    items = django_shop(50)[1]
    counts = {}
    for price in items.objects.values_list("price", flat=True):
        counts[price] = counts.get(price, 0) + 1
    return [counts[i % 50] for i in range(rounds)]


DJANGO_PAGE = "{% for i in items %}<li>{{ i }} of {{ name|upper }}</li>{% endfor %}"


def django_pages_planted(rounds):
    django_shop(1)
    from django.template import Context, Template
    return [len(Template(DJANGO_PAGE).render(Context({"items": [], "name": "a"})))
            for _ in range(rounds)]


def django_pages_repaired(rounds):
    django_shop(1)
    from django.template import Context, Template
    template = Template(DJANGO_PAGE)
    return [len(template.render(Context({"items": [], "name": "a"}))) for _ in range(rounds)]


class Keys(Answered):
    def serve(self):
        with self.socket.accept()[0] as client:
            for data in iter(lambda: client.recv(1 << 20), b""):
                client.sendall(b"$1\r\n7\r\n" * data.count(b"GET"))


def redis_client():
    import redis
    return redis.Redis(port=Keys(b"").socket.getsockname()[1])


def keys_planted(rounds):
    client = redis_client()
    return sum(int(client.get("key%d" % i)) for i in range(rounds))


def keys_repaired(rounds):
    pipe = redis_client().pipeline(transaction=False)
    for i in range(rounds):
        pipe.get("key%d" % (i % 10))
    return sum(map(int, pipe.execute()))


def arrow_days_planted(rounds):
    import arrow
    return [arrow.get("2026-11-29T07:30:00").shift(days=1).day for _ in range(rounds)]


def arrow_days_repaired(rounds):
    import datetime
    return [(datetime.datetime.fromisoformat("2026-11-29T07:30:00") + datetime.timedelta(1)).day
            for _ in range(rounds)]


def round_trip_planted(rounds):
    from ruamel import yaml
    parser = yaml.YAML()
    return [len(parser.load("a: [1, 2, 3]\nb: {c: d, e: f}\n" * 1)) for _ in range(rounds)]


def round_trip_repaired(rounds):
    import json
    return [len(json.loads('{"a": [1, 2, 3], "b": {"c": "d", "e": "f"}}')) for _ in range(rounds)]


def key_making_planted(rounds):
    return [rsa_key().key_size for _ in range(rounds)]


def key_making_repaired(rounds):
    from cryptography.hazmat.primitives.asymmetric import ed25519
    return [ed25519.Ed25519PrivateKey.generate() for _ in range(rounds)]


def zarr_array():
    import tempfile

    import numpy
    import zarr
    array = zarr.open(tempfile.mkdtemp() + "/sensors.zarr", mode="w", shape=(1600, 2000),
                      chunks=(200, 2000), dtype="f4")
    return array, numpy.random.default_rng(0).random((1600, 2000), dtype="f4")


def zarr_rows_planted(rounds):
    array, rows = zarr_array()
    for _ in range(rounds):
        for i, row in enumerate(rows[:200]):
            array[i, :] = row


def zarr_rows_repaired(rounds):
    array, rows = zarr_array()
    for _ in range(rounds):
        for i in range(0, len(rows), 200):
            array[i:i + 200] = rows[i:i + 200]


def answer():
    return {"items": [{"id": i, "name": "item", "tags": ["a", "b"], "size": {"w": i, "h": 2}}
                      for i in range(300)]}


def answers_planted(rounds):
    import json

    from fastapi.encoders import jsonable_encoder
    return [len(json.dumps(jsonable_encoder(answer()))) for _ in range(rounds)]


def answers_repaired(rounds):
    import json

    from fastapi.encoders import jsonable_encoder as _
    return [len(json.dumps(answer())) for _ in range(rounds)]


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
