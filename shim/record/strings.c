/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interns texts.  The table holds only numbers; the texts themselves are the STRING facts of the
 * trace, also stored here for comparison.
 */
#include "record/strings.h"

#include <string.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/incidents.h"
#include "record/process.h"
#include "record/process_keep.h"

enum { PLACES = 16384, TEXT_SIZE = 1 << 20 };

/* Names of ranges leave a quarter of the table to other texts: a program may make up one for each
 * range. */
enum { PLACES_OF_RANGES = PLACES / 8 * 3, TEXTS_OF_RANGES = TEXT_SIZE / 4 * 3 };

static bool open_table(struct strings *strings)
{
    if (!strings->places)
        strings->places = memory_map(PLACES * sizeof *strings->places);
    if (!strings->texts)
        strings->texts = memory_map(TEXT_SIZE);
    return strings->places && strings->texts;
}

static bool write_next(struct strings *strings)
{
    const char *text = strings->texts + strings->written_size;
    struct trace_string head = {strings->written + 1, 0};
    size_t size = strlen(text);

    if (!facts_write(TRACE_FACT_STRING, &head, sizeof head, text, size))
        return false;
    strings->written++;
    strings->written_size += (uint32_t)size + 1;
    return true;
}

static bool flush(void)
{
    struct strings *strings = &process->strings;

    while (strings->written < strings->count)
        if (!write_next(strings))
            return false;
    return true;
}

/* The first refusal is written at once, since the program may be killed. */
static uint32_t refuse(struct strings *strings)
{
    if (strings->refused++ == 0)
        facts_flush();
    return 0;
}

static uint32_t add(struct strings *strings, struct strings_place *place, const char *text)
{
    size_t size = strlen(text) + 1;

    if (2 * strings->count >= PLACES || size > TEXT_SIZE - strings->used)
        return refuse(strings);
    place->number = ++strings->count;
    place->start = strings->used;
    memcpy(strings->texts + strings->used, text, size);
    strings->used += (uint32_t)size;
    incidents_learn_label(place->number, text);
    flush();
    return place->number;
}

/* Returns: the place of a text, or the free one for it; NULL when there is no table. */
static struct strings_place *find(struct strings *strings, const char *text)
{
    uint32_t at = hash_fnv(text, strlen(text)) % PLACES;

    /* process_keep comes first, because it may intern a text. */
    if (!process_keep() || !open_table(strings))
        return NULL;
    for (; strings->places[at].number != 0; at = (at + 1) % PLACES)
        if (strcmp(strings->texts + strings->places[at].start, text) == 0)
            break;
    return &strings->places[at];
}

static uint32_t intern(struct strings *strings, const char *text)
{
    struct strings_place *place = find(strings, text);

    if (!place)
        return 0;
    return place->number != 0 ? place->number : add(strings, place, text);
}

void strings_put_signal(const char *label)
{
    intern(&process->strings, label);
}

uint32_t strings_intern(const char *text)
{
    uint32_t number;

    lock_take(&process->lock);
    number = intern(&process->strings, text);
    lock_release(&process->lock);
    return number;
}

static uint32_t intern_range(struct strings *strings, const char *text, bool *is_new)
{
    struct strings_place *place = find(strings, text);

    *is_new = place && place->number == 0;
    if (!*is_new)
        return place ? place->number : 0;
    if (strings->count >= PLACES_OF_RANGES || strings->used + strlen(text) + 1 > TEXTS_OF_RANGES)
        return 0;
    return add(strings, place, text);
}

uint32_t strings_intern_range(const char *text, bool *is_new)
{
    uint32_t number;

    lock_take(&process->lock);
    number = intern_range(&process->strings, text, is_new);
    lock_release(&process->lock);
    return number;
}

bool strings_write_facts(unsigned *unused)
{
    (void)unused;
    return flush();
}

bool strings_write_refused(unsigned *written)
{
    return facts_update_number(written, "labels_refused", process->strings.refused);
}
