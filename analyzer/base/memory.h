/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations that cannot fail: the program ends in this one place when memory runs out.
 *
 * So no caller checks for it, and nothing here returns NULL.  Readers compare each size that a file
 * names with the length of the file, before they allocate.
 *
 * Safety: any thread.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

#include "base/attributes.h"

/* Give `size` bytes that are not set; for size 0, an address that may be freed. */
void *memory_get(size_t size) GIVES_MEMORY;

/* Give room for `count` items of zero bytes. */
void *memory_get_zeros(size_t count, size_t size) GIVES_MEMORY;

/* Change the size of a block, as realloc; NULL is an empty block. */
void *memory_resize(void *block, size_t size) MUST_CHECK;

/* Copy a string, or its first `size` bytes. */
char *memory_copy(const char *string) GIVES_MEMORY;
char *memory_copy_part(const char *string, size_t size) GIVES_MEMORY;

/* Take over what a library allocated.  Returns: the block, which is not NULL. */
void *memory_have(void *block);

/* End the program with one line on standard error and exit status 3, after the last work. */
_Noreturn void memory_ran_out(void);

/* The exit status of a command that promises another one for its own failures. */
void memory_set_exit_status(int status);

/* Work to do before the program ends without memory: remove a half-written file, wait for a child.
 * It must not allocate memory.  The latest work is done first. */
struct memory_last_work {
    void (*act)(void *of);
    void *of;
    struct memory_last_work *next;
};

/* Note work, or withdraw it; the caller keeps the struct between the two. */
void memory_note_last_work(struct memory_last_work *work);
void memory_drop_last_work(struct memory_last_work *work);

#endif
