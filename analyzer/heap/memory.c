/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory: one screen with the obtained blocks, their places and their use; or one table of these,
 * the heap over time, or the difference of two sessions.
 */
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "options/readers.h"

static void build_table(struct memory_work *work, struct table *table, size_t limit)
{
    enum analysis_by by = work->options->by;

    if ((unsigned)MEMORY_GROUPS >> by & 1)
        memory_build_groups(work, table, limit);
    else if (by == ANALYSIS_BY_REGION)
        memory_build_regions(work, table);
    else if (by == ANALYSIS_BY_THREAD)
        memory_build_threads(work, table);
    else if (by == ANALYSIS_BY_SIZE)
        memory_build_sizes(work, table, limit);
    else if (by == ANALYSIS_BY_LIFETIME)
        memory_build_lifetimes(work, table, limit);
    else if (by == ANALYSIS_BY_TREE || by == ANALYSIS_BY_CALLERS)
        memory_build_tree(work, table);
    else if (by == ANALYSIS_BY_MAPPING)
        memory_build_mappings(work, table, limit);
    else if (by == ANALYSIS_BY_STEP || by == ANALYSIS_BY_EPOCH)
        memory_build_steps(work, table);
    else
        memory_build_sites(work, table, limit);
}

/* Rows beyond the limit that cost a look-up of their names are not built. */
static size_t find_limit(const struct analysis_options *options)
{
    bool is_slow = options->by == ANALYSIS_BY_DEFAULT || options->by == ANALYSIS_BY_SITE ||
                   options->by == ANALYSIS_BY_MAPPING;

    return is_slow ? options->limit : 0;
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    const struct heap_view empty = {.measure = options->measure, .session = session};
    struct memory_work work;

    memory_work_init(&work, session, options);
    heap_rows_init(table, &empty);
    build_table(&work, table, find_limit(options));
    if (options->by == ANALYSIS_BY_MAPPING)
        heap_rows_note_names(table, session);
    memory_work_fini(&work);
}

/* The tables of the screen.  A large program has a hundred thousand sites: people see them with
 * --by site.  Histograms show people few bins, and programs all. */
static const struct part {
    const char *key;
    enum analysis_by by;
    enum section_place place;
    size_t shown; /* rows, unless the user sets a number; 0: all */
} parts[] = {
    {"owners", ANALYSIS_BY_OWNER, SECTION_IN_BOTH, 6},
    {"libraries", ANALYSIS_BY_LIBRARY, SECTION_IN_BOTH, 4},
    {"sites", ANALYSIS_BY_SITE, SECTION_IN_JSON, 6},
    {"mappings", ANALYSIS_BY_MAPPING, SECTION_IN_BOTH, 4},
    {"shown", ANALYSIS_BY_SIZE, SECTION_IN_TEXT, 8},
    {"sizes", ANALYSIS_BY_SIZE, SECTION_IN_JSON, 0},
    {"shown", ANALYSIS_BY_LIFETIME, SECTION_IN_TEXT, 8},
    {"lifetimes", ANALYSIS_BY_LIFETIME, SECTION_IN_JSON, 0},
    {"regions", ANALYSIS_BY_REGION, SECTION_IN_JSON, 0},
    {"kernels", ANALYSIS_BY_KERNEL, SECTION_IN_JSON, 0},
    {"threads", ANALYSIS_BY_THREAD, SECTION_IN_JSON, 0},
};

/* People see no table of nothing. */
static bool is_empty(const struct memory_work *work, const struct part *part)
{
    uint64_t mapped = work->session->heap.peak_mapped_bytes;

    return part->by == ANALYSIS_BY_MAPPING && (mapped == 0 || mapped == SESSION_UNKNOWN);
}

static void add_part(struct document *document, struct memory_work *work, const struct part *part)
{
    bool is_fixed = part->shown == 0 || part->place == SECTION_IN_TEXT;
    size_t limit = is_fixed ? part->shown : analysis_limit(work->options, part->shown);
    struct analysis_options options = *work->options;
    struct memory_work other = *work;
    struct table *table = document_add_table(document, part->key,
                                             is_empty(work, part) ? SECTION_IN_JSON : part->place);

    options.by = part->by;
    other.options = &options;
    build_table(&other, table, limit);
}

/* Programs see every moment. */
static void add_resident(struct document *document, struct memory_work *work)
{
    bool is_read = work->session->residents.count > 0;
    struct table *table =
        document_add_table(document, "resident", is_read ? SECTION_IN_BOTH : SECTION_IN_JSON);

    memory_build_resident(work, table);
    table = document_add_table(document, "resident_moments", SECTION_IN_JSON);
    memory_build_resident_moments(work, table);
}

static void add_screen(struct document *document, struct memory_work *work)
{
    memory_add_head(document, work);
    document->main = "owners";
    add_resident(document, work);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_part(document, work, &parts[i]);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct memory_work work;

    memory_work_init(&work, session, options);
    document_init(document);
    document->name = "memory";
    if (options->before)
        memory_add_difference(document, &work);
    else if (options->memory->timeline)
        memory_add_timeline(document, &work);
    else
        add_screen(document, &work);
    memory_work_fini(&work);
}

size_t memory_callers(const struct memory_options *options)
{
    enum { USUAL = 3 };

    return options->callers == MEMORY_CALLERS_UNASKED ? USUAL : options->callers;
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct memory_options, field, __VA_ARGS__),
#include "heap/memory_options.def"
#undef OPTION
};

static const struct memory_options defaults = {.callers = MEMORY_CALLERS_UNASKED,
                                               .short_ns = SESSION_SHORT_NS};

const struct analysis analysis_memory = {
    .name = "memory",
    .help = "Where memory came from, how much at the peak and at the end, and for how long.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .long_rows = 1 << ANALYSIS_BY_STEP,
    .measure = ANALYSIS_PEAK,
    .measured = MEMORY_GROUPS | 1 << ANALYSIS_BY_DEFAULT | 1 << ANALYSIS_BY_SITE,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
