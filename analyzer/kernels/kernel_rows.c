/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of kernel tables.
 */
#include "kernels/kernel_rows.h"

#include <math.h>

#include "analysis/stage_words.h"
#include "kernels/texts.h"
#include "model/session.h"

void kernel_rows_set_names(struct value *name, struct value *shape, struct value *library,
                           const struct group *group)
{
    value_set_text(name, group->name);

    if (group->shape[0] != '\0')
        value_set_text(shape, group->shape);
    value_set_text(library, group->library);
}

void kernel_rows_set_origin(struct value *symbol, struct value *implementation,
                            const struct group *group)
{
    value_set_text(symbol, group->symbol);

    value_set_text(implementation, group->implementation);
}

/* Rows named in a note: the condition, by a whole, and the words for each. */
struct row_note {
    const struct said *sentence;
    size_t most;
    bool (*is_due)(const struct group *group, double whole_ns);
    void (*append)(struct text *list, const struct group *group);
};

static void append_row(struct text *list, const struct group *group, const struct row_note *note)
{
    text_appendf(list, "%s%s%s%s", list->size > 0 ? ", " : "", group_name(group),
                 group->shape[0] ? " " : "", group->shape);
    note->append(list, group);
}

static void add_row_note(struct table *table, const struct groups *groups, double whole_ns,
                         const struct row_note *note)
{
    struct text list;
    size_t count = 0;

    text_init(&list);
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (note->is_due(group, whole_ns) && count++ < note->most)
            append_row(&list, group, note);
    }
    if (count > note->most)
        say_part(&list, rows_more_text, said_count(count - note->most));
    if (count > 0)
        table_say(table, *note->sentence, said_words(list.bytes));
}

/* share of kernel time; less is not worth a line */
static const double rough_least = 0.01;

static bool is_rough(const struct group *group, double kernel_ns)
{
    return group_is_rough(group) && (double)group->total_ns >= rough_least * kernel_ns;
}

static void append_rough(struct text *list, const struct group *group)
{
    double variance = group->total_variance;

    say_part(list, rough_time_text, said_time((double)group->total_ns),
             isnan(variance) ? rough_error_text : said_time(sqrt(variance)));
}

static void name_rough(struct table *table, const struct groups *groups)
{
    static const struct row_note note = {&rough_times_text, 4, is_rough, append_rough};

    add_row_note(table, groups, (double)groups->self_ns, &note);
}

void kernel_rows_add_rough_note(struct table *table, const struct groups *groups)
{
    name_rough(table, groups);

    if (groups->timed_calls >= groups->calls)
        return;
    table_say(table, estimates_text);
}

/* Least share of thread time that is worth a line, and of the row's own time: less is noise. */
static const double first_least = 0.01, first_least_of_row = 0.1;

static bool is_slow_first(const struct group *group, double thread_ns)
{
    double cost_ns = group_first_cost_ns(group);

    return cost_ns >= first_least * thread_ns &&
           cost_ns >= first_least_of_row * (double)group->total_ns;
}

static void append_first(struct text *list, const struct group *group)
{
    say_part(list, first_cost_text, said_time(group_first_cost_ns(group)),
             said_time((double)group->total_ns));
}

void kernel_rows_add_first_note(struct table *table, const struct session *session,
                                const struct groups *groups)
{
    static const struct row_note note = {&first_calls_text, 3, is_slow_first, append_first};

    add_row_note(table, groups, (double)session->thread_ns, &note);
}

/* Counts rows whose time has no known error, such as those with one timed call. */
static size_t count_without_error(const struct groups *groups)
{
    size_t count = 0;

    for (size_t i = 0; i < groups->rows.count; i++)
        count += isnan(((const struct group *)array_at(&groups->rows, i))->total_variance) != 0;
    return count;
}

static void add_timed_note(struct table *table, const struct groups *groups)
{
    size_t without = count_without_error(groups);

    table_say(table, timed_calls_text, said_count(groups->timed_calls), said_count(groups->calls));
    if (without > 0)
        table_say(table, timed_error_text, said_count(without));
    if (groups->interrupted_calls > 0)
        table_say(table, interrupted_calls_text, said_count(groups->interrupted_calls));
}

void kernel_rows_add_estimate_note(struct table *table, const struct session *session,
                                   const struct groups *groups)
{
    bool are_timed = groups->timed_calls >= groups->calls;
    bool are_drawn = stage_words_are_due(session, STAGES_OF_KERNELS) || session->has_drawn_calls;

    if (!are_timed)
        add_timed_note(table, groups);
    if (!are_timed)
        name_rough(table, groups);
    stage_words_add_note(table, session, STAGES_OF_KERNELS);
    if (session->has_drawn_calls)
        table_say(table, too_many_calls_text);
    if (are_drawn)
        table_say(table, drawn_calls_text);
    if (!(are_timed && !are_drawn))
        table_say(table, estimates_text);
}
