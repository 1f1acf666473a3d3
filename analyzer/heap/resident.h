/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of resident memory at a reading, in the words of a report: they add up to the whole.
 *
 * Linux tells the resident bytes of each mapping, and the replay tells the live blocks.  What
 * malloc has, and no live block takes, was freed and kept.
 */
#ifndef HEAP_RESIDENT_H
#define HEAP_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/session_resident.h"

struct session;

enum resident_part {
#define PART(name, key, words) RESIDENT_##name,
#include "heap/resident.def"
#undef PART
    RESIDENT_PARTS
};

enum { RESIDENT_BLOCK_HEADER = 8 /* bytes that glibc's malloc adds to a block */ };

struct resident_split {
    uint64_t time_ns;
    const char *label; /* of a snapshot; NULL for a periodic reading */
    uint64_t bytes;
    uint64_t parts[RESIDENT_PARTS];
    uint64_t huge[RESIDENT_PARTS]; /* in huge pages, of MAPPED, FILES, SHM and SHARED; of HEAP: of
                                      all that malloc has */
    uint64_t shared_bytes;         /* in pages that other processes have, too, without files */
    uint64_t arena_bytes;          /* of what malloc has, in arenas of threads */
    bool is_usable; /* HEAP is in usable bytes, with what malloc rounds up; OVERHEAD is without */
};

/* Returns: the words of a part, and its key. */
const char *resident_part_words(enum resident_part part);
const char *resident_part_key(enum resident_part part);

/* Split the memory of a moment, by its index in residents. */
void resident_split(struct resident_split *split, const struct session *session, size_t index);

/* Split the memory of the last moment until a time, or of the next one if that has a size closer to
 * `bytes`.  Returns: whether there is one. */
bool resident_split_near(struct resident_split *split, const struct session *session,
                         uint64_t time_ns, uint64_t bytes);

/* Returns: the moment with the most resident memory, or one within 3 % of it that has more heap.
 * NULL: none was read. */
const struct session_resident *resident_find_peak(const struct session *session);

/* Returns: the mapping with the most resident memory at a moment, besides the allocator's own;
 * SESSION_NONE when the program mapped none. */
uint32_t resident_find_most_mapped(const struct session *session, size_t index, uint64_t *bytes);

#endif
