/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that a process obtained, or freed, while it waited (record/waiting.h).
 */
#ifndef RECORD_WAITING_BLOCK_H
#define RECORD_WAITING_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

struct waiting_block {
    const void *address;
    size_t size;
    size_t usable; /* bytes; 0: unknown */
    bool is_freed;
};

#endif
