/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the stacks: the session whose stacks are added.
 */
#ifndef EXPORT_STACKS_PARTS_H
#define EXPORT_STACKS_PARTS_H

#include <stdint.h>

#include "cpu/cpu_row.h"
#include "export/stacks.h"
#include "stacks/call_chains.h"

struct stacks_source {
    struct export_stacks *stacks;
    const struct session *session;
    struct call_node *root; /* the root of its stacks */
    struct cpu_time time;
    struct call_chains chains;
    double seen_ns; /* processor time, and waiting in calls that were seen, in the wall time */
};

/* The owner of a stack: indices in the session, or SESSION_NONE; region and op 0 are none. */
struct stacks_owner {
    uint32_t thread, region, op, slot;
};

/* Enter the outermost frame, which names the owner.  Returns: the root if there is no owner. */
struct call_node *stacks_enter_owner(struct stacks_source *source,
                                     const struct stacks_owner *owner);

/* Enter a frame that has only a name. */
struct call_node *stacks_enter_name(struct stacks_source *source, struct call_node *node,
                                    const char *name);

/* Add time that a thread was seen to use: it is wall time, too. */
void stacks_add_seen(struct stacks_source *source, struct call_node *node,
                     enum export_weight weight, double ns);

/* Add the calls that threads waited in, the commands of devices, and the calls of kernels. */
void stacks_add_waits(struct stacks_source *source);
void stacks_add_commands(struct stacks_source *source);
void stacks_add_kernels(struct stacks_source *source);

#endif
