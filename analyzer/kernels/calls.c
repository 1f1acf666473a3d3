/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls one by one, for other computations.
 */
#include "kernels/calls.h"

#include <stdlib.h>

#include "analysis/stage_words.h"
#include "base/pool.h"
#include "kernels/groups.h"
#include "kernels/texts.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/slots.h"

enum { WHEN, TOOK, NAME, SHAPE, NTH, IS_WARMUP, THREAD, REGION, COLUMNS };

static const struct column columns[] = {
    [WHEN] = {"start_ns", "when", "its start, since the start of recording", UNIT_NS, 0},
    [TOOK] = {"duration_ns", "took", "how long it took, our own cost taken out", UNIT_NS, 0},
    [NAME] = {"name", "kernel", "as in the table of timing", UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that it was called with", UNIT_TEXT, 0},
    [NTH] = {"call", "call", "which call of its kernel, shape, place and thread: 1 is the first",
             UNIT_COUNT, 2},
    [IS_WARMUP] = {"is_warmup", "warm-up", "whether the statistics leave it out", UNIT_BOOL, 3},
    [THREAD] = {"thread", "thread", "that called", UNIT_NUMBER, 1},
    [REGION] = {"region", "region", "in which it was called", UNIT_TEXT, 4},
};

static const struct table_schema schema = {"calls", "Calls", columns, COLUMNS, NULL};

struct one_call {
    const struct course_call *call;
    uint32_t thread; /* index */
    uint64_t nth;
};

struct calls {
    const struct session *session;
    struct array found; /* of struct one_call */
    uint64_t *counts;   /* one for each slot */
};

static int compare_starts(const void *a, const void *b)
{
    const struct one_call *left = a, *right = b;
    uint64_t left_ns = left->call->start_ns, right_ns = right->call->start_ns;

    if (left_ns != right_ns)
        return left_ns < right_ns ? -1 : 1;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

static void gather(struct calls *calls)
{
    const struct session *session = calls->session;
    struct array *found = &calls->found;

    for (uint32_t thread = 0; thread < session->courses.count; thread++) {
        const struct array *course = &course_of(session, thread)->calls;

        array_reserve(found, found->count + course->count);
        for (size_t i = 0; i < course->count; i++) {
            const struct course_call *call = array_at(course, i);
            struct one_call *one = array_add(found);

            *one = (struct one_call){call, thread, ++calls->counts[call->slot]};
        }
    }
    if (found->count > 0)
        qsort(found->items, found->count, sizeof(struct one_call), compare_starts);
}

static void set_texts(struct value *row, const struct session *session, const struct one_call *of)
{
    const struct session_slot *slot = session_slot_at(session, of->call->slot);
    const struct session_region *region = session_region_at(session, slot->region);
    const struct catalog_kernel *kernel = slot->kernel;
    char shape[GROUPS_SHAPE_SIZE] = "";

    value_set_text(&row[NAME], session_name_slot(session, slot));
    if (kernel && slot->dims == kernel->shape_count)
        catalog_format_shape(kernel, slot->shape, shape, sizeof shape);
    value_set_unsigned(&row[THREAD], session_thread_at(session, of->thread)->id);
    if (shape[0] != '\0')
        value_set_text(&row[SHAPE], shape);
    if (slot->region != 0)
        value_set_text(&row[REGION], region->path);
}

static void add_row(struct table *table, const struct calls *calls, const struct one_call *of,
                    unsigned warmup)
{
    const struct session *session = calls->session;
    const struct session_slot *slot = session_slot_at(session, of->call->slot);
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[WHEN], of->call->start_ns);
    value_set_unsigned(&row[TOOK], slots_without_cost((double)course_length_ns(of->call),
                                                      session_inner_cost_ns(session, slot)));
    if (slots_is_numbered(slot, calls->counts[of->call->slot])) {
        value_set_unsigned(&row[NTH], of->nth);
        value_set_bool(&row[IS_WARMUP], of->nth <= warmup);
    }
    set_texts(row, session, of);
}

static void fill(struct table *table, const struct calls *calls,
                 const struct analysis_options *options)
{
    size_t count = calls->found.count;

    if (options->limit > 0 && options->limit < count)
        count = options->limit;
    table->rows_cut = calls->found.count - count;
    for (size_t i = 0; i < count; i++)
        add_row(table, calls, array_at(&calls->found, i), options->warmup);
    table_say(table, calls_left_out_text);
    stage_words_add_note(table, calls->session, STAGES_OF_KERNELS);
}

void calls_build(const struct session *session, const struct analysis_options *options,
                 struct table *table)
{
    struct calls calls = {.session = session,
                          .counts =
                              pool_get_zeros(session->slots.count + 1, sizeof *calls.counts)};

    table_init(table, &schema);
    array_init(&calls.found, sizeof(struct one_call));
    gather(&calls);
    fill(table, &calls, options);
}
