/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalog of well-known costs: costs.spec, and a file of the user's (TPROF_COSTS).
 */
#ifndef FINDINGS_COST_CATALOG_H
#define FINDINGS_COST_CATALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text.h"
#include "places/places.h"

/* The language of the lines that a cost speaks to. */
enum cost_language { COST_ANY, COST_NATIVE, COST_PYTHON, COST_LANGUAGES };

/* A set of costs with signs, a bit each. */
__extension__ typedef unsigned __int128 cost_signs;
enum { COST_SIGNS = 128 };

/* A paragraph of the catalog; texts are of the pool. */
struct cost {
    enum cost_language language;
    const char *of; /* whose costs these are: "C++"; NULL: the file does not say */
    struct text name;
    struct array frames; /* const char *: patterns of wildcard.h */
    struct text what;
    struct text why;
    struct text repair;
    struct text repair_in_c; /* in place of `repair` at lines of C; "" if the paragraph has none */
    struct array signs;      /* const char *: patterns of functions that prove the cost */
    cost_signs sign;         /* the cost's bit; 0: it has no signs */
    double least_sign;       /* of the cost's time at a line, inside of such functions */
    double least_self;       /* of that time, in functions of `frames` and nothing that they call */
    double least_part;       /* of a line's time: with less, the line is no place of the cost */
    double least_ns;         /* of its time at a line: less is done once; 0: any */
    double most_each_ns;     /* of its time for each block that it allocates; 0: any */
    double least_block_bytes;    /* it allocates such blocks, and most of them are freed; 0: any */
    double least_blocks;         /* the bytes of its blocks, by those of the largest; 0: any */
    double least_resident_bytes; /* of the process at its peak; 0: any */
    double least_threads;        /* of the process; 0: any */
    struct array never_line;     /* const char *: patterns of the texts of lines that are meant
                                 otherwise */
    struct array waiters;     /* const char *: patterns of functions that wait for the cost alone */
    struct text otherwise;    /* the cost that takes its place without a proof; "": none */
    const struct cost *other; /* the same */
    bool is_direct;           /* only calls by the program count, and none by another library */
    bool calls_back;          /* code of the program that its functions call is of the cost, too: a
                                 hash, a comparison */
    bool is_deferred;         /* work that others left: no cost of the function of the same file
                                 that happens to do it */
    bool waits_for_others;    /* short waits at pipes are of the cost, too */
    bool waits_for_locks;     /* its function itself waits for a lock that another thread holds */
    bool waits_unseen;        /* its waiting is inside of the C library, where no call is seen */
    bool brings_faults;       /* page faults of the same line go with the cost */
    struct text unless; /* "" if the paragraph has none */
    struct text source; /* the same */
};

/* A pattern and the number of its cost. */
struct cost_pattern {
    const char *text;
    size_t cost;
};

enum { COST_LETTERS = 128 };

/* Patterns of struct cost_pattern: those that begin with a letter, by that; and those that may
 * match anywhere.  A report asks for thousands of names. */
struct cost_index {
    struct array anchored[COST_LETTERS];
    struct array anywhere;
};

struct cost_catalog {
    struct array costs;  /* struct cost */
    const char *of;      /* of the costs that follow, as their language */
    enum cost_language language;
    struct cost_index index[COST_LANGUAGES][2]; /* names of native code, names of Python code */
    size_t signed_count;                        /* costs with signs */
    struct text mistake; /* "line 12: ..." of the first mistake; what follows it is not read */
};

/* Read the built-in catalog, and the user's behind it: its costs go first. */
void cost_catalog_init(struct cost_catalog *catalog);

/* Read a file alone.  Returns: false: it cannot be read, and errno says why; a mistake in it is in
 * the catalog. */
bool cost_catalog_read_file(struct cost_catalog *catalog, const char *path);

/* Read a text into the catalog.  Returns: false at a mistake. */
bool cost_catalog_read(struct cost_catalog *catalog, const char *text);

/* Returns: the first cost of a language with a pattern for a place; NULL. */
const struct cost *cost_catalog_find(const struct cost_catalog *catalog, const struct place *place,
                                     enum cost_language language);

/* Returns: the bits of the costs that a place is a sign of. */
cost_signs cost_catalog_find_signs(const struct cost_catalog *catalog, const struct place *place);

/* Ask whether a function waits for the cost alone, at a pipe. */
bool cost_catalog_is_waiter(const struct cost *cost, const struct place *place);

/* Returns: the first cost of a language with a pattern for a function of native code; NULL. */
const struct cost *cost_catalog_find_native(const struct cost_catalog *catalog,
                                            const char *function, enum cost_language language);

#endif
