/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the blocks were obtained that are live at the end.
 *
 * A suspect grew: what was obtained in the warm-up and never freed since is no leak, and a
 * site that frees a half of its blocks is one all the same.
 *
 * Posterior of a site: that its next block is never freed, by the rule of
 * succession, 1 - (frees + 1) / (allocations + 2), as Scalene has it.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/kernels/groups.h"
#include "analysis/kernels/kernel_rows.h"
#include "analysis/memory/leaks_parts.h"
#include "analysis/memory/place_rows.h"
#include "base/units.h"

static const double suspect_share = 0.05; /* of what all sites that grew did */

static double find_posterior(const struct session_site *site)
{
    double posterior = 1 - ((double)site->frees + 1) / ((double)site->allocations + 2);

    return posterior > 0 ? posterior : 0;
}

/* Returns: NAN where the live heap at that mark is not known. */
static double find_growth(const struct session *session, size_t site, unsigned mark)
{
    const struct session_site *of = array_at(&session->sites, site);

    if (mark >= session->heap.mark_count || site >= session->heap.marks.count)
        return NAN;
    const struct session_mark *marks = array_at(&session->heap.marks, site);
    return (double)of->live_bytes - (double)marks->live_bytes[mark];
}

static bool is_suspect(const struct leak_site *of, double growth_bytes, double posterior)
{
    bool is_kept = of->posterior >= posterior;

    if (isnan(of->growth_bytes))
        return is_kept;
    return of->growth_bytes > 0 && (is_kept || of->growth_bytes >= suspect_share * growth_bytes);
}

static void count_site(struct leak_sites *sites, const struct leak_site *of)
{
    if (of->suppression) {
        of->suppression->sites++;
        of->suppression->bytes += of->site->live_bytes;
        sites->suppressed++;
        sites->suppressed_bytes += of->site->live_bytes;
        sites->suppressed_growth += isnan(of->growth_bytes) ? 0 : of->growth_bytes;
    } else if (of->is_suspect) {
        sites->suspects++;
        sites->suspect_bytes += of->site->live_bytes;
        sites->suspect_growth +=
            isnan(of->growth_bytes) ? (double)of->site->live_bytes : of->growth_bytes;
    } else {
        sites->others++;
        sites->other_bytes += of->site->live_bytes;
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
        order = compare_numbers((double)left->site->live_bytes, (double)right->site->live_bytes);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

static void sort_sites(struct leak_sites *sites)
{
    if (sites->sites.count > 1)
        qsort(sites->sites.items, sites->sites.count, sizeof(struct leak_site), compare_sites);
}

static enum status add_site(struct leak_sites *sites, struct memory_work *work, size_t index,
                            unsigned mark)
{
    const struct session_site *site = array_at(&work->session->sites, index);
    struct leak_site *of;

    if (site->live_bytes == 0 || site->live_bytes == SESSION_UNKNOWN)
        return STATUS_OK;
    of = array_add(&sites->sites);
    if (!of)
        return STATUS_OUT_OF_MEMORY;
    of->site = site;
    of->growth_bytes = find_growth(work->session, index, mark);
    of->posterior = find_posterior(site);
    return suppressor_find(work->suppressor, site->call, &of->suppression);
}

/* Suppressed sites do not make the others' growth look small. */
static double sum_growth(const struct leak_sites *sites)
{
    const struct leak_site *site = sites->sites.items;
    double sum = 0;

    for (size_t i = 0; i < sites->sites.count; i++)
        if (!site[i].suppression && site[i].growth_bytes > 0)
            sum += site[i].growth_bytes;
    return sum;
}

enum status leak_sites_init(struct leak_sites *sites, struct memory_work *work, uint64_t from_ns)
{
    unsigned mark = memory_find_mark(&work->session->heap, from_ns);
    enum status status = STATUS_OK;

    *sites = (struct leak_sites){.suspects = 0};
    array_init(&sites->sites, sizeof(struct leak_site));
    for (size_t i = 0; i < work->session->sites.count && !status; i++)
        status = add_site(sites, work, i, mark);
    double growth_bytes = sum_growth(sites);
    for (size_t i = 0; i < sites->sites.count; i++) {
        struct leak_site *of = array_at(&sites->sites, i);

        of->is_suspect = is_suspect(of, growth_bytes, work->options->posterior);
        count_site(sites, of);
    }
    sort_sites(sites);
    return status;
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
            array_at(&session->heap.marks, (size_t)(site[i].site - first));

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

void leak_sites_fini(struct leak_sites *sites)
{
    array_fini(&sites->sites);
}

/* ---- rows ---------------------------------------------------------------------- */

enum leak_column {
    SHARE,
    LIVE,
    GROWTH,
    BLOCKS,
    POSTERIOR,
    ALLOCATIONS,
    FREES,
    LIVE_ERROR,
    PLACE,
    COLUMNS = PLACE + PLACE_COLUMNS
};

static const struct column columns[COLUMNS] = {
    [SHARE] = {"share", "share", "of all bytes live at the end", UNIT_FRACTION, 2},
    [LIVE] = {"live_bytes", "at end", "bytes live at the end", UNIT_BYTES, 0},
    [GROWTH] = {"growth_bytes", "growth", "live at the end above what was after the warm-up",
                UNIT_BYTES, 0},
    [BLOCKS] = {"live_blocks", "blocks", "live at the end", UNIT_COUNT, 1},
    [POSTERIOR] = {"posterior", "likely kept",
                   "probability that its blocks are never freed, as estimated", UNIT_FRACTION, 1},
    [ALLOCATIONS] = {"allocations", "obtained", "blocks obtained", UNIT_COUNT, 3},
    [FREES] = {"frees", "freed", "blocks given back", UNIT_COUNT, 3},
    [LIVE_ERROR] = {"live_error_bytes", NULL, "standard error; 0 when exact", UNIT_BYTES, 0},
    PLACE_ROWS(PLACE, "the function that allocated"),
};

static const struct table_schema suspect_schema = {
    "suspects", "Suspects: sites that grew since the warm-up", columns, COLUMNS, "share"};
static const struct table_schema other_schema = {"live_at_exit", "Live at the end", columns,
                                                 COLUMNS, "share"};

static void set_counts(struct value *row, const struct leak_site *of, uint64_t whole)
{
    kernel_rows_set_ratio(&row[SHARE], of->site->live_bytes, whole);
    value_set_unsigned(&row[LIVE], of->site->live_bytes);
    if (!isnan(of->growth_bytes))
        value_set_integer(&row[GROWTH], (int64_t)of->growth_bytes);
    value_set_unsigned(&row[BLOCKS], of->site->live_blocks);
    value_set_real(&row[POSTERIOR], of->posterior);
    value_set_unsigned(&row[ALLOCATIONS], of->site->allocations);
    value_set_unsigned(&row[FREES], of->site->frees);
    value_set_real(&row[LIVE_ERROR], of->site->live_error);
}

static uint64_t sum_live(const struct leak_sites *sites)
{
    return sites->suspect_bytes + sites->other_bytes + sites->suppressed_bytes;
}

static enum status fill(struct table *table, struct memory_work *work,
                        const struct leak_sites *sites, bool of_suspects)
{
    enum { SHOWN = 10 };
    size_t limit = analysis_limit(work->options, SHOWN);
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sites->sites.count && !status; i++) {
        const struct leak_site *of = array_at(&sites->sites, i);
        struct value *row;

        if (of->suppression || of->is_suspect != of_suspects)
            continue;
        if (table_row_count(table) == limit) {
            table->rows_cut++;
            continue;
        }
        row = table_add_row(table);
        if (!row)
            return STATUS_OUT_OF_MEMORY;
        set_counts(row, of, sum_live(sites));
        status = place_rows_set(&row[PLACE], work, of->site->call);
    }
    return status;
}

enum status leak_sites_add_table(struct document *document, struct memory_work *work,
                                 const struct leak_sites *sites, bool of_suspects)
{
    const struct table_schema *schema = of_suspects ? &suspect_schema : &other_schema;
    struct table *table = document_add_table(document, schema->name, SECTION_IN_BOTH);
    char whole[UNITS_SIZE];
    enum status status;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, schema);
    status = fill(table, work, sites, of_suspects);
    if (!status)
        status = table_add_note(table, "Shares are of %s live at the end.",
                                units_format_bytes(whole, (double)sum_live(sites)));
    return status ? status : heap_rows_add_doubts(table, work->session);
}
