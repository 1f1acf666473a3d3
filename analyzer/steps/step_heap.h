/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap's change in a stretch of time; exact to the block if beats start and end the stretch.
 */
#ifndef STEPS_STEP_HEAP_H
#define STEPS_STEP_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct session;

struct step_heap {
    uint64_t begin_bytes; /* live */
    uint64_t end_bytes;
    uint64_t peak_bytes;
    uint32_t peak_op;        /* innermost op that ran at the peak; 0: none */
    uint64_t obtained_bytes; /* UNKNOWN: not every block has a record; so are the next two */
    uint64_t obtained_blocks;
    uint64_t freed_bytes;
};

/* Returns: whether both ends are beats. */
bool step_heap_find(struct step_heap *heap, const struct session *session, uint64_t start_ns,
                    uint64_t end_ns);

#endif
