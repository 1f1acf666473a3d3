/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * INTERPRETED: Python code that the interpreter runs, or that goes from one short native call to
 * the next.
 *
 * The time of a program's own function includes its callees, except imports, garbage collections
 * and kernels.  An interpreter takes about a microsecond for a line.  If the interpreter takes a
 * twentieth of a function's time for the function's own lines, the native code of a line takes some
 * twenty microseconds, mostly to enter it.
 *
 * Decision: doc/decisions/first-screen-lines.
 */
#include <math.h>
#include <string.h>

#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/known_costs.h"
#include "findings/library_path.h"
#include "findings/line_phrases.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "places/source_text.h"
#include "waits/wait_split.h"

static const double mostly_known = 0.5;      /* of a function's time, in one known cost */
static const double least_share = 0.2;       /* share of the processor time, as in HOT-LINE */
static const double least_interpreter = 0.05; /* share of the function's time */
static const double mostly = 0.5;
static const uint64_t least_samples = 30;
static const uint64_t loop_calls = 100; /* calls of kernels: from here on, PYTHON-LOOP finds more */

/* One of the program's own functions, with its callees. */
struct code {
    const struct findings_context *context;
    const struct place *place; /* the place of the line with the most time; NULL: there is none */
    double ns;
    double line_ns; /* the part of it at `place` */
    double interpreter_ns;
    double own_ns; /* part of it in the program's own code */
    double garbage_ns; /* collections below the function, which are no part of `ns` */
    double main_ns;    /* of the main thread, in neither */
    uint64_t samples;
};

static bool is_meant(const struct cpu_time *time, size_t index, const void *of)
{
    const struct session_sample *sample = session_sample_at(time->session, index);

    (void)of;
    return sample->slot == SESSION_NONE && !(sample->flags & TRACE_SAMPLE_GARBAGE) &&
           !python_split_is_import(time, sample->call);
}

static bool is_same_function(const struct place *one, const struct place *other)
{
    return strcmp(one->function->name, other->function->name) == 0 &&
           strcmp(one->file, other->file) == 0;
}

/* The function whose lines have most. */
static struct code find_code(const struct findings_context *context,
                             const struct own_lines *lines)
{
    struct code most = {.context = context};

    for (size_t i = 0; i < lines->rows.count; i++) {
        const struct own_line *first = array_at(&lines->rows, i);
        struct code code = {.context = context, .place = first->place, .line_ns = first->ns};

        for (size_t j = 0; j < lines->rows.count; j++) {
            const struct own_line *line = array_at(&lines->rows, j);

            if (!is_same_function(line->place, first->place))
                continue;
            code.ns += line->ns;
            code.samples += line->samples;
        }
        if (code.ns > most.ns)
            most = code;
    }
    return most;
}

/* Ask whether native code runs the innermost Python code of a chain for other Python code, as
 * executemany() does with a generator: then one call of it may last long. */
static bool is_called_back(const struct cpu_time *time, uint32_t call)
{
    bool has_python = false, has_native = false;

    for (; call != 0; call = places_parent(time->places, call)) {
        const struct call_places *of = places_known(time->places, call);

        if (!of || of->count == 0)
            continue;
        if (of->places[0].function->is_python && has_native)
            return true;
        has_native = has_python && !of->places[0].function->is_python;
        has_python = has_python || of->places[0].function->is_python;
    }
    return false;
}

static void add_own(struct code *code, size_t sample, uint32_t call)
{
    const struct cpu_time *time = &code->context->time;
    const struct place *inner = places_find_known(time->places, call, place_is_python);

    code->interpreter_ns += time->sample_self_ns[sample];
    if (inner && place_is_own_python(inner) && !is_called_back(time, call))
        code->own_ns += time->sample_self_ns[sample];
}

/* A comprehension is a function of its own on the same line. */
static bool is_of(const struct code *code, const struct place *place)
{
    return place && (is_same_function(place, code->place) ||
                     place_is_at(place, code->place->file, code->place->line));
}

static void add_interpreter(struct code *code)
{
    const struct cpu_time *time = &code->context->time;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const struct place *place =
            is_meant(time, i, NULL) && python_split_is_interpreter(time, sample->call)
                ? places_find_known(time->places, sample->call, place_is_own_python)
                : NULL;

        if (is_of(code, place))
            add_own(code, i, sample->call);
    }
}

/* Find the garbage of the function, and the main thread's other time.  Samples without a call are
 * tprof's own cost. */
static void add_rest(struct code *code)
{
    const struct cpu_time *time = &code->context->time;
    uint32_t main_thread = wait_main_thread(time->session);

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        bool is_of_code =
            is_of(code, places_find_known(time->places, sample->call, place_is_own_python));

        if (is_of_code && sample->flags & TRACE_SAMPLE_GARBAGE)
            code->garbage_ns += time->sample_ns[i];
        else if (!is_of_code && sample->thread == main_thread && sample->call != 0)
            code->main_ns += time->sample_ns[i];
    }
}

/* Other code, or fewer calls, do without all that the function calls, and its garbage. */
static double find_bound(const struct code *code)
{
    const struct findings_context *context = code->context;
    double most_ns = fmax(0, context->wall.ns - fmax(code->main_ns, context->kernel_ns));

    return fmin(findings_elapsed_ns(context, code->ns + code->garbage_ns), most_ns);
}

/* Fills the calls of kernels from the function's lines. */
static void count_kernels(const struct code *code, uint64_t *calls)
{
    const struct session *session = code->context->session;

    *calls = 0;
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        const struct symbols_frame *frame;

        session_find_site_python(session, slot->site, &frame);
        if (frame && frame->function && frame->file &&
            strcmp(frame->function, code->place->function->name) == 0 &&
            strcmp(frame->file, code->place->file) == 0)
            *calls += slot->calls;
    }
}

static const char *name_function(const struct code *code)
{
    const char *name = code->place->function->name;

    return *name == '<' ? "the top level" : name;
}

static const double mostly_line = 0.6; /* of the function's time */

/* A line that calls its own function twice does the same work again and again, as fib(n - 1) +
 * fib(n - 2). */
static bool calls_itself_twice(const struct code *code, const char *line)
{
    struct text call;
    const char *at;
    unsigned count = 0;

    text_init(&call);
    text_append(&call, code->place->function->name);
    text_append(&call, "(");
    for (at = line; (at = strstr(at, call.bytes)); at += call.size)
        count += at == line || !strchr("._abcdefghijklmnopqrstuvwxyz", at[-1]);
    count -= strncmp(line, "def ", 4) == 0 && count > 0;
    text_fini(&call);
    return count > 1;
}

/* Does the function call itself twice near its hottest line?  Such a function is short, and its
 * samples spread over all of its lines. */
static bool branches(struct source_text *source, const struct code *code)
{
    enum { NEAR = 3 };
    uint32_t hottest = code->place->line, first = hottest > NEAR ? hottest - NEAR : 1;
    bool does = false;

    for (uint32_t i = first; i <= hottest + NEAR && !does; i++) {
        struct text line;

        text_init(&line);
        source_text_append(source, &line, code->place->file, i);
        does = line.size > 0 && calls_itself_twice(code, line.bytes);
        text_fini(&line);
    }
    return does;
}

/* Returns: the name of the advice for the text of the hottest line; NULL: it tells nothing. */
static const char *find_advice_of_text(const struct code *code)
{
    struct source_text source;
    struct text line;
    const char *advice = NULL;

    source_text_init(&source, code->context->session);
    if (branches(&source, code))
        return "python_recursion";
    if (code->line_ns < mostly_line * code->ns)
        return NULL;
    text_init(&line);
    source_text_append(&source, &line, code->place->file, code->place->line);
    if (line.size > 0)
        advice = line_phrases_find_advice(line.bytes);
    text_fini(&line);
    return advice;
}

static const double least_taken = 0.1;   /* of the function's time */
static const uint64_t least_taking = 10; /* samples */

static bool is_of_numpy(const struct place *place)
{
    static const char module[] = "_multiarray_umath";
    const struct places_function *function = place->function;

    return !function->is_python && function->module &&
           strncmp(function->module, module, sizeof module - 1) == 0;
}

/* Ask whether a line takes single elements: by item(), or, if the interpreter has most of the time,
 * by a loop.  In other loops NumPy may work on arrays. */
static bool takes_elements(struct source_text *source, const struct place *place,
                           bool is_interpreted)
{
    const char *name = place->function->name;
    struct text line;
    bool does;

    if (is_interpreted && (strstr(name, "<listcomp>") || strstr(name, "<genexpr>")))
        return true;
    text_init(&line);
    source_text_append(source, &line, place->file, place->line);
    does = line.size > 0 && (strstr(line.bytes, ".item()") ||
                             (is_interpreted && (strncmp(line.bytes, "for ", strlen("for ")) == 0 ||
                                                 strstr(line.bytes, " for "))));
    text_fini(&line);
    return does;
}

/* The function, or a comprehension in it: "encode.<locals>.<listcomp>". */
static bool is_within(const struct code *code, const struct place *place)
{
    static const char inside[] = ".<locals>.<";
    const char *name = code->place->function->name;
    size_t size = strlen(name);

    return is_of(code, place) ||
           (strcmp(place->file, code->place->file) == 0 &&
            strncmp(place->function->name, name, size) == 0 &&
            strncmp(place->function->name + size, inside, sizeof inside - 1) == 0);
}

/* Does NumPy make objects for elements that the function's loops take?  Between many steps of the
 * interpreter, each of its calls is short. */
static bool loops_over_array(const struct code *code, bool is_interpreted)
{
    const struct cpu_time *time = &code->context->time;
    struct source_text source;
    uint64_t samples = 0;
    double ns = 0;

    source_text_init(&source, time->session);
    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const struct call_places *leaf = places_known(time->places, sample->call);
        const struct place *place =
            is_meant(time, i, NULL) && leaf && leaf->count > 0 && is_of_numpy(&leaf->places[0])
                ? places_find_known(time->places, sample->call, place_is_python)
                : NULL;

        if (!place || !place_is_own_python(place) || !is_within(code, place) ||
            !takes_elements(&source, place, is_interpreted))
            continue;
        ns += time->sample_self_ns[i];
        samples += sample->count;
    }
    return samples >= least_taking && ns >= least_taken * code->ns;
}

/* Returns: the same, or that for the elements of an array. */
static const char *find_advice(const struct code *code, bool is_interpreted)
{
    const char *advice = is_interpreted ? find_advice_of_text(code) : NULL;

    return !advice && loops_over_array(code, is_interpreted) ? "python_array" : advice;
}

static bool is_of_code(const struct place *own, const void *code)
{
    return is_of(code, own);
}

/* The file of a place may be unknown. */
static bool is_same_file(const struct place *one, const struct place *other)
{
    return one->file && other->file && strcmp(one->file, other->file) == 0;
}

/* Say which function of a library has the time. */
static void say_library(struct text *text, const struct code *code)
{
    struct library_path path;
    struct text entry, inner;
    struct said share;

    library_path_find(&path, &code->context->time, is_of_code, code);
    if (!path.entry)
        return;
    text_init(&entry);
    text_init(&inner);
    library_path_append(&inner, path.inner);
    if (path.entry != path.inner && is_same_file(path.entry, path.inner))
        text_append(&entry, path.entry->function->name);
    else
        library_path_append(&entry, path.entry);
    share = said_share(fmin(1, path.inner_ns / (code->ns + code->garbage_ns)));
    if (strcmp(entry.bytes, inner.bytes) == 0)
        say(text, interpreted_in_text, share, said_words(entry.bytes));
    else
        say(text, interpreted_below_text, share, said_words(inner.bytes), said_words(entry.bytes));
    text_fini(&entry);
    text_fini(&inner);
}

static void add_code(struct findings *findings, const struct code *code)
{
    const struct findings_context *context = code->context;
    bool is_interpreted = code->interpreter_ns >= mostly * code->ns;
    const char *advice = find_advice(code, is_interpreted);
    double ns = find_bound(code);
    struct finding *finding = findings_add_freeing(
        findings,
        &(struct finding_claim){
            ns, ns, is_interpreted ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW},
        code->ns + code->garbage_ns);
    const struct said name = said_words(name_function(code)),
                      share = said_share(code->ns / context->time.cpu_ns);

    place_append_short(&finding->place, code->place);
    say(&finding->title, is_interpreted ? interpreted_title_text : interpreted_calls_title_text,
        name, share);
    say(&finding->evidence, interpreted_time_text, name, said_time(code->ns),
        said_time(context->time.cpu_ns), said_count(code->samples));
    say(&finding->evidence, interpreted_part_text, said_share(code->interpreter_ns / code->ns));
    say(&finding->evidence, interpreted_most_text, said_words(finding->place.bytes));
    if (is_interpreted && code->own_ns < mostly * code->interpreter_ns) {
        text_clear(&finding->action);
        say_library(&finding->action, code);
        finding_advise(finding, "interpreted_library");
    }
    if (advice) {
        text_clear(&finding->action);
        finding_advise(finding, advice);
    }
    if (!is_interpreted)
        say(&finding->evidence, interpreted_short_text);
    finding_advise(finding, is_interpreted ? "interpreted_alone" : "interpreted_calls");
    finding_add_number(finding, "code_ns", code->ns);
    finding_add_number(finding, "interpreter_ns", code->interpreter_ns);
    finding_add_number(finding, "samples", (double)code->samples);
}

static bool is_event_loop(const struct place *place)
{
    static const char name[] = "run_forever";

    return place_is_asyncio(place) &&
           text_ends_with(place->function->name, strlen(place->function->name), name);
}

/* The line that starts an event loop has the time of all its coroutines. */
static bool runs_event_loop(const struct code *code)
{
    const struct cpu_time *time = &code->context->time;
    double ns = 0;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const struct place *own =
            places_find_known(time->places, sample->call, place_is_own_python);

        if (own && place_is_same_line(own, code->place) &&
            places_find_known(time->places, sample->call, is_event_loop))
            ns += time->sample_ns[i];
    }
    return ns >= mostly * code->ns;
}

/* KNOWN-COST says more of most of its time. */
static bool is_known(const struct findings *findings, const struct code *code)
{
    struct text place;
    bool is;

    text_init(&place);
    place_append_short(&place, code->place);
    is = known_costs_at(findings, place.bytes, "") >= mostly_known * code->ns;
    text_fini(&place);
    return is;
}

/* In a function of a library that calls native code, the interpreter may work for a twentieth of
 * one long call. */
static bool is_python(const struct code *code)
{
    return code->interpreter_ns >= mostly * code->ns ||
           code->own_ns >= least_interpreter * code->ns;
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct code *code)
{
    double share = code->place ? code->ns / context->time.cpu_ns : 0;
    uint64_t calls = 0;

    if (code->place)
        count_kernels(code, &calls);
    if (!code->place)
        findings_pass(findings, interpreted_none_text);
    else if (runs_event_loop(code))
        findings_pass(findings, interpreted_loop_text, said_words(name_function(code)));
    else if (is_known(findings, code))
        findings_pass(findings, interpreted_known_text, said_words(name_function(code)));
    else if (share >= least_share && code->samples >= least_samples && calls < loop_calls &&
             is_python(code))
        add_code(findings, code);
    else
        findings_pass(findings, interpreted_passed_text,
                      said_words(name_function(code)), said_share(share),
                      said_share(code->ns > 0 ? code->interpreter_ns / code->ns : 0));
}

void rule_interpreted(const struct findings_context *context, struct findings *findings)
{
    struct own_lines lines; /* the code's place is theirs */
    struct code code;

    if (!findings_has_python_time(context, findings))
        return;
    own_lines_init_of(&lines, &context->time, is_meant, NULL);
    code = find_code(context, &lines);
    if (code.place) {
        add_interpreter(&code);
        add_rest(&code);
    }
    judge(context, findings, &code);
}
