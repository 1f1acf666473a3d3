/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks the kernel which memory of the program can be read.  For memory that the program itself may
 * not be about to read on this thread.  The protection keys are those of this thread.
 *
 *                        a page that is not in memory    asks
 *     readable           is fetched                      for each page
 *     readable_at_once   is not readable                 for each page, and now and then whether
 *                                                        it is in memory
 *     readable_lately    is fetched                      once in a millisecond
 *
 * Fetching may take for ever where the program fetches itself (userfaultfd).
 *
 * Keeps errno.  Safety: signal-safe.
 *
 * Decision: doc/decisions/memory-that-is-asked-for.
 */
#ifndef PLATFORM_READABLE_H
#define PLATFORM_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May these bytes be read?  Asking about memory below a stack may make the stack grow. */
bool readable(uintptr_t address, size_t size);

/* The same without waiting for a page: for an address that may be no address. */
bool readable_at_once(uintptr_t address, size_t size);

enum { READABLE_PAGE = 4096 };

/* One search in the tables of an object. */
struct readable_search {
    uint64_t moment; /* now, and the keys of this thread */
    uintptr_t page;  /* the last that was found readable */
};

struct readable_search readable_begin(void);
bool readable_ask_lately(struct readable_search *search, uintptr_t address, size_t size);

/* The same for memory that an object was loaded with.  It lasts as long as the object, unless the
 * file is cut or a protection changes. */
static inline bool readable_lately(struct readable_search *search, uintptr_t address, size_t size)
{
    return (size <= READABLE_PAGE && address - search->page <= READABLE_PAGE - size) ||
           readable_ask_lately(search, address, size);
}

/* Ask whether each page from that of `start` to `end` is mapped, readable or not.  The question
 * does not make a stack grow.
 * Returns: false, too, if the kernel does not answer. */
bool readable_is_mapped(uintptr_t start, uintptr_t end);

#endif
