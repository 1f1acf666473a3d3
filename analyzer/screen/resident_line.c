/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the resident memory of the peak is, in a sentence.
 */
#include "screen/resident_line.h"

#include "base/text.h"
#include "heap/mapped_for.h"
#include "heap/memory_facts.h"
#include "heap/resident.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "screen/texts.h"

/* A moment of resident memory. */
struct resident_moment {
    const struct session *session;
    places_finder find;
    size_t index;
};

void resident_line_say_mapper(struct text *line, const struct session *session,
                              const struct session_mapping *most, places_finder find)
{
    struct places *places = places_new(session, find);
    const char *what = most ? mapped_for(session, most) : NULL;
    struct place owner;
    struct text place;

    if (!most || !places_find_owner_of(places, most->call, &owner))
        return;
    text_init(&place);
    place_append_short(&place, &owner);
    say_part(line, first_resident_by_text, said_words(place.bytes));
    if (what)
        say_part(line, first_resident_for_text, said_words(what));
    text_fini(&place);
}

/* Every program has these. */
static bool is_usual(enum resident_part part)
{
    return part == RESIDENT_CODE || part == RESIDENT_DATA || part == RESIDENT_OWN;
}

static const double told_share = 0.03;    /* least share of resident memory of a part with a name */
static const double unusual_share = 0.10; /* of parts that not every program has */
static const uint64_t unusual_least = 8u << 20;

static bool is_told(const struct resident_split *split, enum resident_part part)
{
    return !is_usual(part) && (double)split->parts[part] >= told_share * (double)split->bytes;
}

/* Is there more than heap in use, code and data? */
static bool is_unusual(const struct resident_split *split)
{
    uint64_t bytes = 0;

    for (unsigned part = 0; part < RESIDENT_PARTS; part++)
        if (!is_usual(part) && part != RESIDENT_HEAP)
            bytes += split->parts[part];
    return bytes >= unusual_least && (double)bytes >= unusual_share * (double)split->bytes;
}

static void say_file(struct text *line, const struct session_part *part)
{
    if (part->name)
        say_part(line, first_resident_file_text, said_words(text_base_name(part->name)));
}

/* Say where a part comes from. */
static void say_origin(struct text *line, const struct resident_split *split,
                       enum resident_part part, const struct resident_moment *moment)
{
    const struct session *session = moment->session;
    const struct session_resident *of = array_at(&session->residents, moment->index);
    uint32_t mapping;
    uint64_t bytes;

    if (part == RESIDENT_MAPPED) {
        mapping = resident_find_most_mapped(session, moment->index, &bytes);
        if (mapping != SESSION_NONE)
            resident_line_say_mapper(line, session, array_at(&session->mappings, mapping),
                                     moment->find);
    } else if (part == RESIDENT_FILES)
        say_file(line, &of->parts[TRACE_RESIDENT_FILES]);
    else if (part == RESIDENT_SHM)
        say_file(line, &of->parts[TRACE_RESIDENT_SHM]);
    else if (part == RESIDENT_KEPT && split->arena_bytes > split->parts[part] / 2)
        say_part(line, first_resident_arenas_text, said_bytes((double)split->arena_bytes));
}

/* Returns: the largest part that has a name and was not said; RESIDENT_PARTS: there is none. */
static unsigned find_most(const struct resident_split *split, const bool is_said[RESIDENT_PARTS])
{
    unsigned most = RESIDENT_PARTS;

    for (unsigned part = 0; part < RESIDENT_PARTS; part++)
        if (!is_said[part] && is_told(split, part) &&
            (most == RESIDENT_PARTS || split->parts[part] > split->parts[most]))
            most = part;
    return most;
}

/* The largest parts first; at last those that every program has, and the small ones. */
static void say_parts(struct text *line, const struct resident_split *split,
                      const struct resident_moment *moment)
{
    bool is_said[RESIDENT_PARTS] = {false};
    uint64_t rest = split->bytes;
    const char *before = "";
    unsigned most;

    while ((most = find_most(split, is_said)) != RESIDENT_PARTS) {
        is_said[most] = true;
        rest -= split->parts[most];
        say_part(line, first_resident_part_text, said_words(before),
                 said_bytes((double)split->parts[most]), said_words(resident_part_words(most)));
        if (split->huge[most] > split->parts[most] / 2)
            say_part(line, first_resident_huge_text);
        say_origin(line, split, most, moment);
        before = ", ";
    }
    say_part(line, first_resident_usual_text, said_words(before), said_bytes((double)rest));
}

/* A reading behind the frees of a teardown shows what malloc kept of them: before, it was heap. */
static void undo_final_frees(struct resident_split *split, const struct session *session,
                             places_finder find)
{
    uint64_t *heap = &split->parts[RESIDENT_HEAP], *kept = &split->parts[RESIDENT_KEPT];
    struct memory_teardown fall;
    uint64_t freed;

    if (!memory_find_fall(&fall, session, find) || split->time_ns <= fall.from_ns)
        return;
    freed = fall.height_bytes > *heap ? fall.height_bytes - *heap : 0;
    freed = freed < *kept ? freed : *kept;
    *heap += freed;
    *kept -= freed;
    split->time_ns = fall.from_ns;
}

void resident_line_append(struct text *line, const struct session *session, places_finder find)
{
    const struct session_resident *peak = resident_find_peak(session);
    struct resident_moment moment = {session, find, 0};
    struct resident_split split;

    if (!peak)
        return;
    moment.index = (size_t)(peak - (const struct session_resident *)session->residents.items);
    resident_split(&split, session, moment.index);
    undo_final_frees(&split, session, find);
    if (!is_unusual(&split))
        return;
    say(line, first_resident_of_text, said_bytes((double)split.bytes),
        said_time((double)split.time_ns));
    say_parts(line, &split, &moment);
    text_append(line, ".");
    if (split.shared_bytes >= unusual_least)
        say(line, first_resident_shared_text, said_bytes((double)split.shared_bytes));
}
