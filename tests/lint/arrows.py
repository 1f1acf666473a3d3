#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The arrows between folders: no include that arrows.table does not allow, no unused include, no
# parts of another folder, no function defined outside of its header's folder, and no circle of
# files inside a folder.  Documents must agree with the table, and lines of C must not be wider
# than in .clang-format.  Speaks TAP.
#
#   arrows.py           check
#   arrows.py --draw    print the picture for HACKING

import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
table = root / "tests/lint/arrows.table"
include_line = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_table():
    """Rows of the table: folder -> (what it is, the folders it may include)."""
    rows = {}
    for line in table.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        folder, what, allowed = (field.strip() for field in line.split("|"))
        top = folder.split("/")[0]
        rows[folder] = (what, [name if "/" in name else f"{top}/{name}" for name in allowed.split()])
    return rows


def sources(folders):
    """Every source below the folders of the table, with its text."""
    for folder in folders:
        for path in sorted((root / folder).glob("*")):
            if path.suffix in (".c", ".h", ".S", ".def"):
                yield folder, path, path.read_text(errors="replace")


def find_header(path, name):
    """The file that an include means, or None: a system's or a generated one."""
    for place in (path.parent, root / "shim", root / "analyzer"):
        if (place / name).is_file():
            return (place / name).resolve()
    return None


def folder_of(header):
    return str(header.parent.relative_to(root))


# ---- arrows -----------------------------------------------------------------------


def misplaced_rows(rows):
    """Rows that name a folder that does not stand above them."""
    seen = []
    for folder, (_, allowed) in rows.items():
        yield from (f"{folder} names {name}, which is not above it" for name in allowed if name not in seen)
        seen.append(folder)


def forbidden_arrows(rows):
    """Includes that no row allows, and the arrows that no include needs."""
    used = collections.Counter()
    for folder, path, text in sources(rows):
        for name in include_line.findall(text):
            header = find_header(path, name)
            target = folder_of(header) if header else folder
            if target == folder or target not in rows:
                continue
            used[folder, target] += 1
            if target not in rows[folder][1]:
                yield f"{path.relative_to(root)} includes {name}: no arrow from {folder} to {target}"
    for folder, (_, allowed) in rows.items():
        yield from (f"{folder} does not include {name}: the row is too wide"
                    for name in allowed if not used[folder, name])


# ---- unused includes ----------------------------------------------------------------

comment_or_string = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
word = re.compile(r"[A-Za-z_]\w*")
keywords = set("""auto break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch typedef union unsigned
void volatile while bool size_t define include ifdef ifndef endif""".split())


machines = ["x86_64", "aarch64"]

# A header that only wraps the system header that it includes.
wrapped = {"analyzer/base/hash.h": "/usr/include/uthash.h"}


def strip(text):
    return comment_or_string.sub(lambda match: " " if match.group()[0] == "/" else '""', text)


def offered(header):
    """Names that a header declares: macros, types, tags, constants, functions, variables.
    NAME_x86_64.h and the like are parts of NAME.h."""
    parts = [header] + [header.with_name(f"{header.stem}_{machine}.h") for machine in machines]
    behind = wrapped.get(str(header.relative_to(root)))
    if behind:
        parts.append(pathlib.Path(behind))
    text = strip("\n".join(part.read_text(errors="replace") for part in parts if part.is_file()))
    names = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
    if header.name == "texts.h":  # a row of texts.def: TEXT(name, ...) is name_text
        rows = (header.parent / "texts.def").read_text()
        names |= {f"{name}_text" for name in re.findall(r"^TEXT\((\w+)", rows, re.M)}
    text = re.sub(r"^\s*#(?:[^\n\\]|\\.|\\\n)*", " ", text, flags=re.M)
    names |= set(re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", text))
    names |= set(re.findall(r"\b(\w+)\s*\(", text))
    declared = r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=[^;]*)?"
    names |= set(re.findall(declared + r";", text)) | set(re.findall(declared + r"(?:\w+\s*);", text))
    for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text):
        names |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
    return names - keywords


def unused_includes(rows):
    """Includes of ours of which a file uses no name.  A .def is used by being included, and
    its names are used, too."""
    cache = {}
    for _, path, text in sources(rows):
        headers = [find_header(path, name) for name in include_line.findall(text)]
        body = "\n".join([text] + [header.read_text() for header in headers
                                   if header and header.suffix == ".def"])
        words = set(word.findall(strip(include_line.sub("", body))))
        for name in include_line.findall(text):
            header = find_header(path, name)
            if not header or header.suffix != ".h" or header.stem == path.stem:
                continue
            if header not in cache:
                cache[header] = offered(header)
            if not cache[header] & words:
                yield f"{path.relative_to(root)} includes {name} and uses nothing of it"


# ---- what stays in a folder -----------------------------------------------------------

function_head = re.compile(r"\s*((?:[\w*]+\s+)*[\w*]+[\s*]+)(\w+)\s*\(")


def outermost(text):
    """Statements of a source outside of braces, each ending with ';' or, a body, with '{}'."""
    text = re.sub(r"^\s*#(?:[^\n\\]|\\.|\\\n)*", " ", strip(text), flags=re.M)
    depth, kept = 0, []
    for character in text:
        kept.append("{}" if character == "{" and depth == 0 else character if depth == 0 else "")
        depth += {"{": 1, "}": -1}.get(character, 0)
    return re.findall(r"[^;}]*(?:;|\})", "".join(kept))


def functions(path, text):
    """Functions that a source declares for others, and those that it defines for others."""
    declared, defined = set(), set()
    for statement in outermost(text):
        head = function_head.match(statement)
        if head and "typedef" not in head.group(1):
            if not statement.endswith("}"):
                declared.add(head.group(2))
            elif path.suffix == ".h" or "static" not in head.group(1).split():
                defined.add(head.group(2))
    return declared, defined


def functions_elsewhere(rows):
    """Functions that a header declares, and that another folder defines.  A function that no
    source is seen to define is one of a macro, or generated."""
    headers, places = [], collections.defaultdict(set)
    for folder, path, text in sources(rows):
        if path.suffix in (".c", ".h"):
            declared, defined = functions(path, text)
            for name in defined:
                places[name].add(folder)
            if path.suffix == ".h":
                headers += [(folder, path, name) for name in sorted(declared)]
    for folder, path, name in headers:
        if places[name] and folder not in places[name]:
            yield f"{path.relative_to(root)} declares {name}, which {', '.join(places[name])} defines"


def parts_outside(rows):
    """Includes of the parts and the texts of another folder."""
    for folder, path, text in sources(rows):
        for name in include_line.findall(text):
            header = find_header(path, name)
            if header and re.search(r"(_parts|^texts)\.h$", header.name) and folder_of(header) != folder:
                yield f"{path.relative_to(root)} includes {name}, which is for {folder_of(header)} alone"


# ---- circles ---------------------------------------------------------------------------


def file_of(path):
    """The name that x.c, x.h and x_parts.h share, with each x_y.c that has no x_y.h: these are
    one file in parts."""
    name = path.stem
    if name.endswith("_parts") and (path.with_name(f"{name[:-6]}.h").is_file()
                                    or not path.with_suffix(".c").is_file()):
        return name[:-6]
    whole = name if path.suffix == ".h" or path.with_suffix(".h").is_file() else name.rpartition("_")[0]
    while whole and not path.with_name(f"{whole}.h").is_file() and not path.with_name(f"{whole}_parts.h").is_file():
        whole = whole.rpartition("_")[0]
    return whole or name


def includes_inside(rows):
    """By folder: which of its files include which others of its own."""
    graphs = {folder: collections.defaultdict(set) for folder in rows}
    for folder, path, text in sources(rows):
        for name in include_line.findall(text):
            header = find_header(path, name)
            if header and header.suffix == ".h" and folder_of(header) == folder and file_of(header) != file_of(path):
                graphs[folder][file_of(path)].add(file_of(header))
    return graphs


def reached_from(graph, file):
    """Files that a file includes, or one that it includes, and so on."""
    reached, ahead = set(), list(graph[file])
    while ahead:
        one = ahead.pop()
        if one not in reached:
            reached.add(one)
            ahead += graph.get(one, ())
    return reached


def circles(rows):
    """Files of a folder that include each other, be it through others.  Lists each once."""
    for folder, graph in includes_inside(rows).items():
        reached = {file: reached_from(graph, file) for file in list(graph)}
        told = set()
        for file in sorted(reached):
            circle = sorted(other for other in reached[file] if file in reached.get(other, ()))
            if file in circle and file not in told:
                told.update(circle)
                yield f"files of {folder} go in a circle: {' '.join(circle)}"


# ---- the picture --------------------------------------------------------------------


def draw(rows):
    """Lines of the picture: the folders of each side from above, each with what it is."""
    lines = []
    for side in ("analyzer", "shim"):
        names = {folder: folder[len(side) + 1:] or "main.c"
                 for folder in rows if folder.split("/")[0] == side}
        width = max(map(len, names.values()))
        lines += [f"  {side}/"] + [f"    {name:<{width}}  {rows[folder][0]}"
                                    for folder, name in reversed(names.items())]
    return lines


def missing_from_picture(rows):
    """Lines of the picture that HACKING has not."""
    text = (root / "HACKING").read_text()
    if "\n".join(draw(rows)) not in text:
        yield "HACKING has another picture: put there what arrows.py --draw prints"


# ---- decisions ------------------------------------------------------------------------


def lost_decisions(rows):
    """Decisions that no source names, and sources that name one that is not there."""
    named = set()
    texts = [(path, text) for _, path, text in sources(rows)]
    for folder, kind in (("python", "*.py"), ("packages", "*.sh")):
        texts += [(path, path.read_text()) for path in sorted((root / folder).rglob(kind))]
    for path, text in texts:
        for sentence in re.findall(r"Decisions?: doc/decisions/([^.]*)\.", text):
            for name in re.split(r"[,\s*]+", sentence):
                named.add(name)
                if not (root / "doc/decisions" / name).is_file():
                    yield f"{path.relative_to(root)} names doc/decisions/{name}, which is not there"
    for path in sorted((root / "doc/decisions").iterdir()):
        if path.name not in named:
            yield f"no source names {path.relative_to(root)}"


# ---- lines ----------------------------------------------------------------------------


def wide_lines(rows):
    """Lines of C that are wider than those of clang-format."""
    most = int(re.search(r"^ColumnLimit: (\d+)", (root / ".clang-format").read_text(), re.M).group(1))
    for top in ("analyzer", "shim", "samples", "tests"):
        for path in sorted((root / top).rglob("*.[ch]")):
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if len(line) > most:
                    yield f"{path.relative_to(root)}:{number} has {len(line)} columns"


def main():
    rows = read_table()
    if sys.argv[1:] == ["--draw"]:
        print("\n".join(draw(rows)))
        return
    checks = [("folders stand from below", misplaced_rows), ("no arrow but those of the table", forbidden_arrows),
              ("no include of which nothing is used", unused_includes),
              ("what a folder's header declares, that folder defines", functions_elsewhere),
              ("parts and texts stay in their folder", parts_outside),
              ("files inside a folder have no circle", circles),
              ("HACKING draws the table", missing_from_picture),
              ("decisions and sources name each other", lost_decisions),
              ("lines of C are as wide as clang-format's", wide_lines)]
    print(f"1..{len(checks)}")
    for number, (sentence, check) in enumerate(checks, 1):
        faults = list(check(rows))
        for fault in faults:
            print(f"# {fault}")
        print(f"{'not ok' if faults else 'ok'} {number} - {sentence}")


main()
