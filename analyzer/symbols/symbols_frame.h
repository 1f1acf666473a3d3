/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions at an address, or the reason for having none; and its file.
 */
#ifndef SYMBOLS_SYMBOLS_FRAME_H
#define SYMBOLS_SYMBOLS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why an address has neither a name nor the place of its function. */
enum symbols_cause {
#define CAUSE(id, word) SYMBOLS_CAUSE_##id,
#include "symbols/symbols_causes.def"
#undef CAUSE
    SYMBOLS_CAUSES
};

/* One function at an address; there are several when the compiler inlined. */
struct symbols_frame {
    const char *function; /* demangled; NULL when unknown */
    const char *file;     /* from the debug information; NULL when unknown */
    uint32_t line;        /* 0 when unknown */
    bool is_inlined;      /* into the next frame */
    bool is_pausing;      /* the code there waits in a loop: symbols/code_pauses.h */
    uint64_t offset;      /* offset of the address in its function, if its name or the line is
                             unknown; else 0 */
    uint64_t start;       /* start of the function in the file; 0 when unknown or inlined */
    enum symbols_cause cause; /* set if it has neither name nor start */
};

/* A file as it ran. */
struct symbols_module {
    const char *path;
    const char *build_id; /* in hexadecimal; "" when there is none */
    uint64_t base;        /* an address in the process less the same in the file */
};

/* The map of the functions that a process compiled while it ran: see symbol_table_read_map. */
struct symbols_map {
    const char *path;
    const char *dumps[2]; /* where a dump may be instead of it; NULL: nowhere */
    uint64_t since_ns;    /* since 1970: an older one is another process's */
};

/* An address that was asked for. */
struct symbols_known {
    const char *file; /* build-id, a blank, the path */
    const char *problem; /* why the file gives no names, or NULL */
    uint64_t address; /* less the base of the module */
    const struct symbols_frame *frames;
    size_t count;
};

#endif
