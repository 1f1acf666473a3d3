/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof sla: do the requests of a session keep a limit?
 */
#ifndef REQUESTS_SLA_H
#define REQUESTS_SLA_H

#include <stdint.h>

struct document;
struct session;

struct sla {
    uint64_t max_ns;
    double fraction;      /* 0.99 for p99 */
    double confidence;    /* such as 0.99 */
    const char *endpoint; /* only requests of this one; NULL: all */
};

/* Judge, and set the document's verdict: OK, POLICY_FAILED or NOT_ENOUGH_DATA. */
void sla_build(const struct session *session, const struct sla *sla, struct document *document);

#endif
