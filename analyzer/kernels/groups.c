/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gathering slots into groups.
 */
#include "kernels/groups.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "kernels/nesting.h"
#include "kernels/padding.h"
#include "kernels/roles.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/slots.h"
#include "rows/dimensions.h"

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The state while slots are gathered. */
struct gathering {
    const struct session *session;
    const struct analysis_options *options;
    struct roles roles; /* roles of rows by operation */
    struct text name;   /* name of the current row */
    uint32_t *row_of;   /* row by slot */
};

static struct group *group_at(const struct groups *groups, uint32_t row)
{
    return array_at(&groups->rows, row);
}

static const char *find_library(const struct session *session, const struct session_slot *slot)
{
    const struct session_module *module = session_binding_at(session, slot->binding)->module;

    return module ? text_base_name(module->path) : NULL;
}

static void append_class(struct text *name, const struct session_slot *slot)
{
    text_append(name, slot->kernel ? group_class_name(slot->kernel->class) : "not in the catalog");
}

static void append_library(struct text *name, const struct session *session,
                           const struct session_slot *slot)
{
    const char *library = find_library(session, slot);

    text_append(name, library ? library : groups_no_library_text.words);
}

/* The name of a slot's row, if rows are no kernels. */
static void append_label(struct text *name, const struct gathering *of, size_t index)
{
    const struct session *session = of->session;
    const struct session_slot *slot = session_slot_at(session, index);
    const struct fact fact = {slot->thread, slot->region, fact_layer(session, slot->op),
                              slot->site};
    enum analysis_by by = of->options->by;

    if (by == ANALYSIS_BY_CLASS)
        append_class(name, slot);
    else if (by == ANALYSIS_BY_OP)
        text_append(name, role_name(roles_of(&of->roles, index)->role));
    else if (by == ANALYSIS_BY_LIBRARY)
        append_library(name, session, slot);
    else
        dimension_find(by)(name, session, &fact);
}

static struct group *find_labelled(struct groups *groups, struct gathering *of, size_t index)
{
    text_clear(&of->name);
    append_label(&of->name, of, index);
    return fold_find_named(&groups->fold, of->name.bytes);
}

_Static_assert(offsetof(struct group, label) == 0, "as fold_find_named has it");

static void append_shape(struct text *name, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;
    char shape[GROUPS_SHAPE_SIZE];

    if (!kernel || slot->dims != kernel->shape_count)
        return;
    catalog_format_shape(kernel, slot->shape, shape, sizeof shape);
    text_append(name, shape);
}

static void start_kernel(struct groups *groups, struct group *group, const struct gathering *of,
                         const struct session_slot *slot)
{
    group->name = session_name_slot(of->session, slot);
    group->symbol = session_binding_at(of->session, slot->binding)->symbol;
    group->kernel = slot->kernel;
    group->library = find_library(of->session, slot);
    group->precision = slots_said_precision(slot);
    group->shape = fold_keep(&groups->fold, of->name.bytes);
    if (of->options->by != ANALYSIS_BY_KERNEL)
        group->implementation = slot->implementation;
}

/* Slots of one row may differ in these values. */
static void check_kernel(struct group *group, const struct gathering *of,
                         const struct session_slot *slot)
{
    if (!is_same(group->symbol, session_binding_at(of->session, slot->binding)->symbol))
        group->symbol = NULL;
    if (group->precision != slots_said_precision(slot))
        group->precision = CATALOG_PRECISIONS;
}

static struct group *find_kernel(struct groups *groups, struct gathering *of, size_t index)
{
    const struct session_slot *slot = session_slot_at(of->session, index);
    bool has_shapes = of->options->by != ANALYSIS_BY_KERNEL;
    uint32_t row;

    text_clear(&of->name);
    if (has_shapes)
        append_shape(&of->name, slot);
    fold_by_text(&groups->fold, session_name_slot(of->session, slot));
    fold_by_text(&groups->fold, find_library(of->session, slot));
    fold_by_text(&groups->fold, has_shapes ? slot->implementation : NULL);
    fold_by_text(&groups->fold, of->name.bytes);
    if (fold_find(&groups->fold, &row))
        start_kernel(groups, group_at(groups, row), of, slot);
    else
        check_kernel(group_at(groups, row), of, slot);
    return group_at(groups, row);
}

static void start(struct group *group, size_t index)
{
    group->slot = group->last_slot = index;
    group->min_ns = UINT64_MAX;
    group->first_ns = SESSION_UNKNOWN;
    group->shape = group->shape ? group->shape : "";
    array_init(&group->series, sizeof(struct group_series));
}

/* Find the row of a slot by the kind of rows, by default a kernel's. */
static struct group *find_group(struct groups *groups, struct gathering *of, size_t index)
{
    size_t count = groups->rows.count;
    bool is_labelled = (unsigned)GROUPS_LABELLED >> of->options->by & 1;
    struct group *group = is_labelled ? find_labelled(groups, of, index)
                                      : find_kernel(groups, of, index);

    if (groups->rows.count > count)
        start(group, index);
    of->row_of[index] = (uint32_t)(group - (struct group *)groups->rows.items);
    return group;
}

/* If the first calls were overwritten, the warm-up was overwritten, too. */
static struct group_series series_of(const struct session *session, uint32_t index,
                                     const struct analysis_options *options)
{
    const struct session_slot *slot = session_slot_at(session, index);
    size_t count = slot->durations_ns.count;
    bool is_whole = count >= slot->recorded_calls && !slot->is_sequel;
    size_t warmup = is_whole ? options->warmup : 0;

    if (options->runs > 0 && warmup + options->runs < count)
        count = warmup + options->runs;
    return (struct group_series){index,
                                 slot->durations_ns.items,
                                 (uint64_t)llround(session_inner_cost_ns(session, slot)),
                                 warmup < count ? warmup : count,
                                 count,
                                 is_whole};
}

static void add_warmup(struct group *group, const struct session_slot *slot,
                       const struct group_series *series)
{
    group->warmup_calls += series->warmup;
    if (slot->nested)
        return;
    group->owning_warmup_calls += series->warmup;
    for (size_t i = 0; i < series->warmup; i++)
        group->owning_warmup_ns += group_series_at(series, i);
}

/* The user wants statistics of records that were not drawn, such as the first of TPROF_RUNS. */
static bool is_drawn(const struct session *session, const struct session_slot *slot)
{
    bool is_stage = !session_stage_is_exact(&session->stages, TRACE_STAGE_KERNELS);

    return slot->timed_calls < slot->calls ||
           ((is_stage || session->has_drawn_calls) && slot->durations_ns.count < slot->calls);
}

static void add_series(struct group *group, const struct gathering *of, size_t index)
{
    const struct session_slot *slot = session_slot_at(of->session, index);
    struct group_series *series;

    if (slot->durations_ns.count == 0)
        return;
    series = array_add(&group->series);
    *series = series_of(of->session, (uint32_t)index, of->options);
    add_warmup(group, slot, series);
    group->sample_calls += series->count - series->warmup;
    group->is_drawn |= is_drawn(of->session, slot);
    group->has_estimated_calls |= slot->has_estimated_calls;
    if (group->series.count == 1 && series->is_whole)
        group->first_ns = group_series_at(series, 0);
}

static void add_to_work(struct group_work *work, const struct session_slot *slot,
                        const struct slots_times *times)
{
    const struct catalog_kernel *kernel = slot->kernel;
    long double flops = slot->flops_each * slot->calls;

    if (isnan(flops) || !kernel) {
        work->unknown_ns += times->self_ns;
        return;
    }
    work->known_calls += slot->calls;
    work->known_ns += times->total_ns;
    work->inside_ns += times->total_ns > times->self_ns ? times->total_ns - times->self_ns : 0;
    work->flops += flops;
    work->executed_flops += padding_executed_flops(slot) * slot->calls;
    work->is_on_device |= slot->is_on_device;
    work->class_flops[kernel->class] += flops;
}

static void add_work(struct group *group, const struct session_slot *slot, uint64_t total_ns)
{
    group->owning_calls += slot->calls;
    group->owning_ns += total_ns;
    group->flops += slot->flops_each * slot->calls;
    group->executed_flops += padding_executed_flops(slot) * slot->calls;
    group->bytes += slot->bytes_each * slot->calls;
}

/* tprof's own cost is subtracted, as from all other times of calls. */
static void add_extremes(struct group *group, const struct session *session,
                         const struct session_slot *slot)
{
    double cost_ns = round(session_inner_cost_ns(session, slot));
    uint64_t min_ns = slots_without_cost((double)slot->min_ns, cost_ns);
    uint64_t max_ns = slots_without_cost((double)slot->max_ns, cost_ns);

    if (min_ns < group->min_ns)
        group->min_ns = min_ns;
    if (max_ns > group->max_ns)
        group->max_ns = max_ns;
}

/* If at most one call after the first was not interrupted, the time of the others is a guess.  With
 * more calls but lost records the mean is known, and only its error is unknown. */
static bool is_guessed(const struct session_slot *slot)
{
    return slot->timed_calls <= slot->interrupted_calls + 2;
}

static void add_error(struct group *group, const struct session_slot *slot)
{
    double error_ns = slot->total_error_ns;

    group->total_variance += error_ns * error_ns;
    if (isnan(error_ns))
        error_ns = is_guessed(slot) ? (double)slot->estimated_ns : 0;
    group->most_variance += error_ns * error_ns;
}

/* Slots come in order, each once. */
static void chain_slot(struct groups *groups, struct group *group, size_t index)
{
    size_t *next = array_add(&groups->next_slots);

    *next = GROUPS_NO_SLOT;
    if (group->last_slot != index)
        *(size_t *)array_at(&groups->next_slots, group->last_slot) = index;
    group->last_slot = index;
}

/* A call nested in another one of the same routine is the same call of the program. */
static void count_calls(struct groups *groups, struct group *group, const struct gathering *of,
                        const struct session_slot *slot)
{
    bool is_inner = nesting_is_same(of->session, slot);

    group->calls += slot->calls;
    group->timed_calls += slot->timed_calls;
    group->inner_calls += is_inner ? slot->calls : 0;
    if (is_inner)
        return;
    groups->calls += slot->calls;
    groups->timed_calls += slot->timed_calls;
    groups->interrupted_calls += slot->interrupted_calls;
}

static void add_slot(struct groups *groups, struct gathering *of, size_t index)
{
    const struct session_slot *slot = session_slot_at(of->session, index);
    struct slots_times times = slots_times(of->session, slot);
    struct group *group = find_group(groups, of, index);

    chain_slot(groups, group, index);
    count_calls(groups, group, of, slot);
    add_error(group, slot);
    group->total_ns += times.total_ns;
    group->self_ns += times.self_ns;
    group->done_flops += padding_executed_flops(slot) * slot->calls;
    group->is_on_device |= slot->is_on_device;
    groups->self_ns += times.self_ns;
    add_extremes(group, of->session, slot);
    if (!slot->nested) {
        add_work(group, slot, times.total_ns);
        add_to_work(&group->work, slot, &times);
        add_to_work(&groups->work, slot, &times);
    } else
        groups->nested_ns += times.self_ns;
    add_series(group, of, index);
}

/* Rounded so that the costs of all rows sum to that of the whole. */
static void take_inside_cost(struct group_work *work, double before_ns, double share)
{
    double after_ns = before_ns + (double)work->inside_ns;
    double cost_ns = round(share * after_ns) - round(share * before_ns);
    uint64_t taken_ns = cost_ns < (double)work->inside_ns ? (uint64_t)cost_ns : work->inside_ns;

    work->known_ns -= taken_ns;
    work->inside_ns -= taken_ns;
}

/* The time around a kernel includes the cost of recording it.  That cost is subtracted from the
 * outer row's own time.  The outer row of each call is unknown, so the same fraction of the inner
 * time is subtracted everywhere. */
static void take_inside_costs(struct groups *groups)
{
    double whole_ns = (double)groups->work.inside_ns, before_ns = 0;
    double share = whole_ns > 0 ? fmax(0, 1 - (double)groups->nested_ns / whole_ns) : 0;

    for (size_t i = 0; i < groups->rows.count; i++) {
        struct group_work *work = &((struct group *)array_at(&groups->rows, i))->work;
        double inside_ns = (double)work->inside_ns;

        take_inside_cost(work, before_ns, share);
        before_ns += inside_ns;
    }
    take_inside_cost(&groups->work, 0, share);
}

/* Chains of these are three long at most: LAPACKE_dgesv, LAPACKE_dgesv_work, dgesv_. */
enum { INNER_DEPTH = 4 };

/* The outermost slot of the same routine that was around most of a slot's time. */
static size_t find_outermost(const struct session *session, size_t index)
{
    const struct session_slot *slot = session_slot_at(session, index);

    for (int depth = 0; depth < INNER_DEPTH && nesting_is_same(session, slot); depth++) {
        const struct session_around *around = slot->around.items;
        size_t most = 0;

        for (size_t i = 1; i < slot->around.count; i++)
            most = around[i].ns > around[most].ns ? i : most;
        index = around[most].slot;
        slot = session_slot_at(session, index);
    }
    return index;
}

static double around_ns(const struct session_slot *slot)
{
    const struct session_around *around = slot->around.items;
    double sum_ns = 0;

    for (size_t i = 0; i < slot->around.count; i++)
        sum_ns += (double)around[i].ns;
    return sum_ns;
}

/* The self time of an inner slot is moved to the outer rows, in proportion to their shares. */
static void move_self(struct groups *groups, const struct gathering *of, size_t index)
{
    const struct session_slot *slot = session_slot_at(of->session, index);
    const struct session_around *around = slot->around.items;
    uint64_t self_ns = slots_times(of->session, slot).self_ns, left_ns = self_ns;
    double all_ns = around_ns(slot);

    group_at(groups, of->row_of[index])->self_ns -= self_ns;
    for (size_t i = 0; i < slot->around.count; i++) {
        bool is_last = i + 1 == slot->around.count || !(all_ns > 0);
        double part = is_last ? 1 : (double)around[i].ns / all_ns;
        uint64_t ns = is_last ? left_ns : (uint64_t)(part * (double)self_ns);
        uint32_t row = of->row_of[find_outermost(of->session, around[i].slot)];

        ns = ns < left_ns ? ns : left_ns;
        group_at(groups, row)->self_ns += ns;
        left_ns -= ns;
    }
}

static void move_inner(struct groups *groups, const struct gathering *of)
{
    for (size_t i = 0; i < of->session->slots.count; i++)
        if (nesting_is_same(of->session, session_slot_at(of->session, i)))
            move_self(groups, of, i);
}

/* Rows that are no kernels count the program's own calls. */
static void count_own_rows(struct groups *groups)
{
    for (size_t i = 0; i < groups->rows.count; i++) {
        struct group *group = array_at(&groups->rows, i);

        if (group->label && group->inner_calls < group->calls)
            group->calls -= group->inner_calls;
        groups->own_rows += !group_is_inner(group);
    }
}

static void add_slots(struct groups *groups, struct gathering *of)
{
    bool has_roles = of->options->by == ANALYSIS_BY_OP;

    if (has_roles)
        roles_init(&of->roles, of->session);
    for (size_t i = 0; i < of->session->slots.count; i++)
        add_slot(groups, of, i);
    move_inner(groups, of);
    take_inside_costs(groups);
    count_own_rows(groups);
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *left = a, *right = b;

    if (group_is_inner(left) != group_is_inner(right))
        return group_is_inner(left) ? 1 : -1;
    if (left->self_ns != right->self_ns)
        return left->self_ns > right->self_ns ? -1 : 1;
    return strcmp(group_name(left), group_name(right));
}

static void find_libraries(struct groups *groups)
{
    struct array libraries; /* const char *: the first library of each name */
    struct fold names;

    array_init(&libraries, sizeof(const char *));
    fold_init(&names, &libraries);
    for (uint32_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = group_at(groups, i);
        uint32_t index;

        fold_by_text(&names, group->name);
        bool is_new = fold_find(&names, &index);
        const char **library = array_at(&libraries, index);
        if (is_new)
            *library = group->library;
        groups->names_libraries |= !is_same(*library, group->library);
    }
}

void groups_init(struct groups *groups, const struct session *session,
                 const struct analysis_options *options)
{
    struct gathering gathering = {.session = session, .options = options};

    memset(groups, 0, sizeof *groups);
    array_init(&groups->rows, sizeof(struct group));
    array_init(&groups->next_slots, sizeof(size_t));
    fold_init(&groups->fold, &groups->rows);
    text_init(&gathering.name);
    gathering.row_of = pool_get((session->slots.count + 1) * sizeof *gathering.row_of);
    add_slots(groups, &gathering);
    find_libraries(groups);
    if (groups->rows.count > 0)
        qsort(groups->rows.items, groups->rows.count, sizeof(struct group), compare_groups);
}

size_t groups_next_slot(const struct groups *groups, size_t slot)
{
    return *(const size_t *)array_at(&groups->next_slots, slot);
}
