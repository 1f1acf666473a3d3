/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An analysis turns a session into one table.  It never prints.  The table's
 * notes name the whole of its shares, and unknown figures.
 *
 * All analyses are rows of analyses.def; each is a constant at the end of its own file, and a
 * command with its name.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <stdbool.h>

#include "document/document.h"
#include "document/table.h"
#include "options/option.h"
#include "places/places.h"

/* The kind of a table's rows. */
enum analysis_by {
    ANALYSIS_BY_DEFAULT, /* the analysis chooses */
#define BY(name, word, commands, help) ANALYSIS_BY_##name,
#include "analysis/by.def"
#undef BY
};

enum {
    ANALYSIS_BYS = 1 /* DEFAULT */
#define BY(name, word, commands, help) +1
#include "analysis/by.def"
#undef BY
};

/* The sum of memory that rows are sorted by and have shares of. */
enum analysis_measure {
#define MEASURE(name, word, help) ANALYSIS_##name,
#include "analysis/measures.def"
#undef MEASURE
};

enum {
    ANALYSIS_MEASURES = 0
#define MEASURE(name, word, help) +1
#include "analysis/measures.def"
#undef MEASURE
};

struct machine;
struct session;
struct suppressions;

/* The options of each analysis: the file of the analysis declares their struct, if it has any.
 * Structs that other folders fill are declared here. */
#define ANALYSIS(name) struct name##_options;
#include "analysis/analyses.def"
#undef ANALYSIS

/* The other processes that a process began, directly or by one of them. */
struct analysis_kin {
    const struct session *session; /* the busiest of them, or the one with the largest heap */
    const char *trace;             /* its path */
    size_t count;                  /* all of them */
    bool is_busiest;
    double cpu_ns;     /* processor time of all of them */
    double run_ns;     /* with that of the process itself */
    double heap_bytes; /* the largest heap */
    const char *advice;  /* sentences on all of them; "" if there are none */
    double copied_bytes; /* of the memory of this process, by the told one; 0: little */
};

struct analysis_options {
    enum analysis_by by;
    double confidence; /* confidence level of the intervals, such as 0.95 */
    unsigned warmup;   /* first calls of a slot that statistics leave out */
    size_t runs;       /* only the first `runs` calls of a slot after these count; 0: all */
    enum analysis_measure measure;
    size_t limit;          /* rows by the option -n; 0: without it */
    bool shows_all;        /* the user asked for all rows */
    bool is_for_people;    /* rows that only programs read may be left out */
    struct suppressions *suppressions; /* or NULL */
    const struct session *before;      /* the session to compare with, or NULL */
    const struct session *steady;      /* only the steps of the session, or NULL */
    const struct analysis_kin *kin;    /* if they took most of the run; or NULL */
    size_t kin_count;                  /* traces of processes that it began, beside it */
    const struct machine *machine;     /* the machine of the trace, or NULL */
    const char *no_machine;            /* why the machine is unknown, and the remedy; or NULL */
    unsigned call_threads;             /* threads that a kernel's call uses; 0: estimated */
    places_finder find_frames;         /* session_find_frames, except in tests */
#define ANALYSIS(name) const struct name##_options *name;
#include "analysis/analyses.def"
#undef ANALYSIS
};

/* How many rows are shown follows from nothing that the user said. */
enum { ANALYSIS_ROWS_UNASKED = -1 };

/* The options that an analysis has of its own. */
struct analysis_own {
    const struct option_row *options;
    size_t count;
    const void *defaults; /* the struct without any options */
    size_t size;          /* its size */
};

struct analysis {
    const char *name;
    const char *help;
    const char *sort_key; /* column that sorts rows by default; NULL: none */
    /* Ask whether a session has data of this kind.  If not, a page and a full report leave the
     * analysis out.  NULL: they always show it. */
    bool (*is_there)(const struct session *session);
    /* Fill a table that was not initialized. */
    void (*build)(const struct session *session, const struct analysis_options *options,
                  struct table *table);
    /* Fill a document that was not initialized, for the rows of `composed`; NULL
     * when the table is all there is. */
    void (*compose)(const struct session *session, const struct analysis_options *options,
                    struct document *document);
    /* Fill an initialized document that people read in place of the table.  If it gets no section,
     * or this is NULL, people read the table. */
    void (*elaborate)(const struct session *session, const struct analysis_options *options,
                      const struct table *table, struct document *document);
    /* The same for programs: the rows, and further fields. */
    void (*elaborate_for_programs)(const struct session *session,
                                   const struct analysis_options *options,
                                   const struct table *table, struct document *document);
    unsigned composed;  /* the rows of by.def that compose shows, a bit 1 << ANALYSIS_BY_... for
                           each; DEFAULT: when the user chose none */
    bool is_arranged;   /* --sort, --filter and -n arrange the main table of its document */
    enum analysis_measure measure; /* sorts the rows of `measured` by default */
    unsigned measured;             /* rows of by.def, and DEFAULT */
    unsigned long_rows; /* rows of by.def, and DEFAULT: too many for people, who see only the
                           first */
    size_t rows_for_people; /* the number of first rows for people; 0: as usual */
    double least_share; /* people see no rows below this share of the sorting column's sum */
    /* Returns: how many rows the options ask for without -n, 0 for all rows, or
     * ANALYSIS_ROWS_UNASKED; NULL: always ANALYSIS_ROWS_UNASKED. */
    long (*asked_rows)(const struct analysis_options *options);
    struct analysis_own own; /* options of its own */
};

#define ANALYSIS(name) extern const struct analysis analysis_##name;
#include "analysis/analyses.def"
#undef ANALYSIS

/* The default options. */
struct analysis_options analysis_defaults(void);

/* Take the warm-up that a program was recorded with (TPROF_WARMUP), unless the user gives
 * another. */
void analysis_take_warmup(struct analysis_options *options, const struct session *session);

/* Returns: how many rows of a section are shown: the number of -n, SIZE_MAX for all, or `usual`
 * without the option. */
size_t analysis_limit(const struct analysis_options *options, size_t usual);

/* Find a kind of rows by its word: "kernel".  Returns: whether there is one. */
bool analysis_find_by(const char *word, enum analysis_by *by);

/* The word, for messages. */
const char *analysis_by_word(enum analysis_by by);

/* Ask whether a command has rows of this kind. */
bool analysis_has_rows(const char *command, enum analysis_by by);

/* Find a measure by its word: "peak".  Returns: whether the measure exists. */
bool analysis_find_measure(const char *word, enum analysis_measure *measure);

/* The word, for messages. */
const char *analysis_measure_word(enum analysis_measure measure);

/* Give the analyses one by one.  Returns: NULL past the last. */
const struct analysis *analysis_at(size_t index);

/* Returns: the analysis of this name, or NULL. */
const struct analysis *analysis_find(const char *name);

#endif
