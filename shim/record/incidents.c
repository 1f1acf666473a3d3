/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions, and the places of incidents in the trace.
 */
#include "record/incidents.h"

#include <string.h>

#include "platform/clock.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process_facts.h"

enum { STEPS_LEAST = 10, HUNDREDTHS = 100, STEP_LEAST_NS = 1000000 };

/* The heap must fall below this part of its limit before it can pass the limit again. */
enum { FALL = 19, FALL_OF = 20 };

static _Atomic uint32_t signal_label; /* string id */

static const uint64_t second_ns = UINT64_C(1000000000);

/* ---- places ------------------------------------------------------------------ */

static void add(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void raise_to(uint64_t *highest, uint64_t value)
{
    uint64_t before = __atomic_load_n(highest, __ATOMIC_RELAXED);

    while (before < value && !__atomic_compare_exchange_n(highest, &before, value, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Of the threads that come at once, one is the first. */
static bool is_soon(_Atomic uint64_t *last, uint64_t now)
{
    uint64_t before = atomic_load(last);

    return (before != 0 && now < before + clock_ticks_of(TRACE_INCIDENT_APART_S * second_ns)) ||
           !atomic_compare_exchange_strong(last, &before, now);
}

static uint64_t earlier(uint64_t ticks, uint64_t by)
{
    return ticks > by ? ticks - by : 0;
}

/* Behind the first incident as much again is kept, to compare incidents with. */
static void fill(struct trace_incident *place, const struct incidents_moment *moment, bool is_first)
{
    uint64_t around = clock_ticks_of(TRACE_INCIDENT_AROUND_S * second_ns);

    place->thread = (uint32_t)lane_self->thread;
    place->subject = moment->subject;
    place->start_ticks = moment->start;
    place->end_ticks = moment->end;
    place->from_ticks = earlier(moment->start, around);
    place->to_ticks = moment->end + around;
    place->quiet_ticks = place->to_ticks + (is_first ? place->to_ticks - place->from_ticks : 0);
    place->value = moment->value;
    place->limit = moment->limit;
    place->missing_ticks = __atomic_load_n(&process->file.overwritten_ticks, __ATOMIC_RELAXED);
    __atomic_store_n(&place->cause, moment->cause + 1, __ATOMIC_RELEASE);
}

void incidents_note(const struct incidents_moment *moment)
{
    struct process_incidents *incidents = &process->incidents;
    struct trace_keep *keep = __atomic_load_n(&incidents->keeps[moment->cause], __ATOMIC_ACQUIRE);
    unsigned number;

    if (!keep || process->file.is_cut)
        return;
    add(&keep->met);
    raise_to(&keep->worst, moment->value);
    if (is_soon(&incidents->last[moment->cause], moment->end)) {
        add(&keep->soon);
        return;
    }
    if (!file_has_room_to_keep(&process->file, 0)) {
        add(&keep->full);
        return;
    }
    number = atomic_load(&incidents->count);
    while (number < TRACE_INCIDENTS_MAX &&
           !atomic_compare_exchange_weak(&incidents->count, &number, number + 1))
        ;
    if (number < TRACE_INCIDENTS_MAX && process->file.incidents[number])
        fill(process->file.incidents[number], moment, number == 0);
    else
        add(&keep->many);
}

/* ---- conditions ------------------------------------------------------------------ */

void incidents_note_request(const struct trace_request *request)
{
    incidents_note(&(struct incidents_moment){
        .cause = TRACE_INCIDENT_REQUEST,
        .subject = request->endpoint,
        .start = request->start,
        .end = request->start + request->ticks,
        .value = request->ticks,
        .limit = process->incidents.request_ticks,
    });
}

static bool is_step(uint32_t label, uint32_t depth)
{
    const struct process_incidents *incidents = &process->incidents;

    if (depth == 0)
        return true;
    for (unsigned i = 0; i < incidents->label_count; i++)
        if (incidents->labels[i] == label)
            return true;
    return false;
}

/* The slow calls of a node, which are not in the mean that others are compared with. */
struct slow_calls {
    const struct trace_node *node; /* its thread alone adds to it */
    uint64_t calls;
    uint64_t ticks;
};

struct slow_table {
    struct slow_calls of[PROCESS_STEP_LABELS];
    atomic_uint count;
};

static void *_Atomic slow_table; /* struct slow_table, in memory that a fork wipes */

/* Returns: NULL when there is no room. */
static struct slow_calls *find_slow(const struct trace_node *node)
{
    struct slow_table *table =
        memory_map_once(&slow_table, sizeof(struct slow_table), memory_map_wiped);
    unsigned count = table ? atomic_load(&table->count) : PROCESS_STEP_LABELS;

    for (unsigned i = 0; table && i < count && i < PROCESS_STEP_LABELS; i++)
        if (table->of[i].node == node)
            return &table->of[i];
    count = table ? atomic_fetch_add(&table->count, 1) : count;
    if (count >= PROCESS_STEP_LABELS)
        return NULL;
    table->of[count].node = node;
    return &table->of[count];
}

static void note_step(const struct trace_node *node, uint64_t start, uint64_t now, uint64_t limit)
{
    struct slow_calls *slow = find_slow(node);

    if (slow) {
        slow->calls++;
        slow->ticks += now - start;
    }
    incidents_note(&(struct incidents_moment){TRACE_INCIDENT_STEP, node->label, start, now,
                                              now - start, limit});
}

/* The mean of the calls before this one, without those that were slow. */
static uint64_t find_mean(const struct trace_node *node, uint64_t ticks)
{
    struct slow_table *table = atomic_load(&slow_table);
    uint64_t calls = node->calls - 1, sum = node->ticks - ticks;

    for (unsigned i = 0; table && i < PROCESS_STEP_LABELS; i++)
        if (table->of[i].node == node) {
            calls -= table->of[i].calls;
            sum -= table->of[i].ticks;
        }
    return calls > 0 ? sum / calls : UINT64_MAX / settings.keep[TRACE_INCIDENT_STEP];
}

void incidents_check_step(const struct trace_node *node, uint32_t depth, uint64_t start,
                          uint64_t now)
{
    uint64_t ticks = now - start, limit;

    if (node->calls <= STEPS_LEAST || ticks < clock_ticks_of(STEP_LEAST_NS))
        return;
    limit = find_mean(node, ticks) * settings.keep[TRACE_INCIDENT_STEP] / HUNDREDTHS;
    if (ticks > limit && is_step(node->label, depth))
        note_step(node, start, now, limit);
}

static bool is_letter(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/* Is there a word in a text, between characters that are no letters? */
static bool has_word(const char *text, const char *word)
{
    size_t size = strlen(word);

    for (const char *at = text; *at; at++)
        if ((at == text || !is_letter(at[-1])) && strncasecmp(at, word, size) == 0 &&
            !is_letter(at[size]))
            return true;
    return false;
}

static bool is_name_of_steps(const char *text)
{
    static const char *const words[] = {
#define STEP_WORD(word) word,
#include "spec/step_words.def"
#undef STEP_WORD
    };

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i]))
            return true;
    return false;
}

void incidents_learn_label(uint32_t id, const char *text)
{
    struct process_incidents *incidents = &process->incidents;

    if (!settings.keeps[TRACE_INCIDENT_STEP] || incidents->label_count == PROCESS_STEP_LABELS ||
        !is_name_of_steps(text))
        return;
    incidents->labels[incidents->label_count] = id;
    atomic_store(&incidents->label_count, incidents->label_count + 1);
}

/* Of the threads that pass a limit at once, one notes it. */
void incidents_change_heap(int64_t bytes, uint64_t now)
{
    struct process_incidents *incidents = &process->incidents;
    int64_t limit = incidents->heap_limit, most = limit, least = INT64_MIN;

    if (bytes > limit && atomic_compare_exchange_strong(&incidents->heap_most, &most, INT64_MAX)) {
        incidents_note(&(struct incidents_moment){.cause = TRACE_INCIDENT_HEAP,
                                                  .start = now,
                                                  .end = now,
                                                  .value = (uint64_t)bytes,
                                                  .limit = (uint64_t)limit});
        atomic_store(&incidents->heap_least, limit / FALL_OF * FALL);
    } else if (bytes < atomic_load(&incidents->heap_least)) {
        atomic_store(&incidents->heap_least, least);
        atomic_store(&incidents->heap_most, limit);
    }
}

static void note_now(enum trace_incident_cause cause, uint32_t subject)
{
    uint64_t now = clock_read();

    if (settings.keeps[cause])
        incidents_note(&(struct incidents_moment){
            .cause = cause, .subject = subject, .start = now, .end = now});
}

void incidents_note_signal(uint32_t label)
{
    atomic_store(&signal_label, label);
    if (process->incidents.keeps[TRACE_INCIDENT_SIGNAL])
        note_now(TRACE_INCIDENT_SIGNAL, label);
    else
        atomic_store(&process->incidents.is_signalled, true);
}

void incidents_note_snapshot(uint32_t label)
{
    note_now(TRACE_INCIDENT_SNAPSHOT, label);
}

/* ---- facts ------------------------------------------------------------------ */

static void find_heap_limit(struct trace_keep *keep)
{
    struct process_incidents *incidents = &process->incidents;
    uint64_t memory = settings.keep_share_ppm > 0 ? process_facts_memory() : 0;

    keep->limit = settings.keep_share_ppm > 0 ? memory / 1000000 * settings.keep_share_ppm
                                              : settings.keep[TRACE_INCIDENT_HEAP];
    if (!settings_has_budget() || settings.alloc == SETTINGS_ALLOC_OFF)
        keep->obstacle = TRACE_KEEP_UNCOUNTED;
    else if (keep->limit == 0 || keep->limit > INT64_MAX)
        keep->obstacle = TRACE_KEEP_UNLIMITED;
    else
        incidents->heap_limit = (int64_t)keep->limit;
    atomic_store(&incidents->heap_most,
                 keep->obstacle == TRACE_KEEP_NONE ? incidents->heap_limit : INT64_MAX);
}

static void describe(enum trace_incident_cause cause, struct trace_keep *keep)
{
    keep->limit = settings.keep[cause];
    switch (cause) {
    case TRACE_INCIDENT_REQUEST:
        keep->limit = process->incidents.request_ticks = clock_ticks_of(settings.keep[cause]);
        break;
    case TRACE_INCIDENT_HEAP: find_heap_limit(keep); break;
    case TRACE_INCIDENT_STEP:
    case TRACE_INCIDENT_SIGNAL:
    case TRACE_INCIDENT_SNAPSHOT:
    case TRACE_INCIDENT_CAUSES: break;
    }
}

static bool write_places(void)
{
    static const struct trace_incident none;

    for (unsigned i = 0; i < TRACE_INCIDENTS_MAX; i++) {
        process->file.incidents[i] = facts_write(TRACE_FACT_INCIDENT, NULL, 0, &none, sizeof none);
        if (!process->file.incidents[i])
            return false;
    }
    return true;
}

static void write_condition(enum trace_incident_cause cause)
{
    struct trace_keep keep = {.cause = cause};

    describe(cause, &keep);
    __atomic_store_n(&process->incidents.keeps[cause],
                     facts_write(TRACE_FACT_KEEP, NULL, 0, &keep, sizeof keep), __ATOMIC_RELEASE);
}

/* The signal may have come before there was a file. */
void incidents_keep(void)
{
    bool is_written = false;

    for (int i = 0; i < TRACE_INCIDENT_CAUSES; i++) {
        if (!settings.keeps[i])
            continue;
        is_written = is_written || write_places();
        write_condition((enum trace_incident_cause)i);
    }
    if (atomic_exchange(&process->incidents.is_signalled, false))
        incidents_note_signal(atomic_load(&signal_label));
}
