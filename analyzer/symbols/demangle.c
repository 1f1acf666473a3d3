/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the name of a symbol to the name in the source: C++ and Rust.
 *
 * libiberty parses names: it knows the Itanium ABI and both forms of Rust, needs no C++ library,
 * and its recursion limit also holds for maliciously nested names.  The limit refuses names of more
 * than 1024 characters, which templates reach.  A short name can be made to print without end, so
 * printing is cut off.
 *
 * To read: Itanium C++ ABI, 5.1 (External Names); RFC 2603 of Rust (Symbol Name Mangling v0).
 *
 * Decision: doc/decisions/functions-without-symbols.
 */
#include "symbols/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "base/text.h"

/* Bytes of a name: no table has room for as much. */
enum { DEMANGLED_MOST = 32768 };

/* Where a name is printed, and the jump out when it is too long. */
struct demangling {
    struct text *text;
    size_t limit; /* limit of the text's size */
    jmp_buf too_long;
};

/* libiberty holds no memory while it prints, so jumping out of it is safe. */
static void demangle_print(const char *bytes, size_t size, void *of)
{
    struct demangling *demangling = of;

    text_append_bytes(demangling->text, bytes, size);
    if (demangling->text->size > demangling->limit)
        longjmp(demangling->too_long, 1);
}

/* Returns: whether the name was one of C++ or Rust; else the text is unchanged. */
static bool demangle_whole(struct text *text, const char *name)
{
    enum { OPTIONS = DMGL_PARAMS | DMGL_ANSI };
    const size_t begin = text->size;
    struct demangling demangling = {.text = text, .limit = begin + DEMANGLED_MOST};

    if (setjmp(demangling.too_long) == 0) {
        if (rust_demangle_callback(name, OPTIONS, demangle_print, &demangling))
            return true;
        text_truncate(text, begin);
        if (cplus_demangle_v3_callback(name, OPTIONS, demangle_print, &demangling))
            return true;
    }
    text_truncate(text, begin);
    return false;
}

/* Append the next of nested names, "4name".
 * Returns: the text after the part; NULL when there is none. */
static const char *demangle_part(struct text *text, const char *at)
{
    static const char anonymous[] = "_GLOBAL__N_";
    size_t length = 0;

    at += *at == 'L'; /* in a name that is local to its file */
    if (!isdigit((unsigned char)*at))
        return NULL;
    for (; isdigit((unsigned char)*at) && length < DEMANGLED_MOST; at++)
        length = length * 10 + (size_t)(*at - '0');
    if (length == 0 || strnlen(at, length) < length)
        return NULL;
    if (strncmp(at, anonymous, strlen(anonymous)) == 0)
        text_append(text, "(anonymous namespace)");
    else
        text_append_bytes(text, at, length);
    return at + length;
}

/* The names at the start, up to the first that is not plain: "_ZN2at6native3addIfE..." starts as
 * at::native::add. */
static bool demangle_outline(struct text *text, const char *name)
{
    static const char nested[] = "_ZN", standard[] = "St";
    const char *at = name + strlen(nested);
    const char *next;
    bool is_inner = false;

    if (strncmp(name, nested, strlen(nested)) != 0)
        return false;
    at += strspn(at, "rVKRO");
    if (strncmp(at, standard, strlen(standard)) == 0) {
        text_append(text, "std");
        at += strlen(standard);
        is_inner = true;
    }
    for (; isdigit((unsigned char)at[*at == 'L']); at = next) {
        if (is_inner)
            text_append(text, "::");
        next = demangle_part(text, at);
        if (!next)
            return false;
        is_inner = true;
    }
    if (is_inner && *at != 'E')
        text_append(text, "<...>");
    return is_inner;
}

/* Returns: the end of the name without a compiler's suffix. */
static size_t demangle_find_end(const char *name, size_t length)
{
    static const char *const marks[] = {".part",     ".isra",  ".constprop",  ".cold",
                                        ".lto_priv", ".llvm", ".localalias", ".cfi"};
    size_t end = length;

    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        end--;
    end = end > 0 && end < length && name[end - 1] == '.' ? end - 1 : length;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t size = strlen(marks[i]);

        if (end > size && memcmp(name + end - size, marks[i], size) == 0)
            return end - size;
    }
    return length;
}

static size_t demangle_measure(const char *name)
{
    size_t length = strlen(name);
    size_t end = demangle_find_end(name, length);

    while (end < length) {
        length = end;
        end = demangle_find_end(name, length);
    }
    return end;
}

static bool demangle_is_mangled(const char *name)
{
    return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

bool demangle_append(struct text *text, const char *name)
{
    const size_t begin = text->size;
    size_t length = demangle_measure(name);
    struct text plain;

    if (!demangle_is_mangled(name)) {
        if (name[length] != '\0')
            text_append_bytes(text, name, length);
        return name[length] != '\0';
    }
    text_init(&plain);
    text_append_bytes(&plain, name, length);
    bool is_told = demangle_whole(text, plain.bytes) || demangle_outline(text, plain.bytes);
    if (!is_told)
        text_truncate(text, begin);
    text_fini(&plain);
    return is_told;
}
