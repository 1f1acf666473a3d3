/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that was obtained or freed while recording was deferred (record/deferral.h).
 */
#ifndef RECORD_DEFERRED_BLOCK_H
#define RECORD_DEFERRED_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

struct deferred_block {
    const void *address;
    size_t size;
    size_t usable; /* bytes; 0: unknown */
    bool is_freed;
};

#endif
