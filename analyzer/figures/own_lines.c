/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time by the lines of a Python program's own files.
 */
#include "figures/own_lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include "figures/cpu_time.h"
#include "figures/places.h"
#include "model/session.h"
#include "model/session_samples.h"

static struct own_line *find_row(struct own_lines *lines, const struct place *place,
                                 struct text *key)
{
    struct own_line *row;
    long number;

    text_clear(key);
    text_appendf(key, "%" PRIu32, place->line);
    text_index_append_part(key, place->file);
    number = text_index_add(&lines->keys, key);
    if (number < 0)
        return NULL;
    if ((size_t)number < lines->rows.count)
        return array_at(&lines->rows, (size_t)number);
    row = array_add(&lines->rows);
    if (row)
        *row = (struct own_line){.place = place};
    return row;
}

/* The samples that are asked for. */
struct wish {
    own_lines_wanted wanted;
    const void *of;
};

static enum status add_samples(struct own_lines *lines, const struct cpu_time *time,
                               const struct wish *wish, struct text *key)
{
    const struct session *session = time->session;

    for (size_t i = 0; i < session->samples.count && time->sample_self_ns; i++) {
        const struct session_sample *sample = session_sample_at(session, i);
        const struct place *place =
            wish->wanted(time, i, wish->of)
                ? places_find_known(time->places, sample->call, place_is_own_python)
                : NULL;
        struct own_line *row = place ? find_row(lines, place, key) : NULL;

        if (!place)
            continue;
        if (!row)
            return STATUS_OUT_OF_MEMORY;
        row->ns += time->sample_self_ns[i];
        row->samples += sample->count;
        lines->ns += time->sample_self_ns[i];
    }
    return STATUS_OK;
}

static int compare_rows(const void *left, const void *right)
{
    const struct own_line *one = left, *other = right;

    if (one->ns != other->ns)
        return one->ns < other->ns ? 1 : -1;
    return (one->place->line > other->place->line) - (one->place->line < other->place->line);
}

enum status own_lines_init_of(struct own_lines *lines, const struct cpu_time *time,
                              own_lines_wanted wanted, const void *of)
{
    const struct wish wish = {wanted, of};
    enum status status;
    struct text key;

    *lines = (struct own_lines){.ns = 0};
    array_init(&lines->rows, sizeof(struct own_line));
    text_init(&key);
    status = add_samples(lines, time, &wish, &key);
    text_fini(&key);
    if (!status && lines->rows.count > 0)
        qsort(lines->rows.items, lines->rows.count, sizeof(struct own_line), compare_rows);
    return status;
}

static bool wants_all(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)time;
    (void)sample;
    (void)of;
    return true;
}

enum status own_lines_init(struct own_lines *lines, const struct cpu_time *time)
{
    return own_lines_init_of(lines, time, wants_all, NULL);
}

void own_lines_fini(struct own_lines *lines)
{
    array_fini(&lines->rows);
    text_index_fini(&lines->keys);
}
