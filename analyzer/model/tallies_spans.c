/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merges the nodes of spans and of moments, and splits the texts of ranges.
 */
#include "base/memory.h"
#include "model/tallies_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/session.h"
#include "model/session_spans.h"

/* Each text is stored once, so its address identifies it. */
struct tallies_span_key {
    const char *text;
    uint64_t is_mark;
};

struct tallies_span {
    struct tallies_span_key key;
    uint32_t index;
    UT_hash_handle hh;
};

void tallies_spans_fini(struct tallies *tallies)
{
    struct tallies_span *span, *next;

    HASH_ITER(hh, tallies->spans, span, next)
    {
        HASH_DEL(tallies->spans, span);
        free(span);
    }
}

static bool is_of_library(const char *domain)
{
    static const char *const starts[] = {
#define LIBRARY_DOMAIN(start) start,
#include "model/library_domains.def"
#undef LIBRARY_DOMAIN
    };

    for (size_t i = 0; domain && i < sizeof starts / sizeof *starts; i++)
        if (strncmp(domain, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* A text without tabs is damaged or lost: it then serves as the name. */
const char *session_split_range(struct storage *storage, const char *text,
                                struct session_look *look)
{
    const char *domain = strchr(text, '\t');
    const char *name = domain ? strchr(domain + 1, '\t') : NULL;

    *look = (struct session_look){0};
    if (!name)
        return text;
    look->interface = storage_keep(storage, text, (size_t)(domain - text));
    if (name > domain + 1)
        look->domain = storage_keep(storage, domain + 1, (size_t)(name - domain) - 1);
    look->is_library = is_of_library(look->domain);
    return name + 1;
}

void session_write_colour(const struct session_look *look, char text[SESSION_COLOUR_SIZE])
{
    enum { RED_GREEN_BLUE = 0xffffff };

    text[0] = '\0';
    if (look->has_colour)
        (void)snprintf(text, SESSION_COLOUR_SIZE, "#%06x", look->colour & RED_GREEN_BLUE);
}

static struct tallies_span *new_entry(struct tallies *tallies, const struct tallies_span_key *key)
{
    struct tallies_span *entry = memory_get_zeros(1, sizeof *entry);

    entry->key = *key;
    entry->index = (uint32_t)tallies->session->span_rows.count;
    HASH_ADD(hh, tallies->spans, key, sizeof entry->key, entry);
    return entry;
}

static void add_row(struct tallies *tallies, const struct tallies_span_key *key, uint32_t label)
{
    struct session_span_row *row = array_add(&tallies->session->span_rows);

    row->name = session_split_range(tallies->facts->storage, key->text, &row->look);
    row->is_mark = key->is_mark != 0;
    facts_find_look(tallies->facts, label, &row->look);
}

/* Spans may end in another thread than they start, so only the sum of `unmatched` has a meaning. */
void tallies_spans_add(struct tallies *tallies, const struct trace_node *node,
                       struct tallies_cell *cell)
{
    uint32_t label = node->label & ~TRACE_LABEL_FLAGS;
    const struct tallies_span_key key = {facts_string(tallies->facts, label),
                                         (node->label & TRACE_LABEL_MARK) != 0};
    struct tallies_span *entry;
    struct session_span_row *row;

    HASH_FIND(hh, tallies->spans, &key, sizeof key, entry);
    if (!entry) {
        entry = new_entry(tallies, &key);
        add_row(tallies, &key, label);
    }
    cell->kind = TALLIES_SPAN;
    cell->index = entry->index;
    row = array_at(&tallies->session->span_rows, entry->index);
    row->calls += node->calls;
    row->total_ns += clock_convert_length(tallies->clock, node->ticks);
    row->open += node->unmatched;
}
