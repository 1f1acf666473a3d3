/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reason for a verdict on the heap, in sentences.
 */
#include <math.h>

#include "analysis/runtimes.h"
#include "heap/leak_verdict.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"

static const double second_ns = 1e9;

/* None where the warm-up is longer than the run. */
static double span_ns(const struct leak_judgement *judgement)
{
    return fmax((double)judgement->window.to_ns - (double)judgement->window.from_ns, 0);
}

enum { MOST_VALUES = 3 };

/* The source of the words. */
struct source {
    const struct leak_judgement *judgement;
    const struct session *session;
    double confidence;
};

/* The values that the rows on verdicts have places for. */
enum leak_value {
    END,
    GROWTH,
    SPAN,
    RATE,
    LEVEL,
    LATE,
    SUSPECTS,
    LIVE,
    LAST,
    REST,
    TEETH,
    STARTED,
    START,
    LOW,
    LATE_LOW,
    REASON
};

static struct said value_of(const struct source *source, enum leak_value value)
{
    const struct leak_judgement *judgement = source->judgement;
    const struct session_heap *heap = &source->session->heap;

    switch (value) {
    case GROWTH: return said_bytes(judgement->growth_bytes);
    case SPAN: return said_time(span_ns(judgement));
    case RATE: return said_bytes(judgement->trend.slope * second_ns);
    case LEVEL: return said_bytes(judgement->level_bytes);
    case LATE: return said_bytes(judgement->late_bytes);
    case SUSPECTS: return said_bytes(judgement->suspect_bytes);
    case LIVE: return said_bytes((double)heap->live_bytes);
    case LAST: return said_time(judgement->stopped_ns);
    case REST: return said_time((double)judgement->window.to_ns - judgement->stopped_ns);
    case TEETH: return said_count(judgement->shape.teeth);
    case STARTED: return said_bytes(judgement->start_bytes);
    case LOW: return said_bytes(judgement->low_bytes);
    case LATE_LOW: return said_bytes(judgement->late_low_bytes);
    case START: return said_time(judgement->start_ns);
    case REASON: return said_words(memory_why_unknown(heap));
    case END: break;
    }
    return (struct said){.as = SAID_END};
}

static void say_interval(struct text *text, const struct source *source)
{
    const struct trend *trend = &source->judgement->trend;
    struct said low = said_bytes(trend->low * second_ns);
    struct said high = said_bytes(trend->high * second_ns);

    if (!isfinite(trend->low) || !isfinite(trend->high))
        return;
    if (source->judgement->is_by_jumps)
        say(text, leak_by_jump_text, low, high);
    else
        say(text, leak_interval_text, said_share(source->confidence), low, high);
}

static void say_how_long(struct text *text, const struct source *source)
{
    const struct session *session = source->session;
    const char *language = runtimes_find_language(session);

    say(text, leak_longer_by_text, said_time((double)leak_least_ns(session)));
    if (language)
        say(text, leak_language_text, said_words(language));
}

static void say_outside(struct text *text, const struct source *source)
{
    leak_outside_say(text, &source->judgement->outside);
}

static void say_outside_and_span(struct text *text, const struct source *source)
{
    say_outside(text, source);
    if (!(source->judgement->outside.undated_bytes > 0))
        say(text, leak_outside_span_text, value_of(source, SPAN));
}

/* A row with its values, more figures, and the conclusion. */
static const struct reason {
    const struct said *row;
    enum leak_value values[MOST_VALUES];
    void (*say_more)(struct text *text, const struct source *source);
    const struct said *last;
} reasons[] = {
    [LEAK_GROWS] = {&leak_grows_text, {GROWTH, SPAN, RATE}, say_interval, NULL},
    [LEAK_JUMPS] = {&leak_jumps_text, {GROWTH, SPAN, RATE}, say_interval, NULL},
    [LEAK_KEPT] = {&leak_kept_text, {GROWTH, SPAN, RATE}, say_interval, &leak_kept_freed_text},
    [LEAK_MAPPED] = {&leak_mapped_text, {GROWTH, SPAN, RATE}, NULL, NULL},
    [LEAK_HEAP_UNKNOWN] = {&heap_unknown_text, {REASON}, NULL, NULL},
    [LEAK_TOO_SHORT] = {&leak_too_short_text, {SPAN}, say_how_long, NULL},
    [LEAK_AT_START] = {&leak_at_start_text, {GROWTH, SPAN}, NULL, &leak_run_longer_text},
    [LEAK_BY_TURNS] = {&leak_by_turns_text, {GROWTH, SPAN}, NULL, &leak_run_longer_text},
    [LEAK_AT_END] = {&leak_at_end_text, {LATE}, NULL, &leak_began_late_text},
    [LEAK_UNSTEADY] = {&leak_unsteady_text, {GROWTH, SPAN, LAST}, NULL, &leak_run_twice_text},
    [LEAK_SCATTERED] = {&leak_scattered_text,
                        {GROWTH, SPAN, SUSPECTS},
                        NULL,
                        &leak_run_longer_text},
    [LEAK_REMADE] = {&leak_remade_text, {GROWTH, SPAN, RATE}, say_interval, &leak_remade_ask_text},
    [LEAK_IN_START] = {&leak_in_start_text, {STARTED, START, SPAN}, NULL, &leak_run_longer_text},
    [LEAK_OUTSIDE] = {&leak_outside_text, {END}, say_outside_and_span, NULL},
    [LEAK_TOO_FEW_TEETH] = {&leak_too_few_teeth_text, {TEETH}, NULL, &leak_run_longer_text},
    [LEAK_FELL_BACK] = {&leak_fell_back_text, {TEETH, LATE_LOW, LOW}, NULL, NULL},
    [LEAK_NO_TREND] = {&leak_no_trend_text, {RATE}, say_interval, NULL},
    [LEAK_IMMATERIAL] = {&leak_immaterial_text, {GROWTH, SPAN, LEVEL}, NULL, NULL},
    [LEAK_ONE_STEP] = {&leak_one_step_text, {GROWTH, SPAN}, NULL, NULL},
    [LEAK_STOPPED] = {&leak_stopped_text, {GROWTH, LAST, REST}, NULL, NULL},
    [LEAK_STARTED] = {&leak_started_text, {STARTED, START, SPAN}, NULL, NULL},
    [LEAK_GIVEN_BACK] = {&leak_given_back_text, {GROWTH, SPAN, LIVE}, NULL, NULL},
    [LEAK_SUPPRESSED] = {&leak_suppressed_text, {GROWTH, SPAN}, NULL, NULL},
    [LEAK_OUTSIDE_SUPPRESSED] = {&leak_outside_suppressed_text, {END}, say_outside, NULL},
};

void leak_judgement_say(struct text *text, const struct leak_judgement *judgement,
                        const struct session *session, double confidence)
{
    const struct source source = {judgement, session, confidence};
    const struct reason *reason = &reasons[judgement->reason];
    struct said said[MOST_VALUES + 2] = {*reason->row};

    for (size_t i = 0; i < MOST_VALUES; i++)
        said[i + 1] = value_of(&source, reason->values[i]);
    said[MOST_VALUES + 1] = value_of(&source, END);
    say_all(text, said);
    if (reason->say_more)
        reason->say_more(text, &source);
    if (reason->last)
        say(text, *reason->last);
    if (judgement->arenas_bytes > 0)
        say(text, leak_arenas_text, said_bytes(judgement->arenas_bytes));
}
