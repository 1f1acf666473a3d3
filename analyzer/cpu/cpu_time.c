/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processor time of a process, by use.
 *
 * Each sample belongs to one row.  A row of kernels has the time of clocks, not of samples; the
 * other rows share the rest of their thread's clock.
 */
#include "cpu/cpu_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_errors.h"
#include "cpu/cpu_rows.h"
#include "cpu/cpu_split.h"
#include "cpu/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "symbols/storage.h"

/* State while it is made. */
struct work {
    struct cpu_time *time;
    const struct session *session;
    struct cpu_rows rows;
    struct cpu_split split;
    uint32_t *kernels;  /* by sample: the binding of the kernel that it is inside of, or NONE */
    uint64_t *seen;     /* by row: the last sample counted for it, plus one */
};

static struct cpu_row *row_at(const struct cpu_time *time, size_t index)
{
    return array_at(&time->rows, index);
}

/* ---- which calls are kernels ---- */

/* Looks up the names of the calls of all samples; many samples share a chain. */
static void look_up(struct cpu_time *time)
{
    const struct session *session = time->session;

    for (size_t i = 0; i < session->samples.count; i++) {
        uint32_t call = session_sample_at(session, i)->call;

        for (; call != 0 && !places_known(time->places, call);
             call = session_call_at(session, call)->parent)
            places_look_up(time->places, call);
    }
}

/* A call that is counted but not timed leaves its wrapper by a jump.  Then only the kernel's own
 * function is on the chain. */
static uint32_t find_target(const struct cpu_time *time, uint32_t call)
{
    const struct session *session = time->session;
    const struct call_places *places = places_known(time->places, call);
    uint32_t module = session_call_at(session, call)->module;

    if (!places || places->count == 0 || module == SESSION_NONE)
        return SESSION_NONE;
    const struct place *place = &places->places[places->count - 1];
    for (uint32_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = session_binding_at(session, i);

        if (binding->calls > binding->timed_calls &&
            binding->module == session_module_at(session, module) &&
            strcmp(binding->symbol, place->function->name) == 0)
            return i;
    }
    return SESSION_NONE;
}

_Static_assert(SESSION_NONE == UINT32_MAX, "bytes of ones are none");

/* A chain's outermost kernel owns its callees.  Calls on no sample's chain are not needed. */
static void find_kernels(struct cpu_time *time)
{
    const struct session *session = time->session;

    time->call_kernel = pool_get((session->calls.count + 1) * sizeof *time->call_kernel);
    memset(time->call_kernel, 0xff, (session->calls.count + 1) * sizeof *time->call_kernel);
    for (uint32_t i = 0; (i = places_next_known(time->places, i)) != 0;) {
        const struct session_call *call = session_call_at(session, i);

        time->call_kernel[i] = time->call_kernel[call->parent];
        if (time->call_kernel[i] == SESSION_NONE)
            time->call_kernel[i] =
                call->binding != SESSION_NONE ? call->binding : find_target(time, i);
    }
}

static void mark_samples(struct work *work)
{
    const struct session *session = work->session;

    work->kernels = pool_get((session->samples.count + 1) * sizeof *work->kernels);
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->flags & SESSION_SAMPLE_WORKER) {
            work->kernels[i] = SESSION_NONE;
            continue;
        }
        work->kernels[i] = sample->slot != SESSION_NONE
                               ? session_slot_at(session, sample->slot)->binding
                               : work->time->call_kernel[sample->call];
    }
}

/* ---- own time ---- */

/* A blocked signal counts one period here; its earlier periods passed elsewhere. */
static double periods_here(const struct session_sample *sample)
{
    return sample->flags & TRACE_SAMPLE_BLOCKED ? (double)sample->count : (double)sample->periods;
}

static double period_ns(const struct work *work, const struct session_sample *sample)
{
    return sample->thread == SESSION_NONE ? (double)work->session->sampling.period_ns
                                          : work->split.threads[sample->thread].period_ns;
}

static void add_blocked(struct work *work, const struct session_sample *sample)
{
    double periods = (double)sample->periods - periods_here(sample);

    if (!(periods > 0))
        return;
    uint32_t row = cpu_rows_find(&work->rows, CPU_UNNAMED, cpu_blocked_text.words);
    row_at(work->time, row)->self_ns += periods * period_ns(work, sample);
}

static uint32_t find_row(struct work *work, size_t index)
{
    const struct session_sample *sample = session_sample_at(work->session, index);

    if (work->kernels[index] == SESSION_NONE)
        return cpu_rows_of_sample(&work->rows, sample);
    if (sample->slot != SESSION_NONE)
        return cpu_rows_of_slot(&work->rows, session_slot_at(work->session, sample->slot));
    return cpu_rows_of_binding(&work->rows, sample, work->kernels[index]);
}

static void add_sample(struct work *work, size_t index)
{
    const struct session_sample *sample = session_sample_at(work->session, index);
    struct cpu_time *time = work->time;
    struct cpu_row *row;

    time->sample_row[index] = find_row(work, index);
    row = row_at(time, time->sample_row[index]);
    row->samples += sample->count;
    if (work->kernels[index] != SESSION_NONE)
        return;
    time->sample_ns[index] = periods_here(sample) * period_ns(work, sample);
    time->sample_self_ns[index] = time->sample_ns[index];
    row->self_ns += time->sample_ns[index];
    if (sample->flags & SESSION_SAMPLE_WORKER && (row->kind == CPU_KERNEL || row->kind == CPU_OP))
        time->worker_ns += time->sample_ns[index];
    if (sample->flags & TRACE_SAMPLE_SYSCALL)
        time->syscall_ns += time->sample_ns[index];
    else if (sample->flags & TRACE_SAMPLE_FAULT)
        time->fault_ns += time->sample_ns[index];
    add_blocked(work, sample);
}

static void add_samples(struct work *work)
{
    struct cpu_time *time = work->time;

    time->sample_ns = pool_get_zeros(work->session->samples.count + 1, sizeof *time->sample_ns);
    time->sample_self_ns =
        pool_get_zeros(work->session->samples.count + 1, sizeof *time->sample_self_ns);
    time->sample_row = pool_get_zeros(work->session->samples.count + 1, sizeof *time->sample_row);
    for (size_t i = 0; i < work->session->samples.count; i++)
        add_sample(work, i);
}

static void add_slots(struct work *work)
{
    for (size_t i = 0; i < work->session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(work->session, i);
        double took_ns = (double)session_without_cost(work->session, slot, slot->self_ns);
        double ns = took_ns * work->split.threads[slot->thread].kernel_part;
        uint32_t row = cpu_rows_of_slot(&work->rows, slot);

        if (!(ns > 0))
            continue;
        row_at(work->time, row)->self_ns += ns;
        row_at(work->time, row)->clocked_ns += ns;
        work->time->kernel_ns += ns;
    }
}

static void add_rest(struct work *work, const struct said *words, double ns)
{
    uint32_t row;

    if (!(ns > 0))
        return;
    row = cpu_rows_find(&work->rows, CPU_UNNAMED, words->words);
    row_at(work->time, row)->self_ns += ns;
    row_at(work->time, row)->clocked_ns += ns;
    work->time->unplaced_ns += ns;
}

/* Adds time without samples. */
static void add_rests(struct work *work)
{
    const struct cpu_split *split = &work->split;
    bool is_sampled = !work->time->unknown;

    add_rest(work, &cpu_before_text, split->before_ns);
    add_rest(work, is_sampled ? &cpu_short_text : &cpu_unsampled_text, split->short_ns);
    add_rest(work, is_sampled ? &cpu_silent_text : &cpu_unsampled_text, split->silent_ns);
}

/* ---- samples of kernels share the time of their row's clock ---- */

/* Some chains end inside a kernel, as in assembler without unwind tables; other samples of the same
 * row show its callers. */
static bool has_callers(const struct work *work, size_t sample)
{
    const struct session *session = work->session;
    uint32_t call = session_sample_at(session, sample)->call;

    return work->time->call_kernel[call] != SESSION_NONE;
}

static double *count_periods(const struct work *work, bool with_callers)
{
    const struct cpu_time *time = work->time;
    double *periods = pool_get_zeros(time->rows.count + 1, sizeof *periods);

    for (size_t i = 0; i < work->session->samples.count; i++)
        if (work->kernels[i] != SESSION_NONE && (!with_callers || has_callers(work, i)))
            periods[time->sample_row[i]] += (double)session_sample_at(work->session, i)->periods;
    return periods;
}

static void share_row(struct work *work, size_t sample, double all, double with_callers)
{
    struct cpu_time *time = work->time;
    double periods = (double)session_sample_at(work->session, sample)->periods;
    double of = with_callers > 0 ? with_callers : all;
    double clocked_ns = row_at(time, time->sample_row[sample])->clocked_ns;

    time->sample_self_ns[sample] = clocked_ns * periods / all;
    if (with_callers > 0 && !has_callers(work, sample))
        periods = 0;
    time->sample_ns[sample] = clocked_ns * periods / of;
}

static void share_clocks(struct work *work)
{
    const struct cpu_time *time = work->time;
    double *all = count_periods(work, false), *with_callers = count_periods(work, true);

    for (size_t i = 0; i < work->session->samples.count; i++)
        if (work->kernels[i] != SESSION_NONE)
            share_row(work, i, all[time->sample_row[i]], with_callers[time->sample_row[i]]);
}

/* ---- total time ---- */

/* Adds a sample to the total of a row, once. */
static void add_total(struct work *work, uint32_t row, size_t sample)
{
    if (row == SESSION_NONE || work->seen[row] == sample + 1)
        return;
    work->seen[row] = sample + 1;
    row_at(work->time, row)->total_ns += work->time->sample_ns[sample];
}

/* Rows may be added meanwhile. */
static void grow_seen(struct work *work)
{
    size_t count = work->time->rows.count;
    uint64_t *seen =
        pool_resize(pool_in_use(), work->seen, (count + 1) * sizeof *seen);

    seen[count - 1] = seen[count] = 0;
    work->seen = seen;
}

static void add_place(struct work *work, const struct place *place, size_t sample)
{
    size_t count = work->time->rows.count;
    uint32_t row = cpu_rows_of_place(&work->rows, place);

    if (work->time->rows.count > count)
        grow_seen(work);
    add_total(work, row, sample);
}

/* Adds the ops around a sample; rows of other kinds have no ops. */
static void add_ops(struct work *work, size_t sample)
{
    uint32_t op = session_sample_at(work->session, sample)->op;

    for (; op != 0 && work->rows.by == CPU_BY_OP; op = session_op_at(work->session, op)->parent) {
        size_t count = work->time->rows.count;
        uint32_t row = cpu_rows_of_op(&work->rows, op);

        if (work->time->rows.count > count)
            grow_seen(work);
        add_total(work, row, sample);
    }
}

/* The frames inside of a kernel are its own. */
static void add_chain(struct work *work, size_t sample)
{
    const struct session *session = work->session;
    const struct cpu_time *time = work->time;
    uint32_t call = session_sample_at(session, sample)->call;
    bool is_inside = work->kernels[sample] != SESSION_NONE;

    if (is_inside && !has_callers(work, sample))
        call = 0;
    add_ops(work, sample);

    add_total(work, time->sample_row[sample], sample);
    for (; call != 0; call = session_call_at(session, call)->parent) {
        const struct call_places *places = places_known(time->places, call);

        if (session_call_at(session, call)->kind != SESSION_CALL_PLAIN ||
            (is_inside && time->call_kernel[call] != SESSION_NONE))
            continue;
        for (size_t i = 0; places && i < places->count; i++)
            add_place(work, &places->places[i], sample);
    }
}

/* A kernel without samples has only its own time. */
static void set_least_totals(const struct cpu_time *time)
{
    struct cpu_row *row = time->rows.items;

    for (size_t i = 0; i < time->rows.count; i++)
        row[i].total_ns = fmax(row[i].total_ns, row[i].self_ns);
}

static void add_totals(struct work *work)
{
    work->seen = pool_get_zeros(work->time->rows.count + 1, sizeof *work->seen);
    for (size_t i = 0; i < work->session->samples.count; i++)
        add_chain(work, i);
    set_least_totals(work->time);
}

/* ---- threads of a row ---- */

static int compare_samples(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Counts the distinct threads of each row: pairs of row and thread, sorted. */
static void count_threads(struct work *work)
{
    const struct session *session = work->session;
    size_t count = session->samples.count;
    uint64_t *pairs = pool_get_zeros(count + 1, sizeof *pairs);

    for (size_t i = 0; i < count; i++)
        pairs[i] = (uint64_t)work->time->sample_row[i] << 32 |
                   session_sample_at(session, i)->thread;
    qsort(pairs, count, sizeof *pairs, compare_samples);
    for (size_t i = 0; i < count; i++)
        row_at(work->time, pairs[i] >> 32)->threads += i == 0 || pairs[i] != pairs[i - 1];
}

/* ---- the whole ---- */

static int compare_rows(const void *left, const void *right)
{
    const struct cpu_row *a = *(const struct cpu_row *const *)left;
    const struct cpu_row *b = *(const struct cpu_row *const *)right;

    if (a->self_ns != b->self_ns)
        return a->self_ns < b->self_ns ? 1 : -1;
    if (a->total_ns != b->total_ns)
        return a->total_ns < b->total_ns ? 1 : -1;
    return (a > b) - (a < b);
}

/* Sorts the rows, and lets the samples find them again. */
static void sort(struct cpu_time *time)
{
    size_t count = time->rows.count;
    const struct cpu_row **order = pool_get_zeros(count + 1, sizeof *order);
    uint32_t *places = pool_get_zeros(count + 1, sizeof *places);
    struct array sorted;

    array_init(&sorted, sizeof(struct cpu_row));
    array_reserve(&sorted, count);
    for (size_t i = 0; i < count; i++)
        order[i] = row_at(time, i);
    if (count > 0)
        qsort(order, count, sizeof *order, compare_rows);
    for (size_t i = 0; i < count; i++) {
        places[order[i] - (const struct cpu_row *)time->rows.items] = (uint32_t)i;
        *(struct cpu_row *)array_add_raw(&sorted) = *order[i];
    }
    for (size_t i = 0; i < time->session->samples.count; i++)
        time->sample_row[i] = places[time->sample_row[i]];
    array_fini(&time->rows);
    time->rows = sorted;
}

static void sum_up(struct cpu_time *time, enum cpu_by by)
{
    const struct cpu_row *row = time->rows.items;
    double placed_ns = 0, named_ns = 0;

    for (size_t i = 0; i < time->rows.count; i++) {
        placed_ns += row[i].is_placed ? row[i].self_ns : 0;
        named_ns += row[i].is_named ? row[i].self_ns : 0;
    }
    time->placed = time->named = (double)NAN;
    if (time->unknown || (by != CPU_BY_FUNCTION && by != CPU_BY_LINE && by != CPU_BY_OP))
        return;
    time->placed = placed_ns / time->cpu_ns;
    time->named = named_ns / time->cpu_ns;
}

static void note_system(struct cpu_time *time)
{
    const struct session_process *process = &time->session->process;

    time->system_ns = (double)NAN;
    if (process->last.system_ns != SESSION_UNKNOWN && process->first.system_ns != SESSION_UNKNOWN)
        time->system_ns = (double)process->last.system_ns - (double)process->first.system_ns;
}

static const char *find_obstacle(const struct session *session)
{
    if (session->sampling.count > 0)
        return NULL;
    return session->sampling.off ? session->sampling.off : cpu_no_sample_text.words;
}

static void gather(struct work *work)
{
    struct cpu_time *time = work->time;

    look_up(time);
    find_kernels(time);
    mark_samples(work);
    cpu_split_init(&work->split, work->session, work->kernels, work->rows.by != CPU_BY_THREAD);
    time->cpu_ns = work->split.cpu_ns;
    add_slots(work);
    add_samples(work);
    add_rests(work);
}

static void finish(struct work *work, const struct cpu_time_options *options)
{
    struct cpu_time *time = work->time;

    share_clocks(work);
    count_threads(work);
    cpu_errors_fill(time, work->kernels, options->confidence);
    cpu_check_fill(time, &work->split, work->kernels);
    add_totals(work);
    sort(time);
    sum_up(time, options->by);
    time->syscall_ns = fmin(time->syscall_ns, time->system_ns);
    time->fault_ns = fmin(time->fault_ns, time->system_ns - time->syscall_ns);
}

void cpu_time_init(struct cpu_time *time, const struct session *session,
                   const struct cpu_time_options *options)
{
    struct work work = {.time = time, .session = session};

    *time = (struct cpu_time){.session = session, .unknown = find_obstacle(session)};
    array_init(&time->rows, sizeof(struct cpu_row));
    time->texts = storage_new();
    time->places = places_new(session, options->find_frames);
    cpu_rows_init(&work.rows, time, options->by);
    note_system(time);
    gather(&work);
    finish(&work, options);
}

