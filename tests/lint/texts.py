#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sentences that people read.  Each sentence of a report is a row of a texts.def, once, and is
# said somewhere; no sentence of a table is longer than twenty words, and neither a sentence nor a
# comment has a phrase of phrases.table.  Speaks TAP.
#
#   texts.py [FOLDER]        check, or only what is in a folder
#   texts.py --draw N SEED   print N sentences, for someone who has not written them

import collections
import pathlib
import random
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
analyzer = root / "analyzer"
commented = ("shim", "analyzer", "tests", "samples")
suffixes = (".c", ".h", ".S", ".def", ".y")
most_words = 20
least_words = 5  # from which on a string in a .c is a sentence

string = r'"((?:\\.|[^"\\\n])*)"'
strings = rf"{string}(?:\s*{string})*"
comment_or_string = re.compile(rf"/\*.*?\*/|{string}|'(?:\\.|[^'\\\n])+'", re.S)
row_line = re.compile(rf"^(TEXT|ADVICE)\(([\w, ]+), ({strings})\)", re.M)


def join(literals):
    """The text of adjacent string literals."""
    return "".join(re.findall(string, literals)).replace('\\"', '"').replace("\\n", " ").replace("%%", "%")


def uncomment(text):
    return comment_or_string.sub(lambda match: " " if match.group()[0] == "/" else match.group(), text)


def read_rows():
    """Rows of every texts.def: (file, name, words)."""
    for path in sorted(analyzer.glob("*/texts.def")):
        for kind, head, literals in (match.groups()[:3] for match in row_line.finditer(path.read_text())):
            yield path, (head if kind == "TEXT" else head.replace(", ", "_")), join(literals)


def read_tables():
    """Sentences of all tables: (file, words)."""
    for path in sorted(root.glob("*/**/*.def")):
        if path.relative_to(root).parts[0] in ("analyzer", "shim"):
            for match in re.finditer(strings, uncomment(path.read_text())):
                yield path, join(match.group())


def read_comments():
    """Comments of all sources: (file, line, words)."""
    for path in sorted(path for folder in commented for path in (root / folder).glob("**/*")):
        if path.suffix not in suffixes or not path.is_file():
            continue
        text = path.read_text()
        for match in comment_or_string.finditer(text):
            if match.group().startswith("/*"):
                words = re.sub(r"\s*\n[\s*]*", " ", match.group()[2:-2]).strip()
                yield path, text.count("\n", 0, match.start()) + 1, words


def split(words):
    """Sentences of a text; a value between braces is a word."""
    return re.split(r"(?<=[.!?])\s+", words)


def count_words(sentence):
    plain = re.sub(r"\{[^}]*\|[^}]*\}", "", sentence)
    return sum(1 for word in plain.split() if re.search(r"\w", word))


# ---- checks ---------------------------------------------------------------------------


def repeated_rows():
    """Sentences that stand in two rows, and rows of one name."""
    places = collections.defaultdict(list)
    names = collections.Counter()
    for path, name, words in read_rows():
        places[words].append(f"{path.parent.name}/{name}")
        names[name] += 1
    for words, rows in places.items():
        if len(rows) > 1 and count_words(words) >= least_words:
            yield f"analyzer/{' and '.join(rows)} say the same: {words}"
    yield from (f"two rows have the name {name}" for name, count in names.items() if count > 1)


def unsaid_rows():
    """Rows that no source says: a text by its name, advice by its rule or in quotes."""
    sources = "\n".join(path.read_text() for path in analyzer.glob("**/*")
                        if path.suffix in (".c", ".h", ".def") and path.name != "texts.def")
    rules = re.findall(r"^RULE\((\w+),", (analyzer / "findings/rules.def").read_text(), re.M)
    said = {"TEXT": set(re.findall(r"\b(\w+)_text\b", sources)),
            "ADVICE": set(re.findall(r'"(\w+)"', sources) + rules)}
    for path in sorted(analyzer.glob("*/texts.def")):
        for kind, name in re.findall(r"^(TEXT|ADVICE)\((\w+),", path.read_text(), re.M):
            if name not in said[kind]:
                yield f"{path.relative_to(root)}: nothing says {name}"


def long_sentences():
    """Lists of commands, as options have them, are no sentences."""
    names = set(re.findall(r"^(?:COMMAND|SUBCOMMAND|ANALYSIS)\((\w+)", "".join(
        (analyzer / table).read_text() for table in ("cmd/commands.def", "analysis/analyses.def")), re.M))
    for path, words in read_tables():
        for sentence in split(words):
            if count_words(sentence) > most_words and not set(sentence.split()) <= names:
                yield f"{path.relative_to(root)}: {count_words(sentence)} words: {sentence}"


def read_phrases():
    for line in (root / "tests/lint/phrases.table").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, better = (field.strip() for field in line.split("  ", 1))
            yield re.compile(pattern), better


def poor_phrases():
    phrases = list(read_phrases())
    for path, words in read_tables():
        for pattern, better in phrases:
            found = pattern.search(words)
            if found:
                yield f"{path.relative_to(root)}: “{found.group()}”, {better}: {words}"


def poor_comments():
    phrases = list(read_phrases())
    for path, line, words in read_comments():
        for pattern, better in phrases:
            found = pattern.search(words)
            if found:
                yield f"{path.relative_to(root)}:{line}: “{found.group()}”, {better}"


# The start of an error's statement: its sentence stands where the error happens.
error = re.compile(r"\b(diagnostic_set|refuse\w*|fail|_Static_assert)\(")
# Help of a column or an option is next to its key.
own_help = re.compile(r"(\.help = |\bCALC_\w+\([^;]*|struct calc_operation \w+ = \{[^;]*)$")


def is_exempt(before, behind):
    statement = re.split(r"[;{}]", re.sub(string, '""', before))[-1]
    if error.search(statement) or own_help.search(before.rsplit(";", 1)[-1]):
        return True
    return re.match(r"\s*,\s*(UNIT_|$)", behind) or "UNIT_" in behind.split("}")[0]


def sentences_outside():
    """Sentences in sources of the folders that have a table.  The help of a column stands in
    the table of its columns, next to its unit; that of an analysis next to its name."""
    for table in sorted(analyzer.glob("*/texts.def")):
        for path in sorted(table.parent.glob("*.[ch]")):
            lines = uncomment(path.read_text()).replace("\\\n", " ")
            text = re.sub(r"^[ \t]*#(?! *define).*$", "", lines, flags=re.M)
            for match in re.finditer(strings, text):
                words = join(match.group())
                if sum(1 for word in words.split() if re.search(r"^\W*[A-Za-z-]{2,}\W*$", word)) < least_words:
                    continue
                if not is_exempt(text[:match.start()], text[match.end():match.end() + 60]):
                    yield f"{path.relative_to(root)}: {words}"


def main():
    if sys.argv[1:2] == ["--draw"]:
        rows = [words for _, _, words in read_rows()]
        print("\n".join(random.Random(int(sys.argv[3])).sample(rows, int(sys.argv[2]))))
        return
    folder = sys.argv[1] if len(sys.argv) > 1 else ""
    checks = [("each sentence is one row", repeated_rows), ("each row is said", unsaid_rows),
              ("no sentence is longer than twenty words", long_sentences),
              ("no sentence has a poor phrase", poor_phrases),
              ("no comment has a poor phrase", poor_comments),
              ("no sentence stands outside the tables", sentences_outside)]
    print(f"1..{len(checks)}")
    for number, (sentence, check) in enumerate(checks, 1):
        faults = [fault for fault in check() if folder in fault]
        for fault in faults:
            print(f"# {fault}")
        print(f"{'not ok' if faults else 'ok'} {number} - {sentence}")


main()
