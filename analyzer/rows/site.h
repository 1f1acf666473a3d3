/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a call, from its return address: for a kernel call, a wait, or an op.
 */
#ifndef ROWS_SITE_H
#define ROWS_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct session;

struct site {
    const char *module;   /* base name of its file; NULL: unknown */
    const char *function; /* NULL: unknown */
    const char *file;     /* source file; NULL: unknown */
    uint32_t line;        /* 0: unknown */
    uint64_t offset;      /* offset of the call in its function, if no line is known; else 0 */
    uint64_t address;     /* in the module, or where that is unknown, in the process */
    bool is_python;       /* Python code called the module */
};

/* Find the innermost function at an address. */
struct site site_find(const struct session *session, uint64_t address);

/* The same outside of inlined functions of system headers, such as std::mutex::lock, which hide
 * their callers. */
struct site site_find_own(const struct session *session, uint64_t address);

/* Append "file:line function", "function+0x12 library", or "library+0x1234". */
void site_append(struct text *text, const struct site *site);

/* Append "file.py function" of the Python code that a call comes from.
 * Returns: false where there is none. */
bool site_append_python(struct text *text, const struct session *session, uint64_t address);

/* Returns: the base name of its source file, else that of its module; NULL: both are unknown. */
const char *site_file(const struct site *site);

#endif
