/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares the environments of the runs.
 */
#include "compare/doubts.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "compare/endings.h"
#include "compare/figure.h"
#include "compare/texts.h"

/* How many runs of a side have a fact with this value; NULL: how many lack the fact. */
static size_t count_value(const struct run_side *side, const char *name, const char *value)
{
    size_t count = 0;

    for (size_t i = 0; i < side->runs.count; i++) {
        const char *own = run_fact_value(array_at(&side->runs, i), name);

        count += own && value ? strcmp(own, value) == 0 : !own && !value;
    }
    return count;
}

/* Whether every run of both sides agrees, or each side varies in the same way. */
static bool is_told_apart(const struct pair *pair, const char *name, const char *value)
{
    return (count_value(pair->base, name, value) == 0) !=
           (count_value(pair->changed, name, value) == 0);
}

static void append_value(struct text *words, const struct run_side *side, const char *name)
{
    const struct run *first = array_at(&side->runs, 0);
    const char *value = run_fact_value(first, name);

    if (value)
        text_appendf(words, "%.60s", value);
    else
        say_part(words, doubt_fact_missing_text);
    if (count_value(side, name, value) < side->runs.count)
        say_part(words, doubt_fact_varies_text);
}

static void add_difference(struct text_list *doubts, const struct pair *pair, const char *name)
{
    struct text base, changed;

    text_init(&base);
    text_init(&changed);
    append_value(&base, pair->base, name);
    append_value(&changed, pair->changed, name);
    text_list_say(doubts, doubt_fact_text, said_words(name), said_words(base.bytes),
                  said_words(pair->base->label), said_words(changed.bytes),
                  said_words(pair->changed->label));
    text_fini(&base);
    text_fini(&changed);
}

/* People compare different commands on purpose, and bad endings are listed with their runs. */
static bool is_expected(const char *name)
{
    return strcmp(name, "command") == 0 || strcmp(name, run_ending) == 0;
}

/* The facts of `run` that no run before it had. */
static void add_facts(struct text_list *doubts, const struct pair *pair, const struct run *run,
                      const struct run *before)
{
    for (size_t i = 0; i < run->facts.count; i++) {
        const struct run_fact *fact = array_at(&run->facts, i);

        if (is_expected(fact->name) || (before && run_fact_value(before, fact->name)))
            continue;
        if (is_told_apart(pair, fact->name, fact->value) || is_told_apart(pair, fact->name, NULL))
            add_difference(doubts, pair, fact->name);
    }
}

static size_t count_damaged(const struct run_side *side)
{
    size_t count = 0;

    for (size_t i = 0; i < side->runs.count; i++)
        count += !((const struct run *)array_at(&side->runs, i))->is_whole;
    return count;
}

static void add_damaged(struct text_list *doubts, const struct run_side *side)
{
    size_t count = count_damaged(side);

    if (count == 0)
        return;
    text_list_say(doubts, doubt_incomplete_text, said_count(count), said_count(side->runs.count),
                  said_words(side->label));
}

/* If blocks were sampled, each recorded block represents others. */
static void add_drawn(struct text_list *doubts, const struct run_side *side)
{
    size_t count = 0;

    for (size_t i = 0; i < side->runs.count; i++)
        count += ((const struct run *)array_at(&side->runs, i))->is_drawn;
    if (count == 0)
        return;
    text_list_say(doubts, doubt_drawn_text, said_count(count), said_count(side->runs.count),
                  said_words(side->label));
}

static void find_times(const struct run_side *side, double *first, double *last)
{
    *first = HUGE_VAL;
    *last = -HUGE_VAL;
    for (size_t i = 0; i < side->runs.count; i++) {
        int64_t start = ((const struct run *)array_at(&side->runs, i))->realtime_start_ns;

        if (start < 0)
            continue;
        *first = fmin(*first, (double)start);
        *last = fmax(*last, (double)start);
    }
}

static void add_order(struct text_list *doubts, const struct pair *pair)
{
    double base_first, base_last, changed_first, changed_last;

    if (pair->base->runs.count < 2 || pair->changed->runs.count < 2)
        return;
    find_times(pair->base, &base_first, &base_last);
    find_times(pair->changed, &changed_first, &changed_last);
    if (!isfinite(base_first) || !isfinite(changed_first) ||
        !(base_last < changed_first || changed_last < base_first))
        return;
    if (base_last < changed_first) {
        text_list_say(doubts, doubt_order_text, said_words(pair->base->label),
                      said_words(pair->changed->label));
        return;
    }
    text_list_say(doubts, doubt_order_text, said_words(pair->changed->label),
                  said_words(pair->base->label));
}

/* Medians of a side. */
struct times {
    double wall_ns;
    double cpu_ns;
};

static void find_times_of(const struct array *rows, struct times *times)
{
    figure_median(rows, RUN_WALL, &times->wall_ns);

    figure_median(rows, RUN_CPU, &times->cpu_ns);
}

/* A program with more or slower work takes more processor time; a program that waited for a
 * processor takes the same.  Differences below a twentieth are noise. */
static bool is_waiting(const struct times *slow, const struct times *fast)
{
    double longer_ns = slow->wall_ns - fast->wall_ns;

    return longer_ns > fast->wall_ns / 20 && slow->cpu_ns - fast->cpu_ns < longer_ns / 2;
}

static void add_waiting(struct text_list *doubts, const struct pair *pair)
{
    const struct pair_part *whole = pair_find(pair, RUN_WHOLE, "", "");
    struct times base, changed;
    const char *slow;
    bool is_base_slow;

    if (!whole)
        return;
    find_times_of(&whole->base, &base);
    find_times_of(&whole->changed, &changed);
    is_base_slow = base.wall_ns > changed.wall_ns;
    if (is_base_slow ? !is_waiting(&base, &changed) : !is_waiting(&changed, &base))
        return;
    slow = is_base_slow ? pair->base->label : pair->changed->label;
    text_list_say(doubts, doubt_waiting_text, said_words(slow),
                  said_share(base.cpu_ns / base.wall_ns), said_words(pair->base->label),
                  said_share(changed.cpu_ns / changed.wall_ns), said_words(pair->changed->label),
                  said_words(slow));
}

void doubts_add(struct text_list *doubts, const struct pair *pair)
{
    const struct run *base = array_at(&pair->base->runs, 0),
                     *changed = array_at(&pair->changed->runs, 0);

    endings_add(doubts, pair->base);
    endings_add(doubts, pair->changed);
    add_facts(doubts, pair, base, NULL);
    add_facts(doubts, pair, changed, base);
    add_damaged(doubts, pair->base);
    add_damaged(doubts, pair->changed);
    add_drawn(doubts, pair->base);
    add_drawn(doubts, pair->changed);
    add_waiting(doubts, pair);
    add_order(doubts, pair);
}
