/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the output of perf script:
 *   my worker 23461 76266.728874:    1001001 cpu-clock:
 *                   11dd leaf+0x2d (/tmp/program)
 *                   1295 work+0x25 (/tmp/program)
 *
 * The first line of a sample names its event; an empty line ends the sample.
 */
#include "base/memory.h"
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/perf_line.h"
#include "import/perf_places.h"
#include "import/texts.h"

struct sample {
    uint64_t time_ns, period;
    import_index thread, call;
    uint32_t event;
    uint32_t order;
};

struct perf {
    struct import_reading *reading;
    struct array samples;
    struct text_index event_ids, thread_ids, process_ids;
    struct perf_places places;
    struct text_list events;
    struct array event_counts; /* uint64_t */
    struct array chain;        /* uint64_t: chain of the current sample, innermost first */
    struct text group;         /* lines of frames inlined into a frame whose line comes later */
    uint32_t processes;
    uint64_t bad_lines;
    bool is_open;              /* the last sample may get frames */
};

bool perf_knows(const char *bytes)
{
    struct perf_head head;

    while (*bytes) {
        size_t size = strcspn(bytes, "\n");
        char *line = memory_copy_part(bytes, size);
        bool is_known = line[0] != '#' && perf_line_read_head(line, &head);

        free(line);
        if (is_known)
            return true;
        bytes += size + (bytes[size] == '\n');
    }
    return false;
}

static void fail(void)
{
}

/* ---- samples ------------------------------------------------------------------------------- */

static void add_line(struct perf *perf, const char *line)
{
    if (perf->group.size > 0)
        text_append(&perf->group, "\n");
    text_append(&perf->group, line);
}

/* Frames inlined into the next frame come before it, and form one place with it. */
static void take_frame(struct perf *perf, const char *line)
{
    uint64_t *place, address;

    add_line(perf, line);
    if (text_ends_with(line, strlen(line), " (inlined)"))
        return;
    address = perf_places_find(&perf->places, &perf->group);
    text_clear(&perf->group);
    if (address == 0) {
        perf->bad_lines++;
        return;
    }
    place = array_add(&perf->chain);
    *place = address;
}

/* The sample has all its frames. */
static void finish_sample(struct perf *perf)
{
    struct import_trace *trace = perf->reading->trace;
    size_t count = perf->chain.count < TRACE_CHAIN_MAX ? perf->chain.count
                                                        : TRACE_CHAIN_MAX;
    struct sample *sample;

    if (!perf->is_open)
        return;
    sample = array_at(&perf->samples, perf->samples.count - 1);
    sample->call = count < perf->chain.count ? IMPORT_CHAIN_CUT : IMPORT_CHAIN_WHOLE;
    while (count-- > 0)
        sample->call = import_trace_chain(trace, sample->thread, sample->call,
                                          *(uint64_t *)array_at(&perf->chain, count));
    array_truncate(&perf->chain, 0);
    text_clear(&perf->group);
    perf->is_open = false;
}

static void name_thread(struct perf *perf, const struct perf_head *head)
{
    struct text name;

    text_init(&name);
    text_appendf(&name, "%u %s", head->tid, head->command);
    if (head->pid != 0 && head->pid != head->tid)
        text_appendf(&name, ", pid %u", head->pid);
    import_trace_property(perf->reading->trace, "thread", name.bytes);
    text_fini(&name);
}

static void note_process(struct perf *perf, const struct perf_head *head)
{
    char words[16];

    if (perf->processes == 0)
        perf->reading->trace->pid = head->pid != 0 ? head->pid : head->tid;
    snprintf(words, sizeof words, "%u", head->pid);
    if (import_trace_number(&perf->process_ids, words) == perf->processes)
        perf->processes++;
}

static import_index find_thread(struct perf *perf, const struct perf_head *head)
{
    size_t count = perf->reading->trace->lanes.count;
    char words[16];
    size_t number;

    snprintf(words, sizeof words, "%u", head->tid);
    number = import_trace_number(&perf->thread_ids, words);
    if (number < count)
        return (import_index)number;
    note_process(perf, head);
    name_thread(perf, head);
    return import_trace_thread(perf->reading->trace, head->tid);
}

static uint32_t find_event(struct perf *perf, const char *name)
{
    size_t number = import_trace_number(&perf->event_ids, name);
    uint64_t *count = NULL;

    if (number < perf->event_counts.count)
        count = array_at(&perf->event_counts, number);
    else {
        text_list_add(&perf->events, name);
        count = array_add(&perf->event_counts);
    }
    if (count)
        ++*count;
    else
        fail();
    return (uint32_t)number;
}

/* Records other than samples have a time, too. */
static void take_head(struct perf *perf, struct perf_head *head)
{
    struct sample *sample;

    finish_sample(perf);
    if (!head->event)
        return;
    sample = array_add(&perf->samples);
    *sample = (struct sample){.time_ns = head->time_ns,
                              .period = head->period,
                              .thread = find_thread(perf, head),
                              .event = find_event(perf, head->event),
                              .order = (uint32_t)perf->samples.count};
    perf->is_open = true;
    if (head->rest[strspn(head->rest, " \t")])
        take_frame(perf, head->rest);
}

static void take_line(struct perf *perf, char *line, char *copy)
{
    struct perf_head head;

    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == '#')
        return;
    if (line[strspn(line, " \t")] == 0) {
        finish_sample(perf);
        return;
    }
    strcpy(copy, line);
    if (perf_line_read_head(copy, &head))
        take_head(perf, &head);
    else if (perf->is_open && (line[0] == ' ' || line[0] == '\t'))
        take_frame(perf, line);
    else
        perf->bad_lines++;
}

static void read_lines(struct perf *perf)
{
    char *line = NULL, *copy;
    size_t size = 0;

    while (getline(&line, &size, perf->reading->log) >= 0) {
        copy = memory_get(size);
        take_line(perf, line, copy);
        free(copy);
    }
    free(line);
    finish_sample(perf);
}

/* ---- events of samples ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_time;
} known_events[] = {
#define PERF_EVENT(name, is_time) {name, is_time},
#include "import/perf_events.def"
#undef PERF_EVENT
};

enum { KNOWN_EVENTS = sizeof known_events / sizeof *known_events };

static size_t rank_event(const char *name)
{
    size_t rank = 0;

    while (rank < KNOWN_EVENTS && strcmp(known_events[rank].name, name) != 0)
        rank++;
    return rank;
}

static uint64_t count_event(const struct perf *perf, size_t event)
{
    return *(const uint64_t *)array_at(&perf->event_counts, event);
}

/* Errors: STATUS_USAGE: the log lacks the chosen event. */
static enum status choose_event(const struct perf *perf, uint32_t *chosen)
{
    const char *asked = perf->reading->event;
    size_t best = SIZE_MAX;

    for (uint32_t i = 0; i < perf->event_counts.count; i++) {
        const char *name = text_list_at(&perf->events, i);
        size_t rank = asked ? strcmp(name, asked) != 0 : rank_event(name);

        if ((asked && rank > 0) || rank > best ||
            (rank == best && count_event(perf, i) <= count_event(perf, *chosen)))
            continue;
        best = rank;
        *chosen = i;
    }
    if (best < SIZE_MAX)
        return STATUS_OK;
    return diagnostic_set(perf->reading->diagnostic, STATUS_USAGE,
                          "import: --event %.100s: the log has no such event; it has %.100s", asked,
                          text_list_at(&perf->events, 0));
}

static int compare_samples(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static int compare_words(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* The periods of samples, or their distances from the sample of their thread before. */
static void gather(struct perf *perf, uint32_t event, bool has_periods, struct array *lengths)
{
    const struct sample *sample = perf->samples.items;
    uint64_t *last_ns = memory_get_zeros(perf->reading->trace->lanes.count + 1, sizeof *last_ns);

    for (size_t i = 0; i < perf->samples.count; i++) {
        uint64_t *before_ns = &last_ns[sample[i].thread], *place;
        uint64_t length = has_periods ? sample[i].period : sample[i].time_ns - *before_ns;

        if (sample[i].event != event)
            continue;
        if ((has_periods || *before_ns != 0) && length > 0) {
            place = array_add(lengths);
            *place = length;
        }
        *before_ns = sample[i].time_ns;
    }
    free(last_ns);
}

/* Returns: the median; 0: unknown. */
static uint64_t find_period(struct perf *perf, uint32_t event, bool has_periods)
{
    struct array lengths;
    uint64_t period = 0;

    array_init(&lengths, sizeof(uint64_t));
    gather(perf, event, has_periods, &lengths);
    if (lengths.count > 0) {
        qsort(lengths.items, lengths.count, sizeof(uint64_t), compare_words);
        period = *(uint64_t *)array_at(&lengths, lengths.count / 2);
    }
    array_fini(&lengths);
    return period;
}

static void put_samples(struct perf *perf, uint32_t event, bool has_periods)
{
    struct import_trace *trace = perf->reading->trace;
    const struct sample *sample = perf->samples.items;

    for (size_t i = 0; i < perf->samples.count; i++) {
        uint64_t periods = has_periods
                               ? (sample[i].period + trace->period_ns / 2) / trace->period_ns
                               : 1;

        if (sample[i].event == event)
            import_trace_sample(trace, sample[i].thread, sample[i].call,
                                periods > UINT32_MAX ? UINT32_MAX
                                : periods > 0        ? (uint32_t)periods
                                                     : 1,
                                sample[i].time_ns);
    }
}

static void tell(struct perf *perf, uint32_t event, bool has_periods)
{
    struct text_list *notes = perf->reading->notes;
    const char *name = text_list_at(&perf->events, event);
    double period_ns = (double)perf->reading->trace->period_ns;

    text_list_say(notes, has_periods ? perf_period_text : perf_distance_text, said_words(name),
                  said_time(period_ns));
    if (perf->event_counts.count > 1)
        text_list_say(notes, perf_events_text, said_count(perf->event_counts.count),
                      said_words(name), said_count(perf->samples.count - count_event(perf, event)));
    if (perf->processes > 1)
        text_list_say(notes, perf_processes_text, said_count(perf->processes));
    if (perf->bad_lines > 0)
        text_list_say(notes, perf_bad_lines_text, said_count(perf->bad_lines));
}

static enum status put_event(struct perf *perf)
{
    struct import_trace *trace = perf->reading->trace;
    uint32_t event = 0;
    enum status status = choose_event(perf, &event);
    size_t rank;
    bool has_periods;

    if (status)
        return status;
    qsort(perf->samples.items, perf->samples.count, sizeof(struct sample), compare_samples);
    rank = rank_event(text_list_at(&perf->events, event));
    has_periods = rank < KNOWN_EVENTS && known_events[rank].is_time;
    trace->period_ns = find_period(perf, event, has_periods);
    if (trace->period_ns == 0 && has_periods) {
        has_periods = false;
        trace->period_ns = find_period(perf, event, false);
    }
    if (trace->period_ns == 0)
        return diagnostic_set(perf->reading->diagnostic, STATUS_CORRUPT,
                              "import: %.200s: what its samples stand for is unknown: expected "
                              "periods, or two samples of a thread",
                              perf->reading->name);
    put_samples(perf, event, has_periods);
    tell(perf, event, has_periods);
    return STATUS_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void perf_init(struct perf *perf, struct import_reading *reading)
{
    *perf = (struct perf){.reading = reading};
    perf_places_init(&perf->places, reading->trace);
    array_init(&perf->samples, sizeof(struct sample));
    array_init(&perf->event_counts, sizeof(uint64_t));
    array_init(&perf->chain, sizeof(uint64_t));
    text_list_init(&perf->events);
    text_init(&perf->group);
}

static void perf_fini(struct perf *perf)
{
    array_fini(&perf->samples);
    array_fini(&perf->event_counts);
    array_fini(&perf->chain);
    text_list_fini(&perf->events);
    text_fini(&perf->group);
    text_index_fini(&perf->event_ids);
    text_index_fini(&perf->thread_ids);
    text_index_fini(&perf->process_ids);
    perf_places_fini(&perf->places);
}

enum status perf_read(struct import_reading *reading)
{
    struct perf perf;
    enum status status = STATUS_OK;

    perf_init(&perf, reading);
    read_lines(&perf);
    if (perf.samples.count == 0)
        status = diagnostic_set(reading->diagnostic, STATUS_CORRUPT,
                                "import: %.200s: expected the samples of perf script with its "
                                "default fields, found none",
                                reading->name);
    else
        status = put_event(&perf);
    perf_fini(&perf);
    return status;
}
