/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs by region, as a tree: each without and with its inner regions.  The
 * exclusive ones sum to the whole.
 */
#include <math.h>

#include "base/pool.h"
#include "document/table.h"
#include "kernels/flops_parts.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/slots.h"

enum column_index {
    PATH,
    INCLUSIVE,
    EXCLUSIVE,
    SHARE,
    TIME,
    OWN_TIME,
    KERNEL,
    RATE,
    UNKNOWN,
    CALLS,
    MACS
};

static const struct column columns[] = {
    [PATH] = {"path", "region", "the region under those around it", UNIT_TEXT, 0},
    [INCLUSIVE] = {"flops", "FLOPs", "of kernels called in it, and in the regions inside",
                   UNIT_FLOPS, 0},
    [EXCLUSIVE] = {"exclusive_flops", "own", "of kernels called in it, not in those inside",
                   UNIT_FLOPS, 0},
    [SHARE] = {"share", "share", "own FLOPs, of all known ones", UNIT_FRACTION, 0},
    [TIME] = {"inclusive_ns", "time", "with the regions inside", UNIT_NS, 1},
    [OWN_TIME] = {"exclusive_ns", "own time", "without the regions inside", UNIT_NS, 4},
    [KERNEL] = {"kernel_ns", "kernels", "time in kernels, with the regions inside", UNIT_NS, 3},
    [RATE] = {"flops_per_second", "rate", "FLOPs by time, both with the regions inside",
              UNIT_FLOPS_PER_SECOND, 2},
    [UNKNOWN] = {"unknown_flops_fraction", "unknown",
                 "of the time in kernels, in those of unknown FLOPs", UNIT_FRACTION, 5},
    [CALLS] = {"calls", "calls", "times the region ended", UNIT_COUNT, 6},
    [MACS] = {"macs", "MACs", "multiply-adds, with the regions inside", UNIT_COUNT, 7},
};

static const struct table_schema schema = {"flops", "FLOPs by region", columns,
                                           sizeof columns / sizeof *columns, "share"};

/* Sums of a region, and its place in the tree. */
struct node {
    struct group_work own;
    struct group_work whole;
    uint64_t kernel_ns; /* including inner regions */
    uint32_t child;     /* first child; then the next sibling; 0: none */
    uint32_t next;
};

static void add_slot(struct group_work *work, const struct session *session,
                     const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;

    if (slot->nested)
        return;
    if (isnan(slot->flops_each) || !kernel) {
        work->unknown_ns += slots_times(session, slot).self_ns;
        return;
    }
    work->known_calls += slot->calls;
    work->flops += slot->flops_each * slot->calls;
    work->class_flops[kernel->class] += slot->flops_each * slot->calls;
}

static void add_whole(struct group_work *to, const struct group_work *from)
{
    to->known_calls += from->known_calls;
    to->unknown_ns += from->unknown_ns;
    to->flops += from->flops;
    to->class_flops[CATALOG_MATMUL] += from->class_flops[CATALOG_MATMUL];
}

/* Parents come before their children: in reverse order, each is complete when it is added to its
 * parent, and the first child ends up first. */
static void sum_up(struct node *nodes, const struct session *session)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        add_slot(&nodes[slot->region].own, session, slot);
        nodes[slot->region].kernel_ns += slots_times(session, slot).self_ns;
    }
    for (size_t i = session->regions.count; i-- > 0;) {
        const struct session_region *region = session_region_at(session, i);

        add_whole(&nodes[i].whole, &nodes[i].own);
        if (i == 0)
            break;
        add_whole(&nodes[region->parent].whole, &nodes[i].whole);
        nodes[region->parent].kernel_ns += nodes[i].kernel_ns;
        nodes[i].next = nodes[region->parent].child;
        nodes[region->parent].child = (uint32_t)i;
    }
}

/* The root is the time outside of any region: its own time is the rest. */
static void set_times(struct value *row, const struct session *session, uint32_t index)
{
    const struct session_region *region = session_region_at(session, index);
    uint64_t inside = 0;

    if (index != 0) {
        value_set_unsigned(&row[TIME], region->inclusive_ns);
        value_set_unsigned(&row[OWN_TIME], region->exclusive_ns);
        value_set_unsigned(&row[CALLS], region->calls);
        return;
    }
    for (size_t i = 1; i < session->regions.count; i++)
        inside += session_region_at(session, i)->exclusive_ns;
    value_set_unsigned(&row[TIME], session->thread_ns);
    value_set_unsigned(&row[OWN_TIME],
                       session->thread_ns > inside ? session->thread_ns - inside : 0);
}

static void add_row(struct table *table, const struct session *session, const struct node *nodes,
                    uint32_t index)
{
    const struct session_region *region = session_region_at(session, index);
    const struct node *node = &nodes[index];
    struct value *row = table_add_row(table);
    uint64_t time = index == 0 ? session->thread_ns : region->inclusive_ns;

    value_set_count(&row[INCLUSIVE], group_work_flops(&node->whole));
    value_set_count(&row[EXCLUSIVE], group_work_flops(&node->own));
    value_set_ratio(&row[SHARE], group_work_flops(&node->own), nodes[0].whole.flops);
    set_times(row, session, index);
    value_set_unsigned(&row[KERNEL], node->kernel_ns);
    value_set_ratio(&row[RATE], group_work_flops(&node->whole) * 1e9L, time);
    value_set_ratio(&row[UNKNOWN], node->whole.unknown_ns, node->kernel_ns);
    if (node->whole.known_calls > 0)
        value_set_count(&row[MACS], node->whole.class_flops[CATALOG_MATMUL] / 2);
    value_set_text(&row[PATH], index == 0 ? "(no region)" : region->path);
}

/* To the first child, else to the next sibling, else to a sibling of the nearest parent. */
static uint32_t next_in_tree(const struct session *session, const struct node *nodes,
                             uint32_t index)
{
    if (nodes[index].child)
        return nodes[index].child;
    while (index != 0 && !nodes[index].next)
        index = session_region_at(session, index)->parent;
    return nodes[index].next;
}

static void add_rows(struct table *table, const struct session *session, const struct node *nodes)
{
    uint32_t index = 0;

    do {
        add_row(table, session, nodes, index);
        index = next_in_tree(session, nodes, index);
    } while (index != 0);
    table_say(table, flops_no_region_text, said_time((double)session->thread_ns));
    if (session->regions.count <= 1)
        table_say(table, flops_no_regions_text);
}

void flops_build_regions(const struct session *session, struct table *table)
{
    struct node *nodes = pool_get_zeros(session->regions.count + 1, sizeof *nodes);

    table_init(table, &schema);
    sum_up(nodes, session);
    if (session->regions.count > 0)
        add_rows(table, session, nodes);
}
