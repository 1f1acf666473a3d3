/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the trace tells of the time outside of kernels, for AMDAHL: events that each cost
 * little and are very many.  Each is counted exactly; what one costs is a figure that is
 * common on machines of these years, so it decides what is worth a sentence, and is claimed
 * nowhere.  That they could be fewer is not known: what is said beside the count is which
 * command tells where they come from.
 */
#include "findings/outside.h"

#include <math.h>

#include "base/units.h"
#include "figures/places.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const double least_share = 0.03; /* of the wall time, by the cost of each */
static const double least_idle = 0.5;   /* of the wall time */
static const double turn_ns = 20e6;     /* that others have a processor for, on a full machine */

struct cause {
    double each_ns;
    double (*count)(const struct findings_context *context); /* NAN when not known */
    void (*append)(struct text *text, const struct findings_context *context, double count);
    const char *command; /* that tells more */
};

static double rate_of(const struct findings_context *context, double count)
{
    return 1e9 * count / context->wall.ns;
}

/* ---- threads that are started again and again ---------------------------------------- */

static double count_started(const struct findings_context *context)
{
    return (double)context->session->threads.count - 1;
}

static void say_started(struct text *text, const struct findings_context *context, double count)
{
    char started[UNITS_SIZE], rate[UNITS_SIZE];

    text_appendf(text, "%s thread%s started, %s a second",
                 units_format_count(started, llround(count)),
                 units_choose((uint64_t)llround(count), " was", "s were"),
                 units_format_count(rate, llround(rate_of(context, count))));
}

/* ---- threads that wait for one another ------------------------------------------------ */

/* Of one thread alone INPUT tells. */
static double count_given_up(const struct findings_context *context)
{
    uint64_t count = context->session->process.last.voluntary_switches;

    return context->session->threads.count > 1 && count != SESSION_UNKNOWN ? (double)count
                                                                           : (double)NAN;
}

static void say_given_up(struct text *text, const struct findings_context *context, double count)
{
    char given[UNITS_SIZE], rate[UNITS_SIZE];

    text_appendf(text, "its threads gave their processor up %s times to wait, %s a second",
                 units_format_count(given, llround(count)),
                 units_format_count(rate, llround(rate_of(context, count))));
}

/* ---- blocks that are obtained ------------------------------------------------------------ */

static double count_blocks(const struct findings_context *context)
{
    uint64_t count = context->session->heap.allocations;

    return count != SESSION_UNKNOWN ? (double)count : (double)NAN;
}

enum { PAGE_BIN = 12 }; /* of the histogram of sizes: from 4 KiB on */

/* Bytes count where the blocks of a site are pages or more in the mean. */
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

/* ", 4,100,000 of them by tokenize tokens.cpp:23", which sampling estimates; nothing where no
 * name is known. */
static void append_busiest(struct text *text, const struct findings_context *context, bool by_bytes)
{
    const struct session_heap *heap = &context->session->heap;
    const struct session_site *site = find_busiest(context->session, by_bytes);
    struct places *places = places_new(context->session, context->options.find_frames);
    struct place owner;
    char size[UNITS_SIZE];

    if (site && size_of(site, by_bytes) > 0 && places &&
        places_find_owner_of(places, site->call, &owner) == STATUS_OK) {
        uint64_t all = by_bytes ? heap->allocated_bytes : heap->allocations;
        uint64_t of = size_of(site, by_bytes) < all ? size_of(site, by_bytes) : all;

        text_appendf(text, ", %s%s of them by ", heap->sample_bytes > 0 ? "about " : "",
                     by_bytes ? units_format_bytes(size, (double)of)
                              : units_format_count(size, (int64_t)of));
        place_append_words(text, &owner);
    }
    places_free(places);
}

static void say_blocks(struct text *text, const struct findings_context *context, double count)
{
    char blocks[UNITS_SIZE], rate[UNITS_SIZE];

    text_appendf(text, "%s blocks were obtained, %s a second",
                 units_format_count(blocks, llround(count)),
                 units_format_count(rate, llround(rate_of(context, count))));
    append_busiest(text, context, false);
}

/* ---- bytes that are obtained ------------------------------------------------------------- */

/* What is obtained is filled: with zeros, or with a copy.  Smaller blocks cost by their number. */
static double count_bytes(const struct findings_context *context)
{
    double bytes = 0;

    for (size_t i = PAGE_BIN; i < SESSION_BINS; i++)
        bytes += (double)context->session->heap.sizes.bytes[i];
    return bytes;
}

/* A call of a kernel has two or three operands: as many large blocks as calls, or twice or thrice,
 * are copies of these, if the kernels pass over as many bytes. */
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
    char bytes[UNITS_SIZE], rate[UNITS_SIZE];

    text_appendf(text,
                 "%s in blocks of 4 KiB and more were obtained, and filled if they were used, %s a "
                 "second",
                 units_format_bytes(bytes, count),
                 units_format_bytes(rate, rate_of(context, count)));
    append_busiest(text, context, true);
}

static void say_operands(struct text *text, const struct findings_context *context, double count)
{
    char blocks[UNITS_SIZE];

    say_bytes(text, context, count);
    text_appendf(text, ", with %s blocks of 1 MiB and more, %.2g a kernel call",
                 units_format_count(blocks, llround(findings_large_blocks(context))),
                 blocks_per_call(context));
}

/* ---- files that are read --------------------------------------------------------------- */

static double count_read(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    uint64_t first = process->first.called_bytes, last = process->last.called_bytes;

    return process->has_last && first != SESSION_UNKNOWN && last != SESSION_UNKNOWN && last > first
               ? (double)(last - first)
               : (double)NAN;
}

static void say_read(struct text *text, const struct findings_context *context, double count)
{
    char bytes[UNITS_SIZE], rate[UNITS_SIZE];

    text_appendf(text, "%s were read from files, pipes and the like, %s a second",
                 units_format_bytes(bytes, count),
                 units_format_bytes(rate, rate_of(context, count)));
}

/* ---- samples that are taken one by one ------------------------------------------------- */

/* Where an interpreter stands between the calls. */
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
    char calls[UNITS_SIZE], each[UNITS_SIZE];

    text_appendf(text, "%s made %s products of a matrix by a single vector, one in %s",
                 context->successions.runtime, units_format_count(calls, llround(count)),
                 units_format_time(each, context->wall.ns / count));
}

/* ---- waiting ------------------------------------------------------------------------------- */

double outside_idle_ns(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    const struct trace_reading *last = &process->last;
    double idle_ns = context->wall.ns - (double)last->user_ns - (double)last->system_ns -
                     turn_ns * (double)last->involuntary_switches;

    if (!process->has_last || last->user_ns == SESSION_UNKNOWN ||
        last->involuntary_switches == SESSION_UNKNOWN || idle_ns < least_idle * context->wall.ns)
        return (double)NAN;
    return idle_ns;
}

static void say_idle(struct text *text, const struct findings_context *context, double count)
{
    char idle[UNITS_SIZE], share[UNITS_SIZE];

    text_appendf(
        text,
        "the program waits: none of its threads computed for at least %s, %s of the wall time",
        units_format_time(idle, count), units_format_percent(share, count / context->wall.ns));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct cause causes[] = {
    {10000, count_started, say_started,
     "perf trace -s tells which thread starts them"},
    {2000, count_given_up, say_given_up,
     "tprof threads and strace -f -c tell what threads wait for"},
    {20, count_blocks, say_blocks,
     "tprof memory --sort count tells who obtains blocks"},
    {0.2 /* 5 GB/s */, count_operands, say_operands,
     "tprof memory --by kernel and --by site tell whether operands are copied for each call, as "
     "sections of an array are that do not lie together (W(m,:,:) in Fortran, x[..., i] in numpy)"},
    {0.2, count_other_bytes, say_bytes,
     "tprof memory tells who obtains bytes"},
    {1 /* with what is made of them */, count_read, say_read,
     "strace -f -e trace=openat,read names the files"},
    {20000 /* the way of an interpreter to one */, count_single, say_single,
     "tprof flops --by site tells where they are called one by one"},
    {1, outside_idle_ns, say_idle,
     "tprof processes lists the traces of processes that it started"},
};

/* The wall time without that in which others had the processors: how full the machine was says
 * nothing of what the program does.  A program that waits has no more than its wall time to tell. */
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

void outside_append(struct text *evidence, struct text *next,
                    const struct findings_context *context)
{
    const struct cause *gravest = NULL;

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        const struct cause *cause = &causes[i];

        if (!(share_of(cause, context) >= least_share))
            continue;
        text_append(evidence, "; ");
        cause->append(evidence, context, cause->count(context));
        if (!gravest || share_of(cause, context) > share_of(gravest, context))
            gravest = cause;
    }
    if (gravest)
        text_appendf(next, "%s; ", gravest->command);
}
