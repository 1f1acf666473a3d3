/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of page faults: the price of getting memory.
 *
 * malloc itself is cheap; the pages behind a large block are not.  The operating system fills each
 * new page with zeros when it first faults, and takes the pages back when the block is freed.  Each
 * page of the highest resident memory must be touched once: these faults belong to FAULT.  All
 * further faults are on memory that the process had used and freed: they belong to ALLOC-CHURN, and
 * keeping the memory saves them.
 *
 * The cost of a fault is the processor time of the operating system divided by the number of
 * faults, because computing programs use that time only for faults.  It is at most the known
 * maximum of a fault: the rest is other work, such as reading, writing, or a library's threads that
 * spin in sched_yield() while they wait.
 */
#include "findings/page_faults.h"

#include <math.h>
#include <string.h>

#include "cpu/cpu_row.h"
#include "findings/texts.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/slots.h"

static const double page_default = 4096;     /* used if the trace has no page size */
static const double least_share = 0.03;      /* share of the wall time */
static const double least_spun = 0.5;        /* of the time that spinning shall explain */
static const double least_window = 0.5;      /* share of the kernels' time that lies between
                                                readings */
static const double copied_bytes_per_ns = 5; /* out of the page cache, by one
                                                processor; an order of
                                                magnitude */
static const double most_first_ns = 3000;    /* for a fault of 4 KiB: 0.1 to 1 us are common; a
                                                virtual machine that must get the page from its host
                                                took 1.7 to 2.4 */
static const double most_further_ns = 500;   /* for each further 4 KiB of a huge page: filling with
                                                zeros at 8 GB/s */

/* Ten ticks of a system that counts processor time by its clock of 100 Hz. */
static const uint64_t least_wall_ns = 100000000;

/* Two readings of the process, and which part of its time lies between them. */
struct window {
    struct trace_reading from;
    struct trace_reading to;
    double part; /* part of the kernel calls' time, or of the whole run */
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

/* Gives the time of kernel calls, if records have it and readings cover most of it.  Earlier work
 * of a program, such as loading libraries, has other costs.  Otherwise it gives the whole run. */
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

/* The program is not charged for our own pages, nor for copies by its reads. */
static double system_ns(const struct session *session, const struct window *window)
{
    double ns = (double)window->to.system_ns - (double)window->from.system_ns;

    if (!window->is_of_kernels && !isnan(session->overhead.slow_ns))
        ns -= session->overhead.slow_ns;
    if (window->to.called_bytes != SESSION_UNKNOWN && window->from.called_bytes != SESSION_UNKNOWN)
        ns -= (double)(window->to.called_bytes - window->from.called_bytes) / copied_bytes_per_ns;
    return fmax(0, ns);
}

double page_faults_page_bytes(const struct session_process *process)
{
    return process->page_bytes > 0 ? (double)process->page_bytes : page_default;
}

/* Count the pages of the rise to the peak of resident memory. */
static double needed_pages(const struct session_process *process, const struct window *window)
{
    uint64_t before = window->is_of_kernels ? window->from.peak_rss_bytes : window->from.rss_bytes;
    double first = before == SESSION_UNKNOWN ? 0 : (double)before;

    return fmax(0, ((double)window->to.peak_rss_bytes - first) / page_faults_page_bytes(process));
}

double page_faults_needed_pages(const struct session_process *process)
{
    return needed_pages(process, &(struct window){process->first, process->last, 1, false});
}

/* Simultaneous faults of several threads take less wall time; if other programs use the processor,
 * faults take more. */
static double wall_of(const struct findings_context *context, double cpu_ns)
{
    return fmin(context->wall.ns, findings_wall_ns(context, cpu_ns) / context->wall.processor);
}

static double units_of_page(const struct session_process *process)
{
    return page_faults_page_bytes(process) / page_default;
}

/* An upper bound for the cost of a fault, if resident memory rose by this many pages. */
static double most_each_ns(const struct session_process *process, double faults, double pages)
{
    double units = units_of_page(process);

    return most_first_ns * units + most_further_ns * units * fmax(0, pages / faults - 1);
}

/* Charge the system's time to faults, up to their greatest possible cost. */
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

/* The whole run bounds the excess: a window does not show which pages were needed before its first
 * reading. */
static double most_excess(const struct session_process *process)
{
    double faults = (double)process->last.minor_faults - (double)process->first.minor_faults;

    return fmax(0, faults - page_faults_needed_pages(process));
}

struct page_faults page_faults_find(const struct findings_context *context)
{
    const struct session_process *process = &context->session->process;
    struct window window = find_window(context->session);
    struct page_faults of = {0};
    double faults, excess_ns, whole_ns;

    if (process->last.minor_faults == SESSION_UNKNOWN ||
        process->last.peak_rss_bytes == SESSION_UNKNOWN) {
        of.unknown = &faults_unread_text;
        return of;
    }
    if (process->wall_ns < least_wall_ns) {
        of.unknown = &faults_too_short_text;
        return of;
    }
    faults = (double)window.to.minor_faults - (double)window.from.minor_faults;
    of.faults = faults / window.part;
    of.major = (double)process->last.major_faults;
    of.needed = fmin(faults, needed_pages(process, &window)) / window.part;
    of.filling_ns =
        needed_pages(process, &window) / window.part * units_of_page(process) * most_further_ns;
    of.excess = fmin(of.faults - of.needed, most_excess(process));
    share_system(context, &window, faults, &of);
    whole_ns = (double)process->last.system_ns;
    excess_ns = fmin(whole_ns, of.excess * of.each_ns);
    of.excess_ns = wall_of(context, excess_ns);
    of.needed_ns = fmin(context->wall.ns - of.excess_ns,
                        wall_of(context, fmin(whole_ns - excess_ns, of.needed * of.each_ns)));
    return of;
}

/* Threads that called no kernel: the one that the program began in is no library's.
 * Returns: their number; 0: they had too little processor time to have spun. */
static size_t count_silent(const struct session *session, double other_ns)
{
    size_t count = 0;
    double spun_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (thread->kernel_ns != 0 || thread->id == session->process.pid)
            continue;
        spun_ns += thread->cpu_ns == SESSION_UNKNOWN ? other_ns : (double)thread->cpu_ns;
        count++;
    }
    return spun_ns >= least_spun * other_ns ? count : 0;
}

/* Returns: the processor time of forks. */
static double sum_forks(const struct cpu_time *time)
{
    double ns = 0;

    for (size_t i = 0; !time->unknown && i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        ns += row->kind == CPU_LINUX && strstr(row->name, "fork") ? row->self_ns : 0;
    }
    return ns;
}

void page_faults_say_other(struct text *text, const struct findings_context *context,
                           const struct page_faults *of)
{
    size_t silent = count_silent(context->session, of->other_ns);
    double fork_ns = sum_forks(&context->time);

    if (!of->is_bounded)
        return;
    say(text, faults_other_text, said_time(of->other_ns));
    if (fork_ns > 0)
        say(text, faults_forks_text, said_time(fork_ns));
    if (silent > 0 && context->wall.kernel_threads > 0)
        say(text, faults_spinning_text, said_count(silent));
}
