/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranges that the program marks for another tool, by NVTX or by ITT: domains, names, and the
 * recording of ranges, spans and moments.
 *
 * The program keeps pointers to domains and names, also in forked children.  So these stay for
 * ever, in memory that a fork copies: 512 domains and 8,192 names at most.
 *
 * Budget of a region or a span: a hash of its name, unless the name is registered, and the budget
 * of interpose/region.c.  A new name takes the process lock once for each thread.
 *
 * Safety: any thread.  Keeps errno.
 */
#ifndef RANGES_RANGES_H
#define RANGES_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* The first members of a domain and of a name are those of ITT, whose inline code reads them. */
struct ranges_domain {
    int is_enabled;
    const char *name;
    void *wide;
    int reserved;
    struct ranges_domain *own; /* itself: a domain that ITT made leads to ours */
    void *next;
    const char *prefix; /* the interface and the domain, each with a tab behind */
    uint64_t salt;      /* of the hashes of its names */
    uint32_t number;    /* from 1 */
    struct ranges_category *categories;
    struct ranges_domain *older;
};

struct ranges_name {
    const char *text;
    void *wide;
    int reserved;
    struct ranges_name *own;
    void *next;
    uint64_t hash;
};

/* What a range tells of itself. */
struct ranges_look {
    bool has_colour;
    uint32_t colour;
    uint32_t category;
    uint32_t payload_type; /* enum trace_payload */
    uint64_t payload;
};

/* A range that is about to be recorded: its name, with the hash of it. */
struct ranges_call {
    const struct ranges_domain *domain;
    const char *text;
    uint64_t hash;
    struct ranges_look look;
};

enum ranges_interface { RANGES_NVTX, RANGES_ITT, RANGES_INTERFACES };

/* Get ready to record.  Returns: false where this process records nothing. */
bool ranges_open(void);

/* Find or make a domain; `name` NULL: the default one.  Beyond the most, domains share one. */
struct ranges_domain *ranges_find_domain(enum ranges_interface interface, const char *name);

/* The default domain of NVTX, which ranges_open has made. */
extern struct ranges_domain *ranges_default;

/* Find or make a name.  Beyond the most, names share one. */
struct ranges_name *ranges_find_name(const char *text);

/* Name a category of a domain. */
void ranges_name_category(struct ranges_domain *domain, uint32_t category, const char *name);

/* Name a thread by its number in the operating system; 0: this one. */
void ranges_name_thread(uint32_t thread, const char *name);

/* A wide text in UTF-8, cut to the buffer. */
enum { RANGES_NAME_SIZE = 512 };
const char *ranges_narrow(const wchar_t *wide, char narrow[RANGES_NAME_SIZE]);

/* The hash of a name; no longer than RANGES_NAME_SIZE counts. */
uint64_t ranges_hash(const char *text);

/* Begin and end a region. */
void ranges_push(const struct ranges_call *call);
void ranges_pop(const struct ranges_domain *domain);

/* Start a span, and end it by its key.  The first returns a new key, or 0 where nothing is
 * recorded. */
uint64_t ranges_start(const struct ranges_call *call);
void ranges_end(uint64_t key);

/* The same with a key of the program's own.  A span that is open under that key never ends. */
void ranges_start_key(const struct ranges_call *call, uint64_t key);
void ranges_end_key(uint64_t key);

/* A span from one time to another, in ticks. */
void ranges_submit(const struct ranges_call *call, uint64_t begin, uint64_t end);

void ranges_mark(const struct ranges_call *call);

/* A collector's table was left alone, because it has another layout. */
void ranges_refuse_table(void);

/* Rows of fact_writers. */
bool ranges_write_threads(unsigned *written);
bool ranges_write_refused_tables(unsigned *written);
bool ranges_write_refused_spans(unsigned *written);

#endif
