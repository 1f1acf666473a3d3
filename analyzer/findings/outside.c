/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time outside kernels, for AMDAHL: events that are cheap but very frequent.  Each event is counted
 * exactly.  The cost of an event is a typical figure of today's machines: it only decides which
 * events are worth a sentence.  Whether the events are avoidable is unknown, so a sentence names
 * the command that shows their origin.
 */
#include "findings/outside.h"

#include <math.h>

#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"

static const double least_share = 0.03; /* share of the wall time, by the cost of each event */
static const double least_idle = 0.5;   /* share of the wall time */
static const double turn_ns = 20e6;     /* how long other threads have a processor, on a full
                                           machine */

struct cause {
    double each_ns;
    double (*count)(const struct findings_context *context); /* NAN: unknown */
    const struct said *words;           /* "{count} ..., {count} a second"; NULL: more has all */
    struct said (*value)(double count); /* makes the value for the sentence */
    void (*more)(struct text *text, const struct findings_context *context, double count);
    const struct said *command; /* the command that shows more */
};

static struct said said_number(double count)
{
    return said_count((uint64_t)llround(count));
}

static double count_started(const struct findings_context *context)
{
    return (double)context->session->threads.count - 1;
}

/* INPUT covers a single thread. */
static double count_given_up(const struct findings_context *context)
{
    uint64_t count = context->session->process.last.voluntary_switches;

    return context->session->threads.count > 1 && count != SESSION_UNKNOWN ? (double)count
                                                                           : (double)NAN;
}

static double count_blocks(const struct findings_context *context)
{
    uint64_t count = context->session->heap.allocations;

    return count != SESSION_UNKNOWN ? (double)count : (double)NAN;
}

enum { PAGE_BIN = 12 }; /* the bin of the histogram of sizes from 4 KiB on */

/* Bytes count only for sites whose mean block is a page or more. */
static uint64_t size_of(const struct session_site *site, bool by_bytes)
{
    if (!by_bytes)
        return site->allocations;
    return site->allocated_bytes >> PAGE_BIN >= site->allocations ? site->allocated_bytes : 0;
}

static const struct session_site *find_busiest(const struct session *session, bool by_bytes)
{
    const struct session_site *busiest = NULL;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        if (!busiest || size_of(site, by_bytes) > size_of(busiest, by_bytes))
            busiest = site;
    }
    return busiest;
}

/* Say nothing if no name is known. */
static void say_busiest(struct text *text, const struct findings_context *context, bool by_bytes)
{
    const struct session_heap *heap = &context->session->heap;
    const struct session_site *site = find_busiest(context->session, by_bytes);
    struct places *places = places_new(context->session, context->options.find_frames);
    struct text name;
    struct place owner;

    text_init(&name);
    if (site && size_of(site, by_bytes) > 0 && places &&
        places_find_owner_of(places, site->call, &owner)) {
        uint64_t all = by_bytes ? heap->allocated_bytes : heap->allocations;
        double of = fmin((double)size_of(site, by_bytes), (double)all);

        place_append_short(&name, &owner);
        say(text,
            context->session->heap.has_estimated_sites ? outside_owner_sampled_text
                                                       : outside_owner_text,
            said_words(name.bytes), by_bytes ? said_bytes(of) : said_number(of));
    }
}

static void say_blocks(struct text *text, const struct findings_context *context, double count)
{
    (void)count;
    say_busiest(text, context, false);
}

/* Large blocks cost by their bytes, which are filled with zeros or a copy.  Smaller blocks cost
 * by their number. */
static double count_bytes(const struct findings_context *context)
{
    double bytes = 0;

    for (size_t i = PAGE_BIN; i < SESSION_BINS; i++)
        bytes += (double)context->session->heap.sizes.bytes[i];
    return bytes;
}

/* A kernel call has two or three operands.  One to three large blocks a call are copies of them,
 * if the kernels read as many bytes. */
static const double least_operands = 0.5, most_operands = 3.5, least_passed = 0.5;

static double blocks_per_call(const struct findings_context *context)
{
    return findings_large_blocks(context) / (double)context->groups.calls;
}

static double count_passed(const struct findings_context *context)
{
    double bytes = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        bytes += isnan(group->bytes) ? 0 : (double)group->bytes;
    }
    return bytes;
}

static bool copies_operands(const struct findings_context *context)
{
    double blocks = blocks_per_call(context);

    return blocks >= least_operands && blocks <= most_operands &&
           count_passed(context) >= least_passed * count_bytes(context);
}

static double count_operands(const struct findings_context *context)
{
    return copies_operands(context) ? count_bytes(context) : (double)NAN;
}

static double count_other_bytes(const struct findings_context *context)
{
    return copies_operands(context) ? (double)NAN : count_bytes(context);
}

static void say_bytes(struct text *text, const struct findings_context *context, double count)
{
    (void)count;
    say_busiest(text, context, true);
}

static void say_operands(struct text *text, const struct findings_context *context, double count)
{
    say_bytes(text, context, count);
    say(text, outside_operands_text, said_number(findings_large_blocks(context)),
        said_real(blocks_per_call(context)));
}

static double count_read(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    uint64_t first = process->first.called_bytes, last = process->last.called_bytes;

    return process->has_last && first != SESSION_UNKNOWN && last != SESSION_UNKNOWN && last > first
               ? (double)(last - first)
               : (double)NAN;
}

/* Count vector products if an interpreter runs between the calls. */
static double count_single(const struct findings_context *context)
{
    struct slots_vector_product vector;
    double count = 0;

    if (!context->successions.runtime)
        return (double)NAN;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        const struct session_slot *slot = findings_slot(context, group);

        if (!slot->nested && slots_find_vector_product(slot, &vector))
            count += (double)group->calls;
    }
    return count;
}

static void say_single(struct text *text, const struct findings_context *context, double count)
{
    say(text, outside_single_text, said_words(context->successions.runtime), said_number(count),
        said_time(context->wall.ns / count));
}

/* Threads that wanted a processor did not wait.  A crowded machine's turns are longer than ours. */
static double find_ready_ns(const struct session *session)
{
    double turns_ns = turn_ns * (double)session->process.last.involuntary_switches, delay_ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        delay_ns += thread->delay_ns == SESSION_UNKNOWN ? 0 : (double)thread->delay_ns;
    }
    return fmax(turns_ns, delay_ns);
}

double outside_idle_ns(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    const struct trace_reading *last = &process->last;
    double idle_ns = context->wall.ns - (double)last->user_ns - (double)last->system_ns -
                     find_ready_ns(context->session);

    if (!process->has_last || last->user_ns == SESSION_UNKNOWN ||
        last->involuntary_switches == SESSION_UNKNOWN || idle_ns < least_idle * context->wall.ns)
        return (double)NAN;
    return idle_ns;
}

static void say_idle(struct text *text, const struct findings_context *context, double count)
{
    say(text, outside_idle_text, said_time(count), said_share(count / context->wall.ns));
}

static const struct cause causes[] = {
    {10000, count_started, &outside_started_text, said_number, NULL, &outside_started_next_text},
    {2000, count_given_up, &outside_waits_text, said_number, NULL, &outside_waits_next_text},
    {20, count_blocks, &outside_blocks_text, said_number, say_blocks, &outside_blocks_next_text},
    {0.2 /* 5 GB/s */, count_operands, &outside_bytes_text, said_bytes, say_operands,
     &outside_operands_next_text},
    {0.2, count_other_bytes, &outside_bytes_text, said_bytes, say_bytes, &outside_bytes_next_text},
    {1 /* with the work on them */, count_read, &outside_read_text, said_bytes, NULL,
     &outside_read_next_text},
    {20000 /* an interpreter's cost of one */, count_single, NULL, NULL, say_single,
     &outside_single_next_text},
    {1, outside_idle_ns, NULL, NULL, say_idle, &outside_idle_next_text},
};

/* The wall time without the time when others used the processors, as their load says nothing about
 * this program.  For a program that waits, it is the whole wall time. */
static double own_ns(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    double ns = context->wall.ns * context->wall.processor;

    if (!process->has_last || process->last.user_ns == SESSION_UNKNOWN ||
        !isnan(outside_idle_ns(context)))
        return ns;
    return fmin(ns, (double)process->last.user_ns + (double)process->last.system_ns);
}

static double share_of(const struct cause *cause, const struct findings_context *context)
{
    return cause->count(context) * cause->each_ns / own_ns(context);
}

static void say_cause(struct text *text, const struct findings_context *context,
                      const struct cause *cause)
{
    double count = cause->count(context);

    if (cause->words)
        say(text, *cause->words, cause->value(count), cause->value(1e9 * count / context->wall.ns));
    if (cause->more)
        cause->more(text, context, count);
}

void outside_append(struct text *evidence, struct text *next,
                    const struct findings_context *context)
{
    const struct cause *gravest = NULL;

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        const struct cause *cause = &causes[i];

        if (!(share_of(cause, context) >= least_share))
            continue;
        say_cause(evidence, context, cause);
        if (!gravest || share_of(cause, context) > share_of(gravest, context))
            gravest = cause;
    }
    if (gravest)
        say(next, *gravest->command);
}
