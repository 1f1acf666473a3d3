/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests of a session by endpoint.
 */
#ifndef REQUESTS_REQUEST_ROWS_H
#define REQUESTS_REQUEST_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "requests/request_costs.h"
#include "requests/request_tally.h"
#include "statistics/summary.h"

struct session_request;

struct request_row {
    const char *name;        /* of the pool in use */
    struct array lengths_ns; /* uint64_t: from the first read to the last write, by time */
    struct array firsts_ns;  /* uint64_t: to the first byte of the answer, where known */
    struct array users_ns;   /* uint64_t: lengths from the arrival, where it is known */
    struct array proxies_ns; /* uint64_t: from a proxy to the first read, where it is known */
    struct summary summary;  /* of the lengths */
    uint64_t first_ns;       /* the first start, and the last end */
    uint64_t last_ns;
    double cpu_ns; /* sums over `cpu_count` requests */
    size_t cpu_count;
    double waits_ns[TRACE_WAIT_CLASSES]; /* over `own` requests */
    struct request_waits answers, lookups; /* the same */
    size_t own;
    double own_ns;     /* sum of their lengths */
    double kept_bytes; /* over `kept_count` requests */
    size_t kept_count;
    size_t keeping;                      /* of these, that keep REQUEST_KEEPS bytes or more */
    double unread_ns;                    /* in the kernel, over `users_ns` */
    const struct session_request *first; /* the earliest */
    double bytes_in;
    double bytes_out;
    struct request_tally *tally; /* of all its requests; NULL: each has a record */
};

struct request_rows {
    struct array rows; /* of struct request_row, by their names */
    struct request_row all;
    struct request_costs costs;
};

enum { REQUEST_NAME_SIZE = 16, REQUEST_KEEPS = 256 };

/* Returns: the name of a request's endpoint: method and path, else the port that accepted, composed
 * in `room`. */
const char *request_name(const struct session_request *request, char room[REQUEST_NAME_SIZE]);

/* Gather them; confidence is that of the summaries. */
void request_rows_init(struct request_rows *rows, const struct session *session, double confidence);

/* Returns: the sorted value of a rank, by the nearest rank; NAN without values. */
double request_nearest(const struct array *values_ns, double fraction);

/* Returns: its requests, with those that have no record. */
uint64_t request_calls(const struct request_row *row);

/* Returns: a percentile of the lengths, NAN without any. */
double request_percentile(const struct request_row *row, enum summary_percentile_id id);

/* Returns: requests a second; NAN for less than two. */
double request_rate(const struct request_row *row);

#endif
