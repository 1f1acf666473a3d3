/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of processor time by its use.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_sort.h"
#include "cpu/cpu_time.h"
#include "made_session.h"
#include "model/course.h"
#include "model/cpu_samples.h"
#include "model/cpu_workers.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "page.h"
#include "render/render.h"
#include "suite.h"

static const uint64_t period_ns = 4000000;

/* main calls parse, and parse scan; ticks are a period apart. */
struct fixture {
    struct session session;
    struct cpu_samples samples;
    uint64_t now_ns;
    uint32_t main, parse, scan;
};

static void init(struct fixture *made)
{
    made_init(&made->session);
    made->session.sampling.period_ns = period_ns;
    made->now_ns = 0;
    made->main = made_add_call(&made->session, 0, "main", "m.c", 3);
    made->parse = made_add_call(&made->session, made->main, "parse", "m.c", 7);
    made->scan = made_add_call(&made->session, made->parse, "scan", "m.c", 9);
    cpu_samples_init(&made->samples, &made->session);
}

static void fini(struct fixture *made)
{
    cpu_samples_fini(&made->samples);
    made_fini(&made->session);
}

static void hit(struct fixture *made, uint32_t call, uint32_t slot, uint32_t flags,
                uint64_t periods)
{
    const struct session_sample sample = {
        .slot = slot, .call = call, .flags = flags, .count = 1, .periods = periods};

    made->now_ns += periods * period_ns;
    cpu_samples_take(&made->samples, &sample, made->now_ns);
}

static void hits(struct fixture *made, uint32_t call, int count)
{
    for (int i = 0; i < count; i++)
        hit(made, call, SESSION_NONE, 0, 1);
}

static void set_thread(struct fixture *made, uint64_t cpu_ns, uint64_t lived_ns)
{
    struct session_thread *thread = array_at(&made->session.threads, 0);

    thread->cpu_ns = cpu_ns;
    thread->last_ns = lived_ns;
    thread->has_ended = true;
    thread->delay_ns = 0;
}

static void find(struct fixture *made, enum cpu_by by, struct cpu_time *time)
{
    const struct cpu_time_options options = {by, 0.95, made_options().find_frames};

    cpu_time_init(time, &made->session, &options);
}

/* Returns: the row with that name, which must exist. */
static const struct cpu_row *row_of(const struct cpu_time *time, const char *name)
{
    const struct cpu_row *row = time->rows.items;

    for (size_t i = 0; i < time->rows.count; i++)
        if (strcmp(row[i].name, name) == 0)
            return &row[i];
    ck_abort_msg("no row %s", name);
    return NULL;
}

static double sum_of(const struct cpu_time *time)
{
    const struct cpu_row *row = time->rows.items;
    double sum = 0;

    for (size_t i = 0; i < time->rows.count; i++)
        sum += row[i].self_ns;
    return sum;
}

static uint32_t add_kernel(struct fixture *made, const char *name, uint64_t ns)
{
    struct session_binding *binding = array_add(&made->session.bindings);
    struct session_slot *slot = array_add(&made->session.slots);
    struct session_thread *thread = array_at(&made->session.threads, 0);

    ck_assert(binding && slot);
    binding->symbol = name;
    binding->module = session_module_at(&made->session, 0);
    binding->calls = binding->timed_calls = 1;
    slot->binding = (uint32_t)made->session.bindings.count - 1;
    slot->calls = slot->timed_calls = 1;
    slot->total_ns = slot->self_ns = ns;
    thread->kernel_ns += ns;
    return (uint32_t)made->session.slots.count - 1;
}

/* The call of a kernel's wrapper by parse. */
static uint32_t add_wrapper(struct fixture *made, uint32_t binding)
{
    uint32_t index = made_add_call(&made->session, made->parse, "wrapper", NULL, 0);
    struct session_call *call = array_at(&made->session.calls, index);

    call->binding = call->kernel = binding;
    call->is_shim = true;
    return index;
}

START_TEST(rows_sum_up_to_the_processor_time)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    hits(&made, made.scan, 30);
    hits(&made, made.parse, 10);
    set_thread(&made, 200000000, 300000000);
    made.session.process.first.user_ns = 5000000;
    made.session.process.last.user_ns = 215000000;
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(time.cpu_ns, 215e6, 1);
    ck_assert_double_eq_tol(sum_of(&time), time.cpu_ns, 1);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 150e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "before recording began")->self_ns, 5e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "outside of recorded threads")->self_ns, 10e6, 1);
    ck_assert_double_eq_tol(time.named, 200.0 / 215, 1e-9);
    fini(&made);
}
END_TEST

START_TEST(the_total_has_what_a_function_called)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    hits(&made, made.scan, 30);
    hits(&made, made.parse, 10);
    set_thread(&made, 160000000, 160000000);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(row_of(&time, "parse")->self_ns, 40e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "parse")->total_ns, 160e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "main")->total_ns, 160e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "main")->self_ns, 0, 1);
    fini(&made);
}
END_TEST

START_TEST(ops_that_were_not_recorded_are_told_by_their_functions)
{
    struct session_op ops[] = {
        {.name = ""}, {.name = "aten::mul"}, {.name = "aten::div"}, {.name = "aten::div_"}};
    struct fixture made;
    struct cpu_time time;
    struct array no_ops;
    uint32_t outer, call;

    init(&made);
    no_ops = made.session.ops;
    ((struct session_module *)array_at(&made.session.modules, 0))->path = "/lib/libopenblas.so.0";
    made.session.ops = (struct array){ops, 4, 4, sizeof *ops, NULL};
    outer = made_add_call(&made.session, made.main,
                          "torch::autograd::generated::MmBackward0::apply(std::vector)", NULL, 0);
    hits(&made, outer, 1);
    call = made_add_call(&made.session, outer, "at::_ops::mul_Tensor::call(at::Tensor)", NULL, 0);
    hits(&made, made_add_call(&made.session, call, "at::native::mul", NULL, 0), 2);
    hits(&made, made_add_call(&made.session, outer, "at::_ops::div__Scalar::redispatch", NULL, 0),
         3);
    hits(&made, made_add_call(&made.session, outer, "at::_ops::relu::call", NULL, 0), 4);
    call = made_add_call(&made.session, outer, "blas_thread_server", NULL, 0);
    hits(&made, made_add_call(&made.session, call, "sched_yield", NULL, 0), 1);
    set_thread(&made, 44000000, 44000000);
    find(&made, CPU_BY_OP, &time);
    ck_assert_double_eq_tol(row_of(&time, "MmBackward0")->self_ns, 4e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "MmBackward0")->total_ns, 44e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::mul")->self_ns, 8e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::div_")->self_ns, 12e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::relu")->self_ns, 16e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "spinning while waiting for work: OpenBLAS")->self_ns,
                            4e6, 1);
    made.session.ops = no_ops;
    fini(&made);
}
END_TEST

static void add_call(struct fixture *made, uint32_t thread, uint32_t slot, uint64_t start_ns,
                     uint64_t ns)
{
    const struct course_call call = {
        .start_ns = start_ns, .slot = slot, .length = course_pack_length(ns)};

    course_add(array_at(&made->session.courses, thread), &call);
}

/* A sample of a thread that calls no kernel, in a function of the kernel's file. */
static void hit_thread(struct fixture *made, uint32_t call, uint32_t thread)
{
    const struct session_sample sample = {
        .slot = SESSION_NONE, .call = call, .thread = thread, .count = 1, .periods = 1};

    made->now_ns += period_ns;
    cpu_samples_take(&made->samples, &sample, made->now_ns);
}

static void hit_worker(struct fixture *made, uint32_t thread, uint64_t time_ns)
{
    const struct session_sample sample = {
        .thread = thread, .slot = SESSION_NONE, .call = made->scan, .count = 1, .periods = 1};

    cpu_samples_take(&made->samples, &sample, time_ns);
}

START_TEST(a_worker_works_for_the_only_kernel_that_is_open)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    uint32_t slot = add_kernel(&made, "dgemm", 100000000);
    add_call(&made, 0, slot, 100000000, 100000000);
    uint32_t worker = made_add_thread(&made.session);
    hit(&made, made.scan, slot, 0, 1);
    for (uint64_t i = 0; i < 40; i++)
        hit_worker(&made, worker, 102000000 + i * period_ns);
    set_thread(&made, 100000000, 300000000);
    struct session_thread *thread = array_at(&made.session.threads, worker);
    thread->cpu_ns = 160000000;
    thread->last_ns = 300000000;
    cpu_workers_credit(&made.session);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(time.worker_ns, 100e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "dgemm")->self_ns, 200e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "dgemm")->clocked_ns, 100e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 60e6, 1);
    ck_assert_uint_eq(row_of(&time, "scan")->samples, 15);
    fini(&made);
}
END_TEST

/* Of four threads of 3 ms, two were hit; one of 0.3 ms could not be. */
START_TEST(short_threads_share_their_samples)
{
    static const uint64_t lived_ns[] = {3000000, 3000000, 3000000, 3000000, 300000};
    struct fixture made;
    struct cpu_time time;

    init(&made);
    hits(&made, made.scan, 25);
    set_thread(&made, 100000000, 100000000);
    for (size_t i = 0; i < sizeof lived_ns / sizeof *lived_ns; i++) {
        uint32_t index = made_add_thread(&made.session);
        struct session_thread *thread = array_at(&made.session.threads, index);

        thread->born_ns = 1000;
        thread->cpu_ns = lived_ns[i] - thread->born_ns;
        thread->last_ns = thread->first_ns + lived_ns[i];
        if (i < 2)
            hit_thread(&made, made.parse, index);
    }
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 100e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "parse")->self_ns, 12e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "threads too short to sample")->self_ns, 0.3e6, 1);
    find(&made, CPU_BY_THREAD, &time);
    ck_assert_double_eq_tol(row_of(&time, "threads too short to sample")->self_ns, 6.3e6, 1);
    ck_assert_double_eq_tol(sum_of(&time), 112.3e6, 1);
    fini(&made);
}
END_TEST

/* Two threads each have an open kernel: it is unknown which one a third works for. */
START_TEST(a_worker_of_several_kernels_works_for_none)
{
    struct fixture made;

    init(&made);
    uint32_t slot = add_kernel(&made, "dgemm", 100000000);
    uint32_t other = add_kernel(&made, "sgemm", 100000000);
    add_call(&made, 0, slot, 0, 300000000);
    uint32_t second = made_add_thread(&made.session), worker = made_add_thread(&made.session);
    add_call(&made, second, other, 0, 300000000);
    hit(&made, made.scan, slot, 0, 1);
    hit_worker(&made, worker, 50000000);
    cpu_workers_credit(&made.session);
    ck_assert_uint_eq(session_sample_at(&made.session, 1)->slot, SESSION_NONE);
    fini(&made);
}
END_TEST

/* A sample of scan in an op. */
static void hit_op(struct fixture *made, uint32_t op, uint32_t slot)
{
    const struct session_sample sample = {
        .slot = slot, .op = op, .call = made->scan, .count = 1, .periods = 1};

    made->now_ns += period_ns;
    cpu_samples_take(&made->samples, &sample, made->now_ns);
}

/* Linear calls addmm, which calls a kernel of 100 ms; each has another sample. */
START_TEST(the_time_of_ops_is_that_of_the_innermost)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    uint32_t linear = made_add_op(&made.session, 0, "aten::linear");
    uint32_t addmm = made_add_op(&made.session, linear, "aten::addmm");
    uint32_t slot = add_kernel(&made, "sgemm", 100000000);
    ((struct session_slot *)array_at(&made.session.slots, slot))->op = addmm;
    hit_op(&made, addmm, slot);
    hit_op(&made, addmm, SESSION_NONE);
    hit_op(&made, linear, SESSION_NONE);
    hits(&made, made.scan, 2);
    set_thread(&made, 116000000, 116000000);
    find(&made, CPU_BY_OP, &time);
    ck_assert_double_eq_tol(sum_of(&time), time.cpu_ns, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::addmm")->self_ns, 104e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::addmm")->clocked_ns, 100e6, 1);
    ck_assert_int_eq(row_of(&time, "aten::addmm")->kind, CPU_OP);
    ck_assert_double_eq_tol(row_of(&time, "aten::linear")->self_ns, 4e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "aten::linear")->total_ns, 108e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 8e6, 1);
    fini(&made);
}
END_TEST

/* A thread without ops runs code of the same file while only one op is open. */
START_TEST(a_worker_works_for_the_only_op_that_is_open)
{
    struct fixture made;
    struct session_sample idle = {.slot = SESSION_NONE, .count = 1, .periods = 1};

    init(&made);
    uint32_t add = made_add_op(&made.session, 0, "aten::add");
    idle.thread = made_add_thread(&made.session);
    idle.call = made.parse;
    hit_op(&made, add, SESSION_NONE);
    cpu_samples_take(&made.samples, &idle, 5000000);
    idle.other_op = add;
    cpu_samples_take(&made.samples, &idle, 6000000);
    cpu_workers_credit(&made.session);
    ck_assert_uint_eq(session_sample_at(&made.session, 1)->op, 0);
    ck_assert_uint_eq(session_sample_at(&made.session, 2)->op, add);
    fini(&made);
}
END_TEST

/* oneDNN generates code, which is in no file. */
START_TEST(generated_code_of_a_worker_is_of_the_only_op_that_is_open)
{
    struct fixture made;
    struct session_sample sample = {.slot = SESSION_NONE, .count = 1, .periods = 1};

    init(&made);
    sample.op = made_add_op(&made.session, 0, "aten::mkldnn_convolution");
    sample.call = made_add_call(&made.session, 0, NULL, NULL, 0);
    ((struct session_call *)array_at(&made.session.calls, sample.call))->module = SESSION_NONE;
    cpu_samples_take(&made.samples, &sample, 5000000);
    sample.other_op = sample.op;
    sample.op = 0;
    sample.thread = made_add_thread(&made.session);
    cpu_samples_take(&made.samples, &sample, 6000000);
    cpu_workers_credit(&made.session);
    ck_assert_uint_eq(session_sample_at(&made.session, 1)->op, sample.other_op);
    fini(&made);
}
END_TEST

/* They call one kernel, so both have the same worker. */
START_TEST(a_worker_of_one_kernel_in_two_threads_works_for_it)
{
    struct fixture made;
    struct session_slot *copy;

    init(&made);
    uint32_t slot = add_kernel(&made, "dgemm", 100000000);
    add_call(&made, 0, slot, 0, 300000000);
    uint32_t second = made_add_thread(&made.session), worker = made_add_thread(&made.session);
    ck_assert_ptr_nonnull(copy = array_add(&made.session.slots));
    *copy = *session_slot_at(&made.session, slot);
    copy->thread = second;
    add_call(&made, second, (uint32_t)made.session.slots.count - 1, 0, 300000000);
    hit(&made, made.scan, slot, 0, 1);
    hit_worker(&made, worker, 50000000);
    cpu_workers_credit(&made.session);
    ck_assert_uint_ne(session_sample_at(&made.session, 1)->slot, SESSION_NONE);
    fini(&made);
}
END_TEST

/* Neighbours differ, and the two functions have the same time. */
START_TEST(a_row_of_few_heavy_samples_is_known_worse)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    for (int i = 0; i < 20; i++) {
        hits(&made, made.main, 3);
        hits(&made, made.scan, 1);
        if (i % 10 == 0)
            hit(&made, made.parse, SESSION_NONE, 0, 10);
    }
    set_thread(&made, 400000000, 400000000);
    find(&made, CPU_BY_FUNCTION, &time);
    const struct cpu_row *scan = row_of(&time, "scan"), *parse = row_of(&time, "parse");
    ck_assert_double_eq_tol(scan->self_ns, parse->self_ns, 1);
    ck_assert_double_gt(parse->self.high - parse->self.low,
                        1.5 * (scan->self.high - scan->self.low));
    fini(&made);
}
END_TEST

/* For many short calls, the clock also includes the cost of recording, which is not theirs. */
START_TEST(recording_in_a_kernels_clock_is_not_counted_twice)
{
    struct fixture made;
    struct cpu_time time;
    struct session_slot *slot;

    init(&made);
    made.session.overhead.kernel_inner_ns = 20;
    slot = array_at(&made.session.slots, add_kernel(&made, "dnrm2", 40000000));
    slot->calls = slot->timed_calls = 1000000;
    slot->total_ns = slot->self_ns = 60000000;
    hits(&made, made.scan, 30);
    set_thread(&made, 160000000, 160000000);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(row_of(&time, "dnrm2")->self_ns, 40e6, 1);
    ck_assert_double_eq_tol(sum_of(&time), 160e6, 1);
    fini(&made);
}
END_TEST

/* Samples would give the kernel a half.  The chain of every other one ends inside. */
START_TEST(kernels_have_the_time_of_their_clock)
{
    struct fixture made;
    struct cpu_time time;
    uint32_t slot, wrapper, lost;

    init(&made);
    lost = made_add_call(&made.session, 0, "loop", NULL, 0);
    slot = add_kernel(&made, "sgemm", 60000000);
    wrapper = add_wrapper(&made, 0);
    for (int i = 0; i < 20; i++)
        hit(&made, i < 10 ? wrapper : lost, slot, 0, 1);
    hits(&made, made.scan, 20);
    set_thread(&made, 160000000, 160000000);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(row_of(&time, "sgemm")->self_ns, 60e6, 1);
    ck_assert_int_eq(row_of(&time, "sgemm")->kind, CPU_KERNEL);
    ck_assert_uint_eq(row_of(&time, "sgemm")->samples, 20);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 100e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "main")->total_ns, 160e6, 1);
    for (size_t i = 0; i < made.session.samples.count; i++) {
        const struct session_sample *sample = session_sample_at(&made.session, i);

        if (sample->slot == slot)
            ck_assert_double_eq_tol(time.sample_self_ns[i], 30e6, 1);
    }
    fini(&made);
}
END_TEST

START_TEST(samples_in_step_are_told_by_the_clocks)
{
    struct fixture made;
    struct cpu_time time;
    uint32_t slot;

    init(&made);
    slot = add_kernel(&made, "sgemm", 200 * period_ns);
    for (int i = 0; i < 400; i++)
        hit(&made, i % 4 == 0 ? made.parse : made.scan, i % 4 == 0 ? slot : SESSION_NONE, 0, 1);
    set_thread(&made, 400 * period_ns, 400 * period_ns);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_str_eq(time.check.name, "sgemm");
    ck_assert_double_eq_tol(time.check.clock_share, 0.5, 1e-9);
    ck_assert_double_eq_tol(time.check.sample_share, 0.25, 1e-9);
    ck_assert(time.check.is_in_step);
    fini(&made);
}
END_TEST

/* The thread wanted a processor for as long as it had one. */
START_TEST(a_kernel_had_no_processor_while_others_had_it)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    add_kernel(&made, "sgemm", 160000000);
    hits(&made, made.scan, 20);
    set_thread(&made, 160000000, 320000000);
    ((struct session_thread *)array_at(&made.session.threads, 0))->delay_ns = 160000000;
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_double_eq_tol(row_of(&time, "sgemm")->self_ns, 80e6, 1);
    ck_assert_double_eq_tol(row_of(&time, "scan")->self_ns, 80e6, 1);
    fini(&made);
}
END_TEST

START_TEST(what_is_no_function_has_a_row_of_its_own)
{
    struct fixture made;
    struct cpu_time time;
    uint32_t yield, server;

    init(&made);
    ((struct session_module *)array_at(&made.session.modules, 0))->path = "/lib/libopenblas.so.0";
    server = made_add_call(&made.session, 0, "blas_thread_server", NULL, 0);
    yield = made_add_call(&made.session, server, "sched_yield", NULL, 0);
    hit(&made, made.scan, SESSION_NONE, TRACE_SAMPLE_SYSCALL, 1);
    hit(&made, 0, SESSION_NONE, TRACE_SAMPLE_TPROF, 1);
    hit(&made, yield, SESSION_NONE, TRACE_SAMPLE_SYSCALL, 1);
    hit(&made, made.parse, SESSION_NONE, TRACE_SAMPLE_BLOCKED, 5);
    hit(&made, made.parse, SESSION_NONE, TRACE_SAMPLE_FAULT, 1);
    hit(&made, 0, SESSION_NONE, 0, 1);
    set_thread(&made, 10 * period_ns, 10 * period_ns);
    find(&made, CPU_BY_FUNCTION, &time);
    ck_assert_int_eq(row_of(&time, "in Linux: scan")->kind, CPU_LINUX);
    ck_assert_int_eq(row_of(&time, "in Linux: page faults")->kind, CPU_LINUX);
    ck_assert_int_eq(row_of(&time, "tprof itself")->kind, CPU_TPROF);
    ck_assert_int_eq(row_of(&time, "spinning while waiting for work: OpenBLAS")->kind, CPU_SPIN);
    ck_assert_double_eq_tol(row_of(&time, "signals blocked")->self_ns, 4e6 * 4, 1);
    ck_assert_double_eq_tol(row_of(&time, "parse")->self_ns, 4e6, 1);
    ck_assert_int_eq(row_of(&time, "samples without a call chain")->kind, CPU_UNNAMED);
    ck_assert_double_eq_tol(sum_of(&time), time.cpu_ns, 1);
    fini(&made);
}
END_TEST

START_TEST(a_function_without_a_name_is_told_by_its_caller)
{
    struct fixture made;
    struct cpu_time time;
    uint32_t nameless;

    init(&made);
    nameless = made_add_call(&made.session, made.parse, NULL, NULL, 0);
    hits(&made, nameless, 3);
    set_thread(&made, 12000000, 12000000);
    find(&made, CPU_BY_FUNCTION, &time);
    const struct cpu_row *row = time.rows.items;
    ck_assert_int_eq(row->kind, CPU_RANGE);
    ck_assert_ptr_nonnull(strstr(row->name, ", called by parse"));
    fini(&made);
}
END_TEST

START_TEST(of_callers_that_run_what_they_are_handed_the_next_is_told)
{
    struct fixture made;
    struct cpu_time time;
    uint32_t relay, nameless;

    init(&made);
    relay = made_add_call(&made.session, made.parse, "GOMP_parallel", NULL, 0);
    relay = made_add_call(&made.session, relay, "std::sort", NULL, 0);
    nameless = made_add_call(&made.session, relay, NULL, NULL, 0);
    hits(&made, nameless, 3);
    relay = made_add_call(&made.session, 0, "qsort_r", NULL, 0);
    nameless = made_add_call(&made.session, relay, NULL, NULL, 0);
    hits(&made, nameless, 1);
    set_thread(&made, 16000000, 16000000);
    find(&made, CPU_BY_FUNCTION, &time);
    const struct cpu_row *row = time.rows.items;
    ck_assert_ptr_nonnull(strstr(row[0].name, ", called by parse"));
    ck_assert_ptr_nonnull(strstr(row[1].name, ", called by qsort_r"));
    fini(&made);
}
END_TEST

static const struct {
    enum cpu_by by;
    const char *name;
    size_t rows;
} groupings[] = {
    {CPU_BY_FUNCTION, "scan", 3},     {CPU_BY_LIBRARY, "libmade.so", 1},
    {CPU_BY_LINE, "scan", 3},         {CPU_BY_THREAD, "thread 100 (first)", 1},
    {CPU_BY_REGION, "(no region)", 1}, {CPU_BY_KIND, "function", 1},
};

START_TEST(rows_are_of_what_was_asked_for)
{
    struct fixture made;
    struct cpu_time time;

    init(&made);
    hits(&made, made.scan, 3);
    hits(&made, made.parse, 1);
    set_thread(&made, 16000000, 16000000);
    find(&made, groupings[_i].by, &time);
    ck_assert_uint_eq(time.rows.count, groupings[_i].rows);
    ck_assert_str_eq(((struct cpu_row *)time.rows.items)->name, groupings[_i].name);
    ck_assert_double_eq_tol(sum_of(&time), 16e6, 1);
    fini(&made);
}
END_TEST

/* ---- what people read ---- */

static const char page[] = "time.case";

enum { PAGE_WIDTH = 100, SORTS = 16, CHAIN_SIZE = 128 };

/* Samples of one chain. */
struct sort {
    int count;
    char what[CHAIN_SIZE];
    char chain[CHAIN_SIZE];
    uint32_t call;
};

/* Returns: the call of a name below another; a missing call is made. */
static uint32_t find_call(struct fixture *made, const char *names[], uint32_t parent,
                          const char *name)
{
    for (uint32_t i = 1; i < made->session.calls.count; i++)
        if (session_call_at(&made->session, i)->parent == parent && names[i] &&
            strcmp(names[i], name) == 0)
            return i;
    uint32_t call =
        made_add_call(&made->session, parent, strcmp(name, "?") == 0 ? NULL : name, NULL, 0);
    names[call] = name;
    if (strcmp(name, "wrapper") == 0) {
        struct session_call *of = array_at(&made->session.calls, call);

        of->binding = of->kernel = 0;
        of->is_shim = true;
    }
    return call;
}

static void add_chain(struct fixture *made, const char *names[], struct sort *sort)
{
    char *rest = sort->chain, *name;

    while ((name = strsep(&rest, " ")))
        if (name[0] && strcmp(name, "-") != 0)
            sort->call = find_call(made, names, sort->call, name);
}

static void hit_sort(struct fixture *made, const struct sort *sort)
{
    bool is_kernel = strcmp(sort->what, "kernel") == 0;
    uint32_t flags = strcmp(sort->what, "syscall") == 0 ? TRACE_SAMPLE_SYSCALL
                     : strcmp(sort->what, "tprof") == 0 ? TRACE_SAMPLE_TPROF
                                                        : 0;

    hit(made, sort->call, is_kernel ? 0 : SESSION_NONE, flags, 1);
}

/* One sample of each kind in turn, while there are any. */
static void hit_in_turn(struct fixture *made, struct sort *sorts, int count)
{
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < count; i++)
            if (sorts[i].count > 0) {
                hit_sort(made, &sorts[i]);
                is_more = --sorts[i].count > 0 || is_more;
            }
    }
}

static void read_samples(struct fixture *made)
{
    static struct sort sorts[SORTS];
    static const char *names[SORTS * SORTS];
    char *text = page_section(page, "samples"), *rest = text, *line;
    int count = 0;

    memset(sorts, 0, sizeof sorts);
    memset(names, 0, sizeof names);
    while ((line = strsep(&rest, "\n")) && count < SORTS)
        if (sscanf(line, "%d %127s %127[^\n]", &sorts[count].count, sorts[count].what,
                   sorts[count].chain) == 3)
            add_chain(made, names, &sorts[count++]);
    hit_in_turn(made, sorts, count);
    free(text);
}

static void init_page(struct fixture *made)
{
    made_init(&made->session);
    made->session.sampling.period_ns = period_ns;
    made->now_ns = 0;
    cpu_samples_init(&made->samples, &made->session);
    ((struct session_module *)array_at(&made->session.modules, 0))->path = "/lib/libopenblas.so.0";
    add_kernel(made, "sgemm", 60000000);
    read_samples(made);
    set_thread(made, made->now_ns, made->now_ns);
    made->session.process.last.user_ns = made->now_ns - 32000000;
    made->session.process.last.system_ns = 36000000;
}

static const struct {
    const char *section;
    enum analysis_by by;
} screens[] = {
    {"text", ANALYSIS_BY_DEFAULT},
    {"tree", ANALYSIS_BY_TREE},
    {"callers", ANALYSIS_BY_CALLERS},
    {"kind", ANALYSIS_BY_KIND},
};

START_TEST(the_screen_is_that_of_its_page)
{
    const struct render_options how = {.width = PAGE_WIDTH, .unicode = true};
    struct analysis_options options = made_options();
    struct diagnostic diagnostic;
    struct fixture made;
    struct table table;
    char *found = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&found, &size);

    init_page(&made);
    options.by = screens[_i].by;
    options.time = analysis_time.own.defaults;
    analysis_time.build(&made.session, &options, &table);
    ck_assert(!renderer_plain.table(&table, &how, out, &diagnostic));
    fclose(out);
    page_compare(page, screens[_i].section, found);
    free(found);
    table_fini(&table);
    fini(&made);
}
END_TEST

/* ---- intervals, as estimators ---- */

/* A program that is in a function for a time around `stay` periods, and around `away` in
 * others. */
static const struct {
    const char *name;
    double stay, away;
    double least, most; /* share of intervals that hold the truth */
} programs[] = {
    {"short calls", 0.01, 0.05, 0.925, 0.975},
    {"often", 0.02, 0.02, 0.925, 0.975},
    {"a tenth of a period", 0.1, 0.5, 0.925, 1},
    {"a period", 1, 5, 0.925, 1},
    {"ten periods", 10, 50, 0.9, 1},
    {"long", 30, 30, 0.9, 1},
};

enum { TRIALS = 600, TICKS = 375 };

static double draw(double mean)
{
    return -mean * log(1 - drand48());
}

/* One run.  Returns: whether the interval of the share holds the truth. */
static bool holds(double stay, double away)
{
    bool is_in = drand48() < stay / (stay + away), was_in = false;
    struct cpu_sort sort = {0, TICKS, 0};
    double until = draw(is_in ? stay : away), now = 0, inside = 0;

    for (int tick = 1; tick <= TICKS; tick++) {
        while (until < tick) {
            inside += is_in ? until - now : 0;
            now = until;
            is_in = !is_in;
            until += draw(is_in ? stay : away);
        }
        inside += is_in ? tick - now : 0;
        now = tick;
        sort.count += is_in;
        sort.runs += is_in && !was_in;
        was_in = is_in;
    }
    struct statistics_interval interval = cpu_sort_interval(&sort, 0.95);
    return inside / TICKS >= interval.low && inside / TICKS <= interval.high;
}

START_TEST(intervals_hold_the_share_of_this_run)
{
    double held = 0;

    srand48(_i + 1);
    for (int i = 0; i < TRIALS; i++)
        held += holds(programs[_i].stay, programs[_i].away);
    ck_assert_msg(held / TRIALS >= programs[_i].least && held / TRIALS <= programs[_i].most,
                  "%s: %.3f", programs[_i].name, held / TRIALS);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("cpu_time");
    TCase *tests = tcase_create("rows");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, rows_sum_up_to_the_processor_time);
    tcase_add_test(tests, the_total_has_what_a_function_called);
    tcase_add_test(tests, ops_that_were_not_recorded_are_told_by_their_functions);
    tcase_add_test(tests, kernels_have_the_time_of_their_clock);
    tcase_add_test(tests, a_worker_works_for_the_only_kernel_that_is_open);
    tcase_add_test(tests, short_threads_share_their_samples);
    tcase_add_test(tests, a_worker_of_several_kernels_works_for_none);
    tcase_add_test(tests, a_worker_of_one_kernel_in_two_threads_works_for_it);
    tcase_add_test(tests, the_time_of_ops_is_that_of_the_innermost);
    tcase_add_test(tests, a_worker_works_for_the_only_op_that_is_open);
    tcase_add_test(tests, generated_code_of_a_worker_is_of_the_only_op_that_is_open);
    tcase_add_test(tests, a_row_of_few_heavy_samples_is_known_worse);
    tcase_add_test(tests, recording_in_a_kernels_clock_is_not_counted_twice);
    tcase_add_test(tests, of_callers_that_run_what_they_are_handed_the_next_is_told);
    tcase_add_test(tests, samples_in_step_are_told_by_the_clocks);
    tcase_add_test(tests, a_kernel_had_no_processor_while_others_had_it);
    tcase_add_test(tests, what_is_no_function_has_a_row_of_its_own);
    tcase_add_test(tests, a_function_without_a_name_is_told_by_its_caller);
    tcase_add_loop_test(tests, rows_are_of_what_was_asked_for, 0,
                        sizeof groupings / sizeof *groupings);
    tcase_add_loop_test(tests, the_screen_is_that_of_its_page, 0,
                        sizeof screens / sizeof *screens);
    tcase_add_loop_test(tests, intervals_hold_the_share_of_this_run, 0,
                        sizeof programs / sizeof *programs);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_cpu_time(void)
{
    return suite_run_in_pool(make_suite());
}
