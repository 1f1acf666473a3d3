/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a trace, summed up by key.
 *
 * Too many single samples are thinned by whole stretches, so that neighbours stay neighbours.
 * Equal neighbours show how much wider the error is than with independent samples.
 */
#include "model/cpu_samples.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/session_unknown.h"
#include "model/texts.h"

/* Samples with one key are summed. */
struct key {
    uint32_t thread, region, op, other_op, slot, call, flags;
};

struct cpu_samples_entry {
    struct key key;
    uint32_t index; /* in the session's samples */
    UT_hash_handle hh;
};

void cpu_samples_init(struct cpu_samples *samples, struct session *session)
{
    *samples = (struct cpu_samples){.session = session};
}

void cpu_samples_fini(struct cpu_samples *samples)
{
    struct cpu_samples_entry *entry;
    struct cpu_samples_entry *next;

    HASH_ITER(hh, samples->entries, entry, next)
    {
        HASH_DEL(samples->entries, entry);
        free(entry);
    }
}

static struct cpu_samples_entry *new_entry(struct cpu_samples *samples, const struct key *key)
{
    struct cpu_samples_entry *entry = memory_get_zeros(1, sizeof *entry);

    entry->key = *key;
    entry->index = (uint32_t)samples->session->samples.count;
    HASH_ADD(hh, samples->entries, key, sizeof entry->key, entry);
    return entry;
}

static void find(struct cpu_samples *samples, const struct session_sample *like, uint32_t *index)
{
    const struct key key = {like->thread, like->region, like->op,   like->other_op,
                            like->slot,   like->call,   like->flags};
    struct cpu_samples_entry *entry;
    struct session_sample *sample;

    HASH_FIND(hh, samples->entries, &key, sizeof key, entry);
    if (entry) {
        *index = entry->index;
        return;
    }
    entry = new_entry(samples, &key);
    sample = entry ? array_add(&samples->session->samples) : NULL;
    *sample = *like;
    sample->count = sample->periods = 0;
    *index = entry->index;
}

/* Keeps every other stretch of ticks. */
static void thin(struct session *session)
{
    struct session_tick *tick = session->ticks.items;
    size_t kept = 0;

    for (size_t i = 0; i < session->ticks.count; i++)
        if (i / SESSION_TICKS_STRETCH % 2 == 0)
            tick[kept++] = tick[i];
    array_truncate(&session->ticks, kept);
    session->sampling.ticks_of *= 2;
}

static void keep_tick(struct cpu_samples *samples, const struct session_tick *like)
{
    struct session *session = samples->session;
    uint64_t stretch = samples->seen++ / SESSION_TICKS_STRETCH;

    if (stretch % session->sampling.ticks_of != 0)
        return;
    if (session->ticks.count == SESSION_TICKS_MAX)
        thin(session);
    struct session_tick *tick = array_add(&session->ticks);
    *tick = *like;
}

void cpu_samples_take(struct cpu_samples *samples, const struct session_sample *like,
                      uint64_t time_ns)
{
    struct session_tick tick = {.time_ns = time_ns, .periods = (uint32_t)like->periods};
    struct session_sampling *sampling = &samples->session->sampling;
    struct session_sample *sample;

    find(samples, like, &tick.sample);
    sample = array_at(&samples->session->samples, tick.sample);
    sample->count++;
    sample->periods += like->periods;
    sampling->count++;
    sampling->periods += like->periods;
    keep_tick(samples, &tick);
}

static const char *find_reason(const struct trace_header *header)
{
    static const char *const words[] = {
#define SAMPLING_OFF(off, key, words) words,
#include "spec/sampling_off.def"
#undef SAMPLING_OFF
    };

    if (header->version < TRACE_VERSION_11)
        return sampling_older_text.words;
    if (header->sampling_off == TRACE_SAMPLING_NONE)
        return NULL;
    return header->sampling_off < TRACE_SAMPLING_OFFS ? words[header->sampling_off]
                                                      : sampling_newer_text.words;
}

void cpu_samples_fill(struct session *session, const struct trace_header *header,
                      const struct clock *clock)
{
    struct session_sampling *sampling = &session->sampling;

    *sampling = (struct session_sampling){.off = find_reason(header), .ticks_of = 1};
    sampling->off_ns = SESSION_UNKNOWN;
    if (header->version < TRACE_VERSION_11)
        return;
    sampling->period_ns = header->sampling_period_ns;
    if (header->sampling_off_ticks != 0)
        sampling->off_ns = clock_convert(clock, header->sampling_off_ticks);
    sampling->signal = header->sampling_signal;
    sampling->cost_ns =
        (double)header->sampling_cost / TRACE_OVERHEAD_SCALE * session->ns_per_tick;
    sampling->untimed = header->sampling_untimed;
    sampling->lost_periods = header->sampling_lost_periods;
}
