/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the copy of a thread to its calls, through libunwind.
 */
#ifndef WHERE_UNWIND_H
#define WHERE_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct capture;
struct image;

enum { UNWIND_DEPTH_MAX = 1024 };

/* Why there are no more calls. */
enum unwind_end {
    UNWIND_WHOLE,    /* reached the start of the thread */
    UNWIND_BEYOND,   /* the rest is in memory that was not copied, as of another stack */
    UNWIND_REGISTER, /* a register is needed, which only a stopped thread has */
    UNWIND_RULES,    /* the code has no rules for it, or broken ones */
    UNWIND_DEEP,     /* UNWIND_DEPTH_MAX calls are there */
    UNWIND_ENDS
};

struct unwind_stack {
    /* Addresses to look up, innermost first: inside the calling instruction, not after it. */
    uint64_t addresses[UNWIND_DEPTH_MAX];
    size_t count;
    enum unwind_end end;
};

struct unwind;

/* Returns: an unwinder for the code of an image, which must outlive it. */
struct unwind *unwind_new(struct image *image) MUST_CHECK;

void unwind_free(struct unwind *unwind);

/* Find the start and the end of the function that has this code.  Returns: false when it has no
 * rules. */
bool unwind_find_function(struct unwind *unwind, uint64_t address, uint64_t *start, uint64_t *end);

/* Find the calls of a copy. */
void unwind_copy(struct unwind *unwind, const struct capture *capture, struct unwind_stack *stack);

#endif
