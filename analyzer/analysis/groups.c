/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gathering slots into groups.
 */
#include "analysis/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static struct group *find_group(struct groups *groups, const struct group *like)
{
    for (size_t i = 0; i < groups->rows.count; i++) {
        struct group *group = array_at(&groups->rows, i);

        if (is_same(group->name, like->name) && is_same(group->library, like->library) &&
            is_same(group->implementation, like->implementation) &&
            strcmp(group->shape, like->shape) == 0)
            return group;
    }
    return NULL;
}

static struct group *get_group(struct groups *groups, const struct group *like)
{
    struct group *group = find_group(groups, like);

    if (group && !is_same(group->symbol, like->symbol))
        group->symbol = NULL;
    if (group)
        return group;
    group = array_add(&groups->rows);
    if (!group)
        return NULL;
    *group = *like;
    group->min_ns = UINT64_MAX;
    array_init(&group->samples_ns, sizeof(double));
    return group;
}

static void describe(struct group *like, const struct session *session,
                     const struct session_slot *slot, const struct analysis_options *options)
{
    const struct session_binding *binding = array_at(&session->bindings, slot->binding);

    memset(like, 0, sizeof *like);
    like->name = session_name_slot(session, slot);
    like->symbol = binding->symbol;
    like->kernel = slot->kernel;
    like->library = binding->module ? text_base_name(binding->module->path) : NULL;
    if (options->by == ANALYSIS_BY_KERNEL)
        return;
    like->implementation = slot->implementation;
    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, like->shape, sizeof like->shape);
}

/* The part of a measured duration that the clock reads themselves take. */
static uint64_t without_cost(double ns, double cost_ns)
{
    return ns > cost_ns ? (uint64_t)llround(ns - cost_ns) : 0;
}

static enum status add_samples(struct group *group, const struct session_slot *slot,
                               const struct analysis_options *options, double cost_ns)
{
    size_t skipped =
        slot->durations_ns.count < options->warmup ? slot->durations_ns.count : options->warmup;

    /* With events overwritten the first calls are gone, and with them the warm-up. */
    if (slot->durations_ns.count < slot->timed_calls)
        skipped = 0;
    group->warmup_calls += skipped;
    for (size_t i = 0; i < slot->durations_ns.count; i++) {
        uint64_t duration =
            without_cost((double)*(uint64_t *)array_at(&slot->durations_ns, i), cost_ns);
        double *sample;

        if (i == 0 && group->first_ns == 0)
            group->first_ns = duration;
        if (i < skipped)
            continue;
        sample = array_add(&group->samples_ns);
        if (!sample)
            return STATUS_OUT_OF_MEMORY;
        *sample = (double)duration;
    }
    return STATUS_OK;
}

static void add_work(struct group *group, const struct session_slot *slot)
{
    if (slot->nested)
        return;
    group->owning_calls += slot->calls;
    group->flops += slot->flops_each * slot->calls;
    group->bytes += slot->bytes_each * slot->calls;
}

/* What of our own cost a call's duration contains. */
static double inner_cost_ns(const struct session *session, const struct session_slot *slot)
{
    const struct session_binding *binding = array_at(&session->bindings, slot->binding);

    if (binding->kernel && !binding->kernel->is_compiled)
        return session->overhead.entry_inner_ns;
    return session->overhead.kernel_inner_ns;
}

static enum status add_slot(struct groups *groups, const struct session *session,
                            const struct session_slot *slot, const struct analysis_options *options)
{
    double cost_ns = inner_cost_ns(session, slot);
    uint64_t calls_cost_ns = (uint64_t)llround(cost_ns * (double)slot->calls);
    uint64_t self_ns = without_cost((double)slot->self_ns, (double)calls_cost_ns);
    struct group like;
    struct group *group;

    describe(&like, session, slot, options);
    group = get_group(groups, &like);
    if (!group)
        return STATUS_OUT_OF_MEMORY;
    group->calls += slot->calls;
    group->total_ns += without_cost((double)slot->total_ns, (double)calls_cost_ns);
    group->self_ns += self_ns;
    groups->self_ns += self_ns;
    if (slot->min_ns < group->min_ns)
        group->min_ns = slot->min_ns;
    if (slot->max_ns > group->max_ns)
        group->max_ns = slot->max_ns;
    add_work(group, slot);
    return add_samples(group, slot, options, cost_ns);
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *left = a, *right = b;

    if (left->self_ns != right->self_ns)
        return left->self_ns > right->self_ns ? -1 : 1;
    return strcmp(left->name ? left->name : "", right->name ? right->name : "");
}

static bool has_two_libraries(const struct groups *groups)
{
    for (size_t i = 0; i < groups->rows.count; i++)
        for (size_t j = i + 1; j < groups->rows.count; j++) {
            const struct group *left = array_at(&groups->rows, i),
                               *right = array_at(&groups->rows, j);

            if (is_same(left->name, right->name) && !is_same(left->library, right->library))
                return true;
        }
    return false;
}

enum status groups_init(struct groups *groups, const struct session *session,
                        const struct analysis_options *options)
{
    memset(groups, 0, sizeof *groups);
    array_init(&groups->rows, sizeof(struct group));
    for (size_t i = 0; i < session->slots.count; i++) {
        enum status status = add_slot(groups, session, array_at(&session->slots, i), options);

        if (status) {
            groups_fini(groups);
            return status;
        }
    }
    if (groups->rows.count > 0)
        qsort(groups->rows.items, groups->rows.count, sizeof(struct group), compare_groups);
    groups->names_libraries = has_two_libraries(groups);
    return STATUS_OK;
}

void groups_fini(struct groups *groups)
{
    for (size_t i = 0; i < groups->rows.count; i++)
        array_fini(&((struct group *)array_at(&groups->rows, i))->samples_ns);
    array_fini(&groups->rows);
}

long double group_macs(const struct group *group)
{
    if (!group->kernel || group->kernel->class != CATALOG_MATMUL)
        return (long double)NAN;
    return group->flops / 2;
}
