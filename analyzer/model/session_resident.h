/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of resident memory at a few readings, and the heap at the same moments.
 */
#ifndef MODEL_SESSION_RESIDENT_H
#define MODEL_SESSION_RESIDENT_H

#include <stdint.h>

#include "spec/trace.h"

/* Resident memory of one kind. */
struct session_part {
    uint64_t bytes;
    uint64_t huge_bytes;   /* in huge pages */
    uint64_t shared_bytes; /* in pages that other processes have, too */
    const char *name;      /* of its largest file; NULL: none */
};

/* Pages of the mapping with most memory in huge pages, by sample. */
struct session_zeros {
    uint64_t start;
    uint64_t bytes; /* resident */
    uint64_t huge_bytes;
    uint64_t pages; /* that were read; 0: there is no such mapping */
    uint64_t zero_pages;
};

struct session_resident {
    uint64_t time_ns;
    const char *label; /* of a snapshot or region; NULL for a periodic reading */
    uint64_t bytes;    /* all parts */
    struct session_part parts[TRACE_RESIDENT_KINDS];
    uint64_t known_bytes;     /* of the kind AREAS: in areas with a record */
    uint64_t mapped_bytes;    /* the part of these that the program mapped itself.  An area that
                                 belongs to it in part counts by length. */
    uint64_t mapped_huge;     /* in huge pages */
    uint64_t unseen_bytes;    /* the program's mappings in no recorded area, touched or not */
    struct session_zeros zeros;
    uint32_t zeros_mapping;   /* which site of mmap has it; SESSION_NONE */
    uint64_t requested_bytes; /* of live blocks; the next two, too.  UNKNOWN unless each block has
                                 a record */
    uint64_t chunk_bytes;     /* what glibc's malloc takes for them, with its headers */
    uint64_t large_bytes;     /* of these, in mappings of their own */
    uint64_t large_requested;
    uint64_t usable_bytes; /* of live blocks, by the shim's count; UNKNOWN: not counted */
    uint64_t blocks;       /* live; may be an estimate; UNKNOWN */
};

/* Resident memory that a site of mmap has at one of these moments. */
struct session_resident_site {
    uint32_t resident; /* index in residents */
    uint32_t mapping;  /* index in mappings */
    uint64_t bytes;
};

#endif
