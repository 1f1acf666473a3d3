/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sites of the blocks that are live at the end, or were live before the final fall of the heap.
 *
 * A suspect must have grown: blocks of the warm-up that were never freed are no leak, but a site
 * that frees half of its blocks may still be one.
 */
#include <math.h>
#include <stdlib.h>

#include "heap/leak_growers.h"
#include "heap/leaks_options.h"
#include "heap/leaks_parts.h"
#include "heap/suppressor.h"
#include "heap/texts.h"
#include "kernels/groups.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "places/place_rows.h"

/* How a site's blocks before the final fall are known. */
enum kept_by { KEPT_AT_END, KEPT_AT_PEAK, KEPT_AT_MARK };

struct kept {
    enum kept_by by;
    unsigned mark;     /* for KEPT_AT_MARK: the last mark before the fall */
    unsigned first;    /* the first mark after the warm-up; mark_count when there is none */
    unsigned last;     /* in the window */
    double confidence; /* confidence level of the intervals */
};

static const double passing_share = 0.10; /* share of a peak in blocks that came and went */
static const double main_share = 0.50;    /* share of the heap's growth, which is exact */
static const double main_errors = 2;      /* standard errors of the site that has this share */

/* An interpreter first frees the data of its main module, and all else much later. */
static bool ends_with_work(const struct leak_judgement *judgement)
{
    return isfinite(judgement->start_ns) && judgement->fall.from_ns > judgement->window.to_ns + 1;
}

/* The last mark may be long before the fall.  If the heap only grew, the fall starts at the
 * peak. */
static struct kept find_kept(const struct session_heap *heap,
                             const struct leak_judgement *judgement)
{
    struct kept kept = {.by = KEPT_AT_END,
                        .first = memory_find_mark(heap, judgement->window.from_ns)};

    kept.last = kept.first;
    while (kept.last + 1 < heap->mark_count &&
           heap->mark_ns[kept.last + 1] <= judgement->window.to_ns)
        kept.last++;

    if (!judgement->has_fall)
        return kept;
    for (unsigned i = 1; i < heap->mark_count && heap->mark_ns[i] <= judgement->fall.from_ns; i++)
        kept.mark = i;
    if (ends_with_work(judgement))
        kept.mark = kept.last < heap->mark_count ? kept.last : 0;
    else if (heap->peak_bytes == judgement->fall.height_bytes &&
             (double)heap->peak_bytes * (1 - passing_share) <= (double)judgement->fall.floor_bytes)
        kept.by = KEPT_AT_PEAK;
    if (kept.by != KEPT_AT_PEAK && kept.mark > 0 && heap->mark_rows.count > 0)
        kept.by = KEPT_AT_MARK;
    return kept;
}

static uint64_t live_at(const struct session *session, size_t site, unsigned mark)
{
    return session_mark_at(&session->heap, site)->live_bytes[mark];
}

/* Bytes live at the end were also live before the fall, except a few obtained during the fall. */
static uint64_t find_kept_bytes(const struct session *session, const struct kept *kept, size_t site)
{
    const struct session_site *of = session_site_at(session, site);
    uint64_t bytes = of->live_bytes;

    if (kept->by == KEPT_AT_PEAK)
        bytes = of->peak_bytes;
    else if (kept->by == KEPT_AT_MARK && site < session->heap.mark_rows.count)
        bytes = live_at(session, site, kept->mark);
    return bytes > of->live_bytes ? bytes : of->live_bytes;
}

/* A mark has no count of blocks. */
static double find_posterior(const struct session_site *site, const struct kept *kept)
{
    uint64_t blocks = site->live_blocks;

    if (kept->by == KEPT_AT_MARK)
        return NAN;
    if (kept->by == KEPT_AT_PEAK && site->peak_blocks > blocks)
        blocks = site->peak_blocks;
    return leak_posterior(site, blocks);
}

/* Returns: NAN where the live heap after the warm-up is not known. */
static double find_growth(const struct session *session, const struct leak_site *of, size_t site,
                          unsigned first)
{
    if (first >= session->heap.mark_count || site >= session->heap.mark_rows.count)
        return NAN;
    return (double)of->kept_bytes - (double)live_at(session, site, first);
}

/* Blocks that are live both times are the same blocks, with the same error, so this is an upper
 * bound. */
static double find_growth_error(const struct session *session, const struct leak_site *of,
                                size_t site, const struct kept *kept)
{
    double error = kept->by == KEPT_AT_PEAK ? of->site->peak_error : of->site->live_error;
    const struct session_mark_error *marks;

    if (session->heap.mark_errors.count == 0 || site >= session->heap.mark_rows.count ||
        kept->first >= session->heap.mark_count)
        return error;
    marks = session_mark_error_at(&session->heap, site);
    if (kept->by == KEPT_AT_MARK)
        error = (double)marks->live_bytes[kept->mark];
    return hypot(error, (double)marks->live_bytes[kept->first]);
}

/* A site that does not grow has no useful rate. */
static void find_trend(struct leak_site *of, const struct session *session, size_t site,
                       const struct kept *kept)
{
    const struct leak_span span = {kept->first, kept->last, of->growth_error, kept->confidence};

    of->trend = (struct trend){.slope = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    if (!(of->growth_bytes > 0) || site >= session->heap.mark_rows.count)
        return;
    leak_find_site_trend(&of->trend, &session->heap, site, &span);
}

static bool is_suspect(const struct leak_site *of, double growth_bytes, double posterior)
{
    const struct leak_growth growth = {of->growth_bytes, of->growth_error};
    bool is_kept = of->posterior >= posterior;

    return isnan(of->growth_bytes) ? is_kept : leak_is_suspect(is_kept, &growth, growth_bytes);
}

static void count_site(struct leak_sites *sites, const struct leak_site *of)
{
    if (of->suppression) {
        of->suppression->sites++;
        of->suppression->bytes += of->kept_bytes;
        sites->suppressed++;
        sites->suppressed_bytes += of->kept_bytes;
        sites->suppressed_growth += isnan(of->growth_bytes) ? 0 : of->growth_bytes;
    } else if (of->is_suspect) {
        sites->suspects++;
        sites->suspect_bytes += of->kept_bytes;
        sites->suspect_growth +=
            isnan(of->growth_bytes) ? (double)of->kept_bytes : of->growth_bytes;
    } else {
        sites->other_bytes += of->kept_bytes;
    }
}

static int compare_numbers(double left, double right)
{
    return (left < right) - (left > right);
}

static int compare_sites(const void *a, const void *b)
{
    const struct leak_site *left = a, *right = b;
    int order = right->is_suspect - left->is_suspect;

    if (order == 0 && left->is_suspect && !isnan(left->growth_bytes))
        order = compare_numbers(left->growth_bytes, right->growth_bytes);
    if (order == 0)
        order = compare_numbers((double)left->kept_bytes, (double)right->kept_bytes);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

static void sort_sites(struct leak_sites *sites)
{
    if (sites->sites.count > 1)
        qsort(sites->sites.items, sites->sites.count, sizeof(struct leak_site), compare_sites);
}

static void add_site(struct leak_sites *sites, struct memory_work *work, size_t index,
                     const struct kept *kept)
{
    const struct session_site *site = session_site_at(work->session, index);
    uint64_t bytes =
        site->live_bytes == SESSION_UNKNOWN ? 0 : find_kept_bytes(work->session, kept, index);
    struct leak_site *of;

    if (bytes == 0)
        return;
    of = array_add(&sites->sites);
    of->site = site;
    of->kept_bytes = bytes;
    of->growth_bytes = find_growth(work->session, of, index, kept->first);
    of->growth_error = find_growth_error(work->session, of, index, kept);
    of->posterior = find_posterior(site, kept);
    find_trend(of, work->session, index, kept);
    suppressor_find(work->suppressor, site->call, &of->suppression);
}

/* The growth of suppressed sites is left out, so the other sites' growth does not look small. */
static double sum_growth(const struct leak_sites *sites)
{
    const struct leak_site *site = sites->sites.items;
    double sum = 0;

    for (size_t i = 0; i < sites->sites.count; i++)
        if (!site[i].suppression && site[i].growth_bytes > 0)
            sum += site[i].growth_bytes;
    return sum;
}

static struct leak_site *find_largest_grower(const struct leak_sites *sites)
{
    struct leak_site *largest = NULL, *of = sites->sites.items;

    for (size_t i = 0; i < sites->sites.count; i++)
        if (!of[i].suppression && of[i].growth_bytes > 0 &&
            (!largest || of[i].growth_bytes > largest->growth_bytes))
            largest = &of[i];
    return largest;
}

/* Drawn blocks may be too few to be certain of any site.  If the heap leaks, though, and one site
 * seems to have grown by half of that, it is no chance: those that grow by chance do not add up to
 * the growth of the heap. */
static void suspect_main_grower(struct leak_sites *sites, const struct leak_judgement *judgement)
{
    struct leak_site *of = find_largest_grower(sites);

    if (judgement->verdict == LEAK_SEEN && of &&
        of->growth_bytes >= main_share * judgement->growth_bytes &&
        of->growth_bytes >= main_errors * of->growth_error)
        of->is_suspect = true;
}

void leak_sites_init(struct leak_sites *sites, struct memory_work *work,
                     const struct leak_judgement *judgement)
{
    struct kept kept = find_kept(&work->session->heap, judgement);

    kept.confidence = work->options->confidence;
    *sites = (struct leak_sites){.has_fall = judgement->has_fall};
    array_init(&sites->sites, sizeof(struct leak_site));
    for (size_t i = 0; i < work->session->sites.count; i++)
        add_site(sites, work, i, &kept);
    double growth_bytes = sum_growth(sites);
    for (size_t i = 0; i < sites->sites.count; i++) {
        struct leak_site *of = array_at(&sites->sites, i);

        of->is_suspect = is_suspect(of, growth_bytes, work->options->leaks->posterior);
    }
    suspect_main_grower(sites, judgement);
    for (size_t i = 0; i < sites->sites.count; i++)
        count_site(sites, array_at(&sites->sites, i));
    sort_sites(sites);
}

void leak_sites_clear_suspects(struct leak_sites *sites)
{
    struct leak_site *site = sites->sites.items;

    for (size_t i = 0; i < sites->sites.count; i++)
        site[i].is_suspect = false;
    sort_sites(sites);
}

static double sum_live_at(const struct session *session, unsigned mark)
{
    const struct session_mark *of = session->heap.marks.items;
    double sum = 0;

    for (size_t i = 0; i < session->heap.marks.count; i++)
        sum += (double)of[i].live_bytes[mark];
    return sum;
}

static double sum_suppressed_at(const struct leak_sites *sites, const struct session *session,
                                unsigned mark)
{
    const struct session_site *first = session->sites.items;
    const struct leak_site *site = sites->sites.items;
    double sum = 0;

    for (size_t i = 0; i < sites->sites.count; i++) {
        const struct session_mark *of =
            session_mark_at(&session->heap, (size_t)(site[i].site - first));

        if (site[i].suppression)
            sum += (double)of->live_bytes[mark];
    }
    return sum;
}

void leak_sites_fill_rest(struct heap_course *rest, const struct leak_sites *sites,
                          const struct session *session, const struct memory_window *window)
{
    const struct session_heap *heap = &session->heap;

    rest->count = 0;
    for (unsigned i = memory_find_mark(heap, window->from_ns);
         i < heap->mark_count && heap->mark_ns[i] <= window->to_ns; i++) {
        rest->x[rest->count] = (double)heap->mark_ns[i];
        rest->y[rest->count++] = sum_live_at(session, i) - sum_suppressed_at(sites, session, i);
    }
}

enum leak_column {
    SHARE,
    KEPT,
    LIVE,
    GROWTH,
    GROWTH_ERROR,
    SLOPE,
    SLOPE_LOW,
    SLOPE_HIGH,
    BLOCKS,
    POSTERIOR,
    ALLOCATIONS,
    FREES,
    LIVE_ERROR,
    PLACE,
    COLUMNS = PLACE + PLACE_CHAIN_COLUMNS
};

/* The titles of the standard errors, which an exact heap does not show. */
#define LEAK_COLUMNS(growth_error, live_error)                                                     \
    {                                                                                              \
        [SHARE] = {"share", "share", "of the whole that the note names", UNIT_FRACTION, 2},        \
        [KEPT] = {"kept_bytes", "kept", "bytes live until the final frees, or the end",            \
                  UNIT_BYTES, 0},                                                                  \
        [LIVE] = {"live_bytes", "at end", "bytes live at the end", UNIT_BYTES, 1},                 \
        [GROWTH] = {"growth_bytes", "growth", "kept, above what was live after the warm-up",       \
                    UNIT_BYTES, 0},                                                                \
        [GROWTH_ERROR] = {"growth_error_bytes", growth_error,                                      \
                          "standard error of the growth, at most; 0 when exact", UNIT_BYTES, 1},   \
        [SLOPE] = {"slope_bytes_per_second", "rate",                                               \
                   "Theil-Sen slope of what was live at marks of time; null of few",               \
                   UNIT_BYTES_PER_SECOND, 0},                                                      \
        [SLOPE_LOW] = {"slope_low_bytes_per_second", "at least",                                   \
                       "interval of the rate, by --confidence, with the error of the growth",      \
                       UNIT_BYTES_PER_SECOND, 1},                                                  \
        [SLOPE_HIGH] = {"slope_high_bytes_per_second", "at most", "the same",                      \
                        UNIT_BYTES_PER_SECOND, 1},                                                 \
        [BLOCKS] = {"live_blocks", "blocks", "live at the end", UNIT_COUNT, 1},                    \
        [POSTERIOR] = {"posterior", "likely kept",                                                 \
                       "probability that its blocks are never freed, as estimated", UNIT_FRACTION, \
                       1},                                                                         \
        [ALLOCATIONS] = {"allocations", "obtained", "blocks obtained", UNIT_COUNT, 3},             \
        [FREES] = {"frees", "freed", "blocks given back", UNIT_COUNT, 3},                          \
        [LIVE_ERROR] = {"live_error_bytes", live_error, "standard error; 0 when exact",            \
                        UNIT_BYTES, 1},                                                            \
        PLACE_CHAIN_ROWS(PLACE, "the function that allocated"),                                    \
    }

static const struct column exact_columns[COLUMNS] = LEAK_COLUMNS(NULL, NULL);
static const struct column estimated_columns[COLUMNS] = LEAK_COLUMNS("± growth", "± at end");

#define LEAK_SCHEMAS(columns)                                                                      \
    {                                                                                              \
        [LEAK_SUSPECTS] = {"suspects", "Suspect sites, by growth", columns, COLUMNS, "share"},     \
        [LEAK_HOLDERS] = {"kept", "Kept until teardown", columns, COLUMNS, "share"},               \
        [LEAK_NEVER_FREED] = {"live_at_exit", "Never freed", columns, COLUMNS, "share"},           \
    }

enum { LEAK_TABLES = LEAK_NEVER_FREED + 1 };

static const struct table_schema exact_schemas[LEAK_TABLES] = LEAK_SCHEMAS(exact_columns);
static const struct table_schema estimated_schemas[LEAK_TABLES] = LEAK_SCHEMAS(estimated_columns);

/* Returns: the bytes of a site that a table is about. */
static uint64_t bytes_of(const struct leak_site *site, enum leak_table of)
{
    return of == LEAK_NEVER_FREED ? site->site->live_bytes : site->kept_bytes;
}

static void set_counts(struct value *row, const struct leak_site *of)
{
    const double second_ns = 1e9;

    value_set_unsigned(&row[KEPT], of->kept_bytes);
    value_set_unsigned(&row[LIVE], of->site->live_bytes);
    if (!isnan(of->growth_bytes))
        value_set_integer(&row[GROWTH], (int64_t)of->growth_bytes);
    value_set_real(&row[GROWTH_ERROR], round(of->growth_error));
    value_set_real(&row[SLOPE], of->trend.slope * second_ns);
    value_set_real(&row[SLOPE_LOW], of->trend.low * second_ns);
    value_set_real(&row[SLOPE_HIGH], of->trend.high * second_ns);
    value_set_unsigned(&row[BLOCKS], of->site->live_blocks);
    if (!isnan(of->posterior))
        value_set_real(&row[POSTERIOR], of->posterior);
    value_set_unsigned(&row[ALLOCATIONS], of->site->allocations);
    value_set_unsigned(&row[FREES], of->site->frees);
    value_set_real(&row[LIVE_ERROR], round(of->site->live_error));
}

/* The probability that blocks are kept is an estimate, even for exact blocks. */
static void mark_estimates(struct value *row)
{
    static const unsigned char columns[] = {SHARE,     KEPT,       LIVE,   GROWTH,      SLOPE,
                                            SLOPE_LOW, SLOPE_HIGH, BLOCKS, ALLOCATIONS, FREES};

    values_mark_estimates(row, columns, sizeof columns);
}

static uint64_t sum_bytes(const struct leak_sites *sites, enum leak_table of)
{
    const struct leak_site *site = sites->sites.items;
    uint64_t sum = 0;

    for (size_t i = 0; i < sites->sites.count; i++)
        sum += bytes_of(&site[i], of);
    return sum;
}

/* A site is in one table: that of its larger part, kept until the fall or never freed. */
static bool belongs(const struct leak_sites *sites, const struct leak_site *site,
                    enum leak_table of)
{
    bool is_freed = sites->has_fall && site->site->live_bytes <= site->kept_bytes / 2;

    if (site->suppression || site->is_suspect != (of == LEAK_SUSPECTS))
        return false;
    return of == LEAK_SUSPECTS || is_freed == (of == LEAK_HOLDERS);
}

static void add_row(struct table *table, struct memory_work *work, const struct leak_site *site,
                    double share)
{
    struct value *row = table_add_row(table);

    value_set_real(&row[SHARE], share);
    set_counts(row, site);
    if (work->session->heap.has_estimated_sites)
        mark_estimates(row);
    memory_set_chain(&row[PLACE], work, site->site->call);
}

static void fill(struct table *table, struct memory_work *work, const struct leak_sites *sites,
                 enum leak_table of)
{
    enum { SHOWN = 10 };
    size_t limit = analysis_limit(work->options, SHOWN);
    double whole = (double)sum_bytes(sites, of);

    for (size_t i = 0; i < sites->sites.count; i++) {
        const struct leak_site *site = array_at(&sites->sites, i);

        if (!belongs(sites, site, of))
            continue;
        if (table_row_count(table) == limit)
            table->rows_cut++;
        else
            add_row(table, work, site, (double)bytes_of(site, of) / whole);
    }
}

static void note_whole(struct table *table, const struct leak_sites *sites, enum leak_table of)
{
    bool until_fall = sites->has_fall && of != LEAK_NEVER_FREED;

    table_say(table, until_fall ? leak_whole_teardown_text : leak_whole_end_text,
              said_bytes((double)sum_bytes(sites, of)));
}

static bool has_any(const struct leak_sites *sites, enum leak_table of)
{
    for (size_t i = 0; i < sites->sites.count; i++)
        if (belongs(sites, array_at(&sites->sites, i), of))
            return true;
    return false;
}

/* People see no table of nothing. */
void leak_sites_add_table(struct document *document, struct memory_work *work,
                          const struct leak_sites *sites, enum leak_table of)
{
    unsigned where = has_any(sites, of) ? SECTION_IN_BOTH : SECTION_IN_JSON;
    const struct table_schema *schema =
        work->session->heap.has_estimated_sites ? &estimated_schemas[of] : &exact_schemas[of];
    struct table *table = document_add_table(document, schema->name, where);

    table_init(table, schema);
    fill(table, work, sites, of);
    note_whole(table, sites, of);
    heap_rows_add_doubts(table, work->session);
}

const struct leak_site *leak_sites_find_most(const struct leak_sites *sites, bool at_end)
{
    const struct leak_site *site = sites->sites.items, *most = NULL;
    enum leak_table of = at_end ? LEAK_NEVER_FREED : LEAK_HOLDERS;

    for (size_t i = 0; i < sites->sites.count; i++)
        if (bytes_of(&site[i], of) > (most ? bytes_of(most, of) : 0))
            most = &site[i];
    return most;
}
