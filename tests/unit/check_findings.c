/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules on sessions made by hand, each against its case on a page of tests/cases:
 * one that finds, one that passes, one that cannot look.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/context.h"
#include "findings/call_kinds.h"
#include "findings/line_phrases.h"
#include "findings/overlap.h"
#include "findings/rates.h"
#include "findings/routines.h"
#include "findings/rows.h"
#include "made_kernels.h"
#include "made_session.h"
#include "model/course.h"
#include "model/cpu_samples.h"
#include "model/op_texts.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_growth.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "page.h"
#include "suite.h"
#include "symbols/storage.h"

enum { NAME_SIZE = 80 };

static const char page[] = "findings.case";

static struct session session;
static struct machine machine;
static struct catalog_arena arena;
static struct analysis_options options;
static uint64_t gap_ns; /* after each call of an order */
static struct storage *texts;

static void set_wall(uint64_t wall_ns)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    session.process.wall_ns = session.thread_ns = thread->last_ns = wall_ns;
    thread->cpu_ns = wall_ns;
}

static void setup(void)
{
    made_init(&session);
    texts = storage_new();
    ck_assert_ptr_nonnull(texts);
    text_list_init(&session.process.environment);
    session.process.cpu_count = 1;
    set_wall(1000000000);
    gap_ns = 1000;
    made_read_machine(&machine, page);
    made_read_catalog(&session, &arena, page);
    options = made_options();
    options.machine = &machine;
}

static void teardown(void)
{
    storage_free(texts);
    text_list_fini(&session.process.environment);
    for (size_t i = 0; i < session.slots.count; i++)
        free((char *)(uintptr_t)((struct session_slot *)array_at(&session.slots, i))
                 ->implementation);
    for (size_t i = 1; i < session.modules.count; i++)
        free((char *)(uintptr_t)((struct session_module *)array_at(&session.modules, i))->path);
    made_fini_calls(&session);
    made_fini(&session);
    machine_fini(&machine);
    free(arena.base);
    python_codes_free(session.python.codes);
}

/* ---- cases of the page ------------------------------------------------------------- */

static struct session_slot *last_slot(void)
{
    return array_at(&session.slots, session.slots.count - 1);
}

static void set_wall_ms(const char *argument)
{
    set_wall(1000000 * strtoul(argument, NULL, 10));
}

/* Ticks a nanosecond. */
static void set_clock(const char *argument)
{
    session.ns_per_tick = 1 / strtod(argument, NULL);
}

static void set_calibrated(const char *argument)
{
    options.machine = strcmp(argument, "no") == 0 ? NULL : &machine;
}

static void set_implementation(const char *argument)
{
    last_slot()->implementation = strdup(argument);
}

/* GFLOP/s of the best product in f32. */
static void set_gemm(const char *argument)
{
    struct machine_peak *peak = array_at(&machine.peaks, 0);

    peak->gemm_flops_per_second = 1e9 * strtod(argument, NULL);
}

/* GFLOP/s of the processor in f32. */
static void set_peak(const char *argument)
{
    struct machine_peak *peak = array_at(&machine.peaks, 0);

    peak->flops_per_second = 1e9 * strtod(argument, NULL);
}

/* Peaks of this many threads, this many times those of one. */
static void add_peaks(const char *argument)
{
    uint32_t threads = (uint32_t)strtoul(argument, NULL, 10);

    for (size_t i = 0; i < 2; i++) {
        struct machine_peak one = *(struct machine_peak *)array_at(&machine.peaks, i);
        struct machine_peak *peak = array_add(&machine.peaks);

        ck_assert_ptr_nonnull(peak);
        *peak = one;
        peak->threads = threads;
        peak->flops_per_second *= threads;
        peak->gemm_flops_per_second *= threads;
    }
}

/* The code that the calibration's BLAS chose. */
static void set_blas(const char *argument)
{
    snprintf(machine.blas, sizeof machine.blas, "libopenblas.so.0 (OpenBLAS 0.3.21; code for %s)",
             argument);
}

static void add_doubt(const char *argument)
{
    text_list_add(&machine.warnings, argument);
}

/* Of the process, in milliseconds. */
static void set_processor(const char *argument)
{
    session.process.has_last = true;
    session.process.last.user_ns = 1000000 * strtoul(argument, NULL, 10);
}

static void set_processors(const char *argument)
{
    session.process.cpu_count = strtoul(argument, NULL, 10);
}

/* "NAME=VALUE" of the environment. */
static void add_variable(const char *argument)
{
    text_list_add(&session.process.environment, argument);
}

/* For the thread, in milliseconds; for the missing time it was preempted. */
static void set_thread_processor(const char *argument)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    thread->cpu_ns = 1000000 * strtoul(argument, NULL, 10);
    thread->delay_ns = thread->last_ns - thread->first_ns - thread->cpu_ns;
}

/* Of the last thread. */
static void set_other_processor(const char *argument)
{
    struct session_thread *thread = array_at(&session.threads, session.threads.count - 1);

    thread->cpu_ns = 1000000 * strtoul(argument, NULL, 10);
}

static void set_torn(const char *argument)
{
    session.losses.torn_chunks = strtoul(argument, NULL, 10);
}

static void set_damaged(const char *argument)
{
    session.losses.bad_records = strtoul(argument, NULL, 10);
}

static void set_lost(const char *argument)
{
    session.losses.lost_records = strtoul(argument, NULL, 10);
}

/* Linux' number of the error. */
static void set_refused(const char *argument)
{
    session.losses.failed_errno = atoi(argument);
}

static void set_overwritten(const char *argument)
{
    session.losses.overwritten_records = strtoul(argument, NULL, 10);
}

/* "FRACTION START CALLS REGIONS BLOCKS": of thread time, and ms of each. */
static void set_overhead(const char *argument)
{
    struct session_overhead *overhead = &session.overhead;
    char *rest;

    *overhead = (struct session_overhead){.kernel_ns = 30, .region_ns = 20, .allocation_ns = 10};
    overhead->fraction = strtod(argument, &rest);
    overhead->slow_ns = 1e6 * strtod(rest, &rest);
    overhead->kernels_ns = 1e6 * strtod(rest, &rest);
    overhead->regions_ns = 1e6 * strtod(rest, &rest);
    overhead->blocks_ns = 1e6 * strtod(rest, &rest);
    overhead->total_ns = (uint64_t)(overhead->slow_ns + overhead->kernels_ns +
                                    overhead->regions_ns + overhead->blocks_ns);
}

/* "MIB" of the trace. */
static void set_trace(const char *argument)
{
    session.file_bytes = strtoul(argument, NULL, 10) << 20;
}

/* Blocks are recorded without chains. */
static void set_chainless(const char *argument)
{
    (void)argument;
    session.heap.has_chains = false;
}

/* "PATH KERNELS": the file, and how many known kernels it exports. */
static void add_library(const char *argument)
{
    struct session_module *module = array_add(&session.modules);
    size_t length = strcspn(argument, " ");

    ck_assert_ptr_nonnull(module);
    *module = (struct session_module){.path = strndup(argument, length), .gone_epoch = UINT32_MAX};
    module->fact.known_symbols = (uint32_t)strtoul(argument + length, NULL, 10);
}

/* The last slot's calls are inside another kernel. */
static void set_inside(const char *argument)
{
    (void)argument;
    last_slot()->nested = true;
}

/* The last slot calls a kernel in a library of this path. */
static void set_library(const char *argument)
{
    struct session_binding *binding = array_at(&session.bindings, last_slot()->binding);

    add_library(argument);
    binding->module = array_at(&session.modules, session.modules.count - 1);
}

/* The last slot is in a file of this path. */
static void set_caller(const char *argument)
{
    struct session_module *module;

    add_library(argument);
    module = array_at(&session.modules, session.modules.count - 1);
    module->fact.start = 0x1000;
    module->fact.end = 0x2000;
    last_slot()->site = 0x1800;
}

static void set_gap(const char *argument)
{
    gap_ns = strtoul(argument, NULL, 10);
}

/* A word "A*32" of an order: a gap after each call of the slot. */
static void add_to_course(const char *word, uint64_t *left, uint64_t *now_ns)
{
    unsigned slot = (unsigned)(word[0] - 'A');
    unsigned long times = word[1] == '*' ? strtoul(word + 2, NULL, 10) : 1;
    const struct session_slot *of = array_at(&session.slots, slot);
    uint64_t length_ns = of->total_ns / of->calls;

    for (; times > 0 && left[slot] > 0; times--, left[slot]--) {
        struct course_call call = {*now_ns, slot, course_pack_length(length_ns)};

        course_add(array_at(&session.courses, 0), &call);
        *now_ns += length_ns + gap_ns;
    }
}

/* Calls of the slots in the order "A*32 B", over and over until all of A are made. */
static void set_order(const char *argument)
{
    uint64_t now_ns = 1000, left[NAME_SIZE] = {0};
    const char *word = argument;

    for (size_t i = 0; i < session.slots.count; i++)
        left[i] = ((struct session_slot *)array_at(&session.slots, i))->timed_calls;
    while (left[argument[0] - 'A'] > 0 || word != argument) {
        add_to_course(word, left, &now_ns);
        word += strcspn(word, " ");
        word += strspn(word, " ");
        word = *word ? word : argument;
    }
    ((struct session_course *)array_at(&session.courses, 0))->is_whole = true;
}

/* Move all that follows a call of a slot, "A MICROSECONDS". */
static void set_pause(const char *argument)
{
    struct session_course *course = array_at(&session.courses, 0);
    uint64_t pause_ns = 1000 * strtoul(argument + 1, NULL, 10), shift_ns = 0;

    for (size_t i = 0; i < course->calls.count; i++) {
        struct course_call *call = array_at(&course->calls, i);

        call->start_ns += shift_ns;
        shift_ns += call->slot == (uint32_t)(argument[0] - 'A') ? pause_ns : 0;
    }
}

/* Durations of the last slot's calls, in microseconds, with a spread of 1 %:
 * "900 100*50 200*50". */
static void add_samples(const char *argument)
{
    struct session_slot *slot = last_slot();
    char *end = (char *)(uintptr_t)argument;

    while (*end) {
        double value_us = strtod(end, &end);
        unsigned long times = *end == '*' ? strtoul(end + 1, &end, 10) : 1;

        for (unsigned long i = 0; i < times; i++) {
            uint64_t *duration = array_add(&slot->durations_ns);

            ck_assert_ptr_nonnull(duration);
            *duration = (uint64_t)(value_us * (1000 + (double)(i * 7 % 11)));
        }
        end += strspn(end, " ");
    }
    slot->recorded_calls = slot->durations_ns.count;
}

/* Of the last slot's calls, as of level-1 BLAS. */
static void set_timed(const char *argument)
{
    last_slot()->timed_calls = strtoul(argument, NULL, 10);
}

/* Of its calls, in microseconds. */
static void set_fastest(const char *argument)
{
    last_slot()->min_ns = 1000 * strtoul(argument, NULL, 10);
}

/* Of its time, in microseconds. */
static void set_error(const char *argument)
{
    last_slot()->total_error_ns = 1000 * strtod(argument, NULL);
}

/* Of its time, in microseconds: the estimated time of untimed calls. */
static void set_estimated(const char *argument)
{
    last_slot()->estimated_ns = 1000 * strtoul(argument, NULL, 10);
}

/* Threads that were started in addition to the first and called no kernel. */
static void add_threads(const char *argument)
{
    for (unsigned long i = strtoul(argument, NULL, 10); i > 0; i--)
        made_add_thread(&session);
}

/* The life of the last thread, in milliseconds. */
static void set_lived(const char *argument)
{
    struct session_thread *thread = array_at(&session.threads, session.threads.count - 1);

    thread->last_ns = thread->first_ns + 1000000 * strtoul(argument, NULL, 10);
    thread->cpu_ns = thread->last_ns - thread->first_ns;
    thread->has_ended = true;
}

/* Nanoseconds that recording takes for a call that is counted. */
static void set_counting(const char *argument)
{
    session.overhead.counted_ns = strtod(argument, NULL);
}

/* Blocks are sampled; the first site is estimated to have obtained this many. */
static void set_sampled(const char *argument)
{
    struct session_site *site = array_at(&session.sites, 0);

    session.heap.sample_bytes = 524288;
    session.heap.is_estimated = session.heap.has_estimated_sites = true;
    site->allocations = strtoul(argument, NULL, 10);
}

static void set_given_up(const char *argument)
{
    session.process.last.voluntary_switches = strtoul(argument, NULL, 10);
}

/* "COUNT FUNCTION": blocks obtained by it; or "unknown". */
static void add_blocks(const char *argument)
{
    static const char *const functions[] = {"tokenize", "parse"};
    uint64_t count = strtoul(argument, NULL, 10);

    if (strcmp(argument, "unknown") == 0)
        session.heap.allocations = SESSION_UNKNOWN;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strstr(argument, functions[i]))
            made_add_site(&session, made_add_call(&session, 0, functions[i], "made.c", 7), 16,
                          count, count);
}

/* "COUNT": blocks of 1 MiB. */
static void add_large(const char *argument)
{
    uint64_t count = strtoul(argument, NULL, 10);

    made_add_site(&session, made_add_call(&session, 0, "tokenize", "made.c", 7), 1 << 20, count,
                  count);
    session.heap.sizes.counts[20] += count;
    session.heap.sizes.bytes[20] += count << 20;
}

/* "COUNT": blocks of 900 by 900 doubles, and as many of 900 at the same site. */
static void add_matrices(const char *argument)
{
    enum { ROW = 900 * sizeof(double), MATRIX = 900 * ROW };
    uint64_t count = strtoul(argument, NULL, 10);
    struct session_site *site = made_add_site(
        &session, made_add_call(&session, 0, "array_new", "made.c", 7), MATRIX, count, count);

    site->allocations += count;
    site->allocated_bytes += count * ROW;
    site->min_size = ROW;
}

/* Returns: the call of a function of a library that is in no other row; "?" has no name. */
static uint32_t add_place(const char *function, const char *library)
{
    bool has_name = strcmp(function, "?") != 0;
    struct session_module *module = array_add(&session.modules);
    uint32_t call = made_add_call(&session, 0, has_name ? function : NULL,
                                  has_name ? "made.c" : NULL, has_name ? 7 : 0);

    ck_assert_ptr_nonnull(module);
    *module = (struct session_module){.path = strdup(library)};
    ((struct session_call *)array_at(&session.calls, call))->module =
        (uint32_t)session.modules.count - 1;
    return call;
}

/* A function of Python code, whose file is the library. */
static void make_python(uint32_t call, const char *file)
{
    struct session_call *of = array_at(&session.calls, call);

    session.python.is_there = true;
    of->address |= PYTHON_CALL;
    of->module = SESSION_NONE;
    made_set_file(call, file);
}

/* So many samples of 4 ms at a call. */
static void add_ticks(uint32_t call, unsigned periods, uint32_t flags)
{
    enum { PERIOD_NS = 4000000 };
    struct session_thread *thread = array_at(&session.threads, 0);
    struct cpu_samples samples;

    session.sampling.period_ns = PERIOD_NS;
    thread->cpu_ns = session.samples.count > 0 ? thread->cpu_ns : 0;
    cpu_samples_init(&samples, &session);
    for (unsigned i = 0; i < periods; i++) {
        const struct session_sample sample = {
            .slot = SESSION_NONE, .call = call, .flags = flags, .count = 1, .periods = 1};

        thread->cpu_ns += PERIOD_NS;
        cpu_samples_take(&samples, &sample, thread->cpu_ns);
    }
    cpu_samples_fini(&samples);
    thread->last_ns = thread->cpu_ns;
    thread->has_ended = true;
}

/* "PERIODS FUNCTION LIBRARY": samples of 4 ms there, at line 7.  Libraries that end with .py or
 * start with < are files of Python code; "garbage" is its collection. */
static void add_spent(const char *argument)
{
    enum { PLACES = 4, SIZE = 64 };
    static char functions[PLACES][SIZE]; /* are kept, not copied */
    char library[SIZE];
    size_t place = session.modules.count % PLACES;
    unsigned periods;

    ck_assert_int_eq(sscanf(argument, "%u %63s %63s", &periods, functions[place], library), 3);
    uint32_t call = add_place(functions[place], library);
    bool is_garbage = strcmp(library, "garbage") == 0;
    session.python.is_there |= is_garbage;
    if (library[0] == '<' || strstr(library, ".py"))
        make_python(call, strchr(library, '<') ? "<frozen importlib._bootstrap>" : "made.py");
    add_ticks(call, periods, is_garbage ? TRACE_SAMPLE_GARBAGE : 0);
}

/* Texts that are kept, not copied. */
static const char *keep_text(const char *text)
{
    enum { TEXTS = 64, SIZE = 96 };
    static char kept[TEXTS][SIZE];
    static size_t next;
    char *at = kept[next++ % TEXTS];

    snprintf(at, SIZE, "%s", text);
    return at;
}

/* "FUNCTION@FILE" or "FUNCTION@FILE#LINE" below a call, else at line 7: in Python code as above,
 * else in a library loaded later than the program. */
static uint32_t add_frame(uint32_t parent, char *word)
{
    char *file = strchr(word, '@'), *line = strchr(word, '#');

    ck_assert_ptr_nonnull(file);
    *file++ = '\0';
    if (line)
        *line++ = '\0';
    uint32_t call = add_place(keep_text(word), file);
    struct session_call *of = array_at(&session.calls, call);
    struct session_module *module = array_at(&session.modules, session.modules.count - 1);

    of->parent = parent;
    module->fact.epoch = 2;
    if (line)
        made_set_line(call, (uint32_t)strtoul(line, NULL, 10));
    if (*file == '<' || strstr(file, ".py"))
        make_python(call, *file == '<' ? "<frozen importlib._bootstrap>" : keep_text(file));
    return call;
}

/* "FUNCTION@FILE ...", the outermost first.  Returns: the innermost call. */
static uint32_t add_chain(const char *words)
{
    char copy[400], *rest = copy, *word;
    uint32_t call = 0;

    snprintf(copy, sizeof copy, "%s", words);
    while ((word = strsep(&rest, " ")))
        call = add_frame(call, word);
    return call;
}

/* "PERIODS FUNCTION@FILE ...": samples of 4 ms at the end of this chain. */
static void add_chain_spent(const char *argument)
{
    char *chain;
    unsigned long periods = strtoul(argument, &chain, 10);

    add_ticks(add_chain(chain + 1), (unsigned)periods, 0);
}

/* The same in page faults. */
static void add_chain_faults(const char *argument)
{
    char *chain;
    unsigned long periods = strtoul(argument, &chain, 10);

    add_ticks(add_chain(chain + 1), (unsigned)periods, TRACE_SAMPLE_FAULT);
}

/* "PERIODS FUNCTION@FILE": samples there, of a stack that was not read further. */
static void add_unread(const char *argument)
{
    char *words;
    unsigned long periods = strtoul(argument, &words, 10);
    struct session_call *outer;
    uint32_t call = add_chain("outer@unknown"), inner;

    outer = array_at(&session.calls, call);
    outer->kind = SESSION_CALL_LOST;
    outer->module = SESSION_NONE;
    inner = add_chain(words + 1);
    ((struct session_call *)array_at(&session.calls, inner))->parent = call;
    add_ticks(inner, (unsigned)periods, 0);
}

/* "FUNCTION@FILE ...": a block that this chain obtained. */
static void add_chain_block(const char *argument)
{
    made_add_site(&session, add_chain(argument), 100, 1, 0);
}

/* The program itself, loaded from the start. */
static void set_loaded(const char *argument)
{
    add_library(argument);
    ((struct session_module *)array_at(&session.modules, session.modules.count - 1))->fact.epoch =
        1;
}

/* "FUNCTION FILE LINE": Python code that calls the last slot. */
static void set_python_caller(const char *argument)
{
    static const char lines[] = {(char)0x80, 0x00}; /* one instruction, of the first line */
    char bytes[200], function[40], file[100];
    struct trace_code code = {.id = 1, .lines_size = sizeof lines};
    const struct trace_site site = {.id = 1, .code = 1};
    size_t size = sizeof code;

    ck_assert_int_eq(sscanf(argument, "%39s %99s %d", function, file, &code.first_line), 3);
    code.name_size = (uint32_t)strlen(function);
    code.file_size = (uint32_t)strlen(file);
    memcpy(bytes, &code, sizeof code);
    size += (size_t)snprintf(bytes + size, sizeof bytes - size, "%s%s", function, file);
    memcpy(bytes + size, lines, sizeof lines);
    session.python.codes = python_codes_new();
    ck_assert_int_eq(python_codes_add(session.python.codes, bytes, size + sizeof lines), STATUS_OK);
    ck_assert_int_eq(
        python_codes_add_site(session.python.codes, (const char *)&site, sizeof site), STATUS_OK);
    last_slot()->site = TRACE_SITE_PYTHON | site.id;
}

/* The object of such a call; for others, a lock of thread 102. */
static const struct {
    const char *function;
    enum trace_wait_class class;
    const char *name;
    enum trace_waited_kind kind;
} waited[] = {
    {"read", TRACE_WAIT_CLASS_IO, "data.bin", TRACE_WAITED_FILE},
    {"fread", TRACE_WAIT_CLASS_IO, "data.bin", TRACE_WAITED_FILE},
    {"recv", TRACE_WAIT_CLASS_NETWORK, "10.0.0.1:80", TRACE_WAITED_SOCKET},
    {"pthread_mutex_lock", TRACE_WAIT_CLASS_LOCK, NULL, TRACE_WAITED_OTHER},
    {"pthread_cond_timedwait", TRACE_WAIT_CLASS_GIL, NULL, TRACE_WAITED_OTHER},
    {"pthread_join", TRACE_WAIT_CLASS_JOIN, NULL, TRACE_WAITED_OTHER},
    {"nanosleep", TRACE_WAIT_CLASS_SLEEP, NULL, TRACE_WAITED_OTHER},
    {"poll", TRACE_WAIT_CLASS_IDLE, NULL, TRACE_WAITED_OTHER},
};

/* "THREAD CALLS FUNCTION MS WAITING BYTES": this many ms, part of them waiting; bytes of each
 * call. */
static void add_waited(const char *argument)
{
    enum { SITE = 0x1800, LOCK = 0xabc0, OWNER = 102, MS = 1000000 };
    struct session_module *module = array_at(&session.modules, 0);
    struct session_wait *wait = array_add(&session.waits);
    unsigned thread, calls, total, waiting, bytes;
    char function[NAME_SIZE];
    size_t i = 0;

    ck_assert_ptr_nonnull(wait);
    ck_assert_int_eq(sscanf(argument, "%u %u %79s %u %u %u", &thread, &calls, function, &total,
                            &waiting, &bytes),
                     6);
    while (strcmp(waited[i].function, function) != 0)
        i++;
    module->fact.start = SITE;
    module->fact.end = SITE + 1;
    *wait = (struct session_wait){.class = waited[i].class,
                                  .function = waited[i].function,
                                  .name = waited[i].name,
                                  .kind = waited[i].kind,
                                  .thread = thread,
                                  .has_bytes = bytes > 0,
                                  .site = SITE,
                                  .chain = SESSION_NONE,
                                  .calls = calls,
                                  .total_ns = (uint64_t)total * MS,
                                  .waiting_ns = (uint64_t)waiting * MS,
                                  .bytes = (uint64_t)bytes * calls};
    if (wait->class == TRACE_WAIT_CLASS_LOCK || wait->class == TRACE_WAIT_CLASS_GIL) {
        wait->address = LOCK;
        wait->owner = OWNER;
    }
}

static void set_put_aside(const char *argument)
{
    session.process.last.involuntary_switches = strtoul(argument, NULL, 10);
}

/* MiB that read calls returned. */
static void set_read(const char *argument)
{
    session.process.has_last = true;
    session.process.last.called_bytes = strtoul(argument, NULL, 10) << 20;
}

static void set_governor(const char *argument)
{
    session.process.conditions[TRACE_CONDITION_GOVERNOR] =
        strcmp(argument, "powersave") == 0 ? "powersave" : "performance";
}

static void set_instructions(const char *argument)
{
    static char instructions[NAME_SIZE];

    snprintf(instructions, sizeof instructions, "%s", argument);
    session.process.conditions[TRACE_CONDITION_SHORT_TYPES] = instructions;
}

/* ---- ops ---- */

static struct session_op *last_op(void)
{
    return array_at(&session.ops, session.ops.count - 1);
}

/* "NAME CALLS MICROSECONDS [INPUTS]" */
static void add_op(uint32_t parent, const char *argument)
{
    size_t length = strcspn(argument, " ");
    char *rest = (char *)(uintptr_t)argument + length;
    struct session_op *op;

    made_add_op(&session, parent, storage_keep(texts, argument, length));
    op = last_op();
    op->calls = strtoul(rest, &rest, 10);
    op->inclusive_ns = op->exclusive_ns = 1000 * strtoul(rest, &rest, 10);
    ((struct session_op *)array_at(&session.ops, parent))->exclusive_ns -=
        parent == 0 ? 0 : op->inclusive_ns;
    op->inputs = *rest ? storage_keep(texts, rest + 1, strlen(rest + 1)) : NULL;
    op->kind = op_kind_of(op->name);
    op->most_elements = op_inputs_sum(op->inputs).most_elements;
}

static void add_outer_op(const char *argument)
{
    add_op(0, argument);
}

/* In the op that was added last. */
static void add_inner_op(const char *argument)
{
    add_op((uint32_t)session.ops.count - 1, argument);
}

/* The calls of the last slot are inside of the last op. */
static void set_in_op(const char *argument)
{
    (void)argument;
    last_slot()->op = (uint32_t)session.ops.count - 1;
}

/* So many calls of the last op follow another one, with their part of its time. */
static void set_followers(const char *argument)
{
    struct session_op *op = last_op();

    op->followers = strtoul(argument, NULL, 10);
    op->follower_ns = (double)op->inclusive_ns * (double)op->followers / (double)op->calls;
}

/* Before the last op, in microseconds. */
static void set_op_gaps(const char *argument)
{
    last_op()->gap_ns = 1000 * strtod(argument, NULL);
}

static void set_recorded(const char *argument)
{
    session.framework.gradient_records = strtoul(argument, NULL, 10);
}

/* "BYTES CALLS SEQUENCES": the last op's tensors grow by this many bytes with each of this many
 * calls. */
static void add_growth(const char *argument)
{
    struct session_growth *growth = array_add(&session.growths);
    char *rest;

    ck_assert_ptr_nonnull(growth);
    growth->op = (uint32_t)session.ops.count - 1;
    growth->step_bytes = strtoul(argument, &rest, 10);
    growth->steps = strtoul(rest, &rest, 10);
    growth->sequences = strtoul(rest, &rest, 10);
}

static void set_gradients(const char *argument)
{
    session.framework.gradient_ops = strtoul(argument, NULL, 10);
}

static const struct {
    const char *word;
    void (*read)(const char *argument);
} directives[] = {
    {"wall", set_wall_ms},
    {"calibrated", set_calibrated},
    {"clock", set_clock},
    {"implementation", set_implementation},
    {"gemm", set_gemm},
    {"peak", set_peak},
    {"peaks", add_peaks},
    {"blas", set_blas},
    {"doubt", add_doubt},
    {"processor", set_processor},
    {"processors", set_processors},
    {"thread-processor", set_thread_processor},
    {"other-processor", set_other_processor},
    {"variable", add_variable},
    {"lost", set_lost},
    {"refused", set_refused},
    {"torn", set_torn},
    {"damaged", set_damaged},
    {"overwritten", set_overwritten},
    {"overhead", set_overhead},
    {"trace", set_trace},
    {"chainless", set_chainless},
    {"gap", set_gap},
    {"library", add_library},
    {"of-library", set_library},
    {"called-by", set_caller},
    {"inside", set_inside},
    {"order", set_order},
    {"pause", set_pause},
    {"samples", add_samples},
    {"timed", set_timed},
    {"error", set_error},
    {"fastest", set_fastest},
    {"estimated", set_estimated},
    {"threads", add_threads},
    {"lived", set_lived},
    {"counting", set_counting},
    {"sampled", set_sampled},
    {"given-up", set_given_up},
    {"blocks", add_blocks},
    {"large", add_large},
    {"matrices", add_matrices},
    {"spent", add_spent},
    {"chain", add_chain_spent},
    {"faulting", add_chain_faults},
    {"unread", add_unread},
    {"block-of", add_chain_block},
    {"loaded", set_loaded},
    {"python-caller", set_python_caller},
    {"waited", add_waited},
    {"put-aside", set_put_aside},
    {"read", set_read},
    {"governor", set_governor},
    {"instructions", set_instructions},
    {"op", add_outer_op},
    {"op-inside", add_inner_op},
    {"in-op", set_in_op},
    {"followers", set_followers},
    {"op-gaps", set_op_gaps},
    {"recorded", set_recorded},
    {"gradients", set_gradients},
    {"grows", add_growth},
};

static void read_line(const char *line)
{
    size_t length = strcspn(line, " ");

    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (strlen(directives[i].word) == length &&
            strncmp(directives[i].word, line, length) == 0) {
            directives[i].read(line + length + 1);
            return;
        }
    if (line[0] != '\0')
        made_add_calls(&session, line);
}

static void read_case(const char *name)
{
    char *text = page_section(page, name), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        read_line(line);
    free(text);
}

static char *read_sentences(const struct findings *findings)
{
    static const char *const outcomes[] = {
        [FINDING_PASSED] = "passed", [FINDING_NOT_EVALUATED] = "not evaluated"};
    struct text_list lines;
    struct text text;
    char *said;

    text_list_init(&lines);
    text_init(&text);
    for (size_t i = 0; i < findings->found.count; i++)
        finding_add_sentences(&lines, findings_at(findings, i));
    for (size_t i = 0; i < text_list_count(&lines); i++)
        text_appendf(&text, "%s\n", text_list_at(&lines, i));
    for (size_t i = 0; i < findings->notes.count; i++) {
        const struct finding_note *note = findings_note_at(findings, i);

        text_appendf(&text, "%s: %s\n", outcomes[note->outcome], note->text.bytes);
    }
    said = strdup(text.bytes);
    ck_assert_ptr_nonnull(said);
    text_list_fini(&lines);
    text_fini(&text);
    return said;
}

static const struct {
    enum finding_rule rule;
    const char *name;
} cases[] = {
    {FINDING_RULE_hot, "hot"},
    {FINDING_RULE_hot, "all but nothing is hot"},
    {FINDING_RULE_hot, "hot, and what recording took passed inside"},
    {FINDING_RULE_hot, "hot, of unknown work"},
    {FINDING_RULE_hot, "hot, a planner that searches"},
    {FINDING_RULE_hot, "hot, a planner that is asked again"},
    {FINDING_RULE_hot, "hot, known badly"},
    {FINDING_RULE_hot, "hot, its error unknown"},
    {FINDING_RULE_small, "small, known badly"},
    {FINDING_RULE_hot, "nothing is hot"},
    {FINDING_RULE_hot, "hot without calls"},
    {FINDING_RULE_hot_line, "a hot line"},
    {FINDING_RULE_fuse, "ops that follow each other"},
    {FINDING_RULE_fuse, "ops of few bytes that follow each other"},
    {FINDING_RULE_op_small, "small ops"},
    {FINDING_RULE_op_small, "small ops of an optimizer"},
    {FINDING_RULE_op_small, "large ops with small ones inside"},
    {FINDING_RULE_op_small, "no ops"},
    {FINDING_RULE_op_layout, "copies into another layout"},
    {FINDING_RULE_op_layout, "few copies into another layout"},
    {FINDING_RULE_op_layout, "products that copy an operand"},
    {FINDING_RULE_op_layout, "products that copy little"},
    {FINDING_RULE_op_types, "conversions"},
    {FINDING_RULE_op_types, "few conversions"},
    {FINDING_RULE_op_training, "dropout without gradients"},
    {FINDING_RULE_op_training, "dropout that does nothing"},
    {FINDING_RULE_op_training, "dropout of a training"},
    {FINDING_RULE_op_gradients, "records without gradients"},
    {FINDING_RULE_op_gradients, "records for most of which there are no gradients"},
    {FINDING_RULE_op_gradients, "records with gradients"},
    {FINDING_RULE_kv_cache, "a cache that grows"},
    {FINDING_RULE_kv_cache, "a cache of few tokens"},
    {FINDING_RULE_op_data, "a loader without workers"},
    {FINDING_RULE_op_data, "a loader with slow workers"},
    {FINDING_RULE_op_data, "a loader of small batches"},
    {FINDING_RULE_op_data, "a loader that is quick"},
    {FINDING_RULE_gc, "much garbage"},
    {FINDING_RULE_gc, "little garbage"},
    {FINDING_RULE_gc, "no Python"},
    {FINDING_RULE_imports, "many imports"},
    {FINDING_RULE_imports, "imports that the program needs"},
    {FINDING_RULE_imports, "few imports"},
    {FINDING_RULE_bytecode, "modules that are compiled"},
    {FINDING_RULE_bytecode, "modules that were compiled before"},
    {FINDING_RULE_unseen_imports, "an import that is not seen"},
    {FINDING_RULE_unseen_imports, "an import whose library is seen"},
    {FINDING_RULE_unseen_imports, "an import of the program's own"},
    {FINDING_RULE_python_loop, "a loop of Python"},
    {FINDING_RULE_tasks, "small tasks"},
    {FINDING_RULE_tasks, "large tasks"},
    {FINDING_RULE_interpreted, "code of Python"},
    {FINDING_RULE_interpreted, "short calls of Python"},
    {FINDING_RULE_interpreted, "long calls of Python"},
    {FINDING_RULE_interpreted, "a long call of a library of Python"},
    {FINDING_RULE_python_loop, "a loop of Python around long kernels"},
    {FINDING_RULE_conversions, "lists"},
    {FINDING_RULE_conversions, "copies of arrays"},
    {FINDING_RULE_start_up, "much start-up"},
    {FINDING_RULE_start_up, "little start-up"},
    {FINDING_RULE_hot_line, "no hot line"},
    {FINDING_RULE_hot_line, "no sample"},
    {FINDING_RULE_known_cost, "a known cost with stacks that were not read"},
    {FINDING_RULE_known_cost, "a known cost beside other lines"},
    {FINDING_RULE_known_cost, "a known cost that empties the caches"},
    {FINDING_RULE_known_cost, "mapping, and page faults of the line"},
    {FINDING_RULE_copies, "copies"},
    {FINDING_RULE_copies, "few copies"},
    {FINDING_RULE_spin, "spinning"},
    {FINDING_RULE_spin, "spinning of two pools"},
    {FINDING_RULE_spin, "spinning of two copies"},
    {FINDING_RULE_spin, "spinning of two copies of one name"},
    {FINDING_RULE_spin, "little spinning"},
    {FINDING_RULE_locks, "locks of the main thread"},
    {FINDING_RULE_locks, "locks beside threads that spin"},
    {FINDING_RULE_locks, "locks of threads that it waits for"},
    {FINDING_RULE_locks, "locks beside the main thread"},
    {FINDING_RULE_locks, "locks while it waits for sockets"},
    {FINDING_RULE_locks, "locks behind a thread that waits for work"},
    {FINDING_RULE_locks, "a lock at the start"},
    {FINDING_RULE_locks, "no wait"},
    {FINDING_RULE_gil, "the interpreter's lock"},
    {FINDING_RULE_gil, "threads that take turns in the interpreter"},
    {FINDING_RULE_gil, "the interpreter's lock beside the main thread"},
    {FINDING_RULE_gil, "the interpreter's lock at the start"},
    {FINDING_RULE_sleep, "a main thread that sleeps"},
    {FINDING_RULE_sleep, "a main thread that sleeps beside one that computes"},
    {FINDING_RULE_sleep, "another thread that sleeps"},
    {FINDING_RULE_sleep, "threads that sleep between looks"},
    {FINDING_RULE_small_io, "small reads"},
    {FINDING_RULE_small_io, "small reads of threads that do little else"},
    {FINDING_RULE_small_io, "small reads of threads that do more"},
    {FINDING_RULE_small_io, "small reads of a socket"},
    {FINDING_RULE_small_io, "waiting for a socket"},
    {FINDING_RULE_small_io, "large reads"},
    {FINDING_RULE_small_io, "small reads of a stream"},
    {FINDING_RULE_amdahl, "amdahl"},
    {FINDING_RULE_amdahl, "amdahl, threads anew"},
    {FINDING_RULE_amdahl, "amdahl, threads that wait"},
    {FINDING_RULE_amdahl, "amdahl, blocks"},
    {FINDING_RULE_amdahl, "amdahl, blocks sampled"},
    {FINDING_RULE_amdahl, "amdahl, blocks not recorded"},
    {FINDING_RULE_amdahl, "amdahl, bytes"},
    {FINDING_RULE_amdahl, "amdahl, operands"},
    {FINDING_RULE_amdahl, "amdahl, large blocks beside small operands"},
    {FINDING_RULE_amdahl, "amdahl, sparse"},
    {FINDING_RULE_amdahl, "amdahl, files"},
    {FINDING_RULE_amdahl, "amdahl, rows one by one"},
    {FINDING_RULE_amdahl, "amdahl, rows one by one, compiled"},
    {FINDING_RULE_amdahl, "amdahl, rows one by one, on a full machine"},
    {FINDING_RULE_amdahl, "amdahl, blocks on a full machine"},
    {FINDING_RULE_amdahl, "amdahl, kernels known badly"},
    {FINDING_RULE_amdahl, "amdahl, waiting"},
    {FINDING_RULE_amdahl, "amdahl, put aside"},
    {FINDING_RULE_amdahl, "amdahl, nothing frequent"},
    {FINDING_RULE_amdahl, "kernels are most"},
    {FINDING_RULE_amdahl, "amdahl, next to nothing"},
    {FINDING_RULE_amdahl, "amdahl without calls"},
    {FINDING_RULE_attn_n2, "attention"},
    {FINDING_RULE_attn_n2, "attention of several lengths"},
    {FINDING_RULE_attn_n2, "short attention"},
    {FINDING_RULE_attn_n2, "attention uncalibrated"},
    {FINDING_RULE_attn_n2, "no attention"},
    {FINDING_RULE_mem_bound, "memory"},
    {FINDING_RULE_mem_bound, "not memory"},
    {FINDING_RULE_mem_bound, "memory uncalibrated"},
    {FINDING_RULE_compute_bound, "compute"},
    {FINDING_RULE_compute_bound, "little compute"},
    {FINDING_RULE_compute_bound, "not compute"},
    {FINDING_RULE_compute_bound, "compute without calls"},
    {FINDING_RULE_latency, "latency"},
    {FINDING_RULE_latency, "latency of one's own code"},
    {FINDING_RULE_latency, "latency of several codes"},
    {FINDING_RULE_latency, "latency on a busy machine"},
    {FINDING_RULE_latency, "latency unknown"},
    {FINDING_RULE_small, "small, in an op"},
    {FINDING_RULE_small, "small, in as many ops"},
    {FINDING_RULE_small, "small"},
    {FINDING_RULE_small, "small, now and then apart"},
    {FINDING_RULE_small, "small on a busy machine"},
    {FINDING_RULE_small, "small but apart"},
    {FINDING_RULE_small, "small, in compiled code"},
    {FINDING_RULE_small, "small, compiled and close"},
    {FINDING_RULE_small, "small, compiled and some apart"},
    {FINDING_RULE_small, "small, compiled and without gaps"},
    {FINDING_RULE_small, "small, one kernel after another"},
    {FINDING_RULE_small, "small, some in rows"},
    {FINDING_RULE_small, "small without events"},
    {FINDING_RULE_small, "small and counted"},
    {FINDING_RULE_small, "small, counted and apart"},
    {FINDING_RULE_small, "small, counted and long"},
    {FINDING_RULE_small, "small, counted between others"},
    {FINDING_RULE_small, "small, counted on a busy machine"},
    {FINDING_RULE_small, "small, what counting takes"},
    {FINDING_RULE_small, "small, counted and known badly"},
    {FINDING_RULE_small, "small, counted and unseen"},
    {FINDING_RULE_small, "small, most records gone"},
    {FINDING_RULE_small, "small, few counted"},
    {FINDING_RULE_gemv, "item by item"},
    {FINDING_RULE_gemv, "item by item, square"},
    {FINDING_RULE_gemv, "a recurrence"},
    {FINDING_RULE_gemv, "vectors alone"},
    {FINDING_RULE_gemv, "vectors of two precisions"},
    {FINDING_RULE_gemv, "vectors beside narrow products"},
    {FINDING_RULE_gemv, "vectors of an unknown precision"},
    {FINDING_RULE_gemv, "few vectors"},
    {FINDING_RULE_gemv, "vectors uncalibrated"},
    {FINDING_RULE_gemv, "vectors alone uncalibrated"},
    {FINDING_RULE_skinny, "skinny"},
    {FINDING_RULE_skinny, "skinny in a row"},
    {FINDING_RULE_skinny, "skinny on a busy machine"},
    {FINDING_RULE_skinny, "skinny of two precisions"},
    {FINDING_RULE_skinny, "broad"},
    {FINDING_RULE_skinny, "no product"},
    {FINDING_RULE_order, "a product for a vector"},
    {FINDING_RULE_order, "a product for a vector of either"},
    {FINDING_RULE_order, "a product for many vectors"},
    {FINDING_RULE_order, "a product for a vector, another between"},
    {FINDING_RULE_order, "a product for a vector, after a pass"},
    {FINDING_RULE_order, "a product for a vector, after a pass by many"},
    {FINDING_RULE_order, "a product for a vector uncalibrated"},
    {FINDING_RULE_prefix, "a text that grows"},
    {FINDING_RULE_prefix, "a text that grows on a busy machine"},
    {FINDING_RULE_prefix, "a text that grows from its first word"},
    {FINDING_RULE_prefix, "a text of keys that grow"},
    {FINDING_RULE_prefix, "sizes that are tried"},
    {FINDING_RULE_prefix, "lengths in no order"},
    {FINDING_RULE_prefix, "a text without events"},
    {FINDING_RULE_inverse, "inverses"},
    {FINDING_RULE_inverse, "inverses inside of others"},
    {FINDING_RULE_inverse, "inverses without events"},
    {FINDING_RULE_inverse, "few inverses"},
    {FINDING_RULE_inverse, "no inverse"},
    {FINDING_RULE_inverse, "solved inverses"},
    {FINDING_RULE_inverse, "solved inverses by products"},
    {FINDING_RULE_inverse, "systems of many right sides"},
    {FINDING_RULE_inverse, "systems of fewer right sides"},
    {FINDING_RULE_inverse, "systems whose solutions are not multiplied"},
    {FINDING_RULE_inverse, "inverses of both sorts"},
    {FINDING_RULE_decompose, "factored again"},
    {FINDING_RULE_decompose, "factored anew"},
    {FINDING_RULE_decompose, "factored again, of a copy"},
    {FINDING_RULE_decompose, "factored again, by scipy"},
    {FINDING_RULE_decompose, "factored anew, by numpy"},
    {FINDING_RULE_decompose, "factors that are kept"},
    {FINDING_RULE_decompose, "factors of determinants"},
    {FINDING_RULE_decompose, "all vectors"},
    {FINDING_RULE_decompose, "all values"},
    {FINDING_RULE_decompose, "vectors that are used"},
    {FINDING_RULE_decompose, "eigenvectors"},
    {FINDING_RULE_decompose, "values without vectors"},
    {FINDING_RULE_decompose, "values in a range"},
    {FINDING_RULE_fft_size, "transforms of slow lengths"},
    {FINDING_RULE_fft_size, "transforms of a slow side"},
    {FINDING_RULE_fft_size, "transforms uncalibrated"},
    {FINDING_RULE_fft_size, "transforms of fast lengths"},
    {FINDING_RULE_fft_size, "transforms of real numbers"},
    {FINDING_RULE_fp64, "double"},
    {FINDING_RULE_fp64, "all double"},
    {FINDING_RULE_fp64, "all double in torch"},
    {FINDING_RULE_fp64, "double, its rest unknown"},
    {FINDING_RULE_fp64, "double beside 16 bits"},
    {FINDING_RULE_fp64, "float"},
    {FINDING_RULE_fp64, "types unknown"},
    {FINDING_RULE_lowprec, "16 bits"},
    {FINDING_RULE_lowprec, "32 bits"},
    {FINDING_RULE_lowprec, "32 bits alone"},
    {FINDING_RULE_lowprec, "32 bits unknown"},
    {FINDING_RULE_dispatch, "reference code"},
    {FINDING_RULE_dispatch, "a model is no code"},
    {FINDING_RULE_dispatch, "lesser code"},
    {FINDING_RULE_dispatch, "poor BLAS"},
    {FINDING_RULE_dispatch, "slow BLAS with code for this processor"},
    {FINDING_RULE_dispatch, "poor BLAS, doubtful"},
    {FINDING_RULE_dispatch, "slow BLAS, doubtful"},
    {FINDING_RULE_dispatch, "BLAS of unknown code"},
    {FINDING_RULE_dispatch, "good BLAS"},
    {FINDING_RULE_dispatch, "BLAS of reference"},
    {FINDING_RULE_dispatch, "BLAS of reference, not calibrated"},
    {FINDING_RULE_dispatch, "libblas alone"},
    {FINDING_RULE_dispatch, "libblas alone, solutions"},
    {FINDING_RULE_dispatch, "libblas alone, an eighth of the best"},
    {FINDING_RULE_dispatch, "libblas alone, calibrated with itself"},
    {FINDING_RULE_dispatch, "libblas alone, half of what the processor can"},
    {FINDING_RULE_dispatch, "libblas alone, more processors for another"},
    {FINDING_RULE_dispatch, "libblas alone, not calibrated"},
    {FINDING_RULE_dispatch, "libblas alone, small products, not calibrated"},
    {FINDING_RULE_dispatch, "libblas alone, a slow clock, not calibrated"},
    {FINDING_RULE_dispatch, "libblas that is fast, not calibrated"},
    {FINDING_RULE_threads_over, "threads of a library that take turns"},
    {FINDING_RULE_threads_over, "threads of a library that lose nothing"},
    {FINDING_RULE_serial, "libblas alone, one processor of two"},
    {FINDING_RULE_dispatch, "libblas before OpenBLAS"},
    {FINDING_RULE_dispatch, "libblas that is fast"},
    {FINDING_RULE_dispatch, "nothing told"},
    {FINDING_RULE_reorder, "reorder"},
    {FINDING_RULE_reorder, "little reorder"},
    {FINDING_RULE_reorder, "reorder without calls"},
    {FINDING_RULE_primcreate, "creation"},
    {FINDING_RULE_primcreate, "creation and freeing"},
    {FINDING_RULE_primcreate, "early creation"},
    {FINDING_RULE_primcreate, "plans"},
    {FINDING_RULE_primcreate, "plans that nobody executes"},
    {FINDING_RULE_primcreate, "few plans"},
    {FINDING_RULE_primcreate, "plans that are destroyed"},
    {FINDING_RULE_primcreate, "creation without events"},
    {FINDING_RULE_primcreate, "models"},
    {FINDING_RULE_primcreate, "a late model"},
    {FINDING_RULE_primcreate, "no creation"},
    {FINDING_RULE_fuse, "fuse"},
    {FINDING_RULE_fuse, "fuse behind a product of oneDNN"},
    {FINDING_RULE_fuse, "fuse, further apart"},
    {FINDING_RULE_fuse, "not fuse"},
    {FINDING_RULE_fuse, "not fuse, far apart"},
    {FINDING_RULE_fuse, "fuse sampled"},
    {FINDING_RULE_fuse, "fuse without events"},
    {FINDING_RULE_invalid, "invalid"},
    {FINDING_RULE_invalid, "invalid, but little"},
    {FINDING_RULE_invalid, "invalid, known badly"},
    {FINDING_RULE_invalid, "valid"},
    {FINDING_RULE_invalid, "valid uncalibrated"},
    {FINDING_RULE_coverage, "coverage"},
    {FINDING_RULE_coverage, "covered by workers"},
    {FINDING_RULE_coverage, "few workers"},
    {FINDING_RULE_coverage, "blind"},
    {FINDING_RULE_coverage, "libraries that nobody calls"},
    {FINDING_RULE_coverage, "own loops"},
    {FINDING_RULE_coverage, "own loops beside a call of no weight"},
    {FINDING_RULE_coverage, "silent libraries"},
    {FINDING_RULE_coverage, "own loops of little"},
    {FINDING_RULE_coverage, "waiting"},
    {FINDING_RULE_coverage, "unknown FLOPs"},
    {FINDING_RULE_coverage, "covered"},
    {FINDING_RULE_coverage, "processor unknown"},
    {FINDING_RULE_noise, "noise"},
    {FINDING_RULE_noise, "quiet"},
    {FINDING_RULE_noise, "busy"},
    {FINDING_RULE_noise, "governor"},
    {FINDING_RULE_noise, "noise unknown"},
    {FINDING_RULE_warmup, "warm-up"},
    {FINDING_RULE_warmup, "warm-up on a busy machine"},
    {FINDING_RULE_warmup, "warm"},
    {FINDING_RULE_warmup, "long calls at any time"},
    {FINDING_RULE_warmup, "warm-up unknown"},
    {FINDING_RULE_bimodal, "two sorts"},
    {FINDING_RULE_bimodal, "one sort"},
    {FINDING_RULE_bimodal, "sorts unknown"},
    {FINDING_RULE_dropped, "lost"},
    {FINDING_RULE_dropped, "lost on a full disk"},
    {FINDING_RULE_dropped, "lost by another user"},
    {FINDING_RULE_dropped, "lost otherwise"},
    {FINDING_RULE_dropped, "torn"},
    {FINDING_RULE_dropped, "overwritten"},
    {FINDING_RULE_dropped, "nothing lost"},
    {FINDING_RULE_overhead, "overhead"},
    {FINDING_RULE_overhead, "overhead of the start"},
    {FINDING_RULE_overhead, "overhead of chains"},
    {FINDING_RULE_overhead, "overhead of calls"},
    {FINDING_RULE_overhead, "overhead of regions"},
    {FINDING_RULE_overhead, "overhead of a long trace"},
    {FINDING_RULE_overhead, "overhead of many blocks without chains"},
    {FINDING_RULE_overhead, "overhead without chains"},
    {FINDING_RULE_overhead, "overhead of a trace of calls"},
    {FINDING_RULE_overhead, "some overhead"},
    {FINDING_RULE_overhead, "little overhead"},
};

START_TEST(a_rule_says_what_its_page_says)
{
    struct findings_context context;
    struct findings findings;
    char heading[NAME_SIZE], *said;

    read_case(cases[_i].name);
    findings_context_init(&context, &session, &options);
    findings_evaluate_rule(&findings, &context, cases[_i].rule);
    said = read_sentences(&findings);
    snprintf(heading, sizeof heading, "%s says", cases[_i].name);
    page_compare(page, heading, said);
    free(said);
}
END_TEST

/* ---- one repair, one gain -------------------------------------------------------------- */

static const char *const repairs[] = {"a loader that hands over tasks", "objects that are sent"};

/* "LOADER Use num_workers=0 ...", a line for each advice */
static void say_advice(struct text *text, const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding_is_advice(finding) && !isnan(finding->ceiling))
            text_appendf(text, "%s %s\n", finding_id(finding->rule), finding->action.bytes);
    }
}

START_TEST(a_repair_is_told_once_with_its_gain)
{
    struct findings_context context;
    struct findings findings;
    char heading[NAME_SIZE];
    struct text said;

    read_case(repairs[_i]);
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    text_init(&said);
    say_advice(&said, &findings);
    snprintf(heading, sizeof heading, "%s advises", repairs[_i]);
    page_compare(page, heading, said.bytes);
    text_fini(&said);
}
END_TEST

/* ---- the frame ---------------------------------------------------------------------- */

START_TEST(routines_of_lapack_are_told_by_their_names)
{
    static const struct {
        const char *name;
        enum routine does;
    } rows[] = {{"dgesv_", ROUTINE_SOLVES},
                {"scipy_zgesvx_64_", ROUTINE_SOLVES},
                {"LAPACKE_sgesvd_work", ROUTINE_SINGULAR},
                {"dgesvj_", ROUTINE_SINGULAR},
                {"dsyevr_", ROUTINE_EIGENVALUES},
                {"cpotrf_", ROUTINE_FACTORS},
                {"dgetrs_", ROUTINE_SOLVES_BY_FACTORS},
                {"dtrtri_", ROUTINE_INVERTS},
                {"cblas_dgemv", ROUTINE_OTHER},
                {NULL, ROUTINE_OTHER}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_int_eq(routine_of(rows[i].name), rows[i].does);
}
END_TEST

START_TEST(a_ceiling_is_amdahls)
{
    ck_assert_double_eq_tol(finding_ceiling(100, 70 * (1 - 1 / 2.0)), 1.538461, 1e-6);
    ck_assert_double_eq_tol(finding_ceiling(100, 70), 100 / 30.0, 1e-12);
    ck_assert(isinf(finding_ceiling(100, 100)));
    ck_assert_double_eq(finding_ceiling(100, 0), 1);
    ck_assert(isnan(finding_ceiling(0, 0)));
    ck_assert(isnan(finding_ceiling(100, (double)NAN)));
}
END_TEST

START_TEST(every_rule_finds_or_says_why_not)
{
    struct findings_context context;
    struct findings findings;

    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    for (int rule = 0; rule < FINDING_RULES; rule++) {
        bool has_spoken = false;

        for (size_t i = 0; i < findings.found.count; i++)
            has_spoken |= findings_at(&findings, i)->rule == (enum finding_rule)rule;
        for (size_t i = 0; i < findings.notes.count; i++)
            has_spoken |= findings_note_at(&findings, i)->rule == (enum finding_rule)rule;
        ck_assert_msg(has_spoken, "%s said nothing", finding_id((enum finding_rule)rule));
    }
}
END_TEST

/* Each of these, with each other and any confidence. */
static const double weighed_ceilings[] = {1, 1.02, 1.05, 1.2, 1.25, 4, (double)INFINITY};

static void severity_is_possible(const struct finding *finding, bool is_grave)
{
    const char *confidence = finding_confidence_name(finding->confidence);
    enum finding_severity severity = finding_find_severity(finding, is_grave);
    bool saves_time = finding->gain <= FINDING_BOUNDS;

    if (strcmp(confidence, "low") == 0)
        ck_assert_int_le(severity, FINDING_LOW);
    if (finding->gain == FINDING_POINTS || (finding->gain == FINDING_DOUBTS && !is_grave))
        ck_assert_int_eq(severity, FINDING_INFO);
    if (finding->gain <= FINDING_RISKS)
        ck_assert_int_gt(severity, FINDING_INFO);
    if (severity == FINDING_HIGH)
        ck_assert(!saves_time || finding->ceiling >= 1.25);
    if (saves_time && finding->ceiling < 1.05)
        ck_assert_int_eq(severity, FINDING_LOW);
}

START_TEST(severity_and_confidence_never_contradict_each_other)
{
    for (int gain = FINDING_PREDICTS; gain <= FINDING_DOUBTS; gain++)
        for (size_t i = 0; i < sizeof weighed_ceilings / sizeof *weighed_ceilings; i++)
            for (int percent = 0; percent <= 100; percent++) {
                struct finding finding = {.gain = (enum finding_gain)gain,
                                          .confidence = percent / 100.0,
                                          .ceiling = gain <= FINDING_BOUNDS ? weighed_ceilings[i]
                                                                            : (double)NAN};

                severity_is_possible(&finding, false);
                severity_is_possible(&finding, true);
            }
}
END_TEST

/* And findings with a repair come before those without. */
START_TEST(only_what_has_a_repair_has_a_ceiling)
{
    struct findings_context context;
    struct findings findings;

    read_case(cases[_i].name);
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    for (size_t i = 0; i < findings.found.count; i++) {
        const struct finding *finding = findings_at(&findings, i);

        ck_assert_msg(isnan(finding->ceiling) == (finding->gain > FINDING_BOUNDS), "%s",
                      finding_id(finding->rule));
        ck_assert_int_eq(finding_ceiling_kind(finding) == NULL, isnan(finding->ceiling));
        ck_assert_int_eq(finding->limit.size == 0, isnan(finding->ceiling));
        ck_assert(i == 0 || finding->gain <= FINDING_BOUNDS ||
                  finding->gain >= findings_at(&findings, i - 1)->gain);
    }
}
END_TEST

/* Programs that use the machine well, or do little in kernels: one sentence, and the place of the
 * time. */
static const char *const healthy_cases[] = {"compute", "memory", "amdahl", "amdahl, bytes",
                                            "amdahl, waiting", "own loops", "governor"};

START_TEST(a_healthy_program_gets_one_line)
{
    struct findings_context context;
    struct findings findings;
    struct text_list lines;

    text_list_init(&lines);
    read_case(healthy_cases[_i]);
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    ck_assert_int_eq(findings_judge(&findings), FINDINGS_NOTHING);
    findings_add_verdict(&lines, &findings, "");
    ck_assert_uint_eq(text_list_count(&lines), 1);
    ck_assert_msg(strstr(text_list_at(&lines, 0), "Nothing found to repair. ") &&
                      strstr(text_list_at(&lines, 0), " of 1.000 s wall time without tprof ("),
                  "%s", text_list_at(&lines, 0));
    text_list_fini(&lines);
}
END_TEST

START_TEST(a_run_without_time_gets_one_line_too)
{
    struct findings_context context;
    struct findings findings;

    set_wall(0);
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    ck_assert_str_eq(findings.where.bytes, "The run is too short to show where its time goes.");
}
END_TEST

/* Rules that could not look have found nothing either. */
START_TEST(that_nothing_was_found_uncalibrated_is_no_praise)
{
    struct findings_context context;
    struct findings findings;

    read_case("compute");
    options.machine = NULL;
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    ck_assert_msg(strstr(findings.where.bytes, "run tprof calibrate"), "%s",
                  findings.where.bytes);
}
END_TEST

static double promise_of(double ceiling, double confidence)
{
    return finding_promise(&(struct finding){.ceiling = ceiling, .confidence = confidence});
}

START_TEST(a_ceiling_without_bound_is_weighed_by_its_confidence)
{
    const double unbound = (double)INFINITY;

    ck_assert_double_lt(promise_of(unbound, FINDING_CONFIDENCE_LIMIT),
                        promise_of(10, FINDING_CONFIDENCE_HIGH));
    ck_assert_double_gt(promise_of(unbound, FINDING_CONFIDENCE_HIGH),
                        promise_of(90, FINDING_CONFIDENCE_HIGH));
    ck_assert_double_eq_tol(promise_of(3, FINDING_CONFIDENCE_LOW), 0.6, 1e-12);
    ck_assert(isnan(promise_of((double)NAN, FINDING_CONFIDENCE_HIGH)));
}
END_TEST

/* Two findings of one rule are about different kernels, and a repair without a gain saves
 * nothing. */
START_TEST(gains_of_the_same_time_are_told_together)
{
    const struct finding imports = {.rule = FINDING_RULE_imports, .ceiling = 1.2};
    const struct finding start = {.rule = FINDING_RULE_start_up, .ceiling = 2};
    const struct finding gemv = {.rule = FINDING_RULE_gemv, .ceiling = 1.5};
    const struct finding lowprec = {.rule = FINDING_RULE_lowprec, .ceiling = (double)NAN};
    const struct overlap_row rows[] = {{&gemv, "1"},  {&imports, "2"}, {&start, "3"},
                                       {&start, "4"}, {&gemv, "5"},    {&lowprec, "6"}};
    struct text_list lines;

    text_list_init(&lines);
    overlaps_say(&lines, &(struct overlap_rows){rows, sizeof rows / sizeof *rows, "  "});
    ck_assert_uint_eq(text_list_count(&lines), 1);
    ck_assert_str_eq(text_list_at(&lines, 0), "  2, 3 may save the same time, in the start-up: "
                                              "their gains do not add up.");
    text_list_fini(&lines);
}
END_TEST

/* Any single limit comes after a worthwhile finding, but before one that saves next to nothing. */
START_TEST(a_limit_promises_little_however_far_it_is)
{
    double limit = promise_of((double)INFINITY, FINDING_CONFIDENCE_LIMIT);

    ck_assert_double_lt(limit, promise_of(1.2, FINDING_CONFIDENCE_LOW));
    ck_assert_double_lt(limit, promise_of(1.1, FINDING_CONFIDENCE_MEDIUM));
    ck_assert_double_gt(limit, promise_of(1.06, FINDING_CONFIDENCE_LOW));
    ck_assert_double_gt(limit, promise_of(1.01, FINDING_CONFIDENCE_HIGH));
    ck_assert_double_gt(limit, promise_of(1.5, FINDING_CONFIDENCE_LIMIT));
}
END_TEST

static const char *const order_cases[] = {"kernels are most", "small among much else"};

START_TEST(findings_stand_by_their_promise)
{
    struct findings_context context;
    struct findings findings;

    read_case(order_cases[_i]);
    findings_context_init(&context, &session, &options);
    findings_evaluate(&findings, &context);
    for (size_t i = 1; i < findings.found.count; i++) {
        const struct finding *before = findings_at(&findings, i - 1),
                             *finding = findings_at(&findings, i);

        ck_assert_int_le(isnan(before->ceiling), isnan(finding->ceiling));
        ck_assert(isnan(finding->ceiling) || finding_promise(before) >= finding_promise(finding));
    }
}
END_TEST

/* Two threads that call kernels all the time take a second of wall time together. */
START_TEST(thread_time_is_not_wall_time)
{
    struct session_thread *thread = array_at(&session.threads, made_add_thread(&session));
    struct findings_context context;
    struct session_slot *slot;

    thread->kernel_ns = 400000000;
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    slot = made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    slot->thread = 1;
    ((struct session_thread *)array_at(&session.threads, 0))->kernel_ns = 400000000;
    findings_context_init(&context, &session, &options);
    ck_assert_double_eq_tol(context.wall.at_once, 2, 1e-12);
    ck_assert_double_eq_tol(context.kernel_ns, 400e6, 1);
}
END_TEST

/* Add a thread that does the same as the first one, but later by this much. */
static void add_second_thread(uint64_t shift_ns)
{
    uint32_t thread = made_add_thread(&session);
    size_t slots = session.slots.count;
    const struct session_course *first;

    for (size_t i = 0; i < slots; i++) {
        struct session_slot *slot = array_add(&session.slots);

        ck_assert_ptr_nonnull(slot);
        *slot = *(struct session_slot *)array_at(&session.slots, i);
        slot->thread = thread;
        array_init(&slot->durations_ns, sizeof(uint64_t));
    }
    *(struct session_thread *)array_at(&session.threads, thread) =
        *(struct session_thread *)array_at(&session.threads, 0);
    session.thread_ns *= 2;
    first = array_at(&session.courses, 0);
    for (size_t i = 0; i < first->calls.count; i++) {
        struct course_call call = *(const struct course_call *)array_at(&first->calls, i);

        call.slot += (uint32_t)slots;
        call.start_ns += shift_ns;
        course_add(array_at(&session.courses, thread), &call);
    }
}

static double number_of(const struct finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->numbers.count; i++) {
        const struct finding_number *number = array_at(&finding->numbers, i);

        if (strcmp(number->name, name) == 0)
            return number->value;
    }
    return (double)NAN;
}

/* The time of two threads between kernels, which hardly overlap, would exceed the wall time if it
 * were divided by the number of threads inside kernels at once. */
static const struct {
    enum finding_rule rule;
    const char *name;
    uint64_t shift_ns;
    const char *number;
} beside_cases[] = {
    {FINDING_RULE_small, "small beside one another", 550, "gap_ns"},
    {FINDING_RULE_attn_n2, "attention", 2500000, "between_ns"},
};

START_TEST(time_between_kernels_of_two_threads_is_no_more_than_there_is)
{
    struct findings_context context;
    struct findings findings;

    read_case(beside_cases[_i].name);
    add_second_thread(beside_cases[_i].shift_ns);
    findings_context_init(&context, &session, &options);
    findings_evaluate_rule(&findings, &context, beside_cases[_i].rule);
    ck_assert_uint_eq(findings.found.count, 1);
    ck_assert_double_le(findings_at(&findings, 0)->fraction, 1);
    ck_assert_double_eq_tol(number_of(findings_at(&findings, 0), beside_cases[_i].number),
                            context.wall.ns - context.kernel_ns, 1);
}
END_TEST

START_TEST(our_own_cost_takes_longer_where_others_have_the_processor)
{
    struct findings_context context;

    read_line("cblas_sgemm 100 100 100 100 200000");
    read_line("overhead 0.1 50 100 0 0");
    read_line("thread-processor 500");
    findings_context_init(&context, &session, &options);
    ck_assert_double_eq_tol(context.wall.ns, 1e9 - 50e6 - 100e6 / 0.5, 1);
}
END_TEST

/* A course of "A" from 0 to 100 us, and a second thread's from 50 us on. */
START_TEST(calls_of_two_threads_are_united)
{
    struct session_thread *thread = array_at(&session.threads, made_add_thread(&session));
    struct findings_context context;
    struct course_call call = {0, 0, course_pack_length(100000)};

    thread->kernel_ns = 100000;
    made_add_calls(&session, "cblas_sgemm 100 100 100 2 200");
    ((struct session_thread *)array_at(&session.threads, 0))->kernel_ns = 100000;
    for (uint32_t i = 0; i < 2; i++) {
        struct session_course *course = array_at(&session.courses, i);

        call.start_ns = 50000 * i;
        course_add(course, &call);
        course->is_whole = true;
    }
    findings_context_init(&context, &session, &options);
    ck_assert_double_eq_tol(context.wall.at_once, 200 / 150.0, 1e-9);
}
END_TEST

START_TEST(runs_and_gaps_are_counted)
{
    struct findings_context context;
    const struct succession *first;

    set_gap("100");
    read_line("scale 1000 6 60");
    read_line("reorder 1000 2 40");
    read_line("order A*3 B");
    findings_context_init(&context, &session, &options);
    first = array_at(&context.successions.slots, 0);
    ck_assert_uint_eq(first->calls, 6);
    ck_assert_uint_eq(first->runs, 2);
    ck_assert_double_eq_tol(first->close_gaps, 5, 1e-9);
    ck_assert_double_eq_tol(first->close_gap_ns, 500, 1e-9);
    ck_assert_double_eq_tol(first->repeats, 4, 1e-9);
    ck_assert_uint_eq(context.successions.chains.count, 1);
    ck_assert_uint_eq(context.successions.chains.calls, 8);
    ck_assert_double_eq_tol(context.successions.chains.fused_ns, 80000, 1e-9);
}
END_TEST

/* A row's calls are those of all its slots, here of two places. */
START_TEST(calls_of_all_places_of_a_row_follow_each_other)
{
    struct findings_context context;
    struct succession sum;

    read_line("scale 1000 4 40");
    read_line("reorder 1000 2 40");
    read_line("scale 1000 4 40");
    read_line("order A A B C C");
    findings_context_init(&context, &session, &options);
    ck_assert_uint_eq(context.groups.rows.count, 2);
    sum = rates_find_succession(&context, findings_group(&context, 0));
    ck_assert_uint_eq(sum.calls, 8);
    ck_assert_uint_eq(sum.runs, 4);
}
END_TEST

/* If the slots of each row were sought among all slots, Check's time limit would not suffice. */
START_TEST(rows_may_be_very_many)
{
    enum { SHAPES = 40000 };
    struct findings_context context;
    struct findings findings;
    char line[60];

    for (int i = 1; i <= SHAPES; i++) {
        snprintf(line, sizeof line, "scale %d 1 1", i);
        made_add_calls(&session, line);
    }
    made_add_course_call(&session, 0, 0, 1000);
    findings_context_init(&context, &session, &options);
    ck_assert_uint_eq(context.groups.rows.count, SHAPES);
    findings_evaluate_rule(&findings, &context, FINDING_RULE_small);
}
END_TEST

static const struct {
    const char *line;
    const char *advice; /* NULL: none */
} line_cases[] = {
    {"flat = sum(texts, [])", "python_sum_lists"},
    {"total = sum(lengths)", NULL},
    {"if name not in seen:", "python_search"},
    {"found = [x for x in names if x in wanted]", NULL},
    {"for x in names: print(x)", NULL},
    {"at = names.index(name)", "python_search"},
    {"queue.pop(0)", "python_front"},
    {"position = file.tell()", "python_tell"},
    {"wanted = df.kind.apply(lambda x: x in known)", "python_apply"},
    {"queue.pop()", NULL},
    {"self.body = self.body + chunk", "python_joining"},
    {"body = head + chunk", NULL},
    {"if host.match(name):", "python_pattern"},
    {"rows = sorted(rows)", "python_sorting"},
    {"log.debug(\"value %s of %s\" % (i, n))", "python_log"},
    {"logger.info(f\"value {i}\")", "python_log"},
    {"log.debug(\"value %s\", i)", NULL},
    {"with open(path) as file:", "python_open"},
    {"print(loss, file=log, flush=True)", "python_flush"},
    {"out[y, x] = screen[y, x] + 1", "python_elements"},
    {"out[:, x] = screen[:, x] + 1", NULL},
    {"count = count * 3 % 1001", NULL},
    {"queue = queue[1:]", "python_rest"},
    {"rest = queue[1:]", NULL},
    {"if name in list(known):", "python_rebuilt"},
    {"for name in sorted(known):", "python_sorting"},
    {"lines = text.split('\\n')", "python_whole_file"},
    {"words = text.split()", NULL},
    {"total += names.count(name)", "python_count"},
    {"rows = frame.count()", NULL},
    {"if text == text[::-1]:", "python_backwards"},
    {"total += a[i][k] * b[k][j]", "python_product"},
    {"total += a[i][k] + b[k][j]", NULL},
};

START_TEST(the_text_of_a_line_chooses_the_advice)
{
    const char *advice = line_phrases_find_advice(line_cases[_i].line);

    if (line_cases[_i].advice)
        ck_assert_pstr_eq(advice, line_cases[_i].advice);
    else
        ck_assert_ptr_null(advice);
}
END_TEST

static const struct {
    const char *line;
    const char *hint; /* its beginning; "": none */
} call_cases[] = {
    {"special = {tokenizer.get_vocab()[name] for name in names}", "If get_vocab() returns"},
    {"archive.update_row(minute, row)", "If update_row() takes one item"},
    {"client = Client(address)", "If Client() makes"},
    {"value = table.get(key)", ""},
    {"total = sum(values)", ""},
    {"whole = np.concatenate((whole, part))", "If concatenate() copies"},
    {"text = json.dumps(find_part(tree))", ""}, /* two verbs: which has the time is unknown */
    {"x = y", ""},
};

START_TEST(the_verb_of_the_only_call_on_a_line_chooses_the_hint)
{
    struct text hint;

    text_init(&hint);
    call_kinds_append_line_hint(&hint, call_cases[_i].line);
    ck_assert_msg(strncmp(hint.bytes, call_cases[_i].hint, strlen(call_cases[_i].hint)) == 0 &&
                      (hint.size > 0) == (call_cases[_i].hint[0] != '\0'),
                  "%s", hint.bytes);
    text_fini(&hint);
}
END_TEST

static const struct {
    const char *line;
    const char *advice; /* NULL: none */
    bool is_compiled;
} memory_cases[] = {
    {"data = json.load(open(path))", "memory_json", false},
    {"rows = list(csv.DictReader(file))", "memory_rows", false},
    {"for row in csv.DictReader(file):", NULL, false},
    {"frame = pd.read_csv(path)", "memory_table", false},
    {"for part in pd.read_csv(path, chunksize=1000):", NULL, false},
    {"text = open(path).read().split('\\n')", "memory_file", false},
    {"rows = cursor.fetchall()", "memory_cursor", false},
    {"out = subprocess.run(command, capture_output=True)", "memory_output", false},
    {"weights = np.load(path)", "memory_saved", false},
    {"weights = np.load(path, mmap_mode='r')", NULL, false},
    {"x = matrix.toarray()", "memory_dense", false},
    {"x = np.concatenate(parts)", "memory_joined", false},
    {"near = ((a[:, None] - b) ** 2).sum(2)", "memory_pairs", false},
    {"return np.sqrt((diff ** 2).sum(axis=2))", "memory_powers", false},
    {"x = x.astype(np.float32)", "memory_type", false},
    {"rows = torch.eye(items)", "memory_identity", false},
    {"x = np.zeros((rows, 300))", "memory_double", false},
    {"x = np.zeros((rows, 300), dtype=np.float32)", NULL, false},
    {"x = np.zeros((rows, 84, 84), dtype=np.float32)", "memory_wide", false},
    {"x = np.ones((rows, 84, 84), dtype=np.uint8)", NULL, false},
    {"x = np.zeros(rows, dtype=float)", "memory_wide", false},
    {"near = cosine_similarity(vectors)", "memory_pairs", false},
    {"squares = [x * x for x in numbers]", "memory_list", false},
    {"total = sum(x * x for x in numbers)", NULL, false},
    {"kept.append(result)", "memory_kept", false},
    {"sums = df.groupby(['shop', 'day']).sum()", "memory_combinations", false},
    {"sums = df.groupby(['shop', 'day'], observed=True).sum()", NULL, false},
    {"rows.push_back(row);", "memory_vector", true},
    {"data.resize(size);", "memory_resized", true},
    {"rows.append(row);", NULL, true},
};

START_TEST(the_text_of_a_line_tells_a_way_with_less_memory)
{
    const char *advice =
        line_phrases_find_memory_advice(memory_cases[_i].line, !memory_cases[_i].is_compiled);

    if (memory_cases[_i].advice)
        ck_assert_pstr_eq(advice, memory_cases[_i].advice);
    else
        ck_assert_ptr_null(advice);
}
END_TEST

static const struct array_case {
    const char *line;
    bool is_column, is_product;
} array_cases[] = {
    {"x = table[:, k % n]", true, false}, {"x = a[:, np.newaxis]", false, false},
    {"t += a[:, j].max()", true, false},  {"x = table[:, column]", true, false},
    {"x = a[:, 0]", false, false},        {"x = a[:, None] - b", false, false},
    {"x = a[:, 1:]", false, false},       {"x = a[:, j:k]", false, false},
    {"x = a[j, :]", false, false},        {"out = c.real @ f", false, true},
    {"y = x.dot(w)", false, true},        {"y = np.matmul(a, b)", false, true},
    {"y = np.exp(a @ b)", false, false},  {"y = np.maximum(x @ w, 0)", false, false},
    {"@functools.cache", false, false},   {"y = a * b", false, false},
};

START_TEST(the_text_of_a_line_tells_what_it_does_with_arrays)
{
    const struct array_case *of = &array_cases[_i];

    ck_assert_msg(line_phrases_takes_column(of->line) == of->is_column, "%s", of->line);
    ck_assert_msg(line_phrases_multiplies_matrices(of->line) == of->is_product, "%s", of->line);
}
END_TEST

int check_findings(void)
{
    Suite *suite = suite_create("findings");
    TCase *pages = tcase_create("rules"), *frame = tcase_create("frame");

    tcase_add_checked_fixture(pages, setup, teardown);
    tcase_add_loop_test(pages, a_rule_says_what_its_page_says, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(pages, a_repair_is_told_once_with_its_gain, 0,
                        sizeof repairs / sizeof *repairs);
    tcase_add_checked_fixture(frame, setup, teardown);
    tcase_add_test(frame, routines_of_lapack_are_told_by_their_names);
    tcase_add_test(frame, a_ceiling_is_amdahls);
    tcase_add_test(frame, every_rule_finds_or_says_why_not);
    tcase_add_test(frame, severity_and_confidence_never_contradict_each_other);
    tcase_add_loop_test(frame, only_what_has_a_repair_has_a_ceiling, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_loop_test(frame, a_healthy_program_gets_one_line, 0,
                        sizeof healthy_cases / sizeof *healthy_cases);
    tcase_add_test(frame, a_run_without_time_gets_one_line_too);
    tcase_add_test(frame, that_nothing_was_found_uncalibrated_is_no_praise);
    tcase_add_test(frame, a_ceiling_without_bound_is_weighed_by_its_confidence);
    tcase_add_test(frame, gains_of_the_same_time_are_told_together);
    tcase_add_test(frame, a_limit_promises_little_however_far_it_is);
    tcase_add_loop_test(frame, findings_stand_by_their_promise, 0,
                        sizeof order_cases / sizeof *order_cases);
    tcase_add_test(frame, thread_time_is_not_wall_time);
    tcase_add_loop_test(frame, time_between_kernels_of_two_threads_is_no_more_than_there_is, 0,
                        sizeof beside_cases / sizeof *beside_cases);
    tcase_add_test(frame, our_own_cost_takes_longer_where_others_have_the_processor);
    tcase_add_test(frame, calls_of_two_threads_are_united);
    tcase_add_test(frame, runs_and_gaps_are_counted);
    tcase_add_test(frame, calls_of_all_places_of_a_row_follow_each_other);
    tcase_add_test(frame, rows_may_be_very_many);
    tcase_add_loop_test(frame, the_text_of_a_line_chooses_the_advice, 0,
                        sizeof line_cases / sizeof *line_cases);
    tcase_add_loop_test(frame, the_verb_of_the_only_call_on_a_line_chooses_the_hint, 0,
                        sizeof call_cases / sizeof *call_cases);
    tcase_add_loop_test(frame, the_text_of_a_line_tells_what_it_does_with_arrays, 0,
                        sizeof array_cases / sizeof *array_cases);
    tcase_add_loop_test(frame, the_text_of_a_line_tells_a_way_with_less_memory, 0,
                        sizeof memory_cases / sizeof *memory_cases);
    suite_add_tcase(suite, pages);
    suite_add_tcase(suite, frame);
    return suite_run_in_pool(suite);
}
