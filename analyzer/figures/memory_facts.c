/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts on memory that several reports tell: what is known, the window of time
 * that patterns are looked for in, and memory that is resident but not heap.
 */
#include "figures/memory_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "figures/groups.h"
#include "figures/leaks_options.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

bool memory_is_known(const struct session_heap *heap)
{
    return (heap->is_exact || heap->sample_bytes > 0) && heap->peak_bytes != SESSION_UNKNOWN;
}

uint64_t memory_peak_time_ns(const struct session_heap *heap)
{
    return memory_is_known(heap) && heap->peak_bytes > 0 ? heap->peak_time_ns : SESSION_UNKNOWN;
}

unsigned memory_find_mark(const struct session_heap *heap, uint64_t time_ns)
{
    unsigned mark = 0;

    while (mark < heap->mark_count && heap->mark_ns[mark] < time_ns)
        mark++;
    return mark;
}

/* ---- patterns ------------------------------------------------------------------ */

static const double warmup_share = 0.20;   /* of the time, unless the user says */
static const double teardown_share = 0.02; /* what is freed at the end says nothing */
static const double fall_share = 0.10;     /* of the heap, that a final fall frees at the least */
static const double steps_share = 0.10;    /* or in several steps, as by an interpreter */
static const double kept_share = 0.50;     /* of the heap: who frees more of it at the end tears
                                              it down */

static uint64_t end_of(const struct session *session)
{
    const struct array *moments = &session->heap.moments;
    uint64_t last = session->process.wall_ns;

    if (moments->count > 0) {
        const struct session_moment *moment = array_at(moments, moments->count - 1);

        last = moment->time_ns > last ? moment->time_ns : last;
    }
    return last;
}

struct memory_window memory_find_window(const struct session *session,
                                        const struct analysis_options *options)
{
    double end = (double)end_of(session);
    uint64_t warmup = options->leaks->warmup_ns == SESSION_UNKNOWN ? (uint64_t)(warmup_share * end)
                                                                   : options->leaks->warmup_ns;

    return (struct memory_window){warmup, (uint64_t)((1 - teardown_share) * end)};
}

void memory_append_shape(struct text *text, const struct heap_shape *shape,
                         const struct memory_window *window)
{
    char low[UNITS_SIZE], high[UNITS_SIZE], from[UNITS_SIZE];

    if (shape->pattern == HEAP_UNKNOWN) {
        text_append(text, "not to be told from so few moments");
        return;
    }
    text_appendf(text, "%s, between %s and %s after the first %s",
                 heap_pattern_name(shape->pattern), units_format_bytes(low, shape->lowest),
                 units_format_bytes(high, shape->highest),
                 units_format_time(from, (double)window->from_ns));
    if (shape->pattern == HEAP_SAW_TOOTH)
        text_appendf(text, ", %u teeth", shape->teeth);
}

void memory_append_pattern(struct text *text, const struct session *session,
                           const struct analysis_options *options)
{
    struct memory_window window = memory_find_window(session, options);
    struct heap_shape shape = heap_course_classify(&session->heap, window.from_ns, window.to_ns);

    memory_append_shape(text, &shape, &window);
}

/* ---- resident memory beside the heap ----------------------------------------------- */

static const double gap_share = 0.30; /* FRAG: of resident memory; and of a gap, what matters */

static bool set_gap(struct memory_gap *gap, uint64_t resident, uint64_t live, uint64_t mapped)
{
    if (resident == SESSION_UNKNOWN || live == SESSION_UNKNOWN || resident == 0)
        return false;
    gap->resident_bytes = resident;
    gap->live_bytes = live;
    gap->mapped_bytes = mapped == SESSION_UNKNOWN ? 0 : mapped;
    gap->gap_bytes = resident > live ? resident - live : 0;
    gap->fraction = (double)gap->gap_bytes / (double)resident;
    return true;
}

static bool set_gap_of_reading(struct memory_gap *gap, const struct session_reading *reading)
{
    gap->time_ns = reading->time_ns;
    return set_gap(gap, reading->values.rss_bytes, reading->live_heap_bytes, reading->mapped_bytes);
}

static const uint64_t loading_most = 32 << 20; /* bytes that loading libraries may take */
static const double inherited_share = 0.50;    /* of the highest resident memory */

bool memory_is_inherited(const struct session *session)
{
    const struct session_process *process = &session->process;
    uint64_t first = process->first.rss_bytes, peak = process->last.peak_rss_bytes;

    if (session->heap.sample_bytes == 0 && memory_is_known(&session->heap) &&
        session->heap.unknown_frees > 0)
        return true;
    return first != SESSION_UNKNOWN && peak != SESSION_UNKNOWN && first > loading_most &&
           (double)first >= inherited_share * (double)peak;
}

void memory_append_inherited(struct text *text, const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes;
    char bytes[UNITS_SIZE];

    text_append(text, "how much of the resident memory is live heap is not known: ");
    if (first == SESSION_UNKNOWN)
        text_append(text, "blocks were freed that are from before recording began");
    else
        text_appendf(text, "%s was resident before recording began",
                     units_format_bytes(bytes, (double)first));
    text_append(text, ", as in a process that was forked");
}

static bool set_gap_at_end(struct memory_gap *gap, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (!memory_is_known(heap) || !session->process.has_last)
        return false;
    gap->time_ns = session->process.wall_ns;
    return set_gap(gap, session->process.last.rss_bytes, heap->live_bytes, heap->mapped_bytes);
}

/* An exec that failed leaves an end, and readings after it. */
bool memory_find_last_gap(struct memory_gap *gap, const struct session *session)
{
    struct memory_gap end;
    bool has_end = set_gap_at_end(&end, session), is_found = false;

    if (memory_is_inherited(session))
        return false;
    for (size_t i = session->readings.count; i > 0 && !is_found; i--)
        is_found = set_gap_of_reading(gap, session_reading_at(session, i - 1));
    if (has_end && (!is_found || gap->time_ns <= end.time_ns))
        *gap = end;
    return is_found || has_end;
}

/* By the highest that is still to come, so that the teeth of a saw are no fall but the last.
 * A fall goes on as long as it rests for no more than a teardown may take, and in the last part
 * of the time, which may be 0, however long it rests. */
static struct memory_teardown find_fall(const struct session *session, double steps)
{
    const struct array *moments = &session->heap.moments;
    const uint64_t end_ns = end_of(session);
    uint64_t rest_ns = (uint64_t)(teardown_share * (double)end_ns);
    uint64_t steps_from_ns = end_ns - (uint64_t)(steps * (double)end_ns);
    struct memory_teardown teardown = {end_ns, 0, 0};

    for (size_t i = moments->count; i > 0; i--) {
        const struct session_moment *moment = array_at(moments, i - 1);

        if (moment->max_bytes <= teardown.height_bytes)
            continue;
        if (moment->time_ns + rest_ns < teardown.from_ns && moment->time_ns < steps_from_ns)
            break;
        teardown = (struct memory_teardown){moment->time_ns, moment->max_bytes, 0};
    }
    return teardown;
}

static bool is_most_freed(const struct memory_teardown *teardown, const struct session *session)
{
    return memory_is_known(&session->heap) &&
           (double)session->heap.live_bytes < kept_share * (double)teardown->height_bytes;
}

/* Returns: the lowest that the heap was for a while before a fall; 0 at the start. */
static uint64_t find_floor(const struct session *session, uint64_t before_ns)
{
    const struct session_moment *moment = session->heap.moments.items;
    uint64_t rest_ns = (uint64_t)(teardown_share * (double)end_of(session));
    size_t i = session->heap.moments.count;
    uint64_t floor = UINT64_MAX;

    for (; i > 0; i--) {
        if (moment[i - 1].time_ns >= before_ns)
            continue;
        floor = moment[i - 1].min_bytes < floor ? moment[i - 1].min_bytes : floor;
        if (moment[i - 1].time_ns + rest_ns < before_ns)
            return floor;
    }
    return 0;
}

/* A last block that came and went as others did is no fall. */
bool memory_find_fall(struct memory_teardown *fall, const struct session *session)
{
    uint64_t live = session->heap.live_bytes;

    *fall = find_fall(session, 0);
    fall->floor_bytes = find_floor(session, fall->from_ns);
    return memory_is_known(&session->heap) && fall->floor_bytes >= live + HEAP_LEAST_CHANGE &&
           (double)live < (1 - fall_share) * (double)fall->floor_bytes;
}

/* A reading from before there was a heap tells as little as one from after it. */
static bool find_gap_before(struct memory_gap *gap, const struct session *session,
                            const struct memory_teardown *teardown)
{
    bool is_found = false;

    for (size_t i = session->readings.count; i > 0 && !is_found; i--) {
        const struct session_reading *reading = session_reading_at(session, i - 1);

        is_found = reading->time_ns <= teardown->from_ns && set_gap_of_reading(gap, reading) &&
                   (double)gap->live_bytes >= kept_share * (double)teardown->height_bytes;
    }
    return is_found;
}

bool memory_find_gap(struct memory_gap *gap, const struct session *session)
{
    const struct memory_teardown teardown = find_fall(session, steps_share);
    bool is_found = memory_find_last_gap(gap, session);

    gap->is_before_teardown = is_found && is_most_freed(&teardown, session);
    return gap->is_before_teardown ? find_gap_before(gap, session, &teardown) : is_found;
}

/* Of what it had at most malloc can have kept what is not live. */
bool memory_gap_is_ordinary(const struct memory_gap *gap, const struct session *session)
{
    uint64_t own = session->process.own_bytes, peak = session->heap.peak_bytes;
    uint64_t kept_most = peak > gap->live_bytes ? peak - gap->live_bytes : 0;

    return gap->gap_bytes < loading_most + (own == SESSION_UNKNOWN ? 0 : own) &&
           (double)kept_most + (double)gap->mapped_bytes < gap_share * (double)gap->gap_bytes;
}

const char *memory_gap_when(const struct memory_gap *gap, const struct session *session)
{
    if (gap->is_before_teardown)
        return "before the heap was freed at the end";
    return session->process.has_last ? "at last" : "at the last reading";
}

bool memory_find_peak_gap(struct memory_gap *gap, const struct session *session)
{
    struct memory_gap one;
    bool is_found = memory_find_last_gap(gap, session);

    for (size_t i = 0; i < session->readings.count && is_found; i++)
        if (set_gap_of_reading(&one, session_reading_at(session, i)) &&
            one.resident_bytes > gap->resident_bytes)
            *gap = one;
    return is_found;
}

/* ---- findings ---------------------------------------------------------------------- */

enum { MIB = 1 << 20 };

static const double ram_bytes = 16e9;          /* the specification's 16 GB */
static const double ram_share_of_limit = 0.90; /* as TensorBoard has it for accelerators */
static const uint64_t gap_least = 256u * MIB;  /* FRAG: at least so much */
static const double hidden_share = 0.50;       /* what is nowhere else, of resident memory */
static const uint64_t hidden_least = 64u * MIB;

static enum status add(struct array *findings, const char *id, const struct text *line)
{
    struct memory_finding *finding = text_status(line) ? NULL : array_add(findings);

    if (!finding)
        return STATUS_OUT_OF_MEMORY;
    finding->id = id;
    finding->text = strdup(line->bytes);
    return finding->text ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

static bool append_ram(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;
    uint64_t peak = process->last.peak_rss_bytes, limit = process->memory_limit_bytes;
    char peak_text[UNITS_SIZE], limit_text[UNITS_SIZE];
    bool is_limited = limit != SESSION_UNKNOWN && limit > 0;

    if (peak == SESSION_UNKNOWN ||
        ((double)peak <= ram_bytes &&
         !(is_limited && (double)peak > ram_share_of_limit * (double)limit)))
        return false;
    text_appendf(line,
                 "High memory usage - consider reducing batch size or model size: resident memory "
                 "reached %s",
                 units_format_bytes(peak_text, (double)peak));
    if (is_limited)
        text_appendf(line, ", %.0f %% of the %s that its control group allows",
                     100 * (double)peak / (double)limit,
                     units_format_bytes(limit_text, (double)limit));
    return true;
}

/* Of what is resident, what is ours: at the end, which is the only time that it is
 * told of.  Returns: 0 when it is not known. */
static uint64_t own_bytes(const struct session *session)
{
    return session->process.own_bytes == SESSION_UNKNOWN ? 0 : session->process.own_bytes;
}

/* What the program mapped itself is no fragmentation, and neither is ours. */
static bool append_fragmentation(struct text *line, const struct session *session)
{
    struct memory_gap gap;
    char bytes[UNITS_SIZE], when[UNITS_SIZE], resident[UNITS_SIZE];
    uint64_t explained, rest;

    if (!memory_find_gap(&gap, session))
        return false;
    explained = gap.mapped_bytes + own_bytes(session);
    rest = gap.gap_bytes > explained ? gap.gap_bytes - explained : 0;
    if (rest <= gap_least || (double)rest <= gap_share * (double)gap.resident_bytes)
        return false;
    text_appendf(line,
                 "%s of %s resident at %s (%.0f %%) are neither live heap nor mapped by the "
                 "program: freed memory that malloc keeps, code, stacks; malloc_trim, "
                 "MALLOC_ARENA_MAX or another allocator may give it back",
                 units_format_bytes(bytes, (double)rest),
                 units_format_bytes(resident, (double)gap.resident_bytes),
                 units_format_time(when, (double)gap.time_ns),
                 100 * (double)rest / (double)gap.resident_bytes);
    return true;
}

/* More than was resident at the start, and more than malloc can have kept from
 * its own peak: it was never malloc's. */
static bool append_hidden(struct text *line, const struct session *session)
{
    struct memory_gap gap;
    uint64_t explained, hidden;
    char bytes[UNITS_SIZE], resident[UNITS_SIZE];

    if (!memory_is_known(&session->heap) || session->process.first.rss_bytes == SESSION_UNKNOWN ||
        !memory_find_peak_gap(&gap, session))
        return false;
    explained = session->heap.peak_bytes + gap.mapped_bytes + own_bytes(session) +
                session->process.first.rss_bytes;
    hidden = gap.resident_bytes > explained ? gap.resident_bytes - explained : 0;
    if (hidden <= hidden_least || (double)hidden <= hidden_share * (double)gap.resident_bytes)
        return false;
    text_appendf(line,
                 "%s of %s resident memory never came from malloc or from the program's own mmap "
                 "calls: an allocator of its own (brk), libraries loaded on the way, or stacks",
                 units_format_bytes(bytes, (double)hidden),
                 units_format_bytes(resident, (double)gap.resident_bytes));
    return true;
}

static bool is_kernel_that_computes(const struct session *session, uint32_t binding)
{
    const struct session_binding *of =
        binding == SESSION_NONE ? NULL : session_binding_at(session, binding);

    return of && of->kernel && of->kernel->class != CATALOG_OTHER;
}

static bool is_within_kernel(const struct session *session, uint32_t index)
{
    const struct session_call *call = session_call_at(session, index);

    while (call->kind != SESSION_CALL_ROOT && !is_kernel_that_computes(session, call->binding))
        call = session_call_at(session, call->parent);
    return call->kind != SESSION_CALL_ROOT;
}

static bool has_called_kernels(const struct session *session, uint32_t module)
{
    for (uint32_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = session_binding_at(session, i);

        if (binding->calls > 0 && binding->module == session_module_at(session, module) &&
            is_kernel_that_computes(session, i))
            return true;
    }
    return false;
}

bool memory_is_c_library(const char *path)
{
    static const char name[] = "libc.so";

    return path && strncmp(text_base_name(path), name, sizeof name - 1) == 0;
}

static bool is_of_c_library(const struct session *session, uint32_t module)
{
    return module != SESSION_NONE && memory_is_c_library(session_module_at(session, module)->path);
}

/* A thread that a library of kernels started: nothing else is on its way. */
static bool is_thread_of_kernels(const struct session *session, uint32_t index)
{
    const struct session_call *call = session_call_at(session, index);
    uint32_t library = call->module;

    if (library == SESSION_NONE || !has_called_kernels(session, library))
        return false;
    while (call->kind == SESSION_CALL_PLAIN &&
           (call->module == library || is_of_c_library(session, call->module)))
        call = session_call_at(session, call->parent);
    return call->kind == SESSION_CALL_ROOT;
}

/* A BLAS maps room for its blocks at its first product, and in each of its threads when
 * that begins, and hands it to nobody. */
static bool is_work_memory(const struct session *session, const struct session_mapping *mapping)
{
    return is_within_kernel(session, mapping->call) || is_thread_of_kernels(session, mapping->call);
}

void memory_append_mapped_kinds(struct text *text, const struct session_heap *heap)
{
    uint64_t files = heap->peak_mapped_file_bytes, reserved = heap->peak_mapped_reserved_bytes;
    char bytes[UNITS_SIZE];

    if (files > 0)
        text_appendf(text, " (%s of files", units_format_bytes(bytes, (double)files));
    if (reserved > 0)
        text_appendf(text, "%s%s reserved without access", files > 0 ? ", " : " (",
                     units_format_bytes(bytes, (double)reserved));
    if (files > 0 || reserved > 0)
        text_append(text, ")");
}

/* At the peak of all that was mapped, and no file; UNKNOWN where that is. */
static uint64_t mapped_by_others(const struct session *session)
{
    uint64_t bytes = session->heap.peak_mapped_bytes;

    if (bytes != SESSION_UNKNOWN)
        bytes -= session->heap.peak_mapped_file_bytes;
    for (size_t i = 0; i < session->mappings.count && bytes != SESSION_UNKNOWN; i++) {
        const struct session_mapping *mapping = array_at(&session->mappings, i);

        if (mapping->file_bytes == 0 && is_work_memory(session, mapping))
            bytes -= mapping->peak_bytes < bytes ? mapping->peak_bytes : bytes;
    }
    return bytes;
}

static bool append_mapped(struct text *line, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    uint64_t bytes = mapped_by_others(session);
    char mapped[UNITS_SIZE], reserved[UNITS_SIZE], peak[UNITS_SIZE];

    if (!memory_is_known(heap) || bytes == SESSION_UNKNOWN || bytes <= hidden_least ||
        bytes <= heap->peak_bytes)
        return false;
    text_appendf(line, "the program mapped %s itself, files apart,",
                 units_format_bytes(mapped, (double)bytes));
    if (heap->peak_mapped_reserved_bytes > 0)
        text_appendf(line, " %s of it reserved without access,",
                     units_format_bytes(reserved, (double)heap->peak_mapped_reserved_bytes));
    text_appendf(line,
                 " and had %s from malloc: what an allocator of its own makes of the mappings is "
                 "not among these allocations",
                 units_format_bytes(peak, (double)heap->peak_bytes));
    return true;
}

struct hiding_row {
    const char *start; /* of a file's base name */
    const char *sentence;
    bool is_program;
};

static const struct hiding_row hiding_rows[] = {
#define HIDING(start, sentence) {start, sentence, false},
#define HIDING_PROGRAM(name, sentence) {name, sentence, true},
#include "figures/hiding.def"
#undef HIDING
#undef HIDING_PROGRAM
};

static bool is_of(const struct hiding_row *row, const char *path)
{
    const char *name = path ? text_base_name(path) : NULL;
    size_t size = strlen(row->start);

    return name && strncmp(name, row->start, size) == 0 &&
           !(row->is_program && isalpha((unsigned char)name[size]));
}

static bool is_there(const struct hiding_row *row, const struct session *session)
{
    bool is_found = row->is_program && is_of(row, session->process.program);

    for (size_t i = 0; !row->is_program && i < session->modules.count && !is_found; i++)
        is_found = is_of(row, session_module_at(session, i)->path);
    return is_found;
}

static bool has_text(const struct text_list *list, const char *text)
{
    for (size_t i = 0; i < text_list_count(list); i++)
        if (strcmp(text_list_at(list, i), text) == 0)
            return true;
    return false;
}

enum status memory_add_hiding(struct text_list *sentences, const struct session *session)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof hiding_rows / sizeof *hiding_rows && !status; i++) {
        const struct hiding_row *row = &hiding_rows[i];

        if (is_there(row, session) && !has_text(sentences, row->sentence))
            status = text_list_add(sentences, row->sentence);
    }
    return status;
}

/* A program may have several: node with a library that it loads. */
static enum status add_hiding(struct array *findings, const struct session *session)
{
    struct text_list sentences;
    struct text line;
    enum status status;

    text_list_init(&sentences);
    text_init(&line);
    status = memory_add_hiding(&sentences, session);
    for (size_t i = 0; i < text_list_count(&sentences) && !status; i++) {
        text_append(&line, text_list_at(&sentences, i));
        status = add(findings, "OWN-HEAP", &line);
        text_clear(&line);
    }
    text_fini(&line);
    text_list_fini(&sentences);
    return status;
}

enum status memory_find_problems(struct array *findings, const struct session *session)
{
    static const struct {
        const char *id;
        bool (*append)(struct text *line, const struct session *session);
    } rules[] = {
        {"RAM-16G", append_ram},
        {"FRAG", append_fragmentation},
        {"OWN-ALLOCATOR", append_hidden},
        {"OWN-MAPPINGS", append_mapped},
    };
    struct text line;
    enum status status = STATUS_OK;

    text_init(&line);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !status; i++) {
        if (rules[i].append(&line, session))
            status = add(findings, rules[i].id, &line);
        text_clear(&line);
    }
    text_fini(&line);
    return status ? status : add_hiding(findings, session);
}

void memory_free_problems(struct array *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        free(((struct memory_finding *)array_at(findings, i))->text);
    array_fini(findings);
}
