/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call chains of a trace, as one tree of calls, and the sites of
 * allocations.
 *
 * Memory: 40 to 60 bytes a call of the trace.
 */
#ifndef MODEL_CHAINS_H
#define MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "model/modules.h"
#include "reader/reader_chunks.h"

/* Entries of a lane's call numbers are sites; or, with this bit, calls where the lane obtained no
 * block yet. */
#define CHAINS_CALL (UINT32_C(1) << 31)

struct chains_later;

struct chains_lane {
    uint32_t number;
    uint32_t count;
    uint32_t *entries; /* by call number; the first is for no call */
    struct chains_later *later; /* calls that are read on demand; NULL: all are read */
};

/* The last joined chains of the machine's frames and of Python's; python is never 0. */
struct chains_joined {
    uint32_t native;
    uint32_t python;
    uint32_t index;
};

enum { CHAINS_JOINED_KEPT = 1 << 14 };

struct chains_wrapper;
struct session;

struct chains {
    struct session *session;
    struct modules modules;
    struct array wrappers;    /* of struct chains_wrapper, by address */
    uint32_t shim_module;     /* the module with the wrappers; SESSION_NONE when unknown */
    uint32_t python_module;   /* the module with CPython; SESSION_NONE: none */
    bool is_python_whole;     /* the module contains nothing else */
    uint32_t *first_loads;    /* by module: the first load of the same file */
    struct array lanes;       /* of struct chains_lane, by number */
    struct chains_lane empty; /* for lanes without stack chunks */
    uint32_t *places;         /* indices of calls, by a hash of their identity */
    size_t mask;
    struct array sites;    /* uint32_t by call: its site, or SESSION_NONE */
    struct array mappings; /* the same for the session's mappings */
    uint64_t bad_calls; /* calls that made no sense */
    bool is_later;      /* calls are read on demand */
    struct chains_joined *joined; /* CHAINS_JOINED_KEPT, by a hash of both; NULL: no Python */
};

/* Start without calls, for the session whose facts were read. */
void chains_init(struct chains *chains, struct session *session);

void chains_fini(struct chains *chains);

/* Read the stack chunks of a trace into the session's calls.  With chains->is_later only the
 * requested chains are read, and the reader stays open.
 */
void chains_read(struct chains *chains, const struct reader *reader);

/* Returns: the lane of this number, or one without chains. */
struct chains_lane *chains_find_lane(struct chains *chains, uint32_t number);

/* Find the site of a lane's call number that has no site by chains_entry.  The first time it is
 * added to the session's sites.
 */
void chains_find_site(struct chains *chains, struct chains_lane *lane, uint32_t number,
                      uint32_t *site);

/* Find the call of a lane's call number, even if it has a site already.  Number 0 is no chain and
 * gives 0.
 */
void chains_find_call(struct chains *chains, const struct chains_lane *lane, uint32_t number,
                      uint32_t *call);

/* Find the session's mapping of a lane's call number.  The first time it is added to the mappings.
 */
void chains_find_mapping(struct chains *chains, const struct chains_lane *lane, uint64_t number,
                         uint32_t *mapping);

/* Returns: the site of a lane's call number; a value with the bit CHAINS_CALL when it must be found
 * first. */
static inline uint32_t chains_entry(const struct chains_lane *lane, uint32_t number)
{
    return number < lane->count ? lane->entries[number] : CHAINS_CALL;
}

/* Prefetch the entry of a call number. */
static ALWAYS_INLINE void chains_prefetch(const struct chains_lane *lane, uint32_t number)
{
    __builtin_prefetch(&lane->entries[number]);
}

#endif
