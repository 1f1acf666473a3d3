/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time until a table's figures are exact, and the records after that, in words.
 *
 * A rate changes often in a long run: the sentence has the first change and two others; after more
 * than three changes, these are the coarsest and the last.
 */
#include "analysis/stage_words.h"

#include <ctype.h>

#include "analysis/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"

static struct said said_byte_count(uint64_t bytes)
{
    return said_bytes((double)bytes);
}

static struct said said_interval(uint64_t ns)
{
    return said_time((double)ns);
}

/* How the rates of a stage are said. */
static const struct stage_row {
    const struct said *sentence;
    const struct said *rate;
    const struct said *later;
    const struct said *many;
    const struct said *last;
    struct said (*value)(uint64_t rate); /* NULL: it has no rate */
} rows[TRACE_STAGES] = {
    [TRACE_STAGE_CHAINS] = {&stage_chains_text, &stage_one_in_text, &stage_later_text,
                            &stage_many_text, &stage_last_text, said_byte_count},
    [TRACE_STAGE_BLOCKS] = {&stage_blocks_text, &stage_one_in_text, &stage_later_text,
                            &stage_many_text, &stage_last_text, said_byte_count},
    [TRACE_STAGE_KERNELS] = {&stage_kernels_text, &stage_one_in_text, &stage_later_text,
                             &stage_many_text, &stage_last_text, said_count},
    [TRACE_STAGE_REGIONS] = {&stage_regions_text, &stage_one_in_text, &stage_later_text,
                             &stage_many_text, &stage_last_text, said_count},
    [TRACE_STAGE_READINGS] = {&stage_readings_text, &stage_every_text, &stage_later_every_text,
                              &stage_many_every_text, &stage_last_every_text, said_interval},
    [TRACE_STAGE_STACKS] = {&stage_stacks_text, NULL, NULL, NULL, NULL, NULL},
};

enum { RATES_SAID = 3 };

/* The rates of a stage, each unlike the one before. */
struct rates {
    size_t count;
    struct {
        uint64_t time_ns;
        uint64_t rate;
    } first[RATES_SAID];
    uint64_t coarsest;
    uint64_t last;
};

static void add_rate(struct rates *rates, uint64_t time_ns, uint64_t rate)
{
    if (rate == 0 || (rates->count > 0 && rate == rates->last))
        return;
    if (rates->count < RATES_SAID) {
        rates->first[rates->count].time_ns = time_ns;
        rates->first[rates->count].rate = rate;
    }
    rates->coarsest = rate > rates->coarsest ? rate : rates->coarsest;
    rates->last = rate;
    rates->count++;
}

/* Rates also change before the stage starts: the last of these changes counts. */
static struct rates find_rates(const struct session_stages *stages, enum trace_stage stage)
{
    const struct session_stage *change = stages->changes.items;
    uint64_t from_ns = stages->exact_ns[stage];
    struct rates rates = {0};

    for (size_t i = 0; i < stages->changes.count; i++) {
        if (change[i].stage != stage)
            continue;
        if (change[i].time_ns <= from_ns)
            rates = (struct rates){0};
        else if (rates.count == 0 && change[i].from > 1)
            add_rate(&rates, from_ns, change[i].from);
        add_rate(&rates, change[i].time_ns, change[i].to);
    }
    return rates;
}

static void append_later(struct text *text, const struct stage_row *row, const struct rates *rates)
{
    if (rates->count > RATES_SAID) {
        if (rates->coarsest == rates->last)
            say_part(text, *row->last, row->value(rates->last));
        else
            say_part(text, *row->many, row->value(rates->coarsest), row->value(rates->last));
        return;
    }
    for (size_t i = 1; i < rates->count; i++)
        say_part(text, *row->later, said_interval(rates->first[i].time_ns),
                 row->value(rates->first[i].rate));
}

/* `from` is "Then" or "From 48.00 s on". */
static void append_stage(struct text *text, const struct session_stages *stages,
                         enum trace_stage stage, struct said from)
{
    const struct stage_row *row = &rows[stage];
    struct rates rates = find_rates(stages, stage);

    if (!row->value)
        say(text, *row->sentence, from);
    else if (rates.count == 0)
        say(text, stage_unknown_text, from, said_words(stage_words_key(stage)));
    else
        say(text, *row->sentence, from, row->value(rates.first[0].rate));
    if (row->value)
        append_later(text, row, &rates);
    text_append(text, ".");
}

/* Blocks that the user had sampled were never exact. */
static bool began(const struct session *session, enum trace_stage stage)
{
    bool is_chosen = session->heap.sample_bytes > 0 &&
                     (stage == TRACE_STAGE_BLOCKS || stage == TRACE_STAGE_CHAINS);

    return !is_chosen && !session_stage_is_exact(&session->stages, stage);
}

/* Returns: the number of stages; sorts them by their start. */
static size_t sort_stages(enum trace_stage *sorted, const struct session *session, unsigned stages)
{
    const uint64_t *from_ns = session->stages.exact_ns;
    size_t count = 0;

    for (unsigned stage = 0; stage < TRACE_STAGES; stage++) {
        size_t place = count;

        if (!(stages >> stage & 1) || !began(session, (enum trace_stage)stage))
            continue;
        for (; place > 0 && from_ns[sorted[place - 1]] > from_ns[stage]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = (enum trace_stage)stage;
        count++;
    }
    return count;
}

bool stage_words_are_due(const struct session *session, enum stage_words_of stages)
{
    enum trace_stage sorted[TRACE_STAGES];

    return sort_stages(sorted, session, stages) > 0;
}

uint64_t stages_exact_until_ns(const struct session *session, enum stage_words_of stages)
{
    enum trace_stage sorted[TRACE_STAGES];

    return sort_stages(sorted, session, stages) > 0 ? session->stages.exact_ns[sorted[0]]
                                                    : SESSION_UNKNOWN;
}

uint64_t stages_block_distance(const struct session *session)
{
    const struct rates chains = find_rates(&session->stages, TRACE_STAGE_CHAINS);
    const struct rates blocks = find_rates(&session->stages, TRACE_STAGE_BLOCKS);

    return chains.coarsest > blocks.coarsest ? chains.coarsest : blocks.coarsest;
}

/* Ask whether all of a window is of a stage. */
static bool begins_before(const struct session *session, enum trace_stage stage)
{
    return session->window.is_cut && session->stages.exact_ns[stage] == 0;
}

static void append_sentence(struct text *text, const struct session *session,
                            enum trace_stage stage, bool is_first)
{
    const struct session_stages *stages = &session->stages;
    struct text from;

    text_init(&from);
    if (begins_before(session, stage))
        say(&from, stage_throughout_text);
    else if (is_first)
        say(&from, stage_then_text);
    else
        say(&from, stage_from_text, said_interval(stages->exact_ns[stage]));
    append_stage(text, stages, stage, said_words(from.bytes));
    text_fini(&from);
}

void stage_words_append(struct text *text, const struct session *session,
                        enum stage_words_of stages)
{
    enum trace_stage sorted[TRACE_STAGES];
    size_t count = sort_stages(sorted, session, stages);

    if (count == 0)
        return;
    if (!begins_before(session, sorted[0]))
        say(text, stage_exact_text, said_interval(session->stages.exact_ns[sorted[0]]));
    for (size_t i = 0; i < count; i++)
        append_sentence(text, session, sorted[i], i == 0);
}

void stage_words_add_note(struct table *table, const struct session *session,
                          enum stage_words_of stages)
{
    struct text text;

    text_init(&text);
    stage_words_append(&text, session, stages);
    text_list_take(&table->notes, &text);
}

static const char *const helps[] = {
#define STAGE(stage, key, help) help,
#include "spec/stages.def"
#undef STAGE
};

const char *stage_words_recorded(enum trace_stage stage)
{
    return helps[stage];
}

static const char *const cause_words[] = {
#define STAGE_CAUSE(cause, key, words) words,
#include "spec/stage_causes.def"
#undef STAGE_CAUSE
};

/* Returns: TRACE_STAGE_CAUSES where its record is missing. */
static enum trace_stage_cause find_cause(const struct session_stages *stages,
                                         enum trace_stage stage)
{
    const struct session_stage *change = stages->changes.items;

    for (size_t i = 0; i < stages->changes.count; i++)
        if (change[i].stage == stage)
            return change[i].cause;
    return TRACE_STAGE_CAUSES;
}

static void append_cause(struct text *text, enum trace_stage_cause cause)
{
    const char *words;

    if (cause == TRACE_STAGE_CAUSES)
        return;
    words = cause_words[cause];
    text_appendf(text, "%s%c%s.", text->size > 0 ? " " : "", toupper((unsigned char)words[0]),
                 words + 1);
}

/* Names all stages that have the same cause. */
static void append_of_cause(struct text *text, const struct session *session,
                            enum trace_stage_cause cause)
{
    const struct session_stages *stages = &session->stages;
    enum trace_stage sorted[TRACE_STAGES];
    size_t count = sort_stages(sorted, session, STAGES_OF_ALL), told = 0;

    for (size_t i = 0; i < count; i++) {
        struct said from = said_interval(stages->exact_ns[sorted[i]]);

        if (find_cause(stages, sorted[i]) != cause)
            continue;
        if (told++ == 0)
            append_cause(text, cause);
        if (told == 1)
            say(text, stage_recorded_text, from, said_words(helps[sorted[i]]));
        else
            say_part(text, stage_recorded_more_text, from, said_words(helps[sorted[i]]));
    }
    text_append(text, told > 0 ? "." : "");
}

void stage_words_append_causes(struct text *text, const struct session *session)
{
    for (int cause = 0; cause <= TRACE_STAGE_CAUSES; cause++)
        append_of_cause(text, session, (enum trace_stage_cause)cause);
}

void stage_words_append_rate(struct text *text, enum trace_stage stage, uint64_t rate)
{
    if (rows[stage].value && rate > 0)
        say(text, *rows[stage].rate, rows[stage].value(rate));
}

const char *stage_words_key(enum trace_stage stage)
{
    static const char *const keys[] = {
#define STAGE(stage, key, help) key,
#include "spec/stages.def"
#undef STAGE
    };

    return keys[stage];
}

const char *stage_words_cause_key(enum trace_stage_cause cause)
{
    static const char *const keys[] = {
#define STAGE_CAUSE(cause, key, words) key,
#include "spec/stage_causes.def"
#undef STAGE_CAUSE
    };

    return keys[cause];
}
