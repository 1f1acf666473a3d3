/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices: how busy they were, what they ran, what their memory held, and what the host did while
 * they had nothing to run.
 */
#include <limits.h>

#include "analysis/analysis.h"
#include "devices/block_rows.h"
#include "devices/command_rows.h"
#include "devices/device_numbers.h"
#include "devices/gaps.h"
#include "devices/library_rows.h"
#include "devices/stretch.h"
#include "devices/texts.h"
#include "document/table.h"
#include "model/busy.h"
#include "model/session.h"
#include "model/session_unknown.h"

enum { NS_PER_S = 1000000000 };

/* ---- commands ------------------------------------------------------------- */

enum command_column {
    NAME,
    KIND,
    DEVICE,
    CALLS,
    RUN,
    SHARE,
    MEAN,
    MIN,
    MAX,
    BYTES,
    RATE,
    WORK,
    WORK_RATE,
    HOST,
    QUEUED,
    FAILED,
    PLACE
};

static const struct column command_columns[] = {
    [NAME] = {"name", "command", "the kernel, or what the command does", UNIT_TEXT, 0},
    [KIND] = {"kind", "kind", "of the command", UNIT_TEXT, 6},
    [DEVICE] = {"device", "device", "that ran it", UNIT_TEXT, 7},
    [CALLS] = {"calls", "calls", "that asked for it", UNIT_COUNT, 0},
    [RUN] = {"total_ns", "time", "on the device, from start to end; of a build in the call",
             UNIT_NS, 0},
    [SHARE] = {"share", "share", "of the time of all commands but builds", UNIT_FRACTION, 0},
    [MEAN] = {"mean_ns", "mean", "of the timed ones", UNIT_NS, 1},
    [MIN] = {"min_ns", "least", "of one", UNIT_NS, 8},
    [MAX] = {"max_ns", "longest", "of one", UNIT_NS, 8},
    [BYTES] = {"bytes", "bytes", "moved", UNIT_BYTES, 2},
    [RATE] = {"bytes_per_second", "rate", "bytes by the time of the timed ones",
              UNIT_BYTES_PER_SECOND, 2},
    [WORK] = {"work_items", "work-items", "of kernels: work-items, or threads", UNIT_COUNT, 5},
    [WORK_RATE] = {"work_items_per_second", "items/s", "work-items by the time", UNIT_PER_SECOND,
                   9},
    [HOST] = {"host_mean_ns", "call", "the host's call that asked for it, on average", UNIT_NS, 4},
    [QUEUED] = {"wait_mean_ns", "queued", "from the queueing to the start, on average", UNIT_NS, 3},
    [FAILED] = {"failed", NULL, "ended with an error", UNIT_COUNT, 0},
    [PLACE] = {"place", "where", "the line of the program that asked", UNIT_PLACE, 3},
};

static const struct table_schema command_schema = {
    "devices", "Commands of devices", command_columns,
    sizeof command_columns / sizeof *command_columns, "share"};

static void set_times(struct value *cells, const struct command_row *row)
{
    if (row->timed == 0)
        return;
    value_set_rounded(&cells[RUN], row->run_ns);
    value_set_rounded(&cells[MEAN], row->run_ns / (double)row->timed);
    if (row->timed_bytes > 0)
        value_set_ratio(&cells[RATE], (double)row->timed_bytes, row->moved_ns / NS_PER_S);
    if (row->work > 0 && row->timed == row->calls)
        value_set_ratio(&cells[WORK_RATE], (double)row->work, row->worked_ns / NS_PER_S);
    if (row->min_ns == UINT64_MAX)
        return;
    value_set_unsigned(&cells[MIN], row->min_ns);
    value_set_unsigned(&cells[MAX], row->max_ns);
    if (row->queued > 0)
        value_set_rounded(&cells[QUEUED], row->wait_ns / (double)row->queued);
}

static void set_row(struct value *cells, const struct command_row *row, double all_ns)
{
    value_set_text(&cells[NAME], row->name);
    value_set_text(&cells[KIND], row->kind);
    value_set_text(&cells[DEVICE], row->device);
    value_set_unsigned(&cells[CALLS], row->calls);
    if (row->bytes > 0)
        value_set_unsigned(&cells[BYTES], row->bytes);
    if (row->work > 0)
        value_set_unsigned(&cells[WORK], row->work);
    value_set_ratio(&cells[HOST], row->host_ns, (double)(row->calls + row->refused));
    value_set_unsigned(&cells[FAILED], row->failed);
    value_set_text(&cells[PLACE], row->place);
    set_times(cells, row);
    if (row->timed > 0 && !row->has_builds)
        value_set_ratio(&cells[SHARE], row->run_ns, all_ns);
}

/* A build is the host's work. */
static double device_ns(const struct command_row *row)
{
    return row->has_builds ? 0 : row->run_ns;
}

static void say_losses(struct table *table, const struct array *rows)
{
    uint64_t failed = 0, refused = 0, untimed = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct command_row *row = array_at(rows, i);

        failed += row->failed;
        refused += row->refused;
        untimed +=
            row->calls > row->timed + row->failed ? row->calls - row->timed - row->failed : 0;
    }
    if (untimed > 0)
        table_say(table, devices_untimed_text, said_count(untimed));
    if (failed > 0)
        table_say(table, devices_failed_text, said_count(failed));
    if (refused > 0)
        table_say(table, devices_refused_text, said_count(refused));
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct array rows;
    double all_ns = 0;

    table_init(table, &command_schema);
    command_rows_fill(&rows, session, options);
    for (size_t i = 0; i < rows.count; i++)
        all_ns += device_ns(array_at(&rows, i));
    for (size_t i = 0; i < rows.count; i++)
        set_row(table_add_row(table), array_at(&rows, i), all_ns);
    if (session->devices.devices.count == 0)
        table_say(table, devices_none_text);
    say_losses(table, &rows);
    array_fini(&rows);
}

/* ---- devices -------------------------------------------------------------- */

enum device_column {
    D_NAME,
    D_KIND,
    D_API,
    D_QUEUES,
    D_COMMANDS,
    D_BUSY,
    D_SHARE,
    D_KERNELS,
    D_COPIES,
    D_BOTH,
    D_SPAN,
    D_PEAK,
    D_MEMORY,
    D_UNITS,
    D_ERROR,
    D_UNTIMED,
    D_UNREAD,
    D_MAKER,
    D_DRIVER,
    D_IDENTITY
};

static const struct column device_columns[] = {
    [D_NAME] = {"name", "device", "its name", UNIT_TEXT, 0},
    [D_KIND] = {"kind", "kind", "a GPU, the processor, an accelerator", UNIT_TEXT, 3},
    [D_API] = {"api", "by", "the interface that the program uses", UNIT_TEXT, 4},
    [D_QUEUES] = {"queues", "queues", "that the program made", UNIT_COUNT, 5},
    [D_COMMANDS] = {"commands", "commands", "with times, in the judged time", UNIT_COUNT, 2},
    [D_BUSY] = {"busy_ns", "busy", "a command ran", UNIT_NS, 1},
    [D_SHARE] = {"busy_share", "share", "of the judged time, see below", UNIT_FRACTION, 0},
    [D_KERNELS] = {"kernel_ns", "kernels", "a kernel ran", UNIT_NS, 4},
    [D_COPIES] = {"copy_ns", "copies alone", "a copy ran, and no kernel", UNIT_NS, 4},
    [D_BOTH] = {"overlap_ns", NULL, "a kernel and a copy ran at once", UNIT_NS, 0},
    [D_SPAN] = {"judged_ns", NULL, "the judged time", UNIT_NS, 0},
    [D_PEAK] = {"peak_bytes", "memory peak", "live bytes at their most, by the program's calls",
                UNIT_BYTES, 1},
    [D_MEMORY] = {"memory_bytes", "of", "its memory", UNIT_BYTES, 2},
    [D_UNITS] = {"compute_units", NULL, "compute units or multiprocessors", UNIT_COUNT, 0},
    [D_ERROR] = {"clock_error_ns", NULL, "most that times on the host's clock may be wrong",
                 UNIT_NS, 0},
    [D_UNTIMED] = {"untimed_reason", NULL, "why commands have no times; null: they have", UNIT_TEXT,
                   0},
    [D_UNREAD] = {"unread_reason", NULL,
                  "why it has no readings; null: it has, or no interface for them", UNIT_TEXT, 0},
    [D_MAKER] = {"maker", NULL, "its maker", UNIT_TEXT, 0},
    [D_DRIVER] = {"driver", NULL, "version of its driver", UNIT_TEXT, 0},
    [D_IDENTITY] = {"identity", NULL, "its UUID", UNIT_TEXT, 0},
};

static const struct table_schema device_schema = {"devices", "Devices", device_columns,
                                                  sizeof device_columns / sizeof *device_columns,
                                                  "busy_share"};

static const char *const kind_keys[TRACE_DEVICE_KINDS] = {
#define DEVICE_KIND(kind, key, help) [TRACE_DEVICE_##kind] = key,
#include "spec/device_kinds.def"
#undef DEVICE_KIND
};

static const char *const api_titles[TRACE_DEVICE_APIS] = {
#define DEVICE_API(api, key, title) [TRACE_DEVICE_API_##api] = title,
#include "spec/device_apis.def"
#undef DEVICE_API
};

static void set_text(struct value *cell, const char *text)
{
    if (*text)
        value_set_text(cell, text);
}

static void set_facts(struct value *cells, const struct session_device *device)
{
    const struct trace_device *fact = &device->fact;

    set_text(&cells[D_NAME], device->name);
    value_set_text(&cells[D_KIND], kind_keys[fact->kind]);
    value_set_text(&cells[D_API], api_titles[fact->api]);
    if (fact->memory_bytes > 0)
        value_set_unsigned(&cells[D_MEMORY], fact->memory_bytes);
    if (fact->units > 0)
        value_set_unsigned(&cells[D_UNITS], fact->units);
    value_set_known(&cells[D_ERROR], device->error_ns);
    set_text(&cells[D_MAKER], device->maker);
    set_text(&cells[D_DRIVER], device->driver);
    set_text(&cells[D_IDENTITY], device->identity);
}

static uint64_t count_queues(const struct session_devices *devices, size_t device)
{
    uint64_t count = 0;

    for (size_t i = 0; i < devices->queues.count; i++)
        count += session_queue_at(devices, i)->device == device;
    return count;
}

static void set_peak(struct value *cell, const struct session *session, size_t device)
{
    uint64_t peak = block_rows_most(session, (uint32_t)device);

    if (peak > 0)
        value_set_unsigned(cell, peak);
}

static void set_busy(struct value *cells, const struct busy *busy)
{
    double span_ns = (double)(busy->to_ns - busy->from_ns);

    value_set_unsigned(&cells[D_COMMANDS], busy->commands);
    if (!busy->is_timed)
        return;
    value_set_rounded(&cells[D_BUSY], busy->busy_ns);
    value_set_ratio(&cells[D_SHARE], busy->busy_ns, span_ns);
    value_set_rounded(&cells[D_KERNELS], busy->kernel_ns);
    value_set_rounded(&cells[D_COPIES], busy->copy_ns);
    value_set_rounded(&cells[D_BOTH], busy->both_ns);
    value_set_rounded(&cells[D_SPAN], span_ns);
}

static void say_stretch(struct table *table, const struct busy *busy)
{
    table_say(table, busy->is_steady ? devices_steady_text : devices_between_text,
              said_time((double)(busy->to_ns - busy->from_ns)));
}

static void say_device(struct table *table, const struct session_device *device)
{
    bool has_clock = device->error_ns != SESSION_UNKNOWN;

    if (has_clock)
        table_say(table, devices_clock_text, said_words(device->name),
                  said_time((double)device->error_ns));
    else if (!(device->fact.flags & TRACE_DEVICE_UNTIMED)) /* else another line says why */
        table_say(table, devices_no_clock_text, said_words(device->name));
    if (device->fact.kind == TRACE_DEVICE_CPU)
        table_say(table, devices_host_memory_text, said_words(device->name));
}

static void say_unread(struct table *table, const struct session *session)
{
    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        const char *reason = device_unread_reason(session, i);

        if (reason)
            table_say(table, devices_unread_all_text,
                      said_words(session_device_at(&session->devices, i)->name),
                      said_words(reason));
    }
}

static void add_devices(struct document *document, const struct session *session,
                        places_finder find)
{
    const struct session_devices *devices = &session->devices;
    struct table *table =
        document_start_table(document, "devices", SECTION_IN_BOTH, &device_schema);
    struct busy busy;
    bool is_judged = stretch_find_judged(&busy, session, find);

    if (is_judged)
        say_stretch(table, &busy);
    session_say_untimed(&table->notes, session);
    say_unread(table, session);
    for (size_t i = 0; i < devices->devices.count; i++) {
        struct value *cells = table_add_row(table);

        set_facts(cells, session_device_at(devices, i));
        value_set_text(&cells[D_UNTIMED], session_untimed_reason(session, (uint32_t)i));
        value_set_text(&cells[D_UNREAD], device_unread_key(session, (uint32_t)i));
        value_set_unsigned(&cells[D_QUEUES], count_queues(devices, i));
        set_peak(&cells[D_PEAK], session, i);
        say_device(table, session_device_at(devices, i));
        if (!is_judged)
            continue;
        busy_measure(&busy, session, (uint32_t)i);
        set_busy(cells, &busy);
        array_fini(&busy.gaps);
    }
}

/* ---- readings ------------------------------------------------------------- */

enum number_column {
    N_QUANTITY,
    N_DEVICE,
    N_MEAN_TEXT,
    N_LEAST_TEXT,
    N_HIGHEST_TEXT,
    N_LAST_TEXT,
    N_MOST_TEXT,
    N_MEAN,
    N_LEAST,
    N_HIGHEST,
    N_LAST,
    N_MOST,
    N_UNIT,
    N_COUNT,
    N_REASON,
    N_HELP
};

static const struct column number_columns[] = {
    [N_QUANTITY] = {"quantity", "reading", "what was read", UNIT_TEXT, 0},
    [N_DEVICE] = {"device", "device", "that was read", UNIT_TEXT, 4},
    [N_MEAN_TEXT] = {"mean_text", "mean", "over time", UNIT_TEXT, 1},
    [N_LEAST_TEXT] = {"min_text", "least", "of all readings", UNIT_TEXT, 3},
    [N_HIGHEST_TEXT] = {"max_text", "highest", "of all readings; of throttle, all reasons",
                        UNIT_TEXT, 0},
    [N_LAST_TEXT] = {"last_text", "last", "of all readings", UNIT_TEXT, 5},
    [N_MOST_TEXT] = {"limit_text", "limit", "the largest possible value", UNIT_TEXT, 2},
    [N_MEAN] = {"mean", NULL, "the mean as a number", UNIT_REAL, 0},
    [N_LEAST] = {"min", NULL, "the least as a number", UNIT_COUNT, 0},
    [N_HIGHEST] = {"max", NULL, "the highest as a number; of throttle, all bits", UNIT_COUNT, 0},
    [N_LAST] = {"last", NULL, "the last as a number", UNIT_COUNT, 0},
    [N_MOST] = {"limit", NULL, "the limit as a number; null: unknown", UNIT_COUNT, 0},
    [N_UNIT] = {"unit", NULL, "of these numbers", UNIT_TEXT, 0},
    [N_COUNT] = {"readings", "readings", "how many", UNIT_COUNT, 6},
    [N_REASON] = {"reason", "reason", "why there is none", UNIT_TEXT, 2},
    [N_HELP] = {"help", NULL, "what the quantity is", UNIT_TEXT, 0},
};

static const struct table_schema number_schema = {"readings", "Readings of devices", number_columns,
                                                  sizeof number_columns / sizeof *number_columns,
                                                  NULL};

static void set_number_text(struct value *cell, enum trace_device_number number, double value)
{
    struct text text;

    text_init(&text);
    device_number_append(&text, number, value);
    value_take_text(cell, &text);
}

/* Reasons have no mean, and no least. */
static void set_number(struct value *cells, const struct device_number_sum *sum,
                       enum trace_device_number number)
{
    uint64_t highest = number == TRACE_DEVICE_THROTTLE ? sum->bits : sum->highest;

    set_number_text(&cells[N_HIGHEST_TEXT], number, (double)highest);
    set_number_text(&cells[N_LAST_TEXT], number, (double)sum->last);
    value_set_unsigned(&cells[N_HIGHEST], highest);
    value_set_unsigned(&cells[N_LAST], sum->last);
    if (number == TRACE_DEVICE_THROTTLE)
        return;
    set_number_text(&cells[N_MEAN_TEXT], number, sum->mean);
    set_number_text(&cells[N_LEAST_TEXT], number, (double)sum->least);
    value_set_real(&cells[N_MEAN], sum->mean);
    value_set_unsigned(&cells[N_LEAST], sum->least);
    if (sum->most == 0)
        return;
    set_number_text(&cells[N_MOST_TEXT], number, (double)sum->most);
    value_set_unsigned(&cells[N_MOST], sum->most);
}

static void add_number(struct table *table, const struct session *session, uint32_t device,
                       enum trace_device_number number)
{
    struct value *cells = table_add_row(table);
    struct device_number_sum sum;
    struct text reason;

    device_number_sum(&sum, session, device, number);
    value_set_text(&cells[N_QUANTITY], device_number_key(number));
    value_set_text(&cells[N_DEVICE], session_device_at(&session->devices, device)->name);
    value_set_text(&cells[N_UNIT], device_number_unit(number));
    value_set_text(&cells[N_HELP], device_number_help(number));
    value_set_unsigned(&cells[N_COUNT], sum.count);
    if (sum.count > 0) {
        set_number(cells, &sum, number);
        return;
    }
    text_init(&reason);
    device_number_append_reason(&reason, session, device, number);
    value_take_text(&cells[N_REASON], &reason);
}

static void add_numbers(struct document *document, const struct session *session)
{
    struct table *table = NULL;

    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        if (!device_has_numbers(session, i))
            continue;
        if (!table)
            table = document_start_table(document, "readings", SECTION_IN_BOTH, &number_schema);
        for (int number = 0; number < TRACE_DEVICE_NUMBERS; number++)
            add_number(table, session, i, (enum trace_device_number)number);
    }
}

/* ---- gaps ----------------------------------------------------------------- */

enum gap_column { G_CAUSE, G_DEVICE, G_NS, G_SHARE, G_GAPS, G_LONGEST, G_WORDS, G_PLACE };

static const struct column gap_columns[] = {
    [G_CAUSE] = {"cause", "cause", "what the host did", UNIT_TEXT, 0},
    [G_DEVICE] = {"device", "device", "that had nothing to run", UNIT_TEXT, 5},
    [G_NS] = {"total_ns", "time", "without a command", UNIT_NS, 0},
    [G_SHARE] = {"share", "share", "of the judged time", UNIT_FRACTION, 0},
    [G_GAPS] = {"gaps", "gaps", "that it takes the largest part of", UNIT_COUNT, 2},
    [G_LONGEST] = {"max_ns", "longest", "part of one gap", UNIT_NS, 3},
    [G_WORDS] = {"words", "meaning", "what that means", UNIT_TEXT, 1},
    [G_PLACE] = {"place", "next command", "the line that asked for the command after the longest",
                 UNIT_PLACE, 4},
};

static const struct table_schema gap_schema = {"gaps", "While no command ran", gap_columns,
                                               sizeof gap_columns / sizeof *gap_columns, "share"};

static void set_place(struct value *cell, struct places *places, uint32_t chain)
{
    struct place owner;
    struct text text;

    if (chain == SESSION_NONE || !places_find_owner_of(places, chain, &owner))
        return;
    text_init(&text);
    place_append(&text, &owner);
    value_take_text(cell, &text);
}

static void add_gap_rows(struct table *table, const struct session *session,
                         const struct busy *busy, const char *device, struct places *places)
{
    double span_ns = (double)(busy->to_ns - busy->from_ns);
    struct gap_sum sums[GAP_CAUSES];

    gaps_sum(sums, session, busy);
    for (enum gap_cause i = 0; i < GAP_CAUSES; i++) {
        struct value *cells;

        if (sums[i].ns <= 0)
            continue;
        cells = table_add_row(table);
        value_set_text(&cells[G_CAUSE], gap_cause_key(i));
        value_set_text(&cells[G_DEVICE], device);
        value_set_rounded(&cells[G_NS], sums[i].ns);
        value_set_ratio(&cells[G_SHARE], sums[i].ns, span_ns);
        value_set_unsigned(&cells[G_GAPS], sums[i].gaps);
        value_set_rounded(&cells[G_LONGEST], sums[i].longest_ns);
        value_set_text(&cells[G_WORDS], gap_cause_words(i));
        set_place(&cells[G_PLACE], places, sums[i].chain);
    }
}

static void add_gaps(struct document *document, const struct session *session, places_finder find)
{
    const struct session_devices *devices = &session->devices;
    struct places *places;
    struct table *table;
    struct busy busy;

    if (!stretch_find_judged(&busy, session, find))
        return;
    places = places_new(session, find);
    table = document_start_table(document, "gaps", SECTION_IN_BOTH, &gap_schema);
    for (size_t i = 0; i < devices->devices.count; i++) {
        busy_measure(&busy, session, (uint32_t)i);
        if (busy.is_timed)
            add_gap_rows(table, session, &busy, session_device_at(devices, i)->name, places);
        array_fini(&busy.gaps);
    }
    table_sort(table, G_NS, true);
}

/* ---- memory --------------------------------------------------------------- */

enum block_column { B_PLACE, B_DEVICE, B_WHERE, B_PEAK, B_PEAK_BLOCKS, B_END, B_COUNT, B_BYTES };

static const struct column block_columns[] = {
    [B_PLACE] = {"place", "where", "the line of the program that asked", UNIT_PLACE, 0},
    [B_DEVICE] = {"device", "device", "that has it", UNIT_TEXT, 5},
    [B_WHERE] = {"memory", "memory", "where it lies", UNIT_TEXT, 3},
    [B_PEAK] = {"peak_bytes", "at the peak", "live when the device held most", UNIT_BYTES, 0},
    [B_PEAK_BLOCKS] = {"peak_blocks", "blocks", "live then", UNIT_COUNT, 2},
    [B_END] = {"end_bytes", "at the end", "never given back", UNIT_BYTES, 1},
    [B_COUNT] = {"allocations", "calls", "that asked", UNIT_COUNT, 1},
    [B_BYTES] = {"allocated_bytes", "in all", "asked for", UNIT_BYTES, 4},
};

static const struct table_schema block_schema = {"memory", "Memory of devices", block_columns,
                                                 sizeof block_columns / sizeof *block_columns,
                                                 NULL};

static void say_forgotten(struct table *table, const struct session_devices *devices)
{
    uint64_t forgotten = 0;

    for (size_t i = 0; i < devices->memory.count; i++)
        forgotten +=
            ((const struct session_device_memory *)array_at(&devices->memory, i))->fact.forgotten;
    if (forgotten > 0)
        table_say(table, devices_forgotten_text, said_count(forgotten));
}

static void add_memory(struct document *document, const struct session *session, places_finder find)
{
    struct table *table;
    struct array rows;

    if (session->devices.blocks.count == 0)
        return;
    table = document_start_table(document, "memory", SECTION_IN_BOTH, &block_schema);
    block_rows_fill(&rows, session, find);
    for (size_t i = 0; i < rows.count; i++) {
        const struct block_row *row = array_at(&rows, i);
        struct value *cells = table_add_row(table);

        value_set_text(&cells[B_PLACE], row->place);
        value_set_text(&cells[B_DEVICE], row->device);
        value_set_text(&cells[B_WHERE], row->where);
        value_set_unsigned(&cells[B_PEAK], row->peak_bytes);
        value_set_unsigned(&cells[B_PEAK_BLOCKS], row->peak_blocks);
        value_set_unsigned(&cells[B_END], row->end_bytes);
        value_set_unsigned(&cells[B_COUNT], row->allocations);
        value_set_unsigned(&cells[B_BYTES], row->allocated_bytes);
    }
    table_sort(table, B_PEAK, true);
    say_forgotten(table, &session->devices);
    array_fini(&rows);
}

/* ---- library calls -------------------------------------------------------- */

enum library_column { L_NAME, L_CALLS, L_FLOPS, L_RUN, L_RATE, L_HOST };

static const struct column library_columns[] = {
    [L_NAME] = {"name", "call", "the function of the library", UNIT_TEXT, 0},
    [L_CALLS] = {"calls", "calls", "of the function", UNIT_COUNT, 0},
    [L_FLOPS] = {"flops", "FLOPs", "by the catalog", UNIT_FLOPS, 0},
    [L_RUN] = {"total_ns", "on the device", "its commands, from start to end", UNIT_NS, 0},
    [L_RATE] = {"flops_per_second", "FLOP/s", "by the time on the device", UNIT_FLOPS_PER_SECOND,
                0},
    [L_HOST] = {"host_ns", "in the calls", "time of the host", UNIT_NS, 1},
};

static const struct table_schema library_schema = {
    "libraries", "Library calls on devices", library_columns,
    sizeof library_columns / sizeof *library_columns, NULL};

static void add_libraries(struct document *document, const struct session *session)
{
    struct table *table;
    struct array rows;

    library_rows_fill(&rows, session);
    if (rows.count > 0) {
        table = document_start_table(document, "libraries", SECTION_IN_BOTH, &library_schema);
        for (size_t i = 0; i < rows.count; i++) {
            const struct library_row *row = array_at(&rows, i);
            struct value *cells = table_add_row(table);

            value_set_text(&cells[L_NAME], row->name);
            value_set_unsigned(&cells[L_CALLS], row->calls);
            value_set_count(&cells[L_FLOPS], row->flops);
            value_set_rounded(&cells[L_HOST], row->host_ns);
            if (!row->is_timed)
                continue;
            value_set_rounded(&cells[L_RUN], row->run_ns);
            value_set_ratio(&cells[L_RATE], row->flops, row->run_ns / NS_PER_S);
        }
        table_sort(table, L_RUN, true);
    }
    array_fini(&rows);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    document_init(document);
    document->name = "devices";
    document->main = "rows";
    if (session->devices.devices.count > 0)
        add_devices(document, session, options->find_frames);
    build(session, options, document_add_table(document, "rows", SECTION_IN_BOTH));
    if (session->devices.devices.count == 0)
        return;
    add_numbers(document, session);
    add_libraries(document, session);
    add_gaps(document, session, options->find_frames);
    add_memory(document, session, options->find_frames);
}

const struct analysis analysis_devices = {
    .name = "devices",
    .help = "GPUs and other devices: how busy they were, their kernels and copies, and memory.",
    .sort_key = "total_ns",
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
    .long_rows = UINT_MAX,
};
