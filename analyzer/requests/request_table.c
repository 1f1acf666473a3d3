/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of requests by endpoint.  Costs are means of the requests that a thread served alone.
 */
#include "requests/request_table.h"

#include <math.h>

#include "document/table.h"
#include "requests/request_rows.h"

enum column_index {
    NAME,
    CALLS,
    RATE,
    P50,
    P50_CI,
    P95,
    P95_CI,
    P99,
    P99_CI,
    MEAN,
    MAX,
    FIRST,
    USER_P99,
    PROXY,
    CPU,
    WAITS,
    MOSTLY,
    KEPT,
    IN,
    OUT,
    OWN,
    CLASSES /* the rest: a column a class of waits */
};

static const struct column columns[] = {
    [NAME] =
        {"endpoint", "endpoint",
         "method and path, the port that accepted the connection, or a function of the catalog",
         UNIT_TEXT, 0},
    [CALLS] = {"calls", "requests", "that were answered", UNIT_COUNT, 0},
    [RATE] = {"per_second", "rate", "from the first request to the end of the last",
              UNIT_PER_SECOND, 4},
    [P50] = {"p50_ns", "p50", "from the first read to the last write, by the nearest rank", UNIT_NS,
             0},
    [P50_CI] = {"p50_ci_ns", NULL, "its interval", UNIT_NS, 9},
    [P95] = {"p95_ns", "p95", "the same", UNIT_NS, 3},
    [P95_CI] = {"p95_ci_ns", NULL, "its interval", UNIT_NS, 9},
    [P99] = {"p99_ns", "p99", "the same", UNIT_NS, 0},
    [P99_CI] = {"p99_ci_ns", "its interval", "of p99; one bound may be unknown", UNIT_NS, 8},
    [MEAN] = {"mean_ns", "mean", "the same", UNIT_NS, 7},
    [MAX] = {"max_ns", "longest", "the same", UNIT_NS, 6},
    [FIRST] = {"first_byte_p50_ns", "first byte", "p50 of the time to the first byte of the answer",
               UNIT_NS, 5},
    [USER_P99] = {"user_p99_ns", "p99 from arrival",
                  "the same from the arrival in the kernel, where its socket was asked", UNIT_NS,
                  5},
    [PROXY] = {"proxy_p99_ns", "p99 of queue", "from a proxy's X-Request-Start to the first read",
               UNIT_NS, 6},
    [CPU] = {"cpu_ns", "processor", "processor time of a request", UNIT_NS, 1},
    [WAITS] = {"wait_ns", "waits", "waiting of a request, in calls of 50 us or more", UNIT_NS, 1},
    [MOSTLY] = {"mostly", "mostly", "the kind of most of this waiting", UNIT_TEXT, 2},
    [KEPT] = {"kept_bytes", "kept", "obtained less freed by the thread, a request", UNIT_BYTES, 2},
    [IN] = {"bytes_in", "read", "by all requests", UNIT_BYTES, 8},
    [OUT] = {"bytes_out", "written", "by all requests", UNIT_BYTES, 8},
    [OWN] = {"own_share", "alone",
             "share of the requests whose thread served nothing else meanwhile: the costs are "
             "theirs",
             UNIT_FRACTION, 6},
#define WAIT_CLASS(class, key, help)                                                               \
    [CLASSES + TRACE_WAIT_CLASS_##class] = {"wait_" key "_ns", NULL, help, UNIT_NS, 9},
#include "spec/wait_classes.def"
#undef WAIT_CLASS
};

static const char *const class_keys[] = {
#define WAIT_CLASS(class, key, help) key,
#include "spec/wait_classes.def"
#undef WAIT_CLASS
};

const struct table_schema request_table_schema = {"requests", "Requests by endpoint", columns,
                                                  sizeof columns / sizeof *columns, NULL};

static void set_percentile(struct value *value, struct value *interval,
                           const struct request_row *of, enum summary_percentile_id id)
{
    const struct summary_percentile *percentile = &of->summary.percentiles[id];

    value_set_rounded(value, request_percentile(of, id));
    value_mark_estimate(value, of->tally != NULL);
    if (!of->tally)
        value_set_interval(interval, percentile->interval.low, percentile->interval.high);
}

static void set_times(struct value *row, const struct request_row *of)
{
    set_percentile(&row[P50], &row[P50_CI], of, SUMMARY_P50);
    set_percentile(&row[P95], &row[P95_CI], of, SUMMARY_P95);
    set_percentile(&row[P99], &row[P99_CI], of, SUMMARY_P99);
    value_set_rounded(&row[MEAN], of->tally ? of->tally->total_ns / (double)of->tally->calls
                                            : of->summary.mean);
    value_set_rounded(&row[MAX], of->tally ? of->tally->max_ns : of->summary.maximum);
    value_set_rounded(&row[FIRST], request_nearest(&of->firsts_ns, 0.5));
    value_set_rounded(&row[USER_P99], request_nearest(&of->users_ns, 0.99));
    value_set_rounded(&row[PROXY], request_nearest(&of->proxies_ns, 0.99));
}

static void set_waits(struct value *row, const struct request_row *of)
{
    double all = 0, most = 0;

    for (unsigned i = 0; i < TRACE_WAIT_CLASSES; i++) {
        value_set_rounded(&row[CLASSES + i], of->waits_ns[i] / (double)of->own);
        all += of->waits_ns[i];
        if (of->waits_ns[i] > most) {
            most = of->waits_ns[i];
            value_fini(&row[MOSTLY]);
            value_set_text(&row[MOSTLY], class_keys[i]);
        }
    }
    value_set_rounded(&row[WAITS], all / (double)of->own);
}

static void set_row(struct value *row, const struct request_row *of)
{
    value_set_text(&row[NAME], of->name);
    value_set_unsigned(&row[CALLS], request_calls(of));
    if (!of->tally)
        value_set_real(&row[RATE], request_rate(of));
    set_times(row, of);
    value_set_ratio(&row[CPU], of->cpu_ns, (double)of->cpu_count);
    value_set_rounded(&row[CPU], value_number(&row[CPU]));
    if (of->own > 0)
        set_waits(row, of);
    if (of->kept_count > 0)
        value_set_rounded(&row[KEPT], of->kept_bytes / (double)of->kept_count);
    if (of->tally || of->firsts_ns.count > 0) {
        value_set_rounded(&row[IN], of->tally ? of->tally->bytes_in : of->bytes_in);
        value_set_rounded(&row[OUT], of->tally ? of->tally->bytes_out : of->bytes_out);
    }
    value_set_ratio(&row[OWN], (double)of->own, (double)of->lengths_ns.count);
}

void request_table_fill(struct table *table, const struct request_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++)
        set_row(table_add_row(table), array_at(&rows->rows, i));
}
