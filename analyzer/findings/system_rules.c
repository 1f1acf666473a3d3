/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the operating system says: INPUT, IOW, CPU-95 and GPU-70.  The sentences
 * in quotes of the specification's diagnose_performance_issues are kept.
 */
#include <math.h>

#include "base/units.h"
#include "figures/slots.h"
#include "figures/waiting.h"
#include "findings/context.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

static const double input_share = 0.05;                   /* XProf: 5 % moderate, 20 % high */
static const double pressure_share = 0.20;                /* of the wall time */
static const double busy_share = 0.90, full_share = 0.95; /* of the allowed processors */
static const double input_rate = 1e6;   /* bytes a second of waiting from which on it is input */
static const double output_block = 512; /* bytes written for each time of waiting from which on it
                                           may be for that: what disks count in */

/* ---- INPUT ------------------------------------------------------------------------------ */

/* A thread that calls kernels, and its time between the first call and the last. */
struct caller {
    const char *unknown; /* why, or NULL */
    struct waiting waiting;
    double span_ns;
    double kernel_ns;
    double off_ns;   /* of the span, not in kernels: it waited, at most */
    double aside_ns; /* of the span: it was put aside for others */
};

static uint32_t find_caller(const struct session *session)
{
    uint32_t caller = 0;

    for (uint32_t i = 0; i < session->threads.count; i++)
        if (session_thread_at(session, i)->kernel_ns > 0)
            caller = i;
    return caller;
}

static void watch(struct caller *caller, const struct session *session, uint32_t thread)
{
    struct waiting_shares shares;
    uint64_t from_ns = 0, to_ns = 0;

    course_find_span(course_of(session, thread), &from_ns, &to_ns);
    caller->span_ns = (double)(to_ns - from_ns);
    caller->kernel_ns = (double)session_thread_at(session, thread)->kernel_ns;
    caller->waiting = waiting_find(session, thread, from_ns, to_ns);
    if (!(caller->waiting.watched_ns > 0))
        caller->unknown = "no two readings were taken between the first kernel call and the last; "
                          "run longer, or with a shorter TPROF_INTERVAL";
    else if (isnan(caller->waiting.off_ns))
        caller->unknown = "the thread's processor time was not read";
    shares = waiting_split(&caller->waiting);
    caller->aside_ns = shares.aside * caller->span_ns;
    caller->off_ns =
        fmin(shares.waited * caller->span_ns, fmax(0, caller->span_ns - caller->kernel_ns));
}

static struct caller find_waiting(const struct findings_context *context)
{
    struct caller caller = {.unknown = NULL};
    uint32_t thread = find_caller(context->session);

    if (context->wall.kernel_threads == 0)
        caller.unknown = "no known kernel was called";
    else if (context->wall.kernel_threads > 1)
        caller.unknown = "several threads call kernels, and may wait for each other";
    else if (course_of(context->session, thread)->calls.count < 2)
        caller.unknown = "too few calls of kernels are in the trace";
    else if (!slots_are_in_courses(context->session, thread))
        caller.unknown = "too many calls of kernels left no record: when the first and the last "
                         "were is not known";
    else
        watch(&caller, context->session, thread);
    return caller;
}

/* What a thread does with data while it waits; both is the sum of the two. */
enum exchange { EXCHANGE_NEITHER, EXCHANGE_READS, EXCHANGE_WRITES, EXCHANGE_BOTH };

static const struct exchange_words {
    const char *title, *why, *action;
    double confidence; /* two things that may be waited for are known less than one */
    enum finding_gain gain;
} exchanges[] = {
    [EXCHANGE_NEITHER] = {"; it hardly reads or writes",
                          "nothing is computed while something else is waited for",
                          "find what it waits for: a sleep, a lock, another thread or process "
                          "(strace -f -c, perf trace)",
                          FINDING_CONFIDENCE_LOW, FINDING_POINTS},
    [EXCHANGE_READS] = {", and reads data",
                        "nothing is computed while the next data are waited for",
                        "read ahead in threads or processes of their own (num_workers, prefetch), "
                        "keep data in memory, or in fewer and larger files",
                        FINDING_CONFIDENCE_MEDIUM, FINDING_BOUNDS},
    [EXCHANGE_WRITES] = {", and writes data",
                         "nothing is computed while a disk is waited for to have what was written",
                         "flush and sync (fflush, fsync, commits) once in many steps, or write in "
                         "a thread of its own",
                         FINDING_CONFIDENCE_MEDIUM, FINDING_BOUNDS},
    [EXCHANGE_BOTH] = {", and reads and writes data",
                       "nothing is computed while data are waited for, or a disk to have what was "
                       "written",
                       "find which of both it waits for (strace -f -c): for output, flush and sync "
                       "(fflush, fsync, commits) once in many steps; for input, read ahead in "
                       "threads or processes of their own, or keep data in memory",
                       FINDING_CONFIDENCE_LOW, FINDING_BOUNDS},
};

static void append_waiting(struct text *text, const struct caller *caller)
{
    const struct waiting *waiting = &caller->waiting;
    char off[UNITS_SIZE], watched[UNITS_SIZE], bytes[UNITS_SIZE], disk[UNITS_SIZE],
        written[UNITS_SIZE];

    text_appendf(
        text, "by readings that it took itself, the thread was on no processor for %s of %s",
        units_format_time(off, waiting->off_ns), units_format_time(watched, waiting->watched_ns));
    if (!isnan(waiting->called_bytes))
        text_appendf(text, "; read calls of the process returned %s meanwhile, %s came from a disk",
                     units_format_bytes(bytes, waiting->called_bytes),
                     units_format_bytes(disk, waiting->disk_bytes));
    if (waiting->written_bytes > 0)
        text_appendf(text, "; %s were written to disks beside the trace",
                     units_format_bytes(written, waiting->written_bytes));
    if (!isnan(waiting->voluntary))
        text_appendf(text,
                     "; it gave its processor up %.0f time%s and was put aside %.0f time%s",
                     waiting->voluntary, units_choose((uint64_t)waiting->voluntary, "", "s"),
                     waiting->involuntary, units_choose((uint64_t)waiting->involuntary, "", "s"));
}

/* What it does while it waits.  Of input it may wait for a pipe as well as for a disk; a flush
 * that is synced waits for each little that is written. */
static enum exchange find_exchange(const struct waiting *waiting)
{
    bool reads = waiting->called_bytes > input_rate * waiting->off_ns / 1e9;
    bool writes =
        waiting->voluntary > 0 && waiting->written_bytes >= output_block * waiting->voluntary;

    return (reads ? EXCHANGE_READS : EXCHANGE_NEITHER) |
           (writes ? EXCHANGE_WRITES : EXCHANGE_NEITHER);
}

/* "; other programs had its processor for 12.0 %, as the kernel counted" */
static void append_aside(struct text *text, const struct caller *caller,
                         const struct findings_context *context)
{
    const struct waiting *waiting = &caller->waiting;
    char aside[UNITS_SIZE];

    if (isnan(waiting->aside_ns))
        text_append(text, "; the system does not tell how much of it others had its processor");
    else
        text_appendf(text, "; others had its processor for %s, as the kernel counted",
                     units_format_percent(aside, caller->aside_ns / context->wall.ns));
}

static void add_input(struct findings *findings, const struct caller *caller,
                      const struct findings_context *context)
{
    const struct exchange_words *words = &exchanges[find_exchange(&caller->waiting)];
    double confidence =
        isnan(caller->waiting.aside_ns) ? FINDING_CONFIDENCE_LOW : words->confidence;
    struct finding_claim claim = {caller->off_ns, caller->off_ns, confidence};
    bool has_repair = words->gain <= FINDING_BOUNDS; /* else nothing is saved that has a bound */
    struct finding *finding = has_repair ? findings_add_waiting(findings, &claim, 0)
                                         : findings_add(findings, &claim);
    char share[UNITS_SIZE];

    finding_weaken(finding, words->gain);
    text_appendf(&finding->title,
                 "the thread that calls kernels waits between them for %s%s of the "
                 "wall time%s",
                 isnan(caller->waiting.aside_ns) ? "at most " : "",
                 units_format_percent(share, finding->fraction), words->title);
    append_waiting(&finding->evidence, caller);
    append_aside(&finding->evidence, caller, context);
    text_append(&finding->why, words->why);
    text_append(&finding->action, words->action);
    text_append(&finding->refute, "a kernel is taken not to wait: one with threads of its own may, "
                                  "and then less is waited between");
    text_append(&finding->see, "tprof steps");
    finding_add_number(findings, finding, "waiting_ns", caller->off_ns);
    finding_add_number(findings, finding, "called_bytes", caller->waiting.called_bytes);
    finding_add_number(findings, finding, "written_bytes", caller->waiting.written_bytes);
}

void rule_input(const struct findings_context *context, struct findings *findings)
{
    struct caller caller = find_waiting(context);
    char share[UNITS_SIZE];
    struct text aside;

    if (caller.unknown) {
        findings_skip(findings, "%s", caller.unknown);
        return;
    }
    if (caller.off_ns >= input_share * context->wall.ns) {
        add_input(findings, &caller, context);
        return;
    }
    text_init(&aside);
    append_aside(&aside, &caller, context);
    findings_pass(findings,
                  "the thread that calls kernels waits between them for %s of the wall time%s",
                  units_format_percent(share, caller.off_ns / context->wall.ns),
                  text_status(&aside) ? "" : aside.bytes);
    text_fini(&aside);
}

/* ---- IOW ---------------------------------------------------------------------------------- */

/* Time in which some task of the machine waited for a disk, between the first reading
 * and the last. */
static double pressure_ns(const struct session_process *process)
{
    if (process->first.io_pressure_ns == SESSION_UNKNOWN ||
        process->last.io_pressure_ns == SESSION_UNKNOWN)
        return (double)NAN;
    return (double)(process->last.io_pressure_ns - process->first.io_pressure_ns);
}

/* A system that tells of waiting need not tell of each process. */
static void append_own_bytes(struct text *text, const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    char bytes[UNITS_SIZE], written[UNITS_SIZE];

    if (last->read_bytes == SESSION_UNKNOWN || last->written_bytes == SESSION_UNKNOWN)
        text_append(text, "; what this process read and wrote is not known");
    else
        text_appendf(text, "; this process read %s from disks and wrote %s beside the trace",
                     units_format_bytes(bytes, (double)last->read_bytes),
                     units_format_bytes(written, fmax(0, (double)last->written_bytes -
                                                             (double)session->file_bytes)));
}

static void add_iow(struct findings *findings, const struct findings_context *context,
                    double waited_ns)
{
    double share = waited_ns / (double)context->session->process.wall_ns;
    struct finding *finding =
        findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);
    char percent[UNITS_SIZE];

    text_append(&finding->title, "I/O bottleneck - optimize data loading or use faster storage");
    text_appendf(&finding->evidence,
                 "for %s of the wall time some task of the machine waited for a disk "
                 "(/proc/pressure/io)",
                 units_format_percent(percent, share));
    append_own_bytes(&finding->evidence, context->session);
    text_append(&finding->why, "a disk is far slower than memory");
    text_append(&finding->action, "pidstat -d names the processes that read and write");
    text_append(&finding->refute, "the pressure is that of the whole machine: other processes may "
                                  "be those that wait");
    text_append(&finding->see, "tprof steps");
    finding_add_number(findings, finding, "io_pressure", share);
}

void rule_iow(const struct findings_context *context, struct findings *findings)
{
    double wall_ns = (double)context->session->process.wall_ns;
    double waited_ns = pressure_ns(&context->session->process);
    char share[UNITS_SIZE];

    if (isnan(waited_ns) || !(wall_ns > 0))
        findings_skip(findings, "the system does not tell how long tasks wait for disks: it has no "
                                "/proc/pressure/io");
    else if (waited_ns > pressure_share * wall_ns)
        add_iow(findings, context, waited_ns);
    else
        findings_pass(findings,
                      "some task of the machine waited for a disk during %s of the wall "
                      "time",
                      units_format_percent(share, waited_ns / wall_ns));
}

/* ---- CPU-95 -------------------------------------------------------------------------------- */

static void add_cpu(struct findings *findings, double share, double allowed)
{
    bool is_full = share > full_share;
    struct finding *finding =
        findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    char percent[UNITS_SIZE];

    text_appendf(&finding->title, "%s",
                 is_full ? "CPU bottleneck - consider data loading optimization or distributed "
                           "training"
                         : "the allowed processors are nearly all in use");
    text_appendf(&finding->evidence, "%s of %.0f allowed processor%s on average over the wall time",
                 units_format_percent(percent, share), allowed, allowed > 1 ? "s" : "");
    text_append(&finding->why, "more threads cannot make it faster here");
    text_append(&finding->action, "make kernels cheaper first: the other findings; then more "
                                  "processors, or several machines");
    text_append(&finding->refute, "threads that only spin use processors, too");
    text_append(&finding->see, "tprof threads");
    finding_add_number(findings, finding, "cpu_share", share);
}

void rule_cpu_95(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    double cpu_ns = (double)process->last.user_ns + (double)process->last.system_ns, share;
    char percent[UNITS_SIZE];

    if (process->cpu_count == SESSION_UNKNOWN || process->cpu_count == 0 || process->wall_ns == 0) {
        findings_skip(findings, "how many processors were allowed is not known");
        return;
    }
    if (process->last.user_ns == SESSION_UNKNOWN) {
        findings_skip(findings, "the process ended before a reading of its processor time");
        return;
    }
    share = cpu_ns / (double)process->wall_ns / (double)process->cpu_count;
    if (share > busy_share)
        add_cpu(findings, share, (double)process->cpu_count);
    else
        findings_pass(findings, "%s of the %llu allowed processor%s used on average",
                      units_format_percent(percent, share), (unsigned long long)process->cpu_count,
                      units_choose(process->cpu_count, " was", "s were"));
}

/* ---- GPU-70 -------------------------------------------------------------------------------- */

void rule_gpu_70(const struct findings_context *context, struct findings *findings)
{
    (void)context;
    findings_skip(findings, "tprof takes no readings of GPUs; nvidia-smi dmon or rocm-smi tell how "
                            "much they are used");
}
