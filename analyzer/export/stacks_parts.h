/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the stacks share: entering frame by frame.
 */
#ifndef EXPORT_STACKS_PARTS_H
#define EXPORT_STACKS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "export/stacks.h"

struct place;

/* Find the number of a frame. */
void stacks_find_frame(struct export_stacks *stacks, const struct export_frame *frame,
                       size_t *number);
void stacks_find_place(struct export_stacks *stacks, const struct place *place, size_t *number);

/* Go on from a stack to the one with another frame inside. */
void stacks_enter_number(struct export_stacks *stacks, struct export_stack **stack, size_t number);
void stacks_enter(struct export_stacks *stacks, struct export_stack **stack,
                  const struct export_frame *frame);

/* Whose stack it is: indices in the session, or SESSION_NONE; region and op 0 are none. */
struct stacks_owner {
    uint32_t thread, region, op, slot;
};

/* Enter the outermost frame, which stands for the owner; without one the stack stays the root. */
void stacks_enter_owner(struct export_stacks *stacks, struct export_stack **stack,
                        const struct stacks_owner *owner);

/* Add what threads waited for, and what kernels were called for. */
void stacks_add_waits(struct export_stacks *stacks);
void stacks_add_kernels(struct export_stacks *stacks);

#endif
