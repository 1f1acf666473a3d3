# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of services: templates, XML, requests, databases, texts and pools,
# and their repaired twins.
#
# usage: services2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def safe_pages_planted(rounds):
    from jinja2.sandbox import SandboxedEnvironment
    page = SandboxedEnvironment().from_string("{% for r in rows %}{{ r.name.upper() }} {{ r['x'] }}\n{% endfor %}")
    rows = [{"name": "n%d" % i, "x": i} for i in range(100)]
    return sum(len(page.render(rows=rows)) for _ in range(rounds))


def safe_pages_repaired(rounds):
    from jinja2 import Environment
    page = Environment().from_string("{% for r in rows %}{{ r.name.upper() }} {{ r['x'] }}\n{% endfor %}")
    rows = [{"name": "n%d" % i, "x": i} for i in range(100)]
    return sum(len(page.render(rows=rows)) for _ in range(rounds))


def checked_planted(rounds):
    from lxml import etree
    text = ('<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType>'
            + '<xs:attribute name="x" type="xs:int"/></xs:complexType></xs:element></xs:schema>')
    total = 0
    for i in range(rounds):
        schema = etree.XMLSchema(etree.fromstring(text))
        total += schema.validate(etree.fromstring('<a x="%d"/>' % i))
    return total


def checked_repaired(rounds):
    from lxml import etree
    text = ('<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType>'
            + '<xs:attribute name="x" type="xs:int"/></xs:complexType></xs:element></xs:schema>')
    total, schema = 0, etree.XMLSchema(etree.fromstring(text))
    for i in range(rounds):
        total += schema.validate(etree.fromstring('<a x="%d"/>' % i))
    return total


def ask(app, rounds):
    import asyncio
    scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"",
             "headers": [], "http_version": "1.1", "root_path": "", "scheme": "http",
             "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def run():
        sizes = []

        async def send(message):
            sizes.append(len(message.get("body", b"")))
        for _ in range(rounds):
            await app(dict(scope), receive, send)
        return sum(sizes)
    return asyncio.run(run())


def endpoints_planted(rounds):
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    def home(request):
        return PlainTextResponse("hello")
    return ask(Starlette(routes=[Route("/", home)]), rounds)


def endpoints_repaired(rounds):
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    async def home(request):
        return PlainTextResponse("hello")
    return ask(Starlette(routes=[Route("/", home)]), rounds)


def resource_planted(rounds):
    import importlib.resources
    return sum(len((importlib.resources.files("json") / "__init__.py").read_text()) for _ in range(rounds))


def resource_repaired(rounds):
    import importlib.resources
    text = (importlib.resources.files("json") / "__init__.py").read_text()
    return sum(len(text) for _ in range(rounds))


def tokens_planted(rounds):
    from nltk.tokenize import TreebankWordTokenizer
    text = "It's a small text, which isn't long: \"words\" and signs (with 1,000 numbers)."
    return sum(len(TreebankWordTokenizer().tokenize(text)) for _ in range(rounds))


def tokens_repaired(rounds):
    import re
    pattern = re.compile(r"\w+|[^\w\s]")
    text = "It's a small text, which isn't long: \"words\" and signs (with 1,000 numbers)."
    return sum(len(pattern.findall(text)) for _ in range(rounds))


def topics_planted(rounds):
    from gensim.models import LdaModel
    texts = [[((i * 7 + j) % 500, 1 + j % 3) for j in range(30)] for i in range(rounds)]
    return LdaModel(texts, num_topics=5, id2word={i: "w%d" % i for i in range(500)}, chunksize=50,
                    eval_every=1, random_state=1).num_topics


def topics_repaired(rounds):
    from gensim.models import LdaModel
    texts = [[((i * 7 + j) % 500, 1 + j % 3) for j in range(30)] for i in range(rounds)]
    return LdaModel(texts, num_topics=5, id2word={i: "w%d" % i for i in range(500)}, chunksize=50,
                    eval_every=None, random_state=1).num_topics


def cookies_planted(rounds):
    from flask import Flask, session
    app = Flask("shop")
    app.secret_key = "key"

    @app.route("/")
    def home():
        session["cart"] = ["item %d" % i for i in range(200)]
        return "hello"
    client = app.test_client(use_cookies=False)
    return sum(len(client.get("/").data) for _ in range(rounds))


def cookies_repaired(rounds):
    from flask import Flask
    app, carts = Flask("shop"), {}
    app.secret_key = "key"

    @app.route("/")
    def home():
        carts["id"] = ["item %d" % i for i in range(200)]
        return "hello"
    client = app.test_client(use_cookies=False)
    return sum(len(client.get("/").data) for _ in range(rounds))


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
