/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What it costs to be given memory: ALLOC-CHURN and FAULT.
 *
 * malloc itself is cheap; the pages behind a large block are not.  What is mapped
 * anew is filled with zeros by the operating system, at a fault of each page, and
 * goes back when the block is freed.  Each page of the highest resident memory must
 * be touched once: those faults are FAULT's.  All beyond are of memory that was had
 * before and given back: they are ALLOC-CHURN's, and keeping the memory saves them.
 *
 * A fault is taken to cost the processor time of the operating system divided by
 * the faults, as all of that time is theirs in programs that compute; but at most what
 * a fault can cost.  What is beyond is of other work: reading, writing, or a
 * library's threads that spin in sched_yield() while they wait.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "figures/memory_facts.h"
#include "figures/places.h"
#include "figures/slots.h"
#include "findings/context.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

enum { SITES_SHOWN = 3 };

static const double page_default = 4096;     /* where the trace does not say */
static const double least_share = 0.03;      /* of the wall time */
static const double least_window = 0.5;      /* of the time of kernels, between readings */
static const double copied_bytes_per_ns = 5; /* out of the page cache, by one processor: of the
                                                order of what machines have */
static const double large_per_call = 1;      /* blocks of 1 MiB and more, a kernel call */
static const double few_per_call = 0.01;     /* are not worth a word */
static const double most_first_ns = 2000;    /* of a fault for 4 KiB: 0.1 to 1 us are common, and a
                                             virtual machine that must be given the page itself
                                             was measured to take 2 */
static const double most_further_ns = 500;   /* of each further 4 KiB that it gives, of a huge
                                              page: filling with zeros at 8 GB/s */
static const double heap_share = 0.5; /* of what became resident: below, malloc is not who has it */
static const double large_site_bytes = 128 * 1024; /* from here on malloc maps a block alone */

/* Ten ticks of a system that counts processor time by its clock of 100 Hz. */
static const uint64_t least_wall_ns = 100000000;

/* Of the whole process, while it calls kernels.  Units: wall time, as if one thread had all
 * faults at a time where one calls kernels. */
struct page_faults {
    const char *unknown; /* why the rest is not known, or NULL */
    double faults;       /* without a disk */
    double major;        /* that waited for one */
    double needed;       /* each page once of what was never resident before */
    double excess;       /* the others */
    double each_ns;      /* processor time */
    double filling_ns; /* of the processor time of those needed: zeros, whatever the pages' size */
    double other_ns;   /* processor time of the system that faults cannot have cost */
    bool is_bounded;   /* there is such, so each_ns is what a fault costs at most */
    double excess_ns;  /* wall time */
    double needed_ns;  /* wall time */
};

/* Two readings of the process, and how much of its time is between them. */
struct window {
    struct trace_reading from;
    struct trace_reading to;
    double part; /* of the time in which kernels are called, or of the whole run */
    bool is_of_kernels;
};

static void find_span(const struct session *session, uint64_t *from_ns, uint64_t *to_ns)
{
    *from_ns = UINT64_MAX;
    *to_ns = 0;
    for (uint32_t i = 0; i < session->courses.count; i++) {
        uint64_t first_ns, last_ns;

        if (!course_find_span(course_of(session, i), &first_ns, &last_ns))
            continue;
        *from_ns = first_ns < *from_ns ? first_ns : *from_ns;
        *to_ns = last_ns > *to_ns ? last_ns : *to_ns;
    }
}

/* The time in which kernels are called, where records tell it and readings show most of it: what
 * a program does before, such as loading libraries, has other costs.  Else the whole run. */
static struct window find_window(const struct session *session)
{
    const struct session_process *process = &session->process;
    const struct session_reading *first = NULL, *last = NULL;
    struct window whole = {process->first, process->last, 1, false};
    uint64_t from_ns, to_ns;
    double part;

    find_span(session, &from_ns, &to_ns);
    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);

        if (reading->time_ns < from_ns || reading->time_ns > to_ns)
            continue;
        first = first ? first : reading;
        last = reading;
    }
    if (!first || first == last || !slots_are_in_courses(session, SESSION_NONE))
        return whole;
    part = (double)(last->time_ns - first->time_ns) / (double)(to_ns - from_ns);
    return part >= least_window ? (struct window){first->values, last->values, part, true} : whole;
}

/* What our own pages took is no fault of the program; nor is what reading copied. */
static double system_ns(const struct session *session, const struct window *window)
{
    double ns = (double)window->to.system_ns - (double)window->from.system_ns;

    if (!window->is_of_kernels && !isnan(session->overhead.slow_ns))
        ns -= session->overhead.slow_ns;
    if (window->to.called_bytes != SESSION_UNKNOWN && window->from.called_bytes != SESSION_UNKNOWN)
        ns -= (double)(window->to.called_bytes - window->from.called_bytes) / copied_bytes_per_ns;
    return fmax(0, ns);
}

/* The pages by which resident memory rose to what it never was before. */
static double needed_pages(const struct session_process *process, const struct window *window)
{
    double page = process->page_bytes > 0 ? (double)process->page_bytes : page_default;
    uint64_t before = window->is_of_kernels ? window->from.peak_rss_bytes : window->from.rss_bytes;
    double first = before == SESSION_UNKNOWN ? 0 : (double)before;

    return fmax(0, ((double)window->to.peak_rss_bytes - first) / page);
}

/* While threads fault beside one another less time passes; while others have the
 * processor, more. */
static double wall_of(const struct findings_context *context, double cpu_ns)
{
    return fmin(context->wall.ns, findings_wall_ns(context, cpu_ns) / context->wall.processor);
}

static double units_of_page(const struct session_process *process)
{
    return (process->page_bytes > 0 ? (double)process->page_bytes : page_default) / page_default;
}

/* What a fault can cost at most, when resident memory rose by so many pages. */
static double most_each_ns(const struct session_process *process, double faults, double pages)
{
    double units = units_of_page(process);

    return most_first_ns * units + most_further_ns * units * fmax(0, pages / faults - 1);
}

/* The time of the system goes to faults as far as they can have taken it. */
static void share_system(const struct findings_context *context, const struct window *window,
                         double faults, struct page_faults *of)
{
    const struct session_process *process = &context->session->process;
    double spent_ns = system_ns(context->session, window);

    if (faults > 0)
        of->each_ns =
            fmin(spent_ns / faults, most_each_ns(process, faults, needed_pages(process, window)));
    of->other_ns = (spent_ns - faults * of->each_ns) / window->part;
    of->is_bounded = of->other_ns >= least_share * context->wall.ns;
}

static struct page_faults find_faults(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    struct window window = find_window(context->session);
    struct page_faults of = {0};
    double faults, excess_ns, whole_ns;

    if (process->last.minor_faults == SESSION_UNKNOWN ||
        process->last.peak_rss_bytes == SESSION_UNKNOWN) {
        of.unknown = "no reading of the process tells its page faults";
        return of;
    }
    if (process->wall_ns < least_wall_ns) {
        of.unknown = "the program ran for less than 0.1 s, and the system tells processor time "
                     "in steps of up to 10 ms";
        return of;
    }
    faults = (double)window.to.minor_faults - (double)window.from.minor_faults;
    of.faults = faults / window.part;
    of.major = (double)process->last.major_faults;
    of.needed = fmin(faults, needed_pages(process, &window)) / window.part;
    of.filling_ns =
        needed_pages(process, &window) / window.part * units_of_page(process) * most_further_ns;
    of.excess = of.faults - of.needed;
    share_system(context, &window, faults, &of);
    whole_ns = (double)process->last.system_ns;
    excess_ns = fmin(whole_ns, of.excess * of.each_ns);
    of.excess_ns = wall_of(context, excess_ns);
    of.needed_ns = fmin(context->wall.ns - of.excess_ns,
                        wall_of(context, fmin(whole_ns - excess_ns, of.needed * of.each_ns)));
    return of;
}

/* Threads that called no kernel: the one that the program began in is no library's. */
static size_t count_silent(const struct session *session)
{
    size_t count = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        count += thread->kernel_ns == 0 && thread->id != session->process.pid;
    }
    return count;
}

/* Nothing where faults can have cost it all. */
static void append_other(struct text *text, const struct findings_context *context,
                         const struct page_faults *of)
{
    size_t silent = count_silent(context->session);
    char time[UNITS_SIZE];

    if (!of->is_bounded)
        return;
    text_appendf(text, "; %s more of the operating system's processor time is no cost of faults",
                 units_format_time(time, of->other_ns));
    if (silent > 0 && context->wall.kernel_threads > 0)
        text_appendf(text,
                     ": a library's threads that spin while they wait take such time (%zu thread%s "
                     "that called no kernel): compare with OPENBLAS_NUM_THREADS=1 or "
                     "OMP_WAIT_POLICY=passive",
                     silent, units_choose(silent, "", "s"));
}

/* The mechanism and its cost are known; one is supposed; or both. */
static double churn_confidence(const struct page_faults *of, double large)
{
    if (of->is_bounded)
        return large > 0 ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW;
    return large > 0 ? FINDING_CONFIDENCE_HIGH : FINDING_CONFIDENCE_MEDIUM;
}

/* ---- who allocates ------------------------------------------------------------------ */

static double count_calls(const struct findings_context *context)
{
    return (double)context->groups.calls;
}

/* A place that gave large blocks back, by whatever ways it was reached. */
struct giver {
    struct place owner; /* without a function where it is not known */
    uint64_t bytes, blocks;
    size_t first; /* of its sites: places of one sum stand in the order of these */
};

static bool gave_large_back(const struct session_site *site)
{
    return site->allocations > 0 && site->freed_bytes > 0 &&
           (double)site->allocated_bytes >= large_site_bytes * (double)site->allocations;
}

static int compare_addresses(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;

    return (left > right) - (left < right);
}

static int compare_owners(const struct giver *left, const struct giver *right)
{
    const struct place *a = &left->owner, *b = &right->owner;
    int order = compare_addresses(a->function, b->function);

    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_owner(const void *a, const void *b)
{
    const struct giver *left = a, *right = b;
    int order = compare_owners(left, right);

    return order ? order : (left->first > right->first) - (left->first < right->first);
}

static int by_bytes(const void *a, const void *b)
{
    const struct giver *left = a, *right = b;

    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

static enum status add_giver(struct array *givers, struct places *places,
                             const struct session *session, size_t index)
{
    const struct session_site *site = session_site_at(session, index);
    struct giver giver = {.bytes = site->freed_bytes, .blocks = site->frees, .first = index};
    enum status status = places_find_owner_of(places, site->call, &giver.owner);
    struct giver *added;

    if (status == STATUS_NOT_FOUND)
        giver.owner = (struct place){.function = NULL};
    else if (status)
        return status;
    added = array_add(givers);
    if (!added)
        return STATUS_OUT_OF_MEMORY;
    *added = giver;
    return STATUS_OK;
}

/* Sites of one place become one. */
static void unite_givers(struct array *givers)
{
    struct giver *giver = givers->items;
    size_t count = 0;

    if (givers->count == 0)
        return;
    qsort(giver, givers->count, sizeof *giver, by_owner);
    for (size_t i = 0; i < givers->count; i++)
        if (count > 0 && compare_owners(&giver[count - 1], &giver[i]) == 0) {
            giver[count - 1].bytes += giver[i].bytes;
            giver[count - 1].blocks += giver[i].blocks;
        } else
            giver[count++] = giver[i];
    array_truncate(givers, count);
    qsort(giver, count, sizeof *giver, by_bytes);
}

static void append_giver(struct text *text, const struct giver *giver)
{
    char bytes[UNITS_SIZE], count[UNITS_SIZE];

    text_appendf(text, "%s in %s block%s", units_format_bytes(bytes, (double)giver->bytes),
                 units_format_count(count, (int64_t)giver->blocks),
                 units_choose(giver->blocks, "", "s"));
    if (!giver->owner.function)
        return;
    text_append(text, " by ");
    place_append_words(text, &giver->owner);
}

static enum status append_sites(struct text *text, const struct findings_context *context)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    enum status status = places ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    struct array givers;

    array_init(&givers, sizeof(struct giver));
    for (size_t i = 0; i < session->sites.count && !status; i++)
        if (gave_large_back(session_site_at(session, i)))
            status = add_giver(&givers, places, session, i);
    unite_givers(&givers);
    for (size_t i = 0; i < givers.count && i < SITES_SHOWN && !status; i++) {
        text_append(text, i == 0 ? "; large blocks given back: " : ", ");
        append_giver(text, array_at(&givers, i));
    }
    array_fini(&givers);
    places_free(places);
    return status;
}

/* ---- ALLOC-CHURN --------------------------------------------------------------------- */

static void append_faults(struct text *text, const struct page_faults *of)
{
    char excess[UNITS_SIZE], faults[UNITS_SIZE], each[UNITS_SIZE];

    text_appendf(text,
                 "%s of %s page fault%s %s of memory that the program had had before, at %s%s of "
                 "the operating system's processor time each",
                 units_format_count(excess, (int64_t)of->excess),
                 units_format_count(faults, (int64_t)of->faults),
                 units_choose((uint64_t)of->faults, "", "s"),
                 units_choose((uint64_t)of->excess, "was", "were"), of->is_bounded ? "most " : "",
                 units_format_time(each, of->each_ns));
}

static void add_churn(const struct findings_context *context, struct findings *findings,
                      const struct page_faults *of)
{
    double large = findings_large_blocks(context), calls = count_calls(context);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){of->excess_ns, of->excess_ns,
                                                       churn_confidence(of, large)});
    char share[UNITS_SIZE], count[UNITS_SIZE];

    if (of->is_bounded)
        finding_weaken(finding, FINDING_BOUNDS);
    text_appendf(&finding->title,
                 "memory that is obtained and given back again and again takes %s%s "
                 "of the wall time",
                 of->is_bounded ? "at most " : "", units_format_percent(share, finding->fraction));
    append_faults(&finding->evidence, of);
    text_appendf(&finding->evidence, "; %s block%s of 1 MiB and more",
                 units_format_count(count, (int64_t)large), units_choose((uint64_t)large, "", "s"));
    if (large > few_per_call * calls && calls > 0)
        text_appendf(&finding->evidence, ", %.2g a kernel call", large / calls);
    if (append_sites(&finding->evidence, context))
        findings->status = STATUS_OUT_OF_MEMORY;
    append_other(&finding->evidence, context, of);
    text_append(&finding->limit, "; what the program fills them with, as copies, is not in it");
    text_append(&finding->why, "malloc maps large blocks anew, and the operating system fills each "
                               "page with zeros when it is touched first");
    text_append(&finding->action,
                "obtain the blocks once, before the loop, and use them again (an arena, out= "
                "arguments); or let malloc keep them: MALLOC_MMAP_THRESHOLD_=1073741824 "
                "MALLOC_TRIM_THRESHOLD_=4294967296, or LD_PRELOAD of jemalloc or tcmalloc");
    text_append(&finding->refute, "much work of the operating system beside page faults, such as "
                                  "reading files, would make a fault cheaper than is supposed");
    text_append(&finding->see, "tprof memory, tprof memory --by lifetime");
    finding_add_number(findings, finding, "excess_faults", of->excess);
    finding_add_number(findings, finding, "fault_ns", of->each_ns);
    finding_add_number(findings, finding, "large_blocks", large);
}

void rule_alloc_churn(const struct findings_context *context, struct findings *findings)
{
    struct page_faults of = find_faults(context);
    double large = findings_large_blocks(context), calls = count_calls(context);
    char share[UNITS_SIZE], excess[UNITS_SIZE];
    bool is_large = calls > 0 && large > large_per_call * calls;

    if (of.unknown) {
        findings_skip(findings, "%s", of.unknown);
        return;
    }
    if (of.excess_ns >= least_share * context->wall.ns || (is_large && of.excess > 0)) {
        add_churn(context, findings, &of);
        return;
    }
    findings_pass(
        findings,
        "page faults of memory that was had before, %s of them, take %s of the wall time; "
        "%.0f blocks of 1 MiB and more were obtained in %.0f kernel calls",
        units_format_count(excess, (int64_t)of.excess),
        units_format_percent(share, of.excess_ns / context->wall.ns), large, calls);
}

/* ---- FAULT ---------------------------------------------------------------------------- */

/* Settings of malloc change nothing for a runtime that maps its heap itself. */
static bool is_of_malloc(const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    const struct window whole = {session->process.first, session->process.last, 1, false};
    double resident = needed_pages(&session->process, &whole) * (double)session->process.page_bytes;

    return !memory_is_known(heap) || (double)heap->peak_bytes >= heap_share * resident;
}

/* tprof run notes what the kernel gives to whom. */
static void append_action(struct text *action, const struct findings_context *context)
{
    const char *given = context->session->process.conditions[TRACE_CONDITION_THP];

    text_append(action, "larger pages need fewer faults: ");
    if (!given || strcmp(given, "never") == 0)
        text_append(action, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, and ");
    text_append(action, is_of_malloc(context->session)
                            ? "GLIBC_TUNABLES=glibc.malloc.hugetlb=1, or madvise(MADV_HUGEPAGE) in "
                              "the program"
                            : "madvise(MADV_HUGEPAGE) of what the program maps itself, as most of "
                              "it is not from malloc");
    text_append(action, "; a longer run has them once all the same");
}

/* Larger pages are filled with zeros as well; that the rest of a fault goes is the most. */
static double without_faults_ns(const struct page_faults *of)
{
    return fmax(0, of->needed_ns * (1 - of->filling_ns / (of->needed * of->each_ns)));
}

/* Where the host must give the memory, larger pages may take it longer than faults did: 512 MiB
 * in pages of 2 MiB took a virtual machine 1.0 s, in those of 4 KiB 0.3 s. */
static bool is_virtual(const struct findings_context *context)
{
    const char *said = context->session->process.conditions[TRACE_CONDITION_HYPERVISOR];

    return said && strcmp(said, "yes") == 0;
}

static void add_fault(const struct findings_context *context, struct findings *findings,
                      const struct page_faults *of)
{
    double confidence = is_virtual(context) ? FINDING_CONFIDENCE_LIMIT : FINDING_CONFIDENCE_LOW;
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){of->needed_ns, without_faults_ns(of), confidence});
    char share[UNITS_SIZE], count[UNITS_SIZE], each[UNITS_SIZE];

    text_appendf(&finding->title, "touching memory for the first time takes %s%s of the wall time",
                 of->is_bounded ? "at most " : "", units_format_percent(share, finding->fraction));
    text_appendf(&finding->evidence,
                 "%s page fault%s for the pages of the highest resident memory, at %s%s of the "
                 "operating system's processor time each; %.0f fault%s waited for a disk",
                 units_format_count(count, (int64_t)of->needed),
                 units_choose((uint64_t)of->needed, "", "s"), of->is_bounded ? "most " : "",
                 units_format_time(each, of->each_ns), of->major,
                 units_choose((uint64_t)of->major, "", "s"));
    append_other(&finding->evidence, context, of);
    text_append(&finding->why, "the operating system gives a page, filled with zeros, when it is "
                               "touched first");
    append_action(&finding->action, context);
    text_append(&finding->refute, "much work of the operating system beside page faults would make "
                                  "a fault cheaper than is supposed");
    if (is_virtual(context))
        text_append(&finding->refute, "; in a virtual machine larger pages may take longer, where "
                                      "its host has to give them: measure it");
    text_append(&finding->limit, "; filling pages with zeros stays");
    text_append(&finding->see, "tprof memory --timeline");
    finding_add_number(findings, finding, "needed_faults", of->needed);
    finding_add_number(findings, finding, "major_faults", of->major);
}

void rule_fault(const struct findings_context *context, struct findings *findings)
{
    struct page_faults of = find_faults(context);
    char share[UNITS_SIZE], count[UNITS_SIZE];
    struct text other;

    if (of.unknown) {
        findings_skip(findings, "%s", of.unknown);
        return;
    }
    if (of.needed_ns >= least_share * context->wall.ns) {
        add_fault(context, findings, &of);
        return;
    }
    text_init(&other);
    append_other(&other, context, &of);
    findings_pass(findings,
                  "touching %s page%s for the first time takes %s%s of the wall time; %.0f fault%s "
                  "waited for a disk%s",
                  units_format_count(count, (int64_t)of.needed),
                  units_choose((uint64_t)of.needed, "", "s"), of.is_bounded ? "at most " : "",
                  units_format_percent(share, of.needed_ns / context->wall.ns), of.major,
                  units_choose((uint64_t)of.major, "", "s"),
                  text_status(&other) ? "" : other.bytes);
    text_fini(&other);
}
