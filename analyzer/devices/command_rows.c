/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folds the sums of commands by a dimension: their name, kind, device, queue or place.
 */
#include "devices/command_rows.h"

#include <stdio.h>
#include <string.h>

#include "devices/queue_tracks.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "rows/dimensions.h"
#include "rows/fold.h"

struct filling {
    const struct session *session;
    const struct analysis_options *options;
    struct array *rows;
    struct fold fold;
    struct places *places;
};

static void append_queue(struct text *name, const struct session *session,
                         const struct session_command_sum *sum)
{
    if (sum->queue == SESSION_NONE)
        text_append(name, "host");
    else
        queue_append_name(name, session, sum->queue);
}

/* The line of the program's own code that asked. */
static void append_line(struct text *name, struct filling *filling,
                        const struct session_command_sum *sum)
{
    struct place owner;

    if (sum->chain != SESSION_NONE && places_find_owner_of(filling->places, sum->chain, &owner))
        place_append(name, &owner);
    else
        text_append(name, "(unknown)");
}

static void append_dimension(struct text *name, const struct session *session,
                             const struct session_command_sum *sum, enum analysis_by by)
{
    const struct fact fact = {sum->thread, sum->region, 0, sum->site};
    dimension append = dimension_find(by);

    if (append)
        append(name, session, &fact);
    else
        text_append(name, command_name(sum));
}

/* Columns that differ within a row of another dimension are unknown. */
static bool is_by_name(enum analysis_by by)
{
    return by == ANALYSIS_BY_DEFAULT || by == ANALYSIS_BY_NAME || by == ANALYSIS_BY_KERNEL;
}

static void append_name(struct text *name, struct filling *filling,
                        const struct session_command_sum *sum)
{
    enum analysis_by by = filling->options->by;
    const struct session_device *device = session_device_of(&filling->session->devices, sum);

    if (is_by_name(by))
        text_append(name, command_name(sum));
    else if (by == ANALYSIS_BY_KIND)
        text_append(name, command_kind(sum));
    else if (by == ANALYSIS_BY_DEVICE)
        text_append(name, device ? device->name : "host");
    else if (by == ANALYSIS_BY_QUEUE)
        append_queue(name, filling->session, sum);
    else if (by == ANALYSIS_BY_LINE)
        append_line(name, filling, sum);
    else
        append_dimension(name, filling->session, sum, by);
}

static void set_place(struct filling *filling, struct command_row *row,
                      const struct session_command_sum *sum)
{
    struct text place;

    if (row->place || sum->chain == SESSION_NONE)
        return;
    text_init(&place);
    append_line(&place, filling, sum);
    row->place = fold_keep(&filling->fold, place.bytes);
    text_fini(&place);
}

static void add(struct command_row *row, const struct session_command_sum *sum)
{
    row->calls += sum->calls;
    row->timed += sum->timed;
    row->failed += sum->failed;
    row->refused += sum->refused;
    row->run_ns += (double)sum->run_ns;
    row->host_ns += (double)sum->host_ns;
    row->bytes += sum->bytes;
    row->timed_bytes += sum->timed_bytes;
    row->work += sum->work;
    row->moved_ns += sum->bytes > 0 ? (double)sum->run_ns : 0;
    row->worked_ns += sum->work > 0 ? (double)sum->run_ns : 0;
    if (sum->min_ns < row->min_ns)
        row->min_ns = sum->min_ns;
    if (sum->max_ns > row->max_ns)
        row->max_ns = sum->max_ns;
}

/* CUDA's libraries tell when a command started, and not when it was queued. */
static void add_wait(struct command_row *row, const struct session_command_sum *sum,
                     const struct session_device *device)
{
    if (device && (device->fact.flags & TRACE_DEVICE_UNQUEUED))
        return;
    row->queued += sum->timed;
    row->wait_ns += (double)sum->wait_ns;
}

/* A build is the host's work: its time is that of its call. */
static void add_build(struct command_row *row, const struct session_command_sum *sum)
{
    row->run_ns += (double)sum->host_ns;
    row->timed += sum->calls;
    row->has_builds = true;
}

static void add_sum(struct filling *filling, const struct session_command_sum *sum)
{
    const struct session_device *device = session_device_of(&filling->session->devices, sum);
    struct command_row *row;
    struct text name;
    uint32_t index;
    bool is_new;

    text_init(&name);
    append_name(&name, filling, sum);
    fold_by_text(&filling->fold, name.bytes);
    if (is_by_name(filling->options->by)) {
        fold_by_number(&filling->fold, sum->kind);
        fold_by_text(&filling->fold, device ? device->name : NULL);
    }
    is_new = fold_find(&filling->fold, &index);
    row = array_at(filling->rows, index);
    if (is_new) {
        row->name = fold_keep(&filling->fold, name.bytes);
        row->kind = command_kind(sum);
        row->device = device ? device->name : NULL;
        row->min_ns = UINT64_MAX;
    }
    text_fini(&name);
    if (row->kind && strcmp(row->kind, command_kind(sum)) != 0)
        row->kind = NULL;
    if (row->device && (!device || strcmp(row->device, device->name) != 0))
        row->device = NULL;
    add(row, sum);
    add_wait(row, sum, session_device_of(&filling->session->devices, sum));
    if (sum->kind == TRACE_COMMAND_BUILD)
        add_build(row, sum);
    set_place(filling, row, sum);
}

void command_rows_fill(struct array *rows, const struct session *session,
                       const struct analysis_options *options)
{
    struct filling filling = {.session = session, .options = options, .rows = rows};

    array_init(rows, sizeof(struct command_row));
    fold_init(&filling.fold, rows);
    filling.places = places_new(session, options->find_frames);
    for (size_t i = 0; i < session->devices.sums.count; i++)
        if (session_command_sum_at(&session->devices, i)->calls > 0 ||
            session_command_sum_at(&session->devices, i)->refused > 0)
            add_sum(&filling, session_command_sum_at(&session->devices, i));
}
