/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes facts.  A fact without room is written at the next flush, and later facts wait for it: the
 * pieces of the catalog have an order.
 */
#include "record/facts.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "record/process.h"
#include "record/room.h"

enum { CHUNK_SIZE = FILE_UNIT };

static struct trace_chunk *chunk_for(size_t needed)
{
    struct facts *facts = &process->facts;
    struct trace_chunk *chunk = facts->chunk;
    uint64_t size = CHUNK_SIZE;

    if (chunk && chunk->size - chunk->used >= needed)
        return chunk;
    while (size < needed + sizeof *chunk)
        size += CHUNK_SIZE;
    chunk = file_claim(&process->file, TRACE_FACTS, 0, facts->sequence, size);
    if (!chunk)
        return NULL;
    facts->sequence++;
    facts->chunk = chunk; /* the previous chunk stays mapped: it is small, and there are few */
    return chunk;
}

void *facts_write(enum trace_fact_kind kind, const void *head, size_t head_size, const void *bytes,
                  size_t size)
{
    struct trace_fact fact = {kind, (uint32_t)(head_size + size)};
    size_t needed = (sizeof fact + fact.size + 7) & ~(size_t)7;
    struct trace_chunk *chunk = chunk_for(needed);
    char *to;

    if (!chunk)
        return NULL;
    to = (char *)chunk + chunk->used;
    memcpy(to, &fact, sizeof fact);
    if (head_size > 0)
        memcpy(to + sizeof fact, head, head_size);
    if (size > 0)
        memcpy(to + sizeof fact + head_size, bytes, size);
    atomic_store_explicit((_Atomic uint64_t *)&chunk->used, chunk->used + needed,
                          memory_order_release);
    return to + sizeof fact;
}

bool facts_have_room(void)
{
    return chunk_for(sizeof(struct trace_fact)) != NULL;
}

bool facts_write_property(const char *key, const char *value, size_t size)
{
    return facts_write(TRACE_FACT_PROPERTY, key, strlen(key) + 1, value, size);
}

bool facts_write_text(const char *key, const char *value)
{
    return value[0] == '\0' || facts_write_property(key, value, strlen(value));
}

bool facts_write_number(const char *key, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return facts_write_text(key, text);
}

bool facts_update_number(unsigned *written, const char *key, unsigned number)
{
    if (*written != number && facts_write_number(key, number))
        *written = number;
    return *written == number;
}

bool facts_write_list(unsigned *written, unsigned count, bool (*write)(unsigned index))
{
    for (; *written < count; ++*written)
        if (!write(*written))
            return false;
    return true;
}

bool facts_flush(void)
{
    for (unsigned i = 0; i < fact_writer_count; i++)
        if (!fact_writers[i](&process->facts.written[i]))
            return false;
    return true;
}

bool facts_flush_of(fact_writer writer)
{
    for (unsigned i = 0; i < fact_writer_count; i++)
        if (fact_writers[i] == writer)
            return writer(&process->facts.written[i]);
    return false;
}

void facts_flush_now(void)
{
    if (!process_is_recording())
        return;
    lock_take(&process->lock);
    if (process->file.is_kept)
        facts_flush();
    lock_release(&process->lock);
}
