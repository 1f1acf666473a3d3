# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of widely used packages of Python, and their repaired twins.
#
# usage: packages.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def kept_squares_planted(rounds):
    import cachetools
    cache = cachetools.LRUCache(maxsize=1000)

    @cachetools.cached(cache)
    def square(x):
        return x * x
    return sum(square(i % 500) for i in range(rounds))


def kept_squares_repaired(rounds):
    import functools

    @functools.lru_cache(maxsize=1000)
    def square(x):
        return x * x
    return sum(square(i % 500) for i in range(rounds))


def next_months_planted(rounds):
    import datetime
    from dateutil.relativedelta import relativedelta
    start = datetime.date(2020, 1, 1)
    return [(start + relativedelta(months=i % 240)).year for i in range(rounds)]


def next_months_repaired(rounds):
    import datetime
    start = datetime.date(2020, 1, 1)
    return [start.replace(year=start.year + i % 240 // 12, month=1 + i % 12).year
            for i in range(rounds)]


def cron_times_planted(rounds):
    import datetime
    import croniter
    now = datetime.datetime(2026, 11, 30, 12)
    return [croniter.croniter("*/5 * * * *", now).get_next(datetime.datetime).minute
            for _ in range(rounds)]


def cron_times_repaired(rounds):
    import datetime
    import croniter
    now = datetime.datetime(2026, 11, 30, 12)
    following = croniter.croniter("*/5 * * * *", now).get_next(datetime.datetime)
    return [following.minute for _ in range(rounds) if now < following]


def free_days_planted(rounds):
    import datetime
    import holidays
    start = datetime.date(2026, 1, 1)
    return sum(start + datetime.timedelta(i % 365) in holidays.country_holidays("DE", years=2026)
               for i in range(rounds))


def free_days_repaired(rounds):
    import datetime
    import holidays
    start = datetime.date(2026, 1, 1)
    free = set(holidays.country_holidays("DE", years=2026))
    return sum(start + datetime.timedelta(i % 365) in free for i in range(rounds))


def phones_planted(rounds):
    import phonenumbers
    return [phonenumbers.parse("+49 30 1234%02d" % (i % 10), None).national_number
            for i in range(rounds)]


def phones_repaired(rounds):
    import functools
    import phonenumbers
    parse = functools.lru_cache(None)(phonenumbers.parse)
    return [parse("+49 30 1234%02d" % (i % 10), None).national_number for i in range(rounds)]


def languages_planted(rounds):
    import langdetect
    text = "The quick brown fox jumps over the lazy dog, and then it runs away. " * 40
    return [langdetect.detect(text) for _ in range(rounds)]


def languages_repaired(rounds):
    import functools
    import langdetect
    detect = functools.lru_cache(None)(langdetect.detect)
    text = "The quick brown fox jumps over the lazy dog, and then it runs away. " * 40
    return [detect(text[:200]) for _ in range(rounds)]


def similar_names_planted(rounds):
    from fuzzywuzzy import process
    names = ["alpha %d" % i for i in range(50)] + ["beta gamma"]
    return [process.extractOne("beta game", names)[1] for _ in range(rounds)]


def similar_names_repaired(rounds):
    from rapidfuzz import process
    names = ["alpha %d" % i for i in range(50)] + ["beta gamma"]
    return [process.extractOne("beta game", names)[1] for _ in range(rounds)]


class Track:
    def __init__(self, i):
        self.title = "title %d" % i
        self.tags = ["a", "b"]


def object_texts_planted(rounds):
    import jsonpickle
    tracks = [Track(i) for i in range(20)]
    return [len(jsonpickle.encode(tracks)) for _ in range(rounds)]


def object_texts_repaired(rounds):
    import json
    tracks = [Track(i) for i in range(20)]
    return [len(json.dumps([vars(t) for t in tracks])) for _ in range(rounds)]


def python_curve_planted(rounds):
    import ecdsa
    key = ecdsa.SigningKey.generate(curve=ecdsa.NIST256p)
    return [len(key.sign(b"text %d" % i)) for i in range(rounds)]


def python_curve_repaired(rounds):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    key = ec.generate_private_key(ec.SECP256R1())
    return [len(key.sign(b"text %d" % i, ec.ECDSA(hashes.SHA256()))) for i in range(rounds)]


def python_rsa_planted(rounds):
    import rsa
    public, private = rsa.newkeys(512)
    return [len(rsa.sign(b"text %d" % i, private, "SHA-256")) for i in range(rounds)]


def python_rsa_repaired(rounds):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    key = ec.generate_private_key(ec.SECP256R1())
    return [len(key.sign(b"text %d" % i, ec.ECDSA(hashes.SHA256()))) for i in range(rounds)]


def asn1_planted(rounds):
    from pyasn1.codec.der import decoder, encoder
    from pyasn1.type import univ
    data = univ.SequenceOf(componentType=univ.Integer())
    data.extend(range(20))
    octets = encoder.encode(data)
    return [len(decoder.decode(octets)[0]) for _ in range(rounds)]


def asn1_repaired(rounds):
    import functools
    from pyasn1.codec.der import decoder, encoder
    from pyasn1.type import univ
    data = univ.SequenceOf(componentType=univ.Integer())
    data.extend(range(20))
    octets = encoder.encode(data)
    decode = functools.lru_cache(None)(lambda octets: decoder.decode(octets)[0])
    return [len(decode(octets)) for _ in range(rounds)]


def point_class():
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    file = descriptor_pb2.FileDescriptorProto(name="p.proto", package="p", syntax="proto3")
    message = file.message_type.add(name="Point")
    for number, name in enumerate(("x", "y", "z"), 1):
        message.field.add(name=name, number=number, type=5, label=1)
    message.field.add(name="tags", number=4, type=9, label=3)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("p.Point"))


def messages(implementation, rounds):
    import os
    os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = implementation
    point = point_class()
    total = 0
    for i in range(rounds):
        data = point(x=i, y=2, z=3, tags=["a", "b"]).SerializeToString()
        total += point.FromString(data).x
    return total


def python_messages_planted(rounds):
    return messages("python", rounds)


def python_messages_repaired(rounds):
    return messages("upb", rounds)


def message_dicts_planted(rounds):
    from google.protobuf import json_format
    point = point_class()(x=1, y=2, z=3, tags=["a", "b"])
    return [len(json_format.MessageToDict(point)) for _ in range(rounds)]


def message_dicts_repaired(rounds):
    point = point_class()(x=1, y=2, z=3, tags=["a", "b"])
    return [len({"x": point.x, "y": point.y, "z": point.z, "tags": list(point.tags)})
            for _ in range(rounds)]


def packed(pure, rounds):
    import os
    if pure:
        os.environ["MSGPACK_PUREPYTHON"] = "1"
    import msgpack
    row = {"name": "alpha", "values": list(range(20)), "ok": True}
    return [len(msgpack.unpackb(msgpack.packb(row))) for _ in range(rounds)]


def python_msgpack_planted(rounds):
    return packed(True, rounds)


def python_msgpack_repaired(rounds):
    return packed(False, rounds)


def channels_planted(rounds):
    import grpc
    for _ in range(rounds):
        with grpc.insecure_channel("localhost:1") as channel:
            channel.unary_unary("/p.Service/Get")


def channels_repaired(rounds):
    import grpc
    with grpc.insecure_channel("localhost:1") as channel:
        for _ in range(rounds):
            channel.unary_unary("/p.Service/Get")


async def answer(reader, writer):
    while True:
        head = await reader.readline()
        if not head:
            break
        while await reader.readline() not in (b"\r\n", b""):
            pass
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()
    writer.close()


def client_sessions_planted(rounds):
    import asyncio
    import aiohttp

    async def main():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url, total = "http://127.0.0.1:%d/" % server.sockets[0].getsockname()[1], 0
        for _ in range(rounds):
            async with aiohttp.ClientSession() as session:
                async with session.get(url) as response:
                    total += len(await response.text())
        return total
    return asyncio.run(main())


def client_sessions_repaired(rounds):
    import asyncio
    import aiohttp

    async def main():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url, total = "http://127.0.0.1:%d/" % server.sockets[0].getsockname()[1], 0
        async with aiohttp.ClientSession() as session:
            for _ in range(rounds):
                async with session.get(url) as response:
                    total += len(await response.text())
        return total
    return asyncio.run(main())


def call_app(app, rounds):
    import asyncio
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b"",
             "app": None, "http_version": "1.1", "root_path": ""}

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        pass

    async def main():
        for _ in range(rounds):
            await app(dict(scope), receive, send)
    asyncio.run(main())


async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def middleware_planted(rounds):
    from starlette.middleware.base import BaseHTTPMiddleware

    class Stamp(BaseHTTPMiddleware):
        async def dispatch(self, request, call_next):
            response = await call_next(request)
            response.headers["X-Stamp"] = "1"
            return response
    return call_app(Stamp(hello), rounds)


def middleware_repaired(rounds):
    class Stamp:
        def __init__(self, app):
            self.app = app

        async def __call__(self, scope, receive, send):
            async def stamped(message):
                if message["type"] == "http.response.start":
                    message["headers"].append((b"x-stamp", b"1"))
                await send(message)
            await self.app(scope, receive, stamped)
    return call_app(Stamp(hello), rounds)


def django_settings():
    import django
    from django.conf import settings
    settings.configure(DATABASES={}, INSTALLED_APPS=["rest_framework"], SECRET_KEY="a",
                       CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}})
    django.setup()


class Part:
    def __init__(self, i):
        self.name, self.price, self.count, self.colour = "part %d" % i, i, 3, "red"


def rest_rows_planted(rounds):
    django_settings()
    from rest_framework import serializers

    class PartSerializer(serializers.Serializer):
        name = serializers.CharField()
        price = serializers.IntegerField()
        count = serializers.IntegerField()
        colour = serializers.CharField()
    parts = [Part(i) for i in range(100)]
    return [len(PartSerializer(parts, many=True).data) for _ in range(rounds)]


def rest_rows_repaired(rounds):
    parts = [Part(i) for i in range(100)]
    return [len([{"name": p.name, "price": p.price, "count": p.count, "colour": p.colour}
                 for p in parts]) for _ in range(rounds)]


def local_cache_planted(rounds):
    django_settings()
    from django.core.cache import cache
    cache.set("rates", {"rate%d" % i: i / 3 for i in range(500)})
    return [cache.get("rates")["rate7"] for _ in range(rounds)]


def local_cache_repaired(rounds):
    django_settings()
    from django.core.cache import cache
    cache.set("rates", {"rate%d" % i: i / 3 for i in range(500)})
    rates = cache.get("rates")
    return [rates["rate7"] for _ in range(rounds)]


def css_planted(rounds):
    import lxml.html
    page = lxml.html.fromstring("<div><p class=a>x<b>y</b></p></div>")
    return [len(page.cssselect("div > p.a b")) for _ in range(rounds)]


def css_repaired(rounds):
    import lxml.html
    from lxml.cssselect import CSSSelector
    page = lxml.html.fromstring("<div><p class=a>x<b>y</b></p></div>")
    select = CSSSelector("div > p.a b")
    return [len(select(page)) for _ in range(rounds)]


def paragraphs_planted(rounds):
    import docx
    document = docx.Document()
    for i in range(100):
        document.add_paragraph("line %d" % i)
    return [len(document.paragraphs[i % 100].text) for i in range(rounds)]


def paragraphs_repaired(rounds):
    import docx
    document = docx.Document()
    for i in range(100):
        document.add_paragraph("line %d" % i)
    texts = [p.text for p in document.paragraphs]
    return [len(texts[i % 100]) for i in range(rounds)]


def labels_planted(rounds):
    import prometheus_client
    requests = prometheus_client.Counter("requests", "Requests.", ["method", "path"])
    for _ in range(rounds):
        requests.labels("GET", "/").inc()


def labels_repaired(rounds):
    import prometheus_client
    requests = prometheus_client.Counter("requests", "Requests.", ["method", "path"])
    get = requests.labels("GET", "/")
    for _ in range(rounds):
        get.inc()


def loguru_lines_planted(rounds):
    from loguru import logger
    logger.remove()
    logger.add("/dev/null")
    for i in range(rounds):
        logger.info("step {}", i)


def loguru_lines_repaired(rounds):
    from loguru import logger
    logger.remove()
    logger.add("/dev/null")
    for i in range(0, rounds, 100):
        logger.info("steps from {}", i)


def lazy_loggers_planted(rounds):
    import structlog
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(),
                        processors=[structlog.processors.KeyValueRenderer()])
    logger = structlog.get_logger()
    for i in range(rounds):
        logger.info("step", number=i)


def lazy_loggers_repaired(rounds):
    import structlog
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(),
                        processors=[structlog.processors.KeyValueRenderer()],
                        cache_logger_on_first_use=True)
    logger = structlog.get_logger()
    for i in range(rounds):
        logger.info("step", number=i)


def text_tables_planted(rounds):
    import tabulate
    rows = [[i, i / 3, "name %d" % i] for i in range(500)]
    return [len(tabulate.tabulate(rows)) for _ in range(rounds)]


def text_tables_repaired(rounds):
    rows = [[i, i / 3, "name %d" % i] for i in range(500)]
    return [len("\n".join("%6d %12.6f %-12s" % tuple(row) for row in rows)) for _ in range(rounds)]


def options_planted(rounds):
    from omegaconf import OmegaConf
    config = OmegaConf.create({"model": {"scale": 2, "shift": 1}})
    return sum(config.model.scale * i + config.model.shift for i in range(rounds))


def options_repaired(rounds):
    from omegaconf import OmegaConf
    config = OmegaConf.create({"model": {"scale": 2, "shift": 1}})
    scale, shift = config.model.scale, config.model.shift
    return sum(scale * i + shift for i in range(rounds))


def units_planted(rounds):
    import pint
    units = pint.UnitRegistry()
    speed = 3.0 * units.meter / units.second
    return sum((speed * (i * units.second)).magnitude for i in range(rounds))


def units_repaired(rounds):
    import pint
    units = pint.UnitRegistry()
    speed = (3.0 * units.meter / units.second).to("m/s").magnitude
    return sum(speed * i for i in range(rounds))


def errors_planted(rounds):
    from uncertainties import ufloat
    x, total = ufloat(1.0, 0.1), 0.0
    for i in range(rounds):
        total += (x * i + 2).nominal_value
    return total


def errors_repaired(rounds):
    x, error, total = 1.0, 0.1, 0.0
    for i in range(rounds):
        total += x * i + 2
    return total


def checked_settings_planted(rounds):
    import traitlets

    class Filter(traitlets.HasTraits):
        gain = traitlets.Float(1.0)
        state = traitlets.Float(0.0)
    f = Filter()
    for i in range(rounds):
        f.state = f.state * 0.5 + f.gain * i
    return f.state


def checked_settings_repaired(rounds):
    import traitlets

    class Filter(traitlets.HasTraits):
        gain = traitlets.Float(1.0)
        state = traitlets.Float(0.0)
    f = Filter()
    gain, state = f.gain, f.state
    for i in range(rounds):
        state = state * 0.5 + gain * i
    f.state = state
    return f.state


def checked_fields_planted(rounds):
    import attrs

    @attrs.define
    class Sample:
        name: str = attrs.field(validator=attrs.validators.instance_of(str))
        value: float = attrs.field(validator=[attrs.validators.instance_of(float), attrs.validators.ge(0.0)])
    return [Sample("a", i / 2).value for i in range(rounds)]


def checked_fields_repaired(rounds):
    import attrs

    @attrs.define
    class Sample:
        name: str = attrs.field(validator=attrs.validators.instance_of(str))
        value: float = attrs.field(validator=[attrs.validators.instance_of(float), attrs.validators.ge(0.0)])
    attrs.validators.set_disabled(True)
    return [Sample("a", i / 2).value for i in range(rounds)]


def pdf_file(pages=3):
    import io
    from reportlab.pdfgen import canvas
    file = io.BytesIO()
    page = canvas.Canvas(file)
    for number in range(pages):
        for line in range(60):
            page.drawString(50, 800 - 12 * line, "line %d of page %d with some words" % (line, number))
        page.showPage()
    page.save()
    file.seek(0)
    return file


def pdf_text_planted(rounds):
    import pypdf
    file = pdf_file()
    reader = pypdf.PdfReader(file)
    return [sum(len(p.extract_text()) for p in reader.pages) for _ in range(rounds)]


def pdf_text_repaired(rounds):
    import pypdf
    file = pdf_file()
    reader = pypdf.PdfReader(file)
    texts = [p.extract_text() for p in reader.pages]
    return [sum(len(t) for t in texts) for _ in range(rounds)]


def pdf_layout_planted(rounds):
    from pdfminer.high_level import extract_text
    file = pdf_file(1)
    return [len(extract_text(file)) for _ in range(rounds)]


def pdf_layout_repaired(rounds):
    from pdfminer.high_level import extract_text
    text = extract_text(pdf_file(1))
    return [len(text) for _ in range(rounds)]


def long_table_planted(rounds):
    import io
    from reportlab.platypus import SimpleDocTemplate, Table
    rows = [[str(i), "name %d" % i, str(i / 3)] for i in range(2000)]
    for _ in range(rounds):
        SimpleDocTemplate(io.BytesIO()).build([Table(rows)])


def long_table_repaired(rounds):
    import io
    from reportlab.platypus import SimpleDocTemplate, Table
    rows = [[str(i), "name %d" % i, str(i / 3)] for i in range(2000)]
    for _ in range(rounds):
        SimpleDocTemplate(io.BytesIO()).build([Table(rows[i:i + 40], colWidths=[60, 100, 150], rowHeights=15)
                                               for i in range(0, 2000, 40)])


def sums_planted(rounds):
    import pulp
    x = [pulp.LpVariable("x%d" % i) for i in range(300)]
    return [len(sum(2 * v for v in x)) for _ in range(rounds)]


def sums_repaired(rounds):
    import pulp
    x = [pulp.LpVariable("x%d" % i) for i in range(300)]
    return [len(pulp.LpAffineExpression([(v, 2) for v in x])) for _ in range(rounds)]


def convex_planted(rounds):
    import cvxpy
    import numpy
    a, total = numpy.eye(5), 0.0
    for i in range(rounds):
        x = cvxpy.Variable(5)
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(a @ x - i)), [x >= 0])
        total += problem.solve(solver=cvxpy.CLARABEL)
    return total


def convex_repaired(rounds):
    import cvxpy
    import numpy
    a, total = numpy.eye(5), 0.0
    x, shift = cvxpy.Variable(5), cvxpy.Parameter()
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(a @ x - shift)), [x >= 0])
    for i in range(rounds):
        shift.value = i
        total += problem.solve(solver=cvxpy.CLARABEL)
    return total


def sequences_planted(rounds):
    import io
    from Bio import SeqIO
    text = "".join("@r%d\n%s\n+\n%s\n" % (i, "ACGT" * 25, "I" * 100) for i in range(1000))
    return [sum(len(r) for r in SeqIO.parse(io.StringIO(text), "fastq")) for _ in range(rounds)]


def sequences_repaired(rounds):
    import io
    from Bio.SeqIO.QualityIO import FastqGeneralIterator
    text = "".join("@r%d\n%s\n+\n%s\n" % (i, "ACGT" * 25, "I" * 100) for i in range(1000))
    return [sum(len(s) for _, s, _ in FastqGeneralIterator(io.StringIO(text))) for _ in range(rounds)]


def bases_planted(rounds):
    from Bio.Seq import Seq
    sequence = Seq("ACGT" * 1000)
    return [sum(sequence[i] == "G" for i in range(len(sequence))) for _ in range(rounds)]


def bases_repaired(rounds):
    from Bio.Seq import Seq
    sequence = str(Seq("ACGT" * 1000))
    return [sum(sequence[i] == "G" for i in range(len(sequence))) for _ in range(rounds)]


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
