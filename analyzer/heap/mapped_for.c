/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of mapped_for.def, asked by the innermost call outside of the shim and the C library.
 * CPython's own mmap module maps other sizes than its arenas have.
 *
 * Source: Objects/obmalloc.c of CPython, ARENA_SIZE.
 */
#include "heap/mapped_for.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "heap/memory_facts.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

static const struct {
    const char *file;
    uint64_t each_bytes;
    const char *what;
} rows[] = {
#define MAPPED_FOR(file, each_bytes, what) {file, each_bytes, what},
#include "heap/mapped_for.def"
#undef MAPPED_FOR
};

enum { ROWS = sizeof rows / sizeof *rows };

/* A chain may have functions of Python alone, without the interpreter's own.
 * Returns: the base name of the file that mapped it; NULL: unknown. */
static const char *find_mapper(const struct session *session, uint32_t call)
{
    for (; call != 0; call = session_call_at(session, call)->parent) {
        const struct session_call *of = session_call_at(session, call);
        const char *path =
            of->module == SESSION_NONE ? NULL : session_module_at(session, of->module)->path;

        if (python_is_call(of->address))
            return "python";
        if (path && !of->is_shim && !memory_is_c_library(path))
            return text_base_name(path);
    }
    return NULL;
}

/* Returns: the first row that says what a mapping is for; ROWS: none. */
static size_t find_row(const struct session *session, const struct session_mapping *mapping)
{
    const char *file = find_mapper(session, mapping->call);

    for (size_t i = 0; file && i < ROWS; i++)
        if (fnmatch(rows[i].file, file, 0) == 0 &&
            (rows[i].each_bytes == 0 || mapping->bytes == mapping->calls * rows[i].each_bytes))
            return i;
    return ROWS;
}

const char *mapped_for(const struct session *session, const struct session_mapping *mapping)
{
    size_t row = find_row(session, mapping);

    return row < ROWS ? rows[row].what : NULL;
}

const char *mapped_for_most(const struct session *session, uint64_t *bytes)
{
    uint64_t sums[ROWS + 1] = {0};
    size_t most = ROWS;

    for (size_t i = 0; i < session->mappings.count; i++) {
        const struct session_mapping *mapping = array_at(&session->mappings, i);

        sums[find_row(session, mapping)] += mapping->peak_bytes;
    }
    for (size_t i = 0; i < ROWS; i++)
        if (sums[i] > 0 && (most == ROWS || sums[i] > sums[most]))
            most = i;
    *bytes = most < ROWS ? sums[most] : 0;
    return most < ROWS ? rows[most].what : NULL;
}
