/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions on which each thread, or each region, spent most of its processor time.
 */
#include "cpu/cpu_top.h"

#include <stdlib.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_table.h"
#include "cpu/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* A row's time in a thread or region. */
struct part {
    uint32_t group, row;
    double ns;
};

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Returns: how many there are. */
static size_t list_parts(const struct cpu_time *time, enum cpu_top_of of, struct part *parts)
{
    size_t count = 0;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        uint32_t group = of == CPU_TOP_OF_THREADS ? sample->thread : sample->region;

        if (group != SESSION_NONE)
            parts[count++] = (struct part){group, time->sample_row[i], time->sample_ns[i]};
    }
    return count;
}

static void take_part(const struct cpu_time *time, const struct part *part, struct cpu_top *top)
{
    top->ns += part->ns;
    if (top->row && part->ns <= top->row_ns)
        return;
    top->row = array_at(&time->rows, part->row);
    top->row_ns = part->ns;
}

void cpu_top_find(const struct cpu_time *time, enum cpu_top_of of, struct cpu_top *tops)
{
    struct part *parts = pool_get_zeros(time->session->samples.count + 1, sizeof *parts);
    size_t count;

    count = list_parts(time, of, parts);
    qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count || compare_parts(&parts[i], &parts[i + 1]) != 0;

        if (is_last)
            take_part(time, &parts[i], &tops[parts[i].group]);
        else
            parts[i + 1].ns += parts[i].ns;
    }
}

void cpu_top_append(struct text *text, const struct cpu_top *top)
{
    struct text name;

    if (!top->row || !(top->ns > 0))
        return;
    text_init(&name);
    cpu_table_append_name(&name, top->row);
    say(text, cpu_top_text, said_words(name.bytes), said_share(top->row_ns / top->ns));
}
