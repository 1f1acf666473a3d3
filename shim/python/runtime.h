/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the process has a CPython with readable frames, and which version.
 *
 * Safety: python_begin under the lock of the scan; the others on any thread.
 */
#ifndef PYTHON_RUNTIME_H
#define PYTHON_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/python_loop.h"
#include "spec/trace.h"

/* Addresses of the needed symbols in a library; 0 and NULL: the library lacks them. */
struct python_symbols {
    uint32_t version; /* PY_VERSION_HEX; 0: older than 3.11 */
    uint32_t module;  /* id of its row */
    const void *runtime;
    void *(*own_thread)(void);
    void *(*current_thread)(void);
    uintptr_t code_type;
    struct python_range loop; /* _PyEval_EvalFrameDefault */
    struct python_range rest; /* the rest of the same loop */
    bool may_watch; /* the type may be written */
    bool is_pypy;
};

/* A Python was found: read its frames from now on, if they can be. */
void python_begin(const struct python_symbols *symbols);

/* Read no more of them. */
void python_end(enum trace_python_off reason);

/* The first: a library is about to be unloaded, which may be this one.  The second: it was not
 * unloaded.  Nothing is read in between. */
void python_pause(void);
void python_go_on(void);

/* Write the found runtime, and again after a change. */
bool python_write_facts(unsigned *written);

/* Note whether frames had the version's layout.  If some had not, and none had, no more frames are
 * read. */
void python_note_proof(bool is_right);

#endif
