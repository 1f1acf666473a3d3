/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the figures can be believed: INVALID, COVERAGE, DROPPED and OVERHEAD.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "figures/coverage.h"
#include "figures/loss_words.h"
#include "findings/targets.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Clocks of different resolution agree to a percent; see judge.c for rates. */
static const double valid_time = 1.05;

/* Of the wall time: rows that take less, or whose time is known badly, throw no doubt on
 * others. */
static const double least_invalid = 0.01;

/* Of the processor time; less of workers is not worth a word. */
static const double least_coverage = 0.2, least_workers = 0.01;

/* Of kernel time. */
static const double most_unknown = 0.1;

/* A program computes when it has a processor for this part of its wall time, and for
 * long enough to be worth a line. */
static const double least_computing = 0.2;
static const double least_of_kernels = 0.01; /* of the processor time, to say that there are some */
enum { LEAST_COMPUTING_NS = 100000000 };

/* The specification's own overhead is 5 %, its budget 1 %. */
static const double high_overhead = 0.05, some_overhead = 0.01;

/* ---- too good to be true --------------------------------------------------------------- */

/* Threads that were in kernels for longer than they lived. */
static size_t count_impossible(const struct session *session)
{
    size_t count = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        count +=
            thread->last_ns < thread->first_ns ||
            (double)thread->kernel_ns > valid_time * (double)(thread->last_ns - thread->first_ns);
    }
    return count;
}

static void add_invalid(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows, size_t impossible)
{
    struct finding *finding = findings_add_doubt(findings, true, FINDING_CONFIDENCE_HIGH);

    text_append(&finding->title, "figures are better than the machine allows");
    if (rows->count > 0) {
        targets_append_sums(&finding->evidence, rows, context);
        text_append(&finding->evidence, " at more than 105 % of the peak or the bandwidth: ");
        targets_append(&finding->evidence, rows, context);
    }
    if (impossible > 0)
        text_appendf(&finding->evidence,
                     "%s%zu thread%s in kernels for longer than %s lived: the clock jumped",
                     rows->count > 0 ? "; " : "", impossible,
                     units_choose(impossible, " was", "s were"),
                     units_choose(impossible, "it", "they"));
    text_append(&finding->why,
                "no call is faster than the roof: a calibration on a busy or another "
                "machine, more threads than were assumed, or a formula that counts "
                "what was not computed");
    text_append(&finding->action, "run tprof calibrate on a quiet machine, or say --threads N; "
                                  "leave these rows out of conclusions until then");
    text_append(&finding->see, "tprof roofline");
}

/* Returns: the rows that together take enough to matter; none where they do not. */
static struct targets find_invalid(const struct findings_context *context, double *fraction)
{
    struct targets rows = {0}, known = {0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!findings_judgement(context, i)->is_invalid)
            continue;
        targets_add(&rows, group, 0);
        if (!group_is_rough(group))
            targets_add(&known, group, 0);
    }
    *fraction = findings_fraction(context, rows.thread_ns);
    return findings_fraction(context, known.thread_ns) >= least_invalid ? known
                                                                        : (struct targets){0};
}

void rule_invalid(const struct findings_context *context, struct findings *findings)
{
    size_t impossible = count_impossible(context->session);
    double fraction;
    struct targets rows = find_invalid(context, &fraction);
    char share[UNITS_SIZE];

    if (rows.count + impossible > 0)
        add_invalid(context, findings, &rows, impossible);
    else if (!context->judge.machine)
        findings_skip(findings, "times are in order, but rates have no limit to be checked "
                                "against: run tprof calibrate once");
    else if (fraction > 0)
        findings_pass(findings,
                      "kernels and shapes above 105 %% of a limit take %s of the wall time: less "
                      "than 1 %%, or known badly",
                      units_format_percent(share, fraction));
    else
        findings_pass(
            findings, "none of %zu %s is above 105 %% of a limit", context->groups.rows.count,
            units_choose(context->groups.rows.count, "kernel and shape", "kernels and shapes"));
}

/* ---- what was not seen ------------------------------------------------------------------ */

/* Where all slots could be hooked, a library that is entered by them alone was not entered. */
static bool is_seen(const struct coverage *coverage, const struct coverage_library *library)
{
    return library->calls > 0 ||
           (library->is_entered && library->exported > 0 && coverage->missed == 0);
}

static bool is_unseen(const struct coverage *coverage, const struct coverage_library *library)
{
    return library->kind && !is_seen(coverage, library);
}

/* The first library that computes and of which nothing could be seen; one that others are
 * called by, of which none is expected, or one that is none. */
static const struct coverage_library *find_unseen(const struct coverage *coverage, bool is_caller)
{
    for (size_t i = 0; i < coverage->libraries.count; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);

        if (is_unseen(coverage, library) && library->is_caller == is_caller)
            return library;
    }
    return NULL;
}

/* A library of arrays may call a dot product when it is loaded, as numpy does. */
static bool has_kernels(const struct findings_context *context, const struct coverage *coverage)
{
    double most = coverage_share(coverage).most;

    return context->groups.calls > 0 && (isnan(most) || most >= least_of_kernels);
}

static bool has_same_hint(const struct coverage_library *a, const struct coverage_library *b)
{
    return strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->hint ? a->hint : "", b->hint ? b->hint : "") == 0;
}

static void append_hint_of(struct text *text, const struct coverage_library *library)
{
    text_appendf(text, " (%s)", library->kind);
    if (library->hint && library->hint[0])
        text_appendf(text, ": %s", library->hint);
}

/* Which of several computes is not known: numpy brings a library for transforms that few
 * programs ask.  Those that stand together have a hint that they share once. */
static void append_silent(struct text *text, const struct coverage *coverage)
{
    const struct coverage_library *last = NULL;

    for (size_t i = 0; i < coverage->libraries.count; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);
        bool is_shared = last && library->kind && has_same_hint(last, library);

        if (!is_unseen(coverage, library) || library->is_caller)
            continue;
        if (last && !is_shared)
            append_hint_of(text, last);
        text_appendf(text, "%s%s",
                     !last       ? "; nothing is seen of "
                     : is_shared ? ", "
                                 : "; of ",
                     library->name);
        last = library;
    }
    if (last)
        append_hint_of(text, last);
}

static void append_unseen(struct text *text, const struct coverage *coverage)
{
    const struct coverage_library *caller = find_unseen(coverage, true);

    append_silent(text, coverage);
    if (!caller)
        return;
    text_appendf(text, "; of %s", caller->name);
    append_hint_of(text, caller);
}

/* It computes, with no library that is known: in loops of its own, it may be. */
static bool computes_itself(const struct findings_context *context, const struct coverage *coverage)
{
    return !has_kernels(context, coverage) && !find_unseen(coverage, false) &&
           coverage->cpu_ns != SESSION_UNKNOWN && coverage->cpu_ns >= LEAST_COMPUTING_NS &&
           (double)coverage->cpu_ns >= least_computing * context->wall.ns;
}

/* One that computes little, or in code of its own, has nothing to be seen; one that has
 * loaded such a library and called nothing of it, as far as was seen, is seen wrongly. */
static bool is_blind(const struct findings_context *context, const struct coverage *coverage)
{
    return context->groups.calls == 0 && find_unseen(coverage, false);
}

static void append_coverage_action(struct text *text, bool is_own_code)
{
    if (is_own_code)
        text_append(text, "perf record names the functions that take the time; name parts of the "
                          "program with tprof_region_begin() to see them here; tprof coverage "
                          "tells of a library that is linked into the program itself");
    else
        text_append(text, "see tprof coverage for what could not be hooked; describe the "
                          "program's own kernels in a file for TPROF_KERNELS, or name its "
                          "parts with tprof_region_begin()");
}

/* Before a share that waiting leaves open. */
static const char *at_most(const struct coverage *coverage)
{
    return isnan(coverage_fraction(coverage)) ? "at most " : "";
}

/* A user who set the threads of the library knows better than the processors. */
static double most_with_workers(const struct findings_context *context,
                                const struct coverage *coverage)
{
    const struct judge *judge = &context->judge;
    bool is_set = judge->threads_from != JUDGE_FROM_TIME;

    return coverage_most_with_workers(coverage, is_set ? judge->threads : 0);
}

/* Behind such a share: what it is with the workers of a library, where they had time. */
static void append_workers(struct text *text, const struct findings_context *context,
                           const struct coverage *coverage)
{
    double most = most_with_workers(context, coverage);
    char share[UNITS_SIZE];

    if (most - coverage_share(coverage).most >= least_workers)
        text_appendf(text, ", at most %s with threads that called none and may work for them",
                     units_format_percent(share, most));
}

static void add_coverage(const struct findings_context *context, struct findings *findings,
                         const struct coverage *coverage)
{
    struct finding *finding =
        findings_add_doubt(findings, is_blind(context, coverage), FINDING_CONFIDENCE_MEDIUM);
    bool is_own_code = computes_itself(context, coverage);
    char share[UNITS_SIZE], cpu[UNITS_SIZE];

    if (is_own_code)
        text_appendf(&finding->title,
                     context->groups.calls == 0
                         ? "%s of processor time in code that calls no known kernel"
                         : "%s of processor time, of which known kernels take less than 1 %%",
                     units_format_time(cpu, (double)coverage->cpu_ns));
    else
        text_append(&finding->title, context->groups.calls == 0
                                         ? "no known kernel was called"
                                         : "most of the processor time is not in known kernels");
    if (coverage->cpu_ns != SESSION_UNKNOWN)
        text_appendf(&finding->evidence, "kernels take %s%s of %s of processor time",
                     at_most(coverage), units_format_percent(share, coverage_share(coverage).most),
                     units_format_time(cpu, (double)coverage->cpu_ns));
    append_workers(&finding->evidence, context, coverage);
    append_unseen(&finding->evidence, coverage);
    text_append(&finding->why, "what is not seen cannot be found: findings are about the kernels "
                               "that are");
    append_coverage_action(&finding->action, is_own_code);
    text_append(&finding->refute, "a program that computes little has little to be seen");
    text_append(&finding->see, "tprof coverage");
}

/* ": solve n=10, fftw_plan_dft_1d", those that take most. */
static void append_unknown_names(struct text *text, const struct findings_context *context)
{
    size_t named = 0;

    for (size_t i = 0; i < context->groups.rows.count && named < TARGETS_NAMED; i++) {
        const struct group *group = findings_group(context, i);

        if (!isnan(findings_slot(context, group)->flops_each))
            continue;
        text_append(text, named++ ? ", " : ": ");
        findings_append_name(text, group);
    }
}

static void add_unknown(const struct findings_context *context, struct findings *findings,
                        double fraction)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    char share[UNITS_SIZE], time[UNITS_SIZE];

    text_append(&finding->title, "FLOPs of a good part of kernel time are not known");
    text_appendf(&finding->evidence, "%s of %s of kernel time is in kernels of unknown FLOPs",
                 units_format_percent(share, fraction),
                 units_format_time(time, (double)context->groups.self_ns));
    append_unknown_names(&finding->evidence, context);
    text_append(&finding->why, "rates and roofs leave these kernels out");
    text_append(&finding->action, "give those of your own a formula in a file for TPROF_KERNELS "
                                  "where their arguments tell it; what eigenvalues, singular "
                                  "values and plans take depends on more than that");
    text_append(&finding->see, "tprof flops, tprof-kernels(5)");
}

static void pass_coverage(const struct findings_context *context, struct findings *findings,
                          const struct coverage *coverage, double unknown)
{
    char share[UNITS_SIZE], part[UNITS_SIZE];
    struct text workers;

    text_init(&workers);
    append_workers(&workers, context, coverage);
    findings_pass(findings,
                  "kernels take %s%s of processor time%s, and %s of theirs is in kernels of "
                  "unknown FLOPs",
                  at_most(coverage), units_format_percent(share, coverage_share(coverage).most),
                  workers.size > 0 && !text_status(&workers) ? workers.bytes : "",
                  units_format_percent(part, unknown));
    text_fini(&workers);
}

static void judge_coverage(const struct findings_context *context, struct findings *findings,
                           const struct coverage *coverage)
{
    double fraction = most_with_workers(context, coverage);
    double unknown = (double)context->groups.work.unknown_ns / (double)context->groups.self_ns;

    if (isnan(fraction)) {
        findings_skip(findings, "the processor time of the process is not known");
        return;
    }
    if (fraction < least_coverage)
        add_coverage(context, findings, coverage);
    if (unknown > most_unknown)
        add_unknown(context, findings, unknown);
    if (fraction >= least_coverage && !(unknown > most_unknown))
        pass_coverage(context, findings, coverage, unknown);
}

/* Of a program that seems to compute itself the files are asked too, which takes a moment: an
 * engine may be linked into one of any name. */
static enum status find_coverage(const struct findings_context *context, struct coverage *coverage)
{
    enum status status = coverage_init(coverage, context->session, false);

    if (status || !computes_itself(context, coverage))
        return status;
    coverage_fini(coverage);
    return coverage_init(coverage, context->session, true);
}

void rule_coverage(const struct findings_context *context, struct findings *findings)
{
    struct coverage coverage;

    if (find_coverage(context, &coverage))
        findings->status = STATUS_OUT_OF_MEMORY;
    else
        judge_coverage(context, findings, &coverage);
    coverage_fini(&coverage);
}

/* ---- what was lost ---------------------------------------------------------------------- */

/* Why the trace could not grow, and what helps; 0: it could. */
static const struct {
    int number;
    const char *remedy;
} causes[] = {
    {EACCES, "start the program as the user that it becomes, with TPROF_OUTPUT in a folder of that "
             "user: the trace is opened again whenever it grows"},
    {EPERM, "start the program as the user that it becomes, with TPROF_OUTPUT in a folder of that "
            "user: the trace is opened again whenever it grows"},
    {ENOENT, "let TPROF_OUTPUT name a place that stays where it is, also when the program changes "
             "its root: the trace is opened again whenever it grows"},
    {EMFILE, "raise the limit of open files (ulimit -n): the trace needs one for a moment whenever "
             "it grows"},
    {EFBIG,
     "raise the limit of a file's size (ulimit -f), or record less (TPROF_ALLOC=sample:512KiB "
     "or off)"},
    {ENOMEM, "raise the limit of the address space (ulimit -v), or record less "
             "(TPROF_ALLOC=sample:512KiB or off)"},
    {ENOSPC, "make room on the disk, or record less (TPROF_ALLOC=sample:512KiB or off)"},
    {0,
     "record less (TPROF_ALLOC=sample:512KiB or off): the trace was not refused, they came where "
     "none can be written, as in a handler that interrupts one, or 64 calls deep"},
};

static const char *find_remedy(int number)
{
    size_t row = 0;

    while (causes[row].number != 0 && causes[row].number != number)
        row++;
    return number == 0 || causes[row].number != 0
               ? causes[row].remedy
               : "cure what refused it, or let TPROF_OUTPUT name another place";
}

/* Each sort of loss has a remedy of its own. */
static void append_remedies(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    const struct {
        uint64_t count;
        const char *remedy;
    } rows[] = {
        {losses->lost_records, find_remedy(losses->failed_errno)},
        {losses->overwritten_records, "raise or leave out TPROF_CAPACITY, which keeps the newest "
                                      "events alone"},
        {session->heap.lost_samples, "sample fewer blocks (TPROF_ALLOC=sample:4MiB)"},
        {losses->torn_chunks, "copy the whole file, once the program has ended: what cannot be "
                              "read was cut off, is damaged or was still being written"},
        {losses->bad_records, "record again: the file is damaged, or tprof at fault if it happens "
                              "again"},
        {losses->unmatched, "wrap kernels that no coroutine leaves and no jump ends "
                            "(TPROF_KERNELS, TPROF_WRAP)"},
    };
    const char *separator = "";

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0) {
            text_appendf(text, "%s%s", separator, rows[i].remedy);
            separator = "; ";
        }
}

static void append_effect(struct text *text, const struct session_losses *losses)
{
    bool is_cut = losses->lost_records > 0 || losses->overwritten_records > 0 ||
                  losses->torn_chunks > 0 || losses->bad_records > 0;

    if (losses->unmatched > 0)
        text_appendf(text,
                     "calls that a jump left, or that coroutines interleaved, are in no total and "
                     "no row%s",
                     is_cut ? "; of the others, " : "");
    if (!is_cut && losses->unmatched > 0)
        return;
    if (losses->torn_chunks > 0)
        text_append(text, "totals and all that rests on single events (percentiles, gaps, the "
                          "heap) are of the parts that can be read");
    else
        text_append(text, "totals are exact, but what rests on single events (percentiles, gaps, "
                          "the heap) is of those that are left");
}

void rule_dropped(const struct findings_context *context, struct findings *findings)
{
    const struct session_losses *losses = &context->session->losses;
    bool is_damaged = losses->lost_records > 0 || losses->torn_chunks > 0 ||
                      losses->bad_records > 0 || context->session->heap.lost_samples > 0;
    struct finding *finding;

    if (!is_damaged && losses->overwritten_records == 0 && losses->unmatched == 0) {
        findings_pass(findings, "no record was lost or overwritten");
        return;
    }
    finding = findings_add_doubt(findings, is_damaged, FINDING_CONFIDENCE_HIGH);
    text_append(&finding->title, "events are missing from the trace");
    loss_words_append(&finding->evidence, context->session);
    append_effect(&finding->why, losses);
    append_remedies(&finding->action, context->session);
    text_append(&finding->see, "tprof info");
}

/* ---- what we cost ------------------------------------------------------------------------ */

/* What recording took, by what took it, and how that becomes less. */
struct cost {
    double ns, each_ns; /* NAN: it has no number */
    const char *what, *action;
};

enum { COSTS = 4 };

static const struct cost *find_largest(const struct cost costs[COSTS])
{
    const struct cost *largest = costs;

    for (int i = 1; i < COSTS; i++)
        if (costs[i].ns > largest->ns)
            largest = &costs[i];
    return largest;
}

static const char fewer_calls[] =
    "time fewer of the short calls: TPROF_OVERHEAD=1% counts the others";

static const char *find_heap_action(const struct session *session)
{
    return session->heap.has_chains
               ? "record less of the heap: TPROF_ALLOC=nostack, sample:512KiB or off"
               : "record less of the heap: TPROF_ALLOC=sample:512KiB or off";
}

/* A page of the trace takes 0.7 to 4 us to be had and a chain 10 to 60 ns, so many records are in
 * the same time as the start; of a short trace it is the start that costs. */
static const char *find_slow_action(const struct session *session)
{
    const double page_ns = 1000, page_bytes = 4096;
    const double chain_ns = session->heap.has_chains ? 20 : 0;
    const struct session_overhead *overhead = &session->overhead;
    double pages_ns = (double)session->file_bytes / page_bytes * page_ns;
    double events = overhead->allocation_ns > 0 ? overhead->blocks_ns / overhead->allocation_ns : 0;

    if (pages_ns + events / 2 * chain_ns <= overhead->slow_ns / 2)
        return "run longer, or more steps: starting takes the same however long a program runs, so "
               "it is a smaller part then; recording less would change nothing";
    return overhead->blocks_ns < overhead->kernels_ns ? fewer_calls : find_heap_action(session);
}

/* "about 54.9 ms: 44.1 ms for starting ..., 10.8 ms for allocations and frees (10 ns each)" */
static void append_costs(struct text *text, const struct session_overhead *overhead,
                         const struct cost costs[COSTS])
{
    const double least = 0.01; /* of all */
    char time[UNITS_SIZE];
    const char *separator = ": ";

    text_appendf(text, "about %s", units_format_time(time, (double)overhead->total_ns));
    for (int i = 0; i < COSTS; i++) {
        if (!(costs[i].ns >= least * (double)overhead->total_ns) || !(costs[i].ns > 0))
            continue;
        text_appendf(text, "%s%s for %s", separator, units_format_time(time, costs[i].ns),
                     costs[i].what);
        if (!isnan(costs[i].each_ns))
            text_appendf(text, " (%.0f ns each)", costs[i].each_ns);
        separator = ", ";
    }
}

static void add_overhead(const struct findings_context *context, struct findings *findings)
{
    const struct session_overhead *overhead = &context->session->overhead;
    const struct cost costs[COSTS] = {
        {overhead->blocks_ns, overhead->allocation_ns, "allocations and frees",
         find_heap_action(context->session)},
        {overhead->kernels_ns, overhead->kernel_ns, "kernel calls", fewer_calls},
        {overhead->regions_ns, overhead->region_ns, "regions", "name larger parts: fewer regions"},
        {overhead->slow_ns, (double)NAN,
         "starting, call chains, room in the trace, readings and looking through libraries",
         find_slow_action(context->session)}};
    struct finding *finding = findings_add_doubt(findings, overhead->fraction > high_overhead,
                                                 FINDING_CONFIDENCE_MEDIUM);
    char share[UNITS_SIZE];

    text_appendf(&finding->title, "recording took about %s of thread time",
                 units_format_percent(share, overhead->fraction));
    append_costs(&finding->evidence, overhead, costs);
    text_append(
        &finding->why,
        "what recording takes is taken out of the times shown, but not that of blocks out of "
        "the kernels that allocate them; caches and the order of threads feel it too");
    text_append(&finding->action, find_largest(costs)->action);
    text_append(&finding->see, "tprof report");
}

void rule_overhead(const struct findings_context *context, struct findings *findings)
{
    const struct session_overhead *overhead = &context->session->overhead;
    char share[UNITS_SIZE];

    if (!isfinite(overhead->fraction))
        findings_skip(findings, "the trace does not tell what recording cost");
    else if (overhead->fraction <= some_overhead)
        findings_pass(findings, "recording took about %s of thread time",
                      units_format_percent(share, overhead->fraction));
    else
        add_overhead(context, findings);
}
