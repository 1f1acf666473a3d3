/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Python code around small kernels: PYTHON-LOOP.
 *
 * Slots have the program's own lines that call kernels, and the kernels' time.  Samples outside of
 * kernels give the other time of a round of the loop: in the interpreter near these lines in the
 * same function, and in native code between these lines and the kernel.
 */
#include <string.h>

#include "cpu/cpu_row.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "symbols/symbols.h"

static const double least_share = 0.05; /* share of the processor time, as in GARBAGE */
static const uint64_t least_samples = 10;
static const uint64_t least_calls = 100; /* fewer are no loop */
static const double most_checks_ns = 10e3; /* for each kernel call */

enum { NEAR_LINES = 5 }; /* the head of a loop and the rest of its body are near its calls */

/* A function of the program's own that calls kernels. */
struct loop {
    const char *function;
    const char *file;
    uint32_t first_line; /* first of the lines that call kernels */
    uint32_t last_line;
    uint32_t most_line; /* the one with most calls */
    uint64_t most_calls;
    uint64_t calls;
    double kernel_ns;
    double python_ns; /* around them */
    double native_ns; /* the part in native code */
    uint64_t samples;
};

static bool is_of(const struct loop *loop, const char *function, const char *file)
{
    return strcmp(loop->function, function) == 0 && strcmp(loop->file, file) == 0;
}

static struct loop *find_loop(const struct array *loops, const char *function, const char *file)
{
    for (size_t i = 0; i < loops->count; i++) {
        struct loop *loop = array_at(loops, i);

        if (is_of(loop, function, file))
            return loop;
    }
    return NULL;
}

static void add_calls(struct loop *loop, const struct session_slot *slot, uint32_t line)
{
    loop->calls += slot->calls;
    loop->kernel_ns += (double)slot->total_ns;
    loop->first_line = line < loop->first_line ? line : loop->first_line;
    loop->last_line = line > loop->last_line ? line : loop->last_line;
    if (slot->calls <= loop->most_calls)
        return;
    loop->most_calls = slot->calls;
    loop->most_line = line;
}

/* A call inside another kernel is a part of that kernel. */
static void add_slot(struct array *loops, const struct session *session,
                     const struct session_slot *slot)
{
    const struct symbols_frame *frame;
    struct loop *loop;

    if (slot->nested || slot->calls == 0)
        return;
    session_find_site_python(session, slot->site, &frame);
    if (!frame || !place_file_is_own(frame->file))
        return;
    loop = find_loop(loops, frame->function, frame->file);
    if (!loop) {
        loop = array_add(loops);
        *loop = (struct loop){
            .function = frame->function, .file = frame->file, .first_line = UINT32_MAX};
    }
    add_calls(loop, slot, frame->line);
}

/* Returns: whether the function that a sample was in, not counting the interpreter's own, is
 * native. */
static bool is_native(const struct cpu_time *time, uint32_t call)
{
    for (; call != 0; call = places_parent(time->places, call)) {
        const struct call_places *places = places_known(time->places, call);

        if (places && places->count > 0)
            return !places->places[0].function->is_python;
    }
    return false;
}

static void add_sample(const struct array *loops, const struct cpu_time *time, size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    const struct place *place = places_find_known(time->places, sample->call, place_is_own_python);
    struct loop *loop = place ? find_loop(loops, place->function->name, place->file) : NULL;
    bool native = is_native(time, sample->call);
    uint32_t near = native ? 0 : NEAR_LINES;

    if (!loop || sample->slot != SESSION_NONE || sample->op != 0 ||
        (sample->flags & TRACE_SAMPLE_GARBAGE) || place->line + near < loop->first_line ||
        place->line > loop->last_line + near)
        return;
    loop->python_ns += time->sample_self_ns[index];
    loop->native_ns += native ? time->sample_self_ns[index] : 0;
    loop->samples += sample->count;
}

/* Checks of arguments are short.  Native code that takes longer does the line's work, and is no
 * Python code. */
static void leave_out_work(struct loop *loop)
{
    if (loop->calls == 0 || loop->native_ns / (double)loop->calls < most_checks_ns)
        return;
    loop->python_ns -= loop->native_ns;
    loop->native_ns = 0;
}

static void gather(struct array *loops, const struct findings_context *context)
{
    const struct session *session = context->session;

    array_init(loops, sizeof(struct loop));
    for (size_t i = 0; i < session->slots.count; i++)
        add_slot(loops, session, session_slot_at(session, i));
    for (size_t i = 0; i < session->samples.count && loops->count > 0; i++)
        add_sample(loops, &context->time, i);
    for (size_t i = 0; i < loops->count; i++)
        leave_out_work(array_at(loops, i));
}

static bool is_slow(const struct loop *loop, const struct findings_context *context)
{
    return loop->calls >= least_calls && loop->samples >= least_samples &&
           loop->python_ns > loop->kernel_ns &&
           loop->python_ns >= least_share * context->time.cpu_ns;
}

static void append_place(struct text *text, const struct loop *loop)
{
    const struct places_function function = {
        .name = loop->function, .module = text_base_name(loop->file), .has_name = true,
        .is_python = true};

    place_append_short(text, &(struct place){.function = &function, .file = loop->file,
                                             .line = loop->most_line});
}

static void add_loop(const struct findings_context *context, struct findings *findings,
                     const struct loop *loop)
{
    double ns = findings_outside_ns(context, loop->python_ns), calls = (double)loop->calls;
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_LOW});

    append_place(&finding->place, loop);
    say(&finding->title, python_loop_title_text,
        said_share(loop->python_ns / context->time.cpu_ns));
    say(&finding->evidence, python_loop_calls_text, said_count(loop->calls),
        said_words(finding->place.bytes));
    say(&finding->evidence, python_loop_each_text, said_time(loop->python_ns / calls),
        said_time(loop->kernel_ns / calls), said_count(loop->samples));
    if (loop->native_ns > 0)
        say(&finding->evidence, python_loop_native_text, said_time(loop->native_ns));
    finding_add_number(finding, "calls", calls);
    finding_add_number(finding, "python_ns", loop->python_ns);
    finding_add_number(finding, "kernel_ns", loop->kernel_ns);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct array *loops)
{
    size_t found = 0;

    for (size_t i = 0; i < loops->count; i++) {
        const struct loop *loop = array_at(loops, i);

        if (!is_slow(loop, context))
            continue;
        add_loop(context, findings, loop);
        found++;
    }
    if (loops->count == 0)
        findings_pass(findings, python_loop_none_text);
    else if (found == 0)
        findings_pass(findings, python_loop_passed_text);
}

void rule_python_loop(const struct findings_context *context, struct findings *findings)
{
    struct array loops;

    if (!findings_has_python_time(context, findings))
        return;
    gather(&loops, context);
    judge(context, findings, &loops);
}
