/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules on threads, the system and memory, on sessions made by hand: each finds, passes, and
 * says why it cannot check, against a page of tests/cases.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/context.h"
#include "findings/rows.h"
#include "made_kernels.h"
#include "made_session.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "page.h"
#include "suite.h"

enum { NAME_SIZE = 80, MIB = 1 << 20, FIELDS = 8 };

static const char page[] = "system_rules.case";
static const uint64_t ms = 1000000;

static struct session session;
static struct catalog_arena arena;
static struct analysis_options options;

/* ---- sessions of the page ------------------------------------------------------------ */

struct words {
    char text[FIELDS][NAME_SIZE];
    int count;
};

static uint64_t number(const struct words *words, int index)
{
    ck_assert_int_lt(index, words->count);
    return strcmp(words->text[index], "-") == 0 ? SESSION_UNKNOWN
                                                : strtoull(words->text[index], NULL, 10);
}

static uint64_t times(uint64_t count, uint64_t unit)
{
    return count == SESSION_UNKNOWN ? count : count * unit;
}

static void read_processors(const struct words *words)
{
    session.process.cpu_count = number(words, 1) == 0 ? SESSION_UNKNOWN : number(words, 1);
}

static void read_variable(const struct words *words)
{
    text_list_add(&session.process.environment, words->text[1]);
}

static const char *called; /* a line of made calls: the kernel of those that follow */

static void read_transforms(const struct words *words)
{
    (void)words;
    called = "transform 1000 0 0";
}

static uint32_t find_slot(uint32_t thread)
{
    struct session_slot *slot;

    for (uint32_t i = 0; i < session.slots.count; i++)
        if (((const struct session_slot *)array_at(&session.slots, i))->thread == thread)
            return i;
    slot = made_add_calls(&session, called);
    slot->thread = thread;
    return (uint32_t)session.slots.count - 1;
}

static void read_call(const struct words *words)
{
    uint32_t thread = (uint32_t)number(words, 1), slot;
    struct session_slot *of;

    while (session.threads.count <= thread) {
        uint32_t added = made_add_thread(&session);

        ((struct session_thread *)array_at(&session.threads, added))->last_ns = 1000 * ms;
    }
    slot = find_slot(thread);
    of = array_at(&session.slots, slot);
    of->calls++;
    of->timed_calls++;
    of->total_ns += number(words, 3) * ms;
    of->self_ns = of->total_ns;
    made_add_course_call(&session, slot, number(words, 2) * ms, number(words, 3) * ms);
}

static void read_thread(const struct words *words)
{
    uint32_t added = made_add_thread(&session);

    ((struct session_thread *)array_at(&session.threads, added))->last_ns = number(words, 1) * ms;
}

static void read_calls(const struct words *words)
{
    struct session_slot *slot = array_at(&session.slots, find_slot(0));

    slot->calls = slot->timed_calls = number(words, 1);
}

static void read_counted(const struct words *words)
{
    ((struct session_thread *)array_at(&session.threads, 0))->kernel_ns += number(words, 1) * ms;
}

static void read_reading(const struct words *words)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, SESSION_UNKNOWN);

    reading->time_ns = number(words, 1) * ms;
    reading->values.thread_cpu_ns = number(words, 2) * ms;
    reading->values.called_bytes = number(words, 3) * 1000000;
    reading->voluntary_switches = number(words, 4);
    reading->involuntary_switches = number(words, 5);
    reading->values.written_bytes = words->count > 6 ? number(words, 6) * 1000 : 0;
    reading->delay_ns = words->count > 7 ? times(number(words, 7), ms) : 0;
}

static void read_faulted(const struct words *words)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, SESSION_UNKNOWN);

    reading->time_ns = number(words, 1) * ms;
    reading->values.minor_faults = number(words, 2);
    reading->values.system_ns = number(words, 3) * ms;
    reading->values.peak_rss_bytes = times(number(words, 4), MIB);
}

static void read_trace(const struct words *words)
{
    session.file_bytes = number(words, 1) * 1000;
}

static void read_usage(const struct words *words)
{
    struct trace_reading *last = &session.process.last;

    last->user_ns = number(words, 1) * ms;
    last->system_ns = number(words, 2) * ms;
    last->minor_faults = number(words, 3);
    last->major_faults = number(words, 4);
}

/* Others had the rest of its time. */
static void read_shared(const struct words *words)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    thread->cpu_ns = number(words, 1) * ms;
    thread->delay_ns = thread->last_ns - thread->first_ns - thread->cpu_ns;
}

/* The first thread is the one that the program began in. */
static void read_main(const struct words *words)
{
    (void)words;
    session.process.pid = ((const struct session_thread *)array_at(&session.threads, 0))->id;
}

/* "worked THREAD MS" */
static void read_worked(const struct words *words)
{
    struct session_thread *thread = array_at(&session.threads, number(words, 1));

    thread->cpu_ns = number(words, 2) * ms;
}

/* "used MS" by all threads, at the end. */
static void read_used(const struct words *words)
{
    session.process.has_last = true;
    session.process.last.user_ns = number(words, 1) * ms;
}

static void read_quota(const struct words *words)
{
    static char given[NAME_SIZE];

    strcpy(given, words->text[1]);
    session.process.conditions[TRACE_CONDITION_QUOTA] = given;
}

static void read_huge_pages(const struct words *words)
{
    static char given[NAME_SIZE];

    strcpy(given, words->text[1]);
    session.process.conditions[TRACE_CONDITION_THP] = given;
}

static void read_resident(const struct words *words)
{
    session.process.first.rss_bytes = times(number(words, 1), MIB);
    session.process.last.peak_rss_bytes = times(number(words, 2), MIB);
}

static void read_wall(const struct words *words)
{
    session.process.wall_ns = number(words, 1) * ms;
}

static void read_limit(const struct words *words)
{
    session.process.memory_limit_bytes = times(number(words, 1), MIB);
}

static void read_pressure(const struct words *words)
{
    session.process.last.io_pressure_ns = times(number(words, 1), ms);
}

static void read_unread(const struct words *words)
{
    (void)words;
    session.process.last.read_bytes = SESSION_UNKNOWN;
    session.process.last.written_bytes = SESSION_UNKNOWN;
}

static void read_site(const struct words *words)
{
    static char names[FIELDS][NAME_SIZE];
    static int used;
    char *name = names[used++ % FIELDS];
    uint64_t size = number(words, 1), count = number(words, 2);
    int bin = 63 - __builtin_clzll(size);

    memcpy(name, words->text[4], NAME_SIZE);
    made_add_site(&session, made_add_call(&session, 0, name, "made.c", 7), size, count,
                  number(words, 3));
    session.heap.sizes.counts[bin] += count;
}

/* "handed SIZE COUNT PEAK STRANGE NAME" */
static void read_handed(const struct words *words)
{
    static char name[NAME_SIZE];
    uint64_t size = number(words, 1), count = number(words, 2);
    struct session_site *site;

    memcpy(name, words->text[5], NAME_SIZE);
    site =
        made_add_site(&session, made_add_call(&session, 0, name, "made.c", 7), size, count, count);
    site->peak_blocks = number(words, 3);
    site->peak_bytes = size * site->peak_blocks;
    site->strange_frees = number(words, 4);
    session.heap.peak_bytes = site->peak_bytes;
}

/* "moments COUNT LOW HIGH TEETH" */
static void read_moments(const struct words *words)
{
    double low = (double)(number(words, 2) * MIB), high = (double)(number(words, 3) * MIB);
    uint64_t count = number(words, 1), length = count / number(words, 4);

    for (uint64_t i = 0; i < count; i++) {
        double bytes = low + (high - low) * (double)(i % length) / (double)length;

        made_add_moment(&session, bytes, bytes);
    }
    session.heap.peak_bytes = number(words, 3) * MIB;
    session.heap.live_bytes = session.heap.peak_bytes;
    session.process.wall_ns = 1000 * ms;
}

static void read_freed(const struct words *words)
{
    (void)words;
    session.heap.live_bytes = 0;
}

static void read_virtual(const struct words *words)
{
    (void)words;
    session.process.conditions[TRACE_CONDITION_HYPERVISOR] = "yes";
}

static void read_torch(const struct words *words)
{
    static char path[] = "/usr/lib/libtorch_cpu.so.1.13";
    struct session_module *module = array_add(&session.modules);

    (void)words;
    ck_assert_ptr_nonnull(module);
    *module = (struct session_module){.path = path, .gone_epoch = UINT32_MAX};
}

/* "unjoined COUNT STACK": threads, and the MiB of each one's stack. */
static void read_unjoined(const struct words *words)
{
    struct session_unjoined *unjoined = array_add(&session.unjoined);

    unjoined->count = number(words, 1);
    unjoined->stack_bytes = times(number(words, 2), unjoined->count * MIB);
    unjoined->chain = made_add_call(&session, 0, "listen_for", "made.c", 7);
}

static void read_at_end(const struct words *words)
{
    session.process.threads_at_end = number(words, 1);
}

/* "zeros RESIDENT MAPPING HUGE PAGES ZEROS" */
static void read_zeros(const struct words *words)
{
    struct session_resident *resident = array_add(&session.residents);

    resident->bytes = number(words, 1) * MIB;
    resident->zeros_mapping = SESSION_NONE;
    resident->zeros.bytes = number(words, 2) * MIB;
    resident->zeros.huge_bytes = number(words, 3) * MIB;
    resident->zeros.pages = number(words, 4);
    resident->zeros.zero_pages = number(words, 5);
}

static void read_last(const struct words *words)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, times(number(words, 2), MIB));

    reading->time_ns = 900 * ms;
    reading->values.rss_bytes = times(number(words, 1), MIB);
}

static const struct {
    const char *word;
    void (*read)(const struct words *words);
} lines[] = {
    {"processors", read_processors},
    {"variable", read_variable},
    {"call", read_call},
    {"thread", read_thread},
    {"calls", read_calls},
    {"counted", read_counted},
    {"reading", read_reading},
    {"faulted", read_faulted},
    {"trace", read_trace},
    {"usage", read_usage},
    {"shared", read_shared},
    {"main", read_main},
    {"worked", read_worked},
    {"used", read_used},
    {"quota", read_quota},
    {"huge-pages", read_huge_pages},
    {"resident", read_resident},
    {"limit", read_limit},
    {"wall", read_wall},
    {"pressure", read_pressure},
    {"unread", read_unread},
    {"site", read_site},
    {"handed", read_handed},
    {"moments", read_moments},
    {"freed", read_freed},
    {"torch", read_torch},
    {"virtual", read_virtual},
    {"transforms", read_transforms},
    {"last", read_last},
    {"unjoined", read_unjoined},
    {"at-end", read_at_end},
    {"zeros", read_zeros},
};

static void read_line(const char *line)
{
    struct words words = {.count = 0};
    int used = 0;

    while (words.count < FIELDS && sscanf(line, "%79s%n", words.text[words.count], &used) == 1) {
        line += used;
        words.count++;
    }
    for (size_t i = 0; words.count > 0 && i < sizeof lines / sizeof *lines; i++)
        if (strcmp(lines[i].word, words.text[0]) == 0) {
            lines[i].read(&words);
            return;
        }
    ck_assert_msg(words.count == 0, "%s: no such line", words.text[0]);
}

static void read_case(const char *name)
{
    char *text = page_section(page, name), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        read_line(line);
    free(text);
}

static void setup(void)
{
    struct session_thread *thread;

    made_init(&session);
    text_list_init(&session.process.environment);
    session.process.cpu_count = 4;
    session.process.page_bytes = 4096;
    session.process.wall_ns = session.thread_ns = 1000 * ms;
    called = "gemm 1000 0 0";
    session.process.last.peak_rss_bytes = 100 * MIB;
    thread = array_at(&session.threads, 0);
    thread->last_ns = 1000 * ms;
    thread->cpu_ns = SESSION_UNKNOWN;
    made_read_catalog(&session, &arena, page);
    options = made_options();
}

static void teardown(void)
{
    text_list_fini(&session.process.environment);
    made_fini_calls(&session);
    made_fini(&session);
    free(arena.base);
}

/* ---- the cases -------------------------------------------------------------------------- */

static void append_found(struct text *text, const struct findings *findings)
{
    struct text_list sentences;

    text_list_init(&sentences);
    for (size_t i = 0; i < findings->found.count; i++)
        finding_add_sentences(&sentences, findings_at(findings, i));
    for (size_t i = 0; i < text_list_count(&sentences); i++)
        text_appendf(text, "%s\n", text_list_at(&sentences, i));
    text_list_fini(&sentences);
}

static void append_notes(struct text *text, const struct findings *findings)
{
    for (size_t i = 0; i < findings->notes.count; i++) {
        const struct finding_note *note = findings_note_at(findings, i);

        text_appendf(text, "%s: %s\n", note->outcome == FINDING_PASSED ? "passed" : "not evaluated",
                     note->text.bytes);
    }
}

static const struct {
    enum finding_rule rule;
    const char *name;
} cases[] = {
    {FINDING_RULE_threads_over, "threads over, not evaluated"},
    {FINDING_RULE_threads_over, "threads over, passed"},
    {FINDING_RULE_threads_over, "threads over, found"},
    {FINDING_RULE_threads_over, "threads over, a library's take turns"},
    {FINDING_RULE_threads_over, "threads over, its own take turns"},
    {FINDING_RULE_serial, "serial, not evaluated"},
    {FINDING_RULE_serial, "serial, passed"},
    {FINDING_RULE_serial, "serial, found"},
    {FINDING_RULE_serial, "serial, full"},
    {FINDING_RULE_serial, "serial, a quota"},
    {FINDING_RULE_serial, "serial, half"},
    {FINDING_RULE_serial, "serial, short calls"},
    {FINDING_RULE_serial, "serial, transforms"},
    {FINDING_RULE_serial, "serial, others had the processors"},
    {FINDING_RULE_serial, "serial, others had the processors of its threads"},
    {FINDING_RULE_imbalance, "imbalance, not evaluated"},
    {FINDING_RULE_imbalance, "imbalance, passed"},
    {FINDING_RULE_imbalance, "imbalance, found"},
    {FINDING_RULE_imbalance, "imbalance, full"},
    {FINDING_RULE_imbalance, "imbalance, others had a part"},
    {FINDING_RULE_imbalance, "imbalance, spinning"},
    {FINDING_RULE_input, "input, not evaluated"},
    {FINDING_RULE_input, "input, passed"},
    {FINDING_RULE_input, "input, other programs"},
    {FINDING_RULE_input, "input, many programs"},
    {FINDING_RULE_input, "input, other programs and data"},
    {FINDING_RULE_input, "input, delay not known"},
    {FINDING_RULE_input, "input, found"},
    {FINDING_RULE_input, "input, full"},
    {FINDING_RULE_input, "input, half full"},
    {FINDING_RULE_input, "input, loading"},
    {FINDING_RULE_input, "input, records gone"},
    {FINDING_RULE_input, "input, beside threads that spin"},
    {FINDING_RULE_input, "input, sleeping"},
    {FINDING_RULE_input, "input, sleeping and recorded"},
    {FINDING_RULE_input, "input, syncing"},
    {FINDING_RULE_input, "input, reading and syncing"},
    {FINDING_RULE_noise, "noise, threads of a library"},
    {FINDING_RULE_noise, "noise, threads of its own"},
    {FINDING_RULE_iow, "iow, not evaluated"},
    {FINDING_RULE_iow, "iow, passed"},
    {FINDING_RULE_iow, "iow, found"},
    {FINDING_RULE_iow, "iow, of unknown bytes"},
    {FINDING_RULE_cpu_95, "cpu, not evaluated"},
    {FINDING_RULE_cpu_95, "cpu, passed"},
    {FINDING_RULE_cpu_95, "cpu, alert"},
    {FINDING_RULE_cpu_95, "cpu, found"},
    {FINDING_RULE_gpu_70, "gpu, not evaluated"},
    {FINDING_RULE_device_sync, "device waits, not evaluated"},
    {FINDING_RULE_device_launch, "device launches, not evaluated"},
    {FINDING_RULE_device_copies, "device copies, not evaluated"},
    {FINDING_RULE_device_build, "device builds, not evaluated"},
    {FINDING_RULE_device_alloc, "device memory, not evaluated"},
    {FINDING_RULE_device_memory, "device use, not evaluated"},
    {FINDING_RULE_device_overlap, "device overlap, not evaluated"},
    {FINDING_RULE_device_pinned, "pinned memory, not evaluated"},
    {FINDING_RULE_device_double, "device precision, not evaluated"},
    {FINDING_RULE_device_narrow, "narrow kernels, not evaluated"},
    {FINDING_RULE_alloc_churn, "churn, not evaluated"},
    {FINDING_RULE_alloc_churn, "churn, passed"},
    {FINDING_RULE_alloc_churn, "churn, found"},
    {FINDING_RULE_alloc_churn, "churn, some of large blocks"},
    {FINDING_RULE_alloc_churn, "churn, little"},
    {FINDING_RULE_alloc_churn, "churn, behind imports"},
    {FINDING_RULE_alloc_churn, "churn, seldom read"},
    {FINDING_RULE_fault, "fault, not evaluated"},
    {FINDING_RULE_fault, "fault, too short"},
    {FINDING_RULE_fault, "fault, passed"},
    {FINDING_RULE_fault, "fault, found"},
    {FINDING_RULE_fault, "fault, given"},
    {FINDING_RULE_fault, "fault, virtual machine"},
    {FINDING_RULE_fault, "fault, of mappings"},
    {FINDING_RULE_fault, "fault, spinning"},
    {FINDING_RULE_fault, "fault, file work"},
    {FINDING_RULE_fault, "fault, huge pages"},
    {FINDING_RULE_alloc_churn, "churn, few blocks"},
    {FINDING_RULE_alloc_churn, "churn, one place by two ways"},
    {FINDING_RULE_alloc_churn, "churn, records gone"},
    {FINDING_RULE_alloc_churn, "churn, alike"},
    {FINDING_RULE_fault, "fault, busy machine"},
    {FINDING_RULE_alloc_churn, "churn, busy machine"},
    {FINDING_RULE_alloc_churn, "churn, much else"},
    {FINDING_RULE_alloc_churn, "churn, own threads"},
    {FINDING_RULE_mem_leak, "leak, not evaluated"},
    {FINDING_RULE_mem_leak, "leak, passed"},
    {FINDING_RULE_mem_leak, "leak, found"},
    {FINDING_RULE_mem_leak, "leak, freed at the end"},
    {FINDING_RULE_mem_leak, "leak, graphs that are kept"},
    {FINDING_RULE_mem_leak, "leak, little freed at the end"},
    {FINDING_RULE_frag, "frag, not evaluated"},
    {FINDING_RULE_frag, "frag, passed"},
    {FINDING_RULE_frag, "frag, found"},
    {FINDING_RULE_unjoined, "unjoined, not evaluated"},
    {FINDING_RULE_unjoined, "unjoined, a pool that runs"},
    {FINDING_RULE_unjoined, "unjoined"},
    {FINDING_RULE_huge_pages, "huge pages, not evaluated"},
    {FINDING_RULE_huge_pages, "huge pages, in use"},
    {FINDING_RULE_huge_pages, "huge pages"},
    {FINDING_RULE_ram_16g, "ram, not evaluated"},
    {FINDING_RULE_ram_16g, "ram, passed"},
    {FINDING_RULE_ram_16g, "ram, found"},
    {FINDING_RULE_backlog, "backlog, freed by its own thread"},
    {FINDING_RULE_backlog, "backlog"},
    {FINDING_RULE_act_mem, "activations, not evaluated"},
    {FINDING_RULE_act_mem, "activations, passed"},
    {FINDING_RULE_act_mem, "activations, kept"},
    {FINDING_RULE_act_mem, "activations, found"},
};

START_TEST(a_rule_says_what_its_page_says)
{
    struct findings_context context;
    struct findings findings;
    char heading[NAME_SIZE];
    struct text said;

    read_case(cases[_i].name);
    text_init(&said);
    findings_context_init(&context, &session, &options);
    findings_evaluate_rule(&findings, &context, cases[_i].rule);
    append_found(&said, &findings);
    append_notes(&said, &findings);
    snprintf(heading, sizeof heading, "%s, said", cases[_i].name);
    page_compare(page, heading, said.bytes);
    text_fini(&said);
}
END_TEST

int check_system_rules(void)
{
    Suite *suite = suite_create("system rules");
    TCase *tests = tcase_create("system rules");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_rule_says_what_its_page_says, 0,
                        (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
