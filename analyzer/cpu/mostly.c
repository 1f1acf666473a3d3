/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The function on which each thread or region spent most of its processor time.
 */
#include "cpu/mostly.h"

#include "base/pool.h"
#include "cpu/cpu_time.h"
#include "model/session.h"

static void set_words(struct value *value, const struct cpu_top *top)
{
    struct text text;

    text_init(&text);
    cpu_top_append(&text, top);
    value_take_text(value, &text);
}

static void fill(struct table *table, size_t column, const struct cpu_time *time,
                 enum cpu_top_of of)
{
    size_t groups = time->session->threads.count + time->session->regions.count;
    struct cpu_top *tops = pool_get_zeros(groups + 1, sizeof *tops);

    cpu_top_find(time, of, tops);
    for (size_t i = 0; i < table_row_count(table); i++)
        set_words(&table_row(table, i)[column], &tops[i]);
}

void mostly_fill(struct table *table, size_t column, const struct session *session,
                 const struct analysis_options *options, enum cpu_top_of of)
{
    const struct cpu_time_options by = {CPU_BY_FUNCTION, options->confidence,
                                        options->find_frames};
    struct cpu_time time;

    if (session->sampling.count == 0)
        return;
    cpu_time_init(&time, session, &by);
    fill(table, column, &time, of);
}
