/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory: one screen that says what was obtained, where and how it was used;
 * or one table of it, the heap over time, or the difference of two sessions.
 */
#include "memory/memory_options.h"
#include "memory/memory_parts.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* Rows of the screen, where the user does not say. */
enum {
    SCREEN_OWNERS = 6,
    SCREEN_LIBRARIES = 4,
    SCREEN_SITES = 6,
    SCREEN_MAPPINGS = 4,
    SCREEN_BINS = 8
};

static enum status build_mappings(struct memory_work *work, struct table *table)
{
    enum status status = memory_build_mappings(work, table, work->options->limit);

    return status ? status : heap_rows_note_names(table, work->session);
}

static enum status build_table(struct memory_work *work, struct table *table)
{
    switch (work->options->by) {
    case ANALYSIS_BY_REGION: return memory_build_regions(work, table);
    case ANALYSIS_BY_THREAD: return memory_build_threads(work, table);
    case ANALYSIS_BY_SIZE: return memory_build_sizes(work, table, 0);
    case ANALYSIS_BY_LIFETIME: return memory_build_lifetimes(work, table, 0);
    case ANALYSIS_BY_FUNCTION:
    case ANALYSIS_BY_LINE:
    case ANALYSIS_BY_OWNER:
    case ANALYSIS_BY_LIBRARY:
    case ANALYSIS_BY_KERNEL: return memory_build_groups(work, table, 0);
    case ANALYSIS_BY_TREE:
    case ANALYSIS_BY_CALLERS: return memory_build_tree(work, table);
    case ANALYSIS_BY_MAPPING: return build_mappings(work, table);
    case ANALYSIS_BY_DEFAULT:
    case ANALYSIS_BY_SHAPE:
    case ANALYSIS_BY_STEP:
    case ANALYSIS_BY_CLASS:
    case ANALYSIS_BY_OP:
    case ANALYSIS_BY_SITE: break;
    }
    return memory_build_sites(work, table, work->options->limit);
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct memory_work work;
    enum status status = memory_work_init(&work, session, options);

    heap_rows_init(table, options->measure, false);
    if (!status)
        status = build_table(&work, table);
    memory_work_fini(&work);
    return status;
}

/* ---- the screen ------------------------------------------------------------------ */

static enum status add_groups(struct document *document, struct memory_work *work,
                              enum analysis_by by, size_t shown)
{
    struct analysis_options options = *work->options;
    struct memory_work other = *work;
    struct table *table = document_add_table(
        document, by == ANALYSIS_BY_OWNER ? "owners" : "libraries", SECTION_IN_BOTH);

    options.by = by;
    other.options = &options;
    return table ? memory_build_groups(&other, table, analysis_limit(&options, shown))
                 : STATUS_OUT_OF_MEMORY;
}

/* A large program has a hundred thousand: people see them with --by site. */
static enum status add_sites(struct document *document, struct memory_work *work)
{
    size_t limit = analysis_limit(work->options, SCREEN_SITES);
    struct table *table = document_add_table(document, "sites", SECTION_IN_JSON);

    return table ? memory_build_sites(work, table, limit) : STATUS_OUT_OF_MEMORY;
}

/* People see no table of nothing. */
static enum status add_mappings(struct document *document, struct memory_work *work)
{
    uint64_t peak = work->session->heap.peak_mapped_bytes;
    bool is_shown = peak > 0 && peak != SESSION_UNKNOWN;
    size_t limit = analysis_limit(work->options, SCREEN_MAPPINGS);
    struct table *table =
        document_add_table(document, "mappings", is_shown ? SECTION_IN_BOTH : SECTION_IN_JSON);

    return table ? memory_build_mappings(work, table, limit) : STATUS_OUT_OF_MEMORY;
}

/* People see few rows, programs all. */
static enum status add_histogram(struct document *document, struct memory_work *work,
                                 const char *key,
                                 enum status (*fill)(struct memory_work *, struct table *, size_t))
{
    struct table *shown = document_add_table(document, "shown", SECTION_IN_TEXT);
    struct table *whole = document_add_table(document, key, SECTION_IN_JSON);
    enum status status = shown && whole ? fill(work, shown, SCREEN_BINS) : STATUS_OUT_OF_MEMORY;

    return status ? status : fill(work, whole, 0);
}

static enum status add_by(struct document *document, struct memory_work *work, const char *key,
                          enum analysis_by by)
{
    struct analysis_options options = *work->options;
    struct memory_work other = *work;
    struct table *table = document_add_table(document, key, SECTION_IN_JSON);

    options.by = by;
    other.options = &options;
    return table ? build_table(&other, table) : STATUS_OUT_OF_MEMORY;
}

static enum status add_screen(struct document *document, struct memory_work *work)
{
    enum status status = memory_add_head(document, work);

    document->main = "owners";
    if (!status)
        status = add_groups(document, work, ANALYSIS_BY_OWNER, SCREEN_OWNERS);
    if (!status)
        status = add_groups(document, work, ANALYSIS_BY_LIBRARY, SCREEN_LIBRARIES);
    if (!status)
        status = add_sites(document, work);
    if (!status)
        status = add_mappings(document, work);
    if (!status)
        status = add_histogram(document, work, "sizes", memory_build_sizes);
    if (!status)
        status = add_histogram(document, work, "lifetimes", memory_build_lifetimes);
    if (!status)
        status = add_by(document, work, "regions", ANALYSIS_BY_REGION);
    if (!status)
        status = add_by(document, work, "kernels", ANALYSIS_BY_KERNEL);
    return status ? status : add_by(document, work, "threads", ANALYSIS_BY_THREAD);
}

static enum status compose(const struct session *session, const struct analysis_options *options,
                           struct document *document)
{
    struct memory_work work;
    enum status status = memory_work_init(&work, session, options);

    document_init(document);
    document->name = "memory";
    if (!status && options->before)
        status = memory_add_difference(document, &work);
    else if (!status && options->memory->timeline)
        status = memory_add_timeline(document, &work);
    else if (!status)
        status = add_screen(document, &work);
    memory_work_fini(&work);
    return status;
}

size_t memory_callers(const struct memory_options *options)
{
    enum { USUAL = 3 };

    return options->callers == MEMORY_CALLERS_UNASKED ? USUAL : options->callers;
}

static const struct analysis_option own_options[] = {
#define OPTION(field, ...) ANALYSIS_OPTION(struct memory_options, field, __VA_ARGS__),
#include "memory/memory_options.def"
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
    .rows = 1 << ANALYSIS_BY_SITE | 1 << ANALYSIS_BY_FUNCTION | 1 << ANALYSIS_BY_LINE |
            1 << ANALYSIS_BY_KERNEL | 1 << ANALYSIS_BY_REGION | 1 << ANALYSIS_BY_THREAD |
            1 << ANALYSIS_BY_SIZE | 1 << ANALYSIS_BY_LIFETIME | 1 << ANALYSIS_BY_TREE |
            1 << ANALYSIS_BY_CALLERS | 1 << ANALYSIS_BY_MAPPING | 1 << ANALYSIS_BY_OWNER |
            1 << ANALYSIS_BY_LIBRARY,
    .measure = ANALYSIS_PEAK,
    .measured = 1 << ANALYSIS_BY_DEFAULT | 1 << ANALYSIS_BY_OWNER | 1 << ANALYSIS_BY_LIBRARY |
                1 << ANALYSIS_BY_SITE | 1 << ANALYSIS_BY_FUNCTION | 1 << ANALYSIS_BY_LINE |
                1 << ANALYSIS_BY_KERNEL,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
