/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of Python code of one thread, copied while the thread is stopped.
 *
 * They lie close together, so each page has many of them.
 */
#ifndef WHERE_FRAMES_H
#define WHERE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct interpreter;

enum { FRAMES_MOST = 256, FRAMES_PAGE = 4096, FRAMES_PAGES = 16 };

struct frames_item {
    uint64_t code;        /* address of its code object */
    uint64_t instruction; /* address of where it is */
    bool is_entry;        /* the interpreter's loop was called for it */
};

struct frames {
    struct frames_item items[FRAMES_MOST]; /* innermost first */
    size_t count;
    bool is_cut;  /* outer ones were not copied */
    bool is_torn; /* the thread was stopped between two changes of its frames, which lead nowhere */
    /* The source of the copy. */
    const struct interpreter *interpreter; /* NULL: nothing is */
    uint64_t state;                        /* state of the thread; 0: it has none */
    uint64_t addresses[FRAMES_PAGES];
    size_t page_count;
    _Alignas(uint64_t) unsigned char pages[FRAMES_PAGES][FRAMES_PAGE];
};

/* Returns: memory for frames, already resident, so that a copy has no page fault. */
struct frames *frames_new(const struct interpreter *interpreter) MUST_CHECK;

void frames_free(struct frames *frames);

/* Set whose frames are copied: the state of a thread, or 0. */
void frames_aim(struct frames *frames, uint64_t state);

/* Copy the frames.  The thread must be stopped meanwhile. */
void frames_copy(struct frames *frames);

/* Ask whether the copied bytes are frames; the thread may run again. */
bool frames_are_right(const struct frames *frames);

#endif
