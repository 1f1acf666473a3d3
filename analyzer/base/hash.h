/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uthash, with one rule for running out of memory.
 *
 * Include this header, never <uthash.h>.  As it comes, uthash ends the process
 * when memory runs out; here only main may do that.  So the non-fatal mode is
 * on: an item for which there is no memory is left out of the table, which
 * stays as it was, and the caller asks after each HASH_ADD:
 *
 *     HASH_ADD_INT(threads, id, thread);
 *     if (!hash_was_added(&thread->hh))
 *         return diagnostic_set_out_of_memory(diagnostic);
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#ifdef UTHASH_H
#error "uthash.h was included before base/hash.h, without its rules"
#endif

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((void)(item))

#include <stdbool.h>
#include <uthash.h>

/* Ask whether the HASH_ADD that just used this handle found the memory. */
static inline bool hash_was_added(const UT_hash_handle *handle)
{
    return handle->tbl;
}

#endif
